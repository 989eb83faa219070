"""The area under the precision-recall curve."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.rankings.average_precision import precision_at

Form = Literal["trapezoid", "interpolated", "steps"]


def heights(found: Hits, form: Form) -> Floats:
    """The height of the curve over the share of recall that each relevant document adds."""
    if form != "trapezoid":
        return precision_at(found, form == "interpolated")
    before = np.maximum(found.rank - 1, 1)
    # The curve begins at recall 0 with precision 1.
    earlier = np.where(found.rank == 1, 1.0, (found.place - 1) / before)
    return (earlier + found.place / found.rank) / 2


@define(
    "AUPRC",
    aliases=["pr_auc", "AUCPR"],
    undefined="no relevant document is known",
    variants=["AUPRC(form=interpolated)", "AUPRC(form=steps)", "AUPRC(rel=2)"],
    label="area under the precision-recall curve",
    facts=MONOTONE,
)
def curve_area(rankings: Rankings, rel: Grade = 1, form: Form = "trapezoid") -> Floats:
    """The area under the curve of precision over recall, as far as the list goes.

    Points at neighbouring ranks are joined by straight lines, beginning at recall 0 with
    precision 1 (as scikit-learn draws it); ``interpolated`` takes the best precision from each
    recall on, and ``steps`` is average precision.

    >>> measure("AUPRC")(rankings("+-+-")).round(4)
    array([0.7917])
    """
    found = rankings.relevant(rel)
    return ratio(found.sum(heights(found, form)), rankings.relevant_count(rel))


@curve_area.trace
def curve_area_trace(rankings: Rankings, s: Settings) -> Columns:
    """The strip of the area that each relevant document adds."""
    found, known = rankings.relevant(s.rel), rankings.relevant_count(s.rel)[0]
    height = heights(found, s.form)
    return {
        "rank": found.rank,
        "recall": ratio(found.place, known),
        "height": height,
        "area": np.cumsum(ratio(height, known)),
    }
