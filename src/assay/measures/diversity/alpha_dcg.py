"""α-DCG and α-nDCG: discounted gain that falls with each repetition of a subtopic."""

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
from assay.measures.graded.gain import rank_discount


@define(
    "alpha_DCG",
    aliases=["α_DCG", "alpha-DCG"],
    undefined="no document treats a subtopic",
    variants=["alpha_DCG@5", "alpha_DCG(alpha=0.9)@3"],
    label="α-discounted cumulative gain",
)
def alpha_dcg(
    rankings: SubtopicRankings, cutoff: Depth, alpha: Share = 0.5, rel: Grade = 1
) -> Floats:
    """The novelty-weighted discounted gain, as a share of what perfect documents would bring.

    A document is worth (1 − α)^n for each of its subtopics that n documents above it treat too;
    rank i keeps 1 / log2(i + 1) of that. Perfect documents treat every subtopic.

    >>> measure("alpha_DCG@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.4053])
    """
    return normalize_by_perfect(rankings, alpha, rel, cutoff, rank_discount)


@define(
    "alpha_nDCG",
    bounds=(0, np.inf),
    aliases=["α_nDCG", "alpha-nDCG"],
    undefined="no document treats a subtopic",
    variants=["alpha_nDCG@5", "alpha_nDCG(alpha=0.9)@3"],
    label="α-normalised discounted cumulative gain",
)
def alpha_ndcg(
    rankings: SubtopicRankings, alpha: Share = 0.5, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The novelty-weighted discounted gain, as a share of that of a greedily built ideal list.

    A document is worth (1 − α)^n for each of its subtopics that n documents above it treat too.
    The ideal list takes at each rank the document that is worth most there; since that choice is
    greedy, a lucky list can pass it, and the value can exceed 1.

    >>> measure("alpha_nDCG@2")(aspects(["a", "b"], known=["a", "b", "ab"])).round(3)
    array([0.704])
    """
    return normalize_by_ideal(rankings, alpha, rel, cutoff, rank_discount)


@alpha_ndcg.trace
def alpha_ndcg_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Rank by rank: subtopics, gain, discount and sum, beside the ideal list's."""
    return novelty_steps(rankings, s.alpha, s.rel, s.cutoff, rank_discount)


@alpha_dcg.trace
def perfect_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Rank by rank: subtopics, gain, discount and sum, and the share of perfect documents'."""
    return perfect_novelty_steps(rankings, s.alpha, s.rel, s.cutoff, rank_discount)
