"""The break-even point of precision and recall."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.r_precision import r_precision, r_precision_range
from assay.measures.rankings.relevant_steps import precision_and_recall

Form = Literal["rank", "curve"]


@define(
    "BEP",
    aliases=["break_even", "break-even"],
    undefined="no relevant document is known",
    variants=["BEP(form=curve)", "BEP(rel=2)"],
    label="break-even point",
    facts=MONOTONE.but(
        sum_over_documents=lambda s, grades: s.form == "rank",
        falls_with_pool=lambda s, grades: s.form == "curve",
    ),
)
def break_even_point(rankings: Rankings, rel: Grade = 1, form: Form = "rank") -> Floats:
    """The value at which precision equals recall.

    In a list that is at rank R, where R documents are relevant, so it is the R-precision; a
    shorter list is filled up with documents that are not relevant. On the interpolated ``curve``
    it is where that meets the diagonal.

    >>> measure("BEP")(rankings("-++")), measure("BEP(form=curve)")(rankings("-++")).round(3)
    (array([0.5]), array([0.667]))
    """
    if form == "rank":
        return r_precision(rankings, rel=rel)
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    both = np.minimum(found.place / found.rank, ratio(found.place, known[found.query]))
    return np.where(known > 0, found.highest(both), np.nan)


break_even_point.extremes(r_precision_range)


@break_even_point.trace
def break_even_point_trace(rankings: Rankings, s: Settings) -> Columns:
    """Precision, recall and the smaller of the two at each relevant document."""
    known = int(rankings.relevant_count(s.rel)[0])
    depth = (known or None) if s.form == "rank" else None
    columns = precision_and_recall(rankings, s.rel, depth)
    return columns | {"smaller": np.minimum(columns["precision"], columns["recall"])}
