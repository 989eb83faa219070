"""Judgments of several assessors and a run to judgment groups."""

from __future__ import annotations

from assay.core.conventions import Conventions
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import Alignment, align, align_part
from assay.evidence.validation.required_columns import SECOND_COLUMN_HINT, require_columns
from assay.evidence.views.judgment_groups import JudgmentGroups


def align_groups(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[JudgmentGroups]:
    """The rankings of one run for each group, which the second column of the qrels names."""
    need = "averages over assessors need a group for each judgment"
    require_columns(judgments, "subtopic", need=need, mend=f"the assessor, {SECOND_COLUMN_HINT}")
    whole = align(judgments, run, conventions)
    parts = judgments.frame.sort("subtopic", maintain_order=True).partition_by(
        "subtopic", maintain_order=True
    )
    groups = tuple(
        align_part(Judgments(part.drop("subtopic"), judgments.source), run, conventions)
        for part in parts
    )
    seen = JudgmentGroups(
        whole.rankings.queries, groups, conventions.no_relevant, whole.rankings.missing
    )
    return Alignment(seen, whole.warnings, whole.counts)
