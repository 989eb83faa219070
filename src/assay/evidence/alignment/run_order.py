"""The rank of documents in their lists, and whole runs in the order in which a user sees them.

Lists that are in order already are left alone, and only ties are sorted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import CELLS_AT_ONCE, Bools, Ints, unit_numbers, unit_rows
from assay.core.conventions import Conventions
from assay.core.frozen_dataclass import dataclass
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.judged_documents import row_numbers
from assay.evidence.alignment.run_batches import Batch, BatchReader

_FEW_SHARE = 50
"""Fewer than one row in so many are few."""


@dataclass(frozen=True)
class DocumentRanks:
    """The ranks of some documents, and the first and last rank of those with the same score."""

    position: Ints
    """The position of each in the batch."""
    place: Ints
    tie_first: Ints
    tie_last: Ints


def rank_documents(batch: Batch, wanted: Ints, conventions: Conventions) -> DocumentRanks:
    """Return the ranks of the wanted rows of a batch."""
    key = _ordering_key(batch, conventions)
    base = _query_starts(batch.offsets, wanted) - 1
    if key is None:
        return _untied_ranks(wanted, base)
    order = _descending_rows(key, batch.offsets)
    position = wanted
    if order is not None:
        key = key[order]
        inverse = np.empty_like(order)
        inverse[order] = np.arange(len(order))
        position = inverse[wanted]
    same = _within_queries(key[1:] == key[:-1], batch.offsets)
    if not same.any():
        return _untied_ranks(position, base)
    groups = EqualKeys.of(same)
    tied, group = groups.find(position)
    if not len(tied):
        return _untied_ranks(position, base)
    first, last = position.copy(), position.copy()
    first[tied], last[tied] = groups.first[group], groups.last[group]
    position = position.copy()
    position[tied] = _resolve_ties(batch, wanted[tied], groups, group, order, conventions.ties)
    return DocumentRanks(position, position - base, first - base, last - base)


def _query_starts(offsets: Ints, rows: Ints) -> Ints:
    """Return where the query of each row begins; few rows are looked up one by one."""
    if len(rows) * _FEW_SHARE < offsets[-1]:
        return offsets[np.searchsorted(offsets, rows, side="right") - 1]
    return np.repeat(offsets[:-1], np.diff(offsets))[rows]


@dataclass(frozen=True)
class EqualKeys:
    """The first and the last position of each group of two or more rows with the same key."""

    first: Ints
    last: Ints

    @classmethod
    def of(cls, same: Bools) -> EqualKeys:
        """Return the groups, from whether each row is tied with the next."""
        tied = np.flatnonzero(same)
        begins = np.append(True, tied[1:] > tied[:-1] + 1)
        return cls(tied[begins], tied[np.append(begins[1:], True)] + 1)

    def find(self, position: Ints) -> tuple[Ints, Ints]:
        """Return which of some positions are in a group, and the number of the group of each."""
        group = np.searchsorted(self.first, position, side="right") - 1
        tied = np.flatnonzero((group >= 0) & (position <= self.last[group]))
        return tied, group[tied]


def _ordering_key(batch: Batch, conventions: Conventions) -> NDArray[np.floating] | None:
    """Return what documents are ordered by, the greatest first; None for the file's order."""
    if conventions.order == "file":
        return None
    if conventions.order == "rank" and batch.rank is not None:
        return -batch.rank.astype(np.float64)
    score: NDArray[np.floating] = batch.score
    if np.isnan(score.max(initial=-np.inf)):
        score = np.where(np.isnan(score), -np.inf, score)
    return score.astype(np.float32) if conventions.score_type == "float32" else score


def _untied_ranks(position: Ints, base: Ints) -> DocumentRanks:
    place = position - base
    return DocumentRanks(position, place, place, place)


def _within_queries(between: Bools, offsets: Ints) -> Bools:
    """Return comparisons of each row with the next, False where that is of another query."""
    edges = offsets[1:-1]
    between[edges[(edges > 0) & (edges <= len(between))] - 1] = False
    return between


