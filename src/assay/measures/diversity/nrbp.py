"""NRBP and nNRBP: novelty under a user who goes on from rank to rank with a fixed chance."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import define
from assay.core.parameters import Depth, Grade, Persistence, Share
from assay.evidence.views.subtopic_rankings import SubtopicRankings
from assay.measures.diversity.novelty import Discount, discounted_novelty, normalize_by_ideal


@define(
    "NRBP",
    undefined="no document covers a subtopic",
    variants=["NRBP@3", "NRBP(alpha=0.9,beta=0.8)"],
    label="novelty- and rank-biased precision",
)
def nrbp(
    rankings: SubtopicRankings,
    alpha: Share = 0.5,
    beta: Persistence = 0.5,
    rel: Grade = 1,
    cutoff: Depth | None = None,
) -> Floats:
    """The novelty-weighted gain of a user who looks at the next document with probability β.

    The sum of β^(i−1) times the gain at rank i, scaled so that documents that treat every subtopic
    would bring 1 in an endless list.

    >>> measure("NRBP")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.3906])
    """
    gained = discounted_novelty(rankings, alpha, rel, cutoff, _persistence(beta))
    return ratio((1 - (1 - alpha) * beta) * gained, rankings.subtopics(rel))


@define(
    "nNRBP",
    bounds=(0, np.inf),
    undefined="no document covers a subtopic",
    variants=["nNRBP@3", "nNRBP(alpha=0.9,beta=0.8)"],
    label="normalized novelty- and rank-biased precision",
)
def nnrbp(
    rankings: SubtopicRankings,
    alpha: Share = 0.5,
    beta: Persistence = 0.5,
    rel: Grade = 1,
    cutoff: Depth | None = None,
) -> Floats:
    """NRBP as a share of that of a greedily built ideal list.

    >>> measure("nNRBP")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.8621])
    """
    return normalize_by_ideal(rankings, alpha, rel, cutoff, _persistence(beta))


def _persistence(beta: float) -> Discount:
    return lambda rank: beta ** (rank - 1)
