"""The rows of a run in batches of whole queries, without what the conventions leave out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Bools, Floats, Ints, unit_numbers, unit_offsets
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError, DataError
from assay.core.frozen_dataclass import dataclass, field, replace
from assay.core.tables import Run
from assay.evidence.alignment.judged_documents import (
    POLICY,
    SEVERAL_RUNS,
    Keys,
    document_keys,
    row_numbers,
)
from assay.evidence.column_values import duplicate_error

ROWS = 1 << 19


class Interleaved(Exception):
    """A query occurs again after another one: its rows must be gathered first."""


@dataclass(frozen=True)
class Batch:
    """Some queries with all their documents, in the order of the file."""

    queries: pl.Series
    number: Ints
    """The number of each query; unjudged ones have higher numbers than judged ones."""
    offsets: Ints
    key: Keys
    """The key of each document, by the number of its query."""
    doc: pl.Series
    score: Floats
    row: Ints
    """The row of the run that each document is in."""
    rank: Ints | None

    def where(self, keep: Bools) -> Batch:
        """Return only those documents; a query may be left with none."""
        rows = np.flatnonzero(keep)
        return replace(
            self,
            offsets=np.searchsorted(rows, self.offsets),
            key=self.key[rows],
            doc=self.doc.gather(rows),
            score=self.score[rows],
            row=self.row[rows],
            rank=None if self.rank is None else self.rank[rows],
        )


@dataclasses.dataclass
class BatchReader:
    """Reads a run in batches without what the conventions leave out, and counts that."""

    run: Run
    conventions: Conventions
    judged: Mapping[str, int] = field(default_factory=dict)
    """The number of each judged query."""
    seed: int = 0
    """The seed of the keys."""
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    unknown: list[str] = dataclasses.field(default_factory=list)
    """The queries without judgments."""
    unranked: bool = False
    """Whether documents are to be ordered by rank and have none."""

    def read(self, *, gather: bool) -> Iterator[Batch]:
        """Yield all batches.

        Unless they are gathered, which holds all rows in memory, a query that occurs again after
        another one raises Interleaved.
        """
        rank = self.conventions.order == "rank"
        parts = (
            _gathered_queries(self.run, rank) if gather else _consecutive_queries(self.run, rank)
        )
        for queries, offsets, frame, row in parts:
            names = queries.to_list()
            beyond = len(self.judged)
            numbers = [self.judged.get(name, beyond + n) for n, name in enumerate(names)]
            number = np.asarray(numbers, dtype=np.int64)
            self.unknown += [name for name, n in zip(names, numbers, strict=True) if n >= beyond]
            batch = Batch(
                queries=queries,
                number=number,
                offsets=offsets,
                key=document_keys(frame["doc"], number, beyond, self.seed, np.diff(offsets)),
                doc=frame["doc"],
                score=frame["score"].to_numpy(),
                row=row,
                rank=frame["rank"].to_numpy() if "rank" in frame.columns else None,
            )
            yield self._clean(batch)

    def _clean(self, batch: Batch) -> Batch:
        """Return the batch without the documents that the conventions leave out."""
        self._count("documents", len(batch.doc))
        self._check_rank(batch)
        batch = self._without_nan(batch)
        self._count("infinite scores", _count_infinite(batch.score))
        if self.conventions.own_document == "drop":
            own = (batch.queries.gather(unit_numbers(batch.offsets)) == batch.doc).to_numpy()
            self._count("own documents", int(own.sum()))
            batch = batch.where(~own) if own.any() else batch
        return self._without_duplicates(batch)

    def _without_duplicates(self, batch: Batch) -> Batch:
        """Return the batch with each document of a query once."""
        twice = find_duplicates(batch)
        if twice is None:
            return batch
        policy = self.conventions.duplicates
        if policy == "error":
            query, doc = twice["query"][0], twice["doc"][0]
            own = twice.filter((pl.col("query") == query) & (pl.col("doc") == doc))["row"]
            first, second = (int(batch.row[row]) for row in own[:2])
            what = f"document {doc} for query {query}"
            hint = POLICY if self.run.source.lines is not None else f"{POLICY}{SEVERAL_RUNS}"
            raise AlignmentError(duplicate_error(self.run.source, what, first, second, hint))
        keep = np.ones(len(batch.doc), dtype=np.bool_)
        kept = twice.unique(["query", "doc"], keep="first" if policy == "first" else "last")
        keep[twice["row"].to_numpy()] = False
        keep[kept["row"].to_numpy()] = True
        self._count("duplicates", int(np.count_nonzero(~keep)))
        return batch.where(keep)

    def _without_nan(self, batch: Batch) -> Batch:
        if not _has_nan(batch.score):
            return batch
        undefined = np.isnan(batch.score)
        if self.conventions.nan_scores == "error":
            row = int(batch.row[np.flatnonzero(undefined)[0]])
            raise AlignmentError(
                f"{self.run.source.place(row)}: the score is not a number (NaN); fix the run, or"
                " choose `nan_scores=drop` or `nan_scores=keep`"
            )
        self._count("scores that are not numbers", int(undefined.sum()))
        return batch.where(~undefined) if self.conventions.nan_scores == "drop" else batch

    def _check_rank(self, batch: Batch) -> None:
        if self.conventions.order != "rank":
            return
        if batch.rank is None:
            self.unranked = True
        elif batch.rank.dtype.kind == "f":
            row = int(batch.row[np.flatnonzero(np.isnan(batch.rank))[0]])
            raise AlignmentError(
                f"{self.run.source.place(row)}: the rank is not a whole number, but documents are"
                " ordered by rank; order them with `order=score` or `order=file`"
            )

    def _count(self, what: str, count: int) -> None:
        self.counts[what] = self.counts.get(what, 0) + count


QueryRows: TypeAlias = tuple[pl.Series, Ints, pl.DataFrame, Ints]
"""Some queries, the offsets of their rows, the rows, and the number of each row in the run."""


def _consecutive_queries(run: Run, rank: bool) -> Iterator[QueryRows]:
    """Yield all rows of a run; raise Interleaved if a query occurs again after another."""
    seen: set[str] = set()
    first = 0
    for frame, starts in _whole_queries(run, rank):
        queries = frame["query"].gather(row_numbers(starts))
        names = queries.to_list()
        known = len(seen) + len(names)
        seen.update(names)
        if len(seen) < known:
            raise Interleaved
        row = np.arange(first, first + frame.height)
        yield queries, np.append(starts, frame.height), frame, row
        first += frame.height


def _whole_queries(run: Run, rank: bool) -> Iterator[tuple[pl.DataFrame, Ints]]:
    """Yield the pieces of a run cut where a query ends, and where queries begin."""
    held: list[pl.DataFrame] = []
    height = 0
    for piece in run.pieces(rank):
        if piece.is_empty():
            continue
        queries = piece["query"]
        changes = np.flatnonzero((queries[1:] != queries[:-1]).to_numpy())
        starts = np.append(0, changes + 1)
        if run.whole_queries:
            yield piece, starts
            continue
        cut = int(starts[-1])
        goes_on = bool(held) and held[-1]["query"][-1] == queries[0]
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


def _gathered_queries(run: Run, rank: bool) -> Iterator[QueryRows]:
    """Yield all rows of a run whatever the order of its lines, which are held in memory."""
    names = pl.Series(dtype=pl.String)
    codes, frames = [], []
    for piece in run.pieces(rank):
        queries = piece["query"]
        known = queries.cast(pl.Enum(names), strict=False)
        if known.null_count():
            names = names.append(queries.filter(known.is_null()).unique(maintain_order=True))
            known = queries.cast(pl.Enum(names))
        codes.append(known.to_physical().to_numpy())
        frames.append(piece.drop("query"))
    if not codes:
        raise DataError(f"{run.source.name}: the run has no documents; was it written to the end?")
    code = np.concatenate(codes)
    if len(names) <= 1 << 16:
        code = code.astype(np.uint16)  # radix sort, ten times as fast
    order = np.argsort(code, kind="stable")
    offsets = unit_offsets(np.bincount(code, minlength=len(names)))
    rows = pl.concat(frames, rechunk=True)  # rows of a single chunk are found at once
    del frames, codes, code
    first = 0
    while first < len(names):
        last = max(first + 1, int(np.searchsorted(offsets, offsets[first] + ROWS, "right")) - 1)
        part = order[offsets[first] : offsets[last]]
        within = offsets[first : last + 1] - offsets[first]
        yield names[first:last], within, rows[part], part
        first = last


def _has_nan(numbers: NDArray[np.floating]) -> bool:
    """Return whether there is NaN, without a copy of that size."""
    return bool(np.isnan(numbers.max(initial=-np.inf)))


def _count_infinite(score: Floats) -> int:
    """Return how many scores are infinite; mostly the greatest and the least are not."""
    known = score[~np.isnan(score)] if _has_nan(score) else score
    if np.isfinite([known.max(initial=0), known.min(initial=0)]).all():
        return 0
    return int(np.count_nonzero(np.isinf(score)))


def find_duplicates(batch: Batch) -> pl.DataFrame | None:
    """Return the rows of documents that occur more than once: row, query, doc; None if none do.

    Equal keys are rare except for duplicates, so only rows with equal keys are compared. Sorting
    query by query is faster, where all lists have the same length, and half of a key is enough.
    """
    sizes, key = np.diff(batch.offsets), batch.key
    if len(sizes) > 1 and sizes[0] > 1 and (sizes == sizes[0]).all():
        key = key.astype(np.uint32)
        ordered = np.sort(key.reshape(-1, sizes[0]), axis=1)
    else:
        ordered = np.sort(key)
    equal = ordered[..., 1:] == ordered[..., :-1]
    if not equal.any():
        return None
    rows = np.flatnonzero(np.isin(key, ordered[..., 1:][equal]))
    whole = np.sort(batch.key[rows])
    if not (whole[1:] == whole[:-1]).any():
        return None
    unit = np.searchsorted(batch.offsets, rows, side="right") - 1
    frame = pl.DataFrame(
        {"row": rows, "query": batch.queries.gather(unit), "doc": batch.doc.gather(rows)}
    )
    twice = frame.filter(pl.struct("query", "doc").is_duplicated())
    return None if twice.is_empty() else twice