def _descending_rows(key: NDArray[np.floating], offsets: Ints) -> Ints | None:
    """Return the rows in falling order within each query; None if they are so already."""
    rises = np.flatnonzero(_within_queries(key[1:] > key[:-1], offsets))
    if not len(rises):
        return None
    order = np.arange(len(key))
    rising = np.flatnonzero(np.diff(np.searchsorted(rises, offsets)))
    sizes = np.diff(offsets)[rising]
    first = 0
    while first < len(rising):
        widest = np.maximum.accumulate(sizes[first:])[1:]
        cells = widest * np.arange(2, len(widest) + 2)  # of a rectangle with each further query
        last = first + 1 + int(np.searchsorted(cells, CELLS_AT_ONCE))
        _sort_block(key, offsets, rising[first:last], order)
        first = last
    return order


def _sort_block(key: NDArray[np.floating], offsets: Ints, units: Ints, order: Ints) -> None:
    """Sort some queries at once, laid out as a rectangle; the order of ties is settled later."""
    sizes = offsets[units + 1] - offsets[units]
    inside = np.arange(sizes.max()) < sizes[:, None]
    rows = unit_rows(offsets[units], sizes)
    padded = np.full(inside.shape, np.inf, dtype=key.dtype)
    padded[inside] = -key[rows]
    endless = np.count_nonzero(np.isinf(padded)) > padded.size - len(rows)
    # A stable sort takes three times as long, and keeps infinite keys before the padding.
    sorted_places = np.argsort(padded, axis=1, kind="stable" if endless else None)
    order[rows] = (sorted_places + offsets[units][:, None])[inside]


def _resolve_ties(
    batch: Batch, wanted: Ints, groups: EqualKeys, group: Ints, order: Ints | None, ties: str
) -> Ints:
    """Return the positions of the wanted rows once their groups of ties are sorted."""
    chosen = np.flatnonzero(np.bincount(group))  # np.unique would import numpy.ma
    counts = groups.last[chosen] + 1 - groups.first[chosen]
    spread = unit_rows(groups.first[chosen], counts)
    rows = spread if order is None else order[spread]
    position = np.empty(len(batch.doc), dtype=np.int64)
    position[rows[_tie_order(batch, np.repeat(chosen, counts), rows, ties)]] = spread
    return position[wanted]


TIE_RULES: dict[str, tuple[str, bool]] = {
    "document descending": ("doc", True),
    "document ascending": ("doc", False),
    "file order": ("row", False),
}
"""Each tie rule of ``Conventions``: what documents of equal score are sorted by, and whether
descending; a column other than these two is made in ``_tie_order``."""


def _tie_order(batch: Batch, group: Ints, rows: Ints, ties: str) -> Ints:
    """Return the order of tied documents within their groups."""
    column, descending = TIE_RULES[ties]
    if column == "row":
        return np.lexsort((-rows if descending else rows, group))
    docs = batch.doc.gather(row_numbers(rows))
    tied = pl.DataFrame({"group": row_numbers(group), "doc": docs}).with_row_index("at")
    ordered = tied.sort(["group", column], descending=[False, descending])
    return ordered["at"].to_numpy().astype(np.int64)


_EMPTY_ORDER = pl.DataFrame(
    schema={
        "query": pl.String,
        "doc": pl.String,
        "score": pl.Float64,
        "row": pl.Int64,
        "place": pl.Int64,
        "tie_first": pl.Int64,
        "tie_last": pl.Int64,
    }
)
"""The order of a run of which no line is kept."""


