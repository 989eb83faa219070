"""The lists of a run beside judgments of any kind: one way to join them for every view."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from assay.core.arrays import Bools
from assay.core.conventions import Conventions
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import Alignment, QueryIds, align
from assay.evidence.alignment.run_order import order_run


@dataclass(frozen=True)
class AlignedLists:
    """The lists as the conventions leave them, over the judged queries that count."""

    queries: tuple[str, ...]
    """In bytewise order; without those that are not answered where these are left out."""
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

    def to_view(self, view: QueryIds) -> Alignment[QueryIds]:
        """A view of these lists, with what a user should know of them."""
        return Alignment(view, self.warnings, self.counts)


def align_lists(judgments: Judgments, run: Run, conventions: Conventions) -> AlignedLists:
    """The lists of a run; what does not fit is refused, left out or told as for rankings."""
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
