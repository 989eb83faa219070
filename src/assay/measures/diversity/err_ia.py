"""ERR-IA and nERR-IA: the expected reciprocal rank, over the intents of a query."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Depth, Grade, Share
from assay.evidence.views.subtopic_rankings import SubtopicRankings
from assay.measures.diversity.novelty import (
    normalize_by_ideal,
    normalize_by_perfect,
    novelty_steps,
    perfect_novelty_steps,
)


@define(
    "ERR_IA",
    aliases=["ERR-IA"],
    undefined="no document treats a subtopic",
    variants=["ERR_IA@5", "ERR_IA(alpha=0.9)@3"],
    label="intent-aware expected reciprocal rank",
)
def err_ia(rankings: SubtopicRankings, cutoff: Depth, alpha: Share = 0.5, rel: Grade = 1) -> Floats:
    """The chance-weighted reciprocal rank over subtopics, as a share of what is possible.

    For each subtopic a user leaves at a document about it with chance α; the reciprocal ranks are
    averaged over subtopics, and divided by those of documents that treat every subtopic.

    >>> measure("ERR_IA@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.3933])
    """
    return normalize_by_perfect(rankings, alpha, rel, cutoff, np.reciprocal)


@define(
    "nERR_IA",
    bounds=(0, np.inf),
    aliases=["nERR-IA"],
    undefined="no document treats a subtopic",
    variants=["nERR_IA@5", "nERR_IA(alpha=0.9)@3"],
    label="normalised intent-aware expected reciprocal rank",
)
def nerr_ia(
    rankings: SubtopicRankings, alpha: Share = 0.5, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """ERR-IA as a share of that of a greedily built ideal list.

    >>> measure("nERR_IA@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.8298])
    """
    return normalize_by_ideal(rankings, alpha, rel, cutoff, np.reciprocal)


@nerr_ia.trace
def nerr_ia_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Rank by rank: subtopics, gain, discount and sum, beside the ideal list's."""
    return novelty_steps(rankings, s.alpha, s.rel, s.cutoff, np.reciprocal)


@err_ia.trace
def perfect_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Rank by rank: subtopics, gain, discount and sum, and the share of perfect documents'."""
    return perfect_novelty_steps(rankings, s.alpha, s.rel, s.cutoff, np.reciprocal)
