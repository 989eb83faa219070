"""System efficiency: how near a list comes to full precision at full recall."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.interpolated_precision import ELEVEN, interpolate_precision
from assay.measures.rankings.relevant_steps import precision_and_recall

Form = Literal["points", "curve"]


def efficiency(precision: Floats, recall: Floats) -> Floats:
    """1 − d/√2, where d is the distance to the point of full precision and recall."""
    return 1 - np.hypot(1 - precision, 1 - recall) / math.sqrt(2)


@define(
    "E",
    aliases=["system_efficiency"],
    undefined="no relevant document is known",
    variants=["E(form=curve)", "E(rel=2)"],
    label="system efficiency",
    facts=MONOTONE.but(falls_with_pool=lambda s, grades: s.form == "curve"),
)
def system_efficiency(rankings: Rankings, rel: Grade = 1, form: Form = "points") -> Floats:
    """1 − d/√2, where d is the least distance of the list to precision 1 at recall 1.

    The distance is that of the precision-recall ``points`` at every rank, or of the interpolated
    ``curve`` at its 11 standard recalls. (The whole interpolated curve comes no nearer than the
    points do.)

    >>> measure("E")(rankings("++-+-+------+-")).round(3)
    array([0.725])
    """
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    if form == "points":
        recall = ratio(found.place, known[found.query])
        best = found.highest(efficiency(found.place / found.rank, recall))
    else:
        at = interpolate_precision(rankings, rel, *ELEVEN)
        best = np.max(
            [efficiency(p, np.asarray(r)) for p, r in zip(at, ELEVEN, strict=True)], axis=0
        )
    # Without a hit the one point is (0, 0), whatever recall it would have been.
    return np.where(known > 0, np.where(found.count > 0, best, 0.0), np.nan)


@system_efficiency.trace
def system_efficiency_trace(rankings: Rankings, s: Settings) -> Columns:
    """The points, and the efficiency that each would give."""
    if s.form == "points":
        columns = precision_and_recall(rankings, s.rel)
    else:
        at = np.concatenate(interpolate_precision(rankings, s.rel, *ELEVEN))
        columns = {"precision": at, "recall": np.asarray(ELEVEN)}
    each = efficiency(columns["precision"], columns["recall"])
    if not rankings.relevant(s.rel).count[0]:
        each = 0 * each
    return columns | {"efficiency": each, "best so far": np.maximum.accumulate(each)}
