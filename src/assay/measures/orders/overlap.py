"""Overlap of the top of two rankings."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import sorted_sum
from assay.core.definition import Ratio, define
from assay.core.parameters import Depth
from assay.evidence.views.ranked_lists import RankedLists


@define(
    "overlap",
    undefined="both rankings are empty",
    variants=["overlap@1", "overlap@3"],
    label="overlap",
)
def overlap(lists: RankedLists, cutoff: Depth) -> Ratio:
    """The share of the first k places that both rankings fill with the same things.

    Where a tie crosses the cutoff, each of its members counts for its chance to stand above.

    >>> measure("overlap@3")(listed("a b c d e", "b a e c d")).round(3)
    array([0.667])
    """
    depth = np.asarray([cutoff])
    shared = [float(sorted_sum(one.chances(depth) * two.chances(depth))[0]) for one, two in lists]
    filled = [min(cutoff, max(one.length, two.length)) for one, two in lists]
    return Ratio(np.asarray(shared), np.asarray(filled, dtype=np.float64))
