"""Judgments and a run to rankings: where the two are joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np
import polars as pl

from assay.core.arrays import Ints
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import are, quantity
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.document_ranks import rank_documents
from assay.evidence.alignment.judged_documents import JudgedDocuments, batch_keys, merge_hits
from assay.evidence.alignment.query_batches import Batch, Interleaved, gather_batches, query_batches
from assay.evidence.alignment.query_overlap import compare_queries
from assay.evidence.alignment.run_cleaning import Cleaner, ordering_key
from assay.evidence.views.rankings import Rankings
from assay.evidence.views.view import View

QueryIds = TypeVar("QueryIds", bound=View)


@dataclass(frozen=True)
class Alignment(Generic[QueryIds]):
    """What came of joining a run with judgments: the rankings, and what a user should know."""

    rankings: QueryIds
    warnings: tuple[str, ...]
    counts: dict[str, int] = field(default_factory=dict)
    """How many queries and documents there were, and how many of each kind that does not fit."""


def align(
    judgments: Judgments | JudgedDocuments,
    run: Run,
    conventions: Conventions,
    corpus: int | None = None,
) -> Alignment[Rankings]:
    """The rankings of one run, over the judged queries."""
    judged = (
        judgments
        if isinstance(judgments, JudgedDocuments)
        else JudgedDocuments.of(judgments, conventions)
    )
    collected = _collect_batches(judged, run, conventions)
    rankings, counts = collected.rankings(corpus)
    warnings = compare_queries(judged, run, conventions, collected.unknown, counts)
    said = (*judged.warnings, *collected.warnings(), *warnings)
    return Alignment(_apply_conventions(conventions, rankings), said, counts)


def align_part(judgments: Judgments, run: Run, conventions: Conventions) -> Rankings:
    """The rankings over some of the judgments, where the whole of them was compared before."""
    collected = _collect_batches(JudgedDocuments.of(judgments, conventions), run, conventions)
    return _apply_conventions(conventions, collected.rankings(None)[0])


def _apply_conventions(conventions: Conventions, rankings: Rankings) -> Rankings:
    """The queries and documents that the conventions leave."""
    if conventions.missing_queries == "skip":
        rankings = rankings.take(np.flatnonzero(~rankings.missing))
    if rankings.zero_if_empty:
        rankings = replace(rankings, missing=rankings.missing | (rankings.retrieved == 0))
    if conventions.unjudged == "drop":
        rankings = rankings.select("judged_only")
    if conventions.depth is not None:
        rankings = _cut_lists(rankings, conventions.depth)
    return rankings


def _cut_lists(rankings: Rankings, depth: int) -> Rankings:
    """The lists no longer than that; ties stay as they were in the whole list."""
    keep = rankings.hits.rank <= depth
    return replace(
        rankings,
        retrieved=np.minimum(rankings.retrieved, depth),
        hits=rankings.hits.where(keep),
        tie_first=rankings.tie_first[keep],
        tie_last=rankings.tie_last[keep],
        row=rankings.row[keep],
    )


class _Collector:
    """Gathers, batch by batch, what rankings can depend on."""

    def __init__(self, judged: JudgedDocuments, run: Run, conventions: Conventions) -> None:
        self._judged, self._run, self._conventions = judged, run, conventions
        self._cleaner = Cleaner(run, conventions)
        self._retrieved = np.full(len(judged.queries), -1, dtype=np.int64)
        self._parts: list[list[Ints]] = [[np.empty(0, np.int64)] * 5]
        self.unknown: list[str] = []

    def add(self, batch: Batch) -> None:
        """Take in some whole queries."""
        judged = self._judged
        batch = self._cleaner.clean(batch)
        codes = judged.codes(batch.queries)
        key = batch_keys(batch, codes, judged.seed)
        cleaned = self._cleaner.drop_duplicates(batch, key)
        if cleaned is not None:
            batch, key = cleaned, batch_keys(cleaned, codes, judged.seed)
        known = codes < len(judged.queries)
        self._retrieved[codes[known]] = np.diff(batch.offsets)[known]
        if not known.all():
            self.unknown += batch.queries.filter(pl.Series(~known)).to_list()
        rows, at = judged.found(batch, key)
        places = rank_documents(
            batch, ordering_key(batch, self._conventions), rows, self._conventions.ties
        )
        part = [at, places.place, places.tie_first, places.tie_last, batch.row[rows]]
        if (places.position[1:] < places.position[:-1]).any():
            order = np.argsort(places.position, kind="stable")  # quick: only ties are out of order
            part = [column[order] for column in part]
        self._parts.append(part)

    def rankings(self, corpus: int | None) -> tuple[Rankings, dict[str, int]]:
        """The rankings of all that was taken in, and what was counted."""
        judged = self._judged
        hits, (tie_first, tie_last, row) = merge_hits(self._parts, judged)
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
        """What was taken out, and what a user should know of the order."""
        counts, rules = self._cleaner.counts, self._conventions
        outcome = "left out" if rules.nan_scores == "drop" else "put at the end"
        nan, own = "whose score is not a number", "with the id of the query"
        said = {
            "duplicates": (
                *("document that stands twice", "documents that stand twice"),
                f"left out (the {rules.duplicates} is kept)",
            ),
            "scores that are not numbers": (f"document {nan}", f"documents {nan}", outcome),
            "infinite scores": ("score", "scores", "infinite"),
            "own documents": (f"document {own}", f"documents {own}", "left out"),
        }
        found = [
            f"{self._run.name}: {quantity(number, one, several)} {are(number)} {became}"
            for what, (one, several, became) in said.items()
            if (number := counts.get(what))
        ]
        if self._cleaner.unranked:
            found.append(f"{self._run.name}: there is no rank to order by; ordered by score")
        return tuple(found)


def _collect_batches(judged: JudgedDocuments, run: Run, conventions: Conventions) -> _Collector:
    """All batches of a run, gathered first where its queries are interleaved."""
    ways: tuple[Callable[..., object], ...] = (query_batches, gather_batches)
    for way in ways:
        collector = _Collector(judged, run, conventions)
        try:
            for batch in way(run, conventions.order == "rank"):  # type: ignore[attr-defined]
                collector.add(batch)
            return collector
        except Interleaved:
            continue
    raise AlignmentError(f"{run.source.name}: its queries cannot be gathered")
