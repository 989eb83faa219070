"""How many relevant documents a recall stands for."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from assay.core.arrays import Floats, Ints


def relevant_count_for(level: float, relevant: Floats, way: str) -> Ints:
    """The least number of relevant documents that makes up a share of all of them.

    ``exact`` takes the share as the decimal number that was written, so that 0.1 of 30 is 3.
    The others are those of trec_eval: ``truncated`` (9: add 0.9 and cut off) and ``rounded`` (10).
    """
    distinct, place = np.unique(relevant, return_inverse=True)
    return np.asarray([_count(level, R, way) for R in distinct.tolist()], np.int64)[place]


def _count(level: float, relevant: float, way: str) -> int:
    if way == "truncated":
        return int(level * relevant + 0.9)
    if way == "rounded":
        return math.floor(level * relevant + 0.5)
    return math.ceil(Fraction(repr(float(level))) * int(relevant))
