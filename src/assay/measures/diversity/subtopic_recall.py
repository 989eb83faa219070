"""Subtopic recall."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import define
from assay.core.parameters import Depth, Grade
from assay.evidence.views.subtopic_rankings import SubtopicRankings


@define(
    "StRecall",
    aliases=["strec", "S_recall"],
    undefined="no document treats a subtopic",
    variants=["StRecall@2"],
    label="subtopic recall",
)
def subtopic_recall(
    rankings: SubtopicRankings, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The share of the subtopics that some document of the list treats.

    >>> measure("StRecall@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.6667])
    """
    found = [
        one.about(rel)[one.rank <= (cutoff or np.inf)].any(axis=0).sum() for one in rankings.aspects
    ]
    return ratio(np.asarray(found, dtype=np.float64), rankings.subtopics(rel))
