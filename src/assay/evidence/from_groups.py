"""Judgments of several assessors and a run to judgment groups."""

from __future__ import annotations

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run
from assay.evidence.alignment import align
from assay.evidence.judgment_groups import JudgmentGroups


def align_groups(judgments: Judgments, run: Run, conventions: Conventions) -> JudgmentGroups:
    """The rankings of one run for each group, which the second column of the qrels names."""
    if "subtopic" not in judgments.frame.columns:
        raise AlignmentError(
            f"{judgments.source.name}: these measures need a group for each judgment"
            " (the second column of TREC qrels: the assessor)"
        )
    parts = judgments.frame.sort("subtopic", maintain_order=True).partition_by(
        "subtopic", maintain_order=True
    )
    groups = tuple(
        align(Judgments(part.drop("subtopic"), judgments.source), run, conventions).rankings
        for part in parts
    )
    queries = sorted({query for group in groups for query in group.queries}, key=str.encode)
    return JudgmentGroups(tuple(queries), groups, conventions.no_relevant)
