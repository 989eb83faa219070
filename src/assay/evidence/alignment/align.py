"""The one place where judgments and a run are joined, to rankings or to lists of documents."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Ints, unit_offsets
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.frozen_dataclass import dataclass, field, replace
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.alignment_notes import alignment_notes
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.alignment.run_batches import BatchReader, Interleaved
from assay.evidence.alignment.run_order import order_run, rank_documents
from assay.evidence.views.rankings import Hits, Rankings
from assay.evidence.views.view import View

QueryIds = TypeVar("QueryIds", bound=View)
SECOND_COLUMN_HINT = "as the second column of TREC qrels, or in a column 'subtopic'"
"""Where the subtopic or the assessor of a judgment is given."""


@dataclass(frozen=True)
class Alignment(Generic[QueryIds]):
    """A run joined with judgments: the rankings, and what a user should know."""

    rankings: QueryIds
    warnings: tuple[str, ...]
    counts: dict[str, int] = field(default_factory=dict)
    """How many queries and documents there are, and how many do not fit, by kind."""


def align(
    judgments: Judgments | JudgedDocuments,
    run: Run,
    conventions: Conventions,
    corpus: int | None = None,
) -> Alignment[Rankings]:
    """Return the rankings of one run, over the judged queries."""
    judged = (
        judgments
        if isinstance(judgments, JudgedDocuments)
        else JudgedDocuments.of(judgments, conventions)
    )
    rankings, reader = join_run(judged, run, conventions, corpus)
    return Alignment(rankings, alignment_notes(judged, reader), reader.counts)


def align_part(judgments: Judgments, run: Run, conventions: Conventions) -> Rankings:
    """Return the rankings over some of the judgments, once all of them have been compared."""
    return join_run(JudgedDocuments.of(judgments, conventions), run, conventions)[0]


def join_run(
    judged: JudgedDocuments,
    run: Run,
    conventions: Conventions,
    corpus: int | None = None,
    *,
    gather: bool = False,
) -> tuple[Rankings, BatchReader]:
    """Return the rankings of a run, gathered first where its queries are interleaved.

    The reader has counted what fits and what does not.
    """
    reader = BatchReader(run, conventions, judged.number, judged.seed)
    try:
        retrieved, columns = _find_judged(judged, reader, gather)
    except Interleaved:
        pass
    else:
        return _build_rankings(judged, reader, retrieved, columns, corpus), reader
    return join_run(judged, run, conventions, corpus, gather=True)


def _find_judged(
    judged: JudgedDocuments, reader: BatchReader, gather: bool
) -> tuple[Ints, list[Ints]]:
    """Return the length of each list (-1 if there is none) and, by query and rank, its hits.

    These are columns: the rows of their judgments, their ranks, the first and last ranks with the
    same score, and the rows of the run.
    """
    retrieved = np.full(len(judged.queries), -1, dtype=np.int64)
    parts = [[np.empty(0, np.int64)] * 5]
    for batch in reader.read(gather=gather):
        known = batch.number < len(judged.queries)
        retrieved[batch.number[known]] = np.diff(batch.offsets)[known]
        rows, at = judged.find(batch.doc, batch.key)
        ranks = rank_documents(batch, rows, reader.conventions)
        part = [at, ranks.place, ranks.tie_first, ranks.tie_last, batch.row[rows]]
        if (ranks.position[1:] < ranks.position[:-1]).any():
            order = np.argsort(ranks.position, kind="stable")  # quick: only ties are out of order
            part = [column[order] for column in part]
        parts.append(part)
    query = judged.query[np.concatenate([part[0] for part in parts])]
    if not (query[1:] < query[:-1]).any():
        return retrieved, [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.argsort(query, kind="stable")  # quick: the hits of a query are adjacent
    return retrieved, [np.concatenate(column)[order] for column in zip(*parts, strict=True)]


def _build_rankings(
    judged: JudgedDocuments,
    reader: BatchReader,
    retrieved: Ints,
    columns: list[Ints],
    corpus: int | None,
) -> Rankings:
    """Return the rankings as the conventions leave them, and count what does not fit."""
    conventions, (at, rank, tie_first, tie_last, row) = reader.conventions, columns
    missing, retrieved = retrieved < 0, np.maximum(retrieved, 0)
    empty = [judged.number[name] for name in reader.run.empty if name in judged.number]
    if conventions.empty_queries in ("keep", "zero"):
        missing[empty] = False
    reader.counts |= {
        "judged queries": len(judged.queries),
        "unanswered queries": int(missing.sum()),
        "unjudged queries": len(reader.unknown),
        "empty queries": len(empty),
        "judged documents": len(row),
        "unjudged documents": int(retrieved.sum()) - len(row),
    }
    offsets = unit_offsets(np.bincount(judged.query[at], minlength=len(judged.queries)))
    rankings = Rankings(
        queries=judged.queries,
        retrieved=retrieved,
        hits=Hits(offsets, rank, judged.grade[at]),
        pool=judged.pool,
        missing=missing,
        tie_first=tie_first,
        tie_last=tie_last,
        row=row,
        corpus=corpus,
        recall_levels=conventions.recall_levels,
        negatives_judged=conventions.negative_grades == "judged",
        zero_if_empty=conventions.empty_queries == "zero",
    )
    return _apply_conventions(conventions, rankings)


def _apply_conventions(conventions: Conventions, rankings: Rankings) -> Rankings:
    """Return the queries and documents that the conventions leave."""
    if conventions.missing_queries == "skip":
        rankings = rankings.take(np.flatnonzero(~rankings.missing))
    if rankings.zero_if_empty:
        rankings = replace(rankings, missing=rankings.missing | (rankings.retrieved == 0))
    if conventions.unjudged == "drop":
        rankings = rankings.select("judged_only")
    if conventions.depth is not None:  # ties stay as they were in the whole list
        kept = rankings.only(rankings.hits.rank <= conventions.depth)
        rankings = replace(kept, retrieved=np.minimum(rankings.retrieved, conventions.depth))
    return rankings


@dataclass(frozen=True)
class AlignedLists:
    """The lists of a run as the conventions leave them, beside judgments of any kind."""

    queries: tuple[str, ...]
    """In bytewise order; without unanswered ones where these are left out."""
    missing: Bools
    """Queries that the run does not answer at all."""
    documents: pl.DataFrame
    """query, doc and place, from 1, of all that is in the lists."""
    warnings: tuple[str, ...]
    counts: dict[str, int]

    @property
    def lengths(self) -> dict[str, int]:
        """The length of each list that is not empty."""
        return dict(self.documents.group_by("query").len().iter_rows())

    def to_view(self, view: QueryIds, *notes: str) -> Alignment[QueryIds]:
        """Return a view of these lists, with what a user should know about them."""
        return Alignment(view, (*notes, *self.warnings), self.counts)


def align_lists(judgments: Judgments, run: Run, conventions: Conventions) -> AlignedLists:
    """Return the lists of a run over the judged queries, under the same policies as rankings."""
    alignment = align(judgments, run, conventions)
    documents = order_run(run, conventions).select("query", "doc", "place")
    if conventions.unjudged == "drop":
        judged = judgments.frame.filter(pl.col("grade") >= 0).select("query", "doc")
        kept = documents.join(judged, on=["query", "doc"], how="semi").sort("query", "place")
        documents = kept.with_columns(place=pl.int_range(1, pl.len() + 1).over("query"))
    if conventions.depth is not None:
        documents = documents.filter(pl.col("place") <= conventions.depth)
    return AlignedLists(
        queries=alignment.rankings.queries,
        missing=alignment.rankings.missing,
        documents=documents,
        warnings=alignment.warnings,
        counts=alignment.counts,
    )


def require_columns(judgments: Judgments, *columns: str, need: str, fix: str) -> None:
    """Raise an error unless the judgments have one of these columns."""
    if not len(judgments) or any(name in judgments.frame.columns for name in columns):
        return
    raise AlignmentError(
        f"{judgments.source.place(0)}: the judgments of query {judgments.frame['query'][0]} and all"
        f" others have no {' or '.join(columns)}; {need} ({fix}). Measures such as nDCG@10 need"
        " none"
    )
