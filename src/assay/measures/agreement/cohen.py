"""Cohen's kappa."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import define
from assay.evidence.ratings import RatingTable


@define(
    "kappa",
    better="higher",
    bounds=(-1, 1),
    unit="pair",
    aliases=["cohen", "cohen_kappa"],
    undefined="both assessors gave one and the same label throughout, or share no item",
    label="Cohen's κ",
    standard=True,
)
def cohen(ratings: RatingTable) -> Floats:
    """How far two assessors agree beyond what their habits would give by chance.

    Observed agreement less expected agreement, as a share of what was left to agree on.

    >>> measure("kappa")(rated("aabbb", "aabba").by("pair")).round(3)
    array([0.615])
    """
    tables = ratings.pair_counts()
    total = tables.sum(axis=(1, 2))
    observed = ratio(np.trace(tables, axis1=1, axis2=2), total)
    expected = ratio((tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1), total**2)
    return ratio(observed - expected, 1 - expected)
