"""Jaccard's index of two sets: the items of a class, and those put into it."""

from __future__ import annotations

from assay.core.definition import Ratio, define
from assay.core.parameters import Flag
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.count_traces import show_counts


@define(
    "Jaccard",
    bounds=(0, 100),
    unit="class",
    undefined="no item is of the class, in truth or prediction",
    aliases=["J", "jaccard", "jaccard_score", "IoU", "CSI"],
    variants=["Jaccard(percent=true)"],
    label="Jaccard's index",
)
def jaccard(confusion: Confusion, percent: Flag = False) -> Ratio:
    """The items that are of the class and were put into it, among those that are either.

    >>> measure("Jaccard")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.73])
    >>> measure("Jaccard(percent=true)")(outcomes(tp=95, fp=30, fn=5, tn=70)).round()
    array([73.])
    """
    scale = 100 if percent else 1
    return Ratio(scale * confusion.tp, confusion.tp + confusion.fp + confusion.fn)


show_counts(jaccard, "TP / (TP + FP + FN)")