def order_run(run: Run, conventions: Conventions) -> pl.DataFrame:
    """Return the whole run in its order, with places from 1 and groups of ties."""
    parts = []
    for batch in BatchReader(run, conventions).read(gather=True):
        ranks = rank_documents(batch, np.arange(len(batch.doc)), conventions)
        columns = {
            "query": batch.queries.gather(unit_numbers(batch.offsets)),
            "doc": batch.doc,
            "score": batch.score,
            "row": batch.row,
            "place": ranks.place,
            "tie_first": ranks.tie_first,
            "tie_last": ranks.tie_last,
        }
        parts.append(pl.DataFrame(columns))
    return pl.concat(parts).sort("query", "place") if parts else _EMPTY_ORDER.clone()


@dataclass(frozen=True)
class ScoreGroups:
    """A row for each score of each query: the number of the query, and the ranks that share it."""

    query: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, run: Run, conventions: Conventions) -> ScoreGroups:
        """Return those of a whole run; which document has which rank does not matter."""
        parts, known = [], 0
        for batch in BatchReader(run, conventions).read(gather=True):
            query, closes = unit_numbers(batch.offsets), np.zeros(len(batch.doc), dtype=bool)
            key = _descending_order(_ordering_key(batch, conventions), query)
            closes[-1:] = True
            closes[:-1] = (query[1:] != query[:-1]) | (True if key is None else key[1:] != key[:-1])
            end = np.flatnonzero(closes)
            begin, before = np.append(0, end[:-1] + 1)[: len(end)], batch.offsets[query[end]]
            parts.append((query[end] + known, begin - before + 1, end - before + 1))
            known += len(batch.queries)
        return cls(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    @property
    def size(self) -> Ints:
        """How many documents share each score."""
        return self.last - self.first + 1


def _descending_order(key: NDArray[np.floating] | None, query: Ints) -> NDArray[np.floating] | None:
    """Return the keys in falling order within each query."""
    if key is None or not np.any((key[1:] > key[:-1]) & (query[1:] == query[:-1])):
        return key
    return key[np.lexsort((-key, query))]


def list_documents(
    judgments: Judgments,
    run: Run,
    conventions: Conventions,
    queries: Collection[str],
    depth: int | None = None,
) -> pl.DataFrame:
    """Return query, place, doc and grade (null if unjudged) of the first documents of queries.

    Without a depth, of all their documents.
    """
    wanted = pl.col("query").is_in(list(queries))
    pieces = [piece.filter(wanted) for piece in run.pieces(rank=conventions.order == "rank")]
    own = Run(pl.concat(pieces), run.source, run.name)
    if own.frame.is_empty():
        return pl.DataFrame(
            schema={"query": pl.String, "place": pl.Int64, "doc": pl.String, "grade": pl.Float64}
        )
    grades = judgments.frame.filter(wanted).group_by("query", "doc").agg(pl.col("grade").max())
    whole = order_run(own, conventions)
    top = whole if depth is None else whole.filter(pl.col("place") <= depth)
    graded = top.join(grades, on=["query", "doc"], how="left", maintain_order="left")
    return graded.select("query", "place", "doc", pl.when(pl.col("grade") >= 0).then("grade"))


def rank_score_conflicts(run: Run) -> Iterator[str]:
    """Yield a text on ranks that are not whole numbers or contradict the scores."""
    if "rank" not in run.frame.columns:
        return
    if nulls := run.frame["rank"].null_count():
        row = int(run.frame["rank"].is_null().arg_true()[0])
        text = f"{run.source.place(row)}: the rank is not a whole number"
        yield f"{text} ({quantity(nulls, 'such rank')})"
        return
    by_rank = run.frame.with_row_index("row").sort("query", "rank")
    rises = (pl.col("score") > pl.col("score").shift(1)) & (
        pl.col("query") == pl.col("query").shift(1)
    )
    against = by_rank.filter(rises)
    if against.height:
        row = int(against["row"].to_numpy().min())
        yield (
            f"{run.source.place(row)}: the rank contradicts the score (in"
            f" {quantity(against['query'].n_unique(), 'query')}); scores decide, unless"
            " `order=rank`"
        )
