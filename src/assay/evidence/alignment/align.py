"""The one place where judgments and a run are joined, to rankings or to lists of documents."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Ints
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import are, quantity
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.alignment.query_overlap import compare_queries
from assay.evidence.alignment.run_batches import (
    Batch,
    Cleaner,
    Interleaved,
    gather_batches,
    query_batches,
)
from assay.evidence.alignment.run_order import order_run, rank_documents
from assay.evidence.views.rankings import Rankings
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
    collected = _collect_batches(judged, run, conventions)
    rankings, counts = collected.rankings(corpus)
    warnings = compare_queries(judged, run, conventions, collected.unknown, counts)
    notes = (*judged.warnings, *collected.warnings(), *warnings)
    return Alignment(_apply_conventions(conventions, rankings), notes, counts)


def align_part(judgments: Judgments, run: Run, conventions: Conventions) -> Rankings:
    """Return the rankings over some of the judgments, once all of them have been compared."""
    collected = _collect_batches(JudgedDocuments.of(judgments, conventions), run, conventions)
    return _apply_conventions(conventions, collected.rankings(None)[0])


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


class _Collector:
    """Collects, batch by batch, what rankings can depend on."""

    def __init__(self, judged: JudgedDocuments, run: Run, conventions: Conventions) -> None:
        self._judged, self._run, self._conventions = judged, run, conventions
        self._cleaner = Cleaner(run, conventions)
        self._retrieved = np.full(len(judged.queries), -1, dtype=np.int64)
        self._parts: list[list[Ints]] = [[np.empty(0, np.int64)] * 5]
        self.unknown: list[str] = []

    def add(self, batch: Batch) -> None:
        """Add some whole queries: clean, find the judged documents, and rank them."""
        judged = self._judged
        batch = self._cleaner.clean(batch)
        codes = judged.codes(batch.queries)
        key = batch.keys(codes, judged.seed)
        cleaned = self._cleaner.drop_duplicates(batch, key)
        if cleaned is not None:
            batch, key = cleaned, cleaned.keys(codes, judged.seed)
        known = codes < len(judged.queries)
        self._retrieved[codes[known]] = np.diff(batch.offsets)[known]
        if not known.all():
            self.unknown += batch.queries.filter(pl.Series(~known)).to_list()
        rows, at = judged.find(batch.doc, key)
        ordering = batch.ordering_key(self._conventions)
        ranks = rank_documents(batch, ordering, rows, self._conventions.ties)
        part = [at, ranks.place, ranks.tie_first, ranks.tie_last, batch.row[rows]]
        if (ranks.position[1:] < ranks.position[:-1]).any():
            order = np.argsort(ranks.position, kind="stable")  # quick: only ties are out of order
            part = [column[order] for column in part]
        self._parts.append(part)

    def rankings(self, corpus: int | None) -> tuple[Rankings, dict[str, int]]:
        """Return the rankings of all batches, and what was counted."""
        judged = self._judged
        hits, (tie_first, tie_last, row) = judged.hits(self._parts)
        missing = self._retrieved < 0
        empty = [judged.number[name] for name in self._run.empty if name in judged.number]
        if self._conventions.empty_queries in ("keep", "zero"):
            missing[empty] = False
        counts = self._cleaner.counts | {
            "judged queries": len(judged.queries),
            "unanswered queries": int(missing.sum()),
            "unjudged queries": len(self.unknown),
            "empty queries": len(empty),
            "judged documents": len(row),
        }
        retrieved = np.maximum(self._retrieved, 0)
        counts["unjudged documents"] = int(retrieved.sum()) - len(row)
        return Rankings(
            queries=judged.queries,
            retrieved=retrieved,
            hits=hits,
            pool=judged.pool,
            missing=missing,
            tie_first=tie_first,
            tie_last=tie_last,
            row=row,
            corpus=corpus,
            recall_levels=self._conventions.recall_levels,
            negatives_judged=self._conventions.negative_grades == "judged",
            zero_if_empty=self._conventions.empty_queries == "zero",
        ), counts

    def warnings(self) -> tuple[str, ...]:
        """Return what was left out, and what a user should know about the order."""
        counts, rules = self._cleaner.counts, self._conventions
        outcome = "left out" if rules.nan_scores == "drop" else "put at the end"
        kept = f"left out (the {rules.duplicates} is kept)"
        kinds = {
            "duplicates": ("duplicate document", "", kept),
            "scores that are not numbers": ("document", " whose score is not a number", outcome),
            "infinite scores": ("score", "", "infinite"),
            "own documents": ("document", " with the id of the query", "left out"),
        }
        notes = [
            f"{self._run.name}: {quantity(number, noun)}{which} {are(number)} {became}"
            for kind, (noun, which, became) in kinds.items()
            if (number := counts.get(kind))
        ]
        if self._cleaner.unranked:
            notes.append(f"{self._run.name}: there is no rank to order by; ordered by score")
        return tuple(notes)


def _collect_batches(judged: JudgedDocuments, run: Run, conventions: Conventions) -> _Collector:
    """Collect all batches of a run, gathered first where its queries are interleaved."""
    for read in (query_batches, gather_batches):
        collector = _Collector(judged, run, conventions)
        try:
            for batch in read(run, conventions.order == "rank"):
                collector.add(batch)
            return collector
        except Interleaved:
            continue
    raise AlignmentError(f"{run.source.name}: its queries cannot be gathered")


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
