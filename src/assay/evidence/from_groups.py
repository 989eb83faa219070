"""Judgments of several assessors and a run to judgment groups."""

from __future__ import annotations

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run
from assay.evidence.alignment import Alignment, align, align_part
from assay.evidence.judgment_groups import JudgmentGroups


def align_groups(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[JudgmentGroups]:
    """The rankings of one run for each group, which the second column of the qrels names."""
    if "subtopic" not in judgments.frame.columns:
        raise AlignmentError(
            f"{judgments.source.name}: these measures need a group for each judgment"
            " (the second column of TREC qrels: the assessor)"
        )
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
