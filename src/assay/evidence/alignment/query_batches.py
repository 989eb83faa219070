"""The rows of a run in batches of whole queries, the documents of a query side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats, Ints, unit_offsets
from assay.core.errors import DataError
from assay.core.tables import Run

ROWS = 1 << 19


class Interleaved(Exception):
    """A query comes back after another: its rows must be gathered first."""


@dataclass(frozen=True)
class Batch:
    """Some queries with all their documents, in the order of the file."""

    queries: pl.Series
    offsets: Ints
    doc: pl.Series
    score: Floats
    row: Ints
    """The row of the run in which each document stands."""
    rank: Ints | None = None

    def where(self, keep: Bools) -> Batch:
        """Only those documents; a query may be left with none."""
        rows = np.flatnonzero(keep)
        return replace(
            self,
            offsets=np.searchsorted(rows, self.offsets),
            doc=self.doc.gather(rows),
            score=self.score[rows],
            row=self.row[rows],
            rank=None if self.rank is None else self.rank[rows],
        )


def query_batches(run: Run, rank: bool = False) -> Iterator[Batch]:
    """All rows of a run; raises Interleaved when a query comes back."""
    seen: set[str] = set()
    first = 0
    pieces = (piece for piece in run.pieces(rank) if not piece.is_empty())
    for frame, starts in _unsplit_pieces(pieces) if run.whole_queries else _whole_queries(pieces):
        queries = frame["query"].gather(starts)
        names = queries.to_list()
        known = len(seen) + len(names)
        seen.update(names)
        if len(seen) < known:
            raise Interleaved
        row = np.arange(first, first + frame.height)
        yield _make_batch(queries, np.append(starts, frame.height), frame, row)
        first += frame.height


def _unsplit_pieces(pieces: Iterator[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, Ints]]:
    """The pieces, and where queries begin in them."""
    for piece in pieces:
        yield piece, _query_starts(piece["query"])


def _whole_queries(pieces: Iterator[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, Ints]]:
    """The pieces cut where a query ends, and where queries begin in them."""
    held: list[pl.DataFrame] = []
    height = 0
    for piece in pieces:
        starts = _query_starts(piece["query"])
        cut = int(starts[-1])
        goes_on = bool(held) and held[-1]["query"][-1] == piece["query"][0]
        if held and (cut or not goes_on):
            begun = starts[1:-1] if goes_on else starts[:-1]
            yield pl.concat([*held, piece[:cut]]), np.append(0, begun + height)
            held, height = [], 0
        elif cut:
            yield piece[:cut], starts[:-1]
        held.append(piece[cut:])
        height += piece.height - cut
    if held:
        yield pl.concat(held), np.zeros(1, dtype=np.int64)


def _query_starts(queries: pl.Series) -> Ints:
    """Where another query begins."""
    changes = np.flatnonzero((queries[1:] != queries[:-1]).to_numpy())
    return np.append(0, changes + 1)


def _make_batch(queries: pl.Series, offsets: Ints, frame: pl.DataFrame, row: Ints) -> Batch:
    rank = frame["rank"].to_numpy() if "rank" in frame.columns else None
    return Batch(queries, offsets, frame["doc"], frame["score"].to_numpy(), row, rank)


def gather_batches(run: Run, rank: bool = False) -> Iterator[Batch]:
    """All rows of a run in batches, whatever the order of its lines; these are held for that."""
    names: dict[str, int] = {}
    codes, frames = [], []
    for piece in run.pieces(rank):
        for name in piece["query"].unique(maintain_order=True).to_list():
            names.setdefault(name, len(names))
        codes.append(piece["query"].cast(pl.Enum(list(names))).to_physical().to_numpy())
        frames.append(piece.drop("query"))
    if not codes:
        raise DataError(f"{run.source.name}: the run has no documents; was it written to the end?")
    code = np.concatenate(codes)
    if len(names) <= 1 << 16:
        code = code.astype(np.uint16)  # sorted by radix, ten times as fast
    order = np.argsort(code, kind="stable")
    offsets = unit_offsets(np.bincount(code, minlength=len(names)))
    queries = pl.Series(list(names), dtype=pl.String)
    rows = pl.concat(frames)
    first = 0
    while first < len(queries):
        last = max(first + 1, int(np.searchsorted(offsets, offsets[first] + ROWS, "right")) - 1)
        part = order[offsets[first] : offsets[last]]
        own = offsets[first : last + 1] - offsets[first]
        yield _make_batch(queries[first:last], own, rows[part], part)
        first = last
