"""Subtopic recall, and intent-aware forms of other measures."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import Exemption, define
from assay.core.parameters import Depth, Grade
from assay.evidence.views.subtopic_rankings import QuerySubtopics, SubtopicRankings


@define(
    "StRecall",
    aliases=["strec", "S_recall"],
    undefined="no document covers a subtopic",
    variants=["StRecall@2"],
    label="subtopic recall",
)
def subtopic_recall(
    rankings: SubtopicRankings, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The share of the subtopics that the retrieved documents cover.

    >>> measure("StRecall@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.6667])
    """
    found = [
        one.about(rel)[one.rank <= (cutoff or np.inf)].any(axis=0).sum() for one in rankings.aspects
    ]
    return ratio(np.asarray(found, dtype=np.float64), rankings.subtopics(rel))


COUNTS_TWICE = "the ideal list puts new subtopics first; a document on two subtopics counts twice"


@define(
    "AP_IA",
    aliases=["MAP_IA", "MAP-IA", "map-ia"],
    undefined="no document covers a subtopic",
    variants=["AP_IA@3"],
    exempt=[
        Exemption(
            "ideal",
            COUNTS_TWICE,
            ([["ab", "ab", "c"]],),
        )
    ],
    label="intent-aware average precision",
)
def ap_ia(rankings: SubtopicRankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """The average precision of each subtopic, averaged over the subtopics.

    >>> measure("AP_IA")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"]))
    array([0.5])
    """
    sums = [_precisions(one, rel, cutoff) for one in rankings.aspects]
    return ratio(np.asarray(sums), rankings.subtopics(rel))


def _precisions(one: QuerySubtopics, rel: float, cutoff: int | None) -> float:
    about = one.about(rel) * (one.rank <= (cutoff or np.inf))[:, None]
    precision = np.cumsum(about, axis=0) / one.rank[:, None]
    return float(np.sum((about * precision).sum(axis=0) / one.about(rel, known=True).sum(axis=0)))


@define(
    "P_IA",
    aliases=["P-IA"],
    undefined="no document covers a subtopic",
    variants=["P_IA@3"],
    exempt=[
        Exemption(
            "ideal",
            COUNTS_TWICE,
            ([["ab", "ab", "ab", "c"]],),
        )
    ],
    label="intent-aware precision",
)
def p_ia(rankings: SubtopicRankings, cutoff: Depth, rel: Grade = 1) -> Floats:
    """The precision of each subtopic, averaged over the subtopics.

    >>> measure("P_IA@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"]))
    array([0.2])
    """
    found = [one.about(rel)[one.rank <= cutoff].sum() for one in rankings.aspects]
    return ratio(np.asarray(found), cutoff * rankings.subtopics(rel))
