"""The lists of a run beside judgments that rankings do not hold: subtopics, assessors, samples."""

from __future__ import annotations

import polars as pl

from assay.core.arrays import Bools
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.frozen_dataclass import dataclass
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import Alignment, QueryIds, align
from assay.evidence.alignment.run_order import order_run

SECOND_COLUMN_HINT = "as the second column of TREC qrels, or in a column 'subtopic'"
"""Where the subtopic or the assessor of a judgment is given."""


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
