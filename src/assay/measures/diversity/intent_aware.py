"""Means over the subtopics of a query: intent-aware measures, and NRBP."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import Exemption, define
from assay.core.parameters import Depth, Grade, Persistence, Share
from assay.evidence.views.judged_rankings import QuerySubtopics, SubtopicRankings
from assay.measures.diversity.novelty import NO_SUBTOPIC, Discount, Novelty


@define("StRecall", aliases=["strec", "S_recall"], undefined=NO_SUBTOPIC, variants=["StRecall@2"])
def subtopic_recall(
    rankings: SubtopicRankings, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The share of the subtopics that the retrieved documents cover.

    >>> measure("StRecall@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.6667])
    """
    found = [
        one.about(rel)[one.rank <= (cutoff or np.inf)].any(axis=0).sum() for one in rankings.records
    ]
    return ratio(np.asarray(found, dtype=np.float64), rankings.subtopics(rel))


COUNTS_TWICE = "the ideal list puts new subtopics first; a document on two subtopics counts twice"


@define(
    "AP_IA",
    aliases=["MAP_IA", "MAP-IA", "map-ia"],
    undefined=NO_SUBTOPIC,
    variants=["AP_IA@3"],
    exempt=Exemption("ideal", COUNTS_TWICE, ([["ab", "ab", "c"]],)),
    label="intent-aware average precision",
)
def ap_ia(rankings: SubtopicRankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """The average precision of each subtopic, averaged over the subtopics.

    >>> measure("AP_IA")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"]))
    array([0.5])
    """
    sums = [_precisions(one, rel, cutoff) for one in rankings.records]
    return ratio(np.asarray(sums), rankings.subtopics(rel))


def _precisions(one: QuerySubtopics, rel: float, cutoff: int | None) -> float:
    about = one.about(rel) * (one.rank <= (cutoff or np.inf))[:, None]
    precision = np.cumsum(about, axis=0) / one.rank[:, None]
    return float(np.sum((about * precision).sum(axis=0) / one.about(rel, known=True).sum(axis=0)))


@define(
    "P_IA",
    aliases=["P-IA"],
    undefined=NO_SUBTOPIC,
    variants=["P_IA@3"],
    exempt=Exemption("ideal", COUNTS_TWICE, ([["ab", "ab", "ab", "c"]],)),
    label="intent-aware precision",
)
def p_ia(rankings: SubtopicRankings, cutoff: Depth, rel: Grade = 1) -> Floats:
    """The precision of each subtopic, averaged over the subtopics.

    >>> measure("P_IA@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"]))
    array([0.2])
    """
    found = [one.about(rel)[one.rank <= cutoff].sum() for one in rankings.records]
    return ratio(np.asarray(found), cutoff * rankings.subtopics(rel))


@define(
    "NRBP",
    undefined=NO_SUBTOPIC,
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
    gained = Novelty(rankings, alpha, rel, cutoff, _persistence(beta)).discounted_gains()
    return ratio((1 - (1 - alpha) * beta) * gained, rankings.subtopics(rel))


@define(
    "nNRBP",
    bounds=(0, np.inf),
    undefined=NO_SUBTOPIC,
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
    return Novelty(rankings, alpha, rel, cutoff, _persistence(beta)).share_of_ideal()


def _persistence(beta: float) -> Discount:
    return lambda rank: beta ** (rank - 1)
