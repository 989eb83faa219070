"""α-nDCG: gain that falls with each repetition of a subtopic."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.catalogue import define
from assay.core.parameters import Depth, Share
from assay.evidence.subtopics import SubtopicRankings
from assay.measures.graded.gain import discount_of


@define(
    "alpha_nDCG",
    better="higher",
    bounds=(0, np.inf),
    aliases=["α_nDCG", "alpha-nDCG"],
    undefined="no document treats a subtopic",
    variants=["alpha_nDCG@5", "alpha_nDCG(alpha=0.9)@3"],
    label="α-normalised discounted cumulative gain",
)
def alpha_ndcg(
    rankings: SubtopicRankings, alpha: Share = 0.5, cutoff: Depth | None = None
) -> Floats:
    """The novelty-weighted discounted gain, as a share of that of a greedily built ideal list.

    A document is worth (1 − α)^n for each of its subtopics that n documents above it treat too.
    The ideal list takes at each rank the document that is worth most there; since that choice is
    greedy, a lucky list can pass it, and the value can exceed 1.

    >>> measure("alpha_nDCG@2")(aspects(["a", "b"], known=["a", "b", "ab"])).round(3)
    array([0.704])
    """
    return np.asarray(
        [_one(one.grades, one.rank, one.known, alpha, cutoff) for one in rankings.aspects],
        dtype=np.float64,
    )


def _one(grades: Floats, rank: Ints, known: Floats, alpha: float, cutoff: int | None) -> float:
    within = rank <= (cutoff or np.inf)
    about = (grades[within] > 0).astype(np.float64)
    seen: Floats = np.cumsum(about, axis=0) - about
    gained = (about * (1 - alpha) ** seen).sum(axis=1) @ discount_of(rank[within])
    ideal = _greedy((known > 0).astype(np.float64), alpha, cutoff or len(known))
    return float(ratio(gained, ideal @ discount_of(np.arange(1, len(ideal) + 1))))


def _greedy(about: Floats, alpha: float, depth: int) -> Floats:
    """The gains of the list that takes the most valuable document at each rank."""
    left, novelty, gains = about.copy(), np.ones(about.shape[1]), []
    for _ in range(min(depth, len(about))):
        worth = left @ novelty
        chosen = int(np.argmax(worth))
        gains.append(worth[chosen])
        novelty = novelty * (1 - alpha) ** left[chosen]
        left[chosen] = 0
    return np.asarray(gains)
