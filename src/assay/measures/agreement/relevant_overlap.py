"""Overlap of what two assessors found relevant."""

from __future__ import annotations

import numpy as np

from assay.core.definition import Ratio, define
from assay.core.parameters import Grade
from assay.evidence.views.rating_table import RatingTable


@define(
    "relevant_overlap",
    unit="pair",
    undefined="neither found anything relevant among the items that both rated",
    variants=["relevant_overlap(rel=2)"],
    label="overlap of relevant items",
)
def relevant_overlap(ratings: RatingTable, rel: Grade = 1) -> Ratio:
    """What both found relevant, as a share of what either did; labels are grades.

    >>> measure("relevant_overlap")(rated("01101", "01011").by("pair"))
    array([0.5])
    """
    relevant = ratings.numbers() >= rel
    both, either = [], []
    for tables in ratings.tables():
        both.append(tables[:, relevant][:, :, relevant].sum(axis=(1, 2)))
        neither = tables[:, ~relevant][:, :, ~relevant].sum(axis=(1, 2))
        either.append(tables.sum(axis=(1, 2)) - neither)
    return Ratio(np.concatenate(both), np.concatenate(either))
