"""Yet another average precision: log odds."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Rankings


@define(
    "yaap",
    bounds=(-math.inf, math.inf),
    undefined="no relevant document is known",
    variants=["yaap(rel=2)"],
    label="yet another average precision",
    facts=MONOTONE.but(falls_with_pool=False),
)
def yaap(rankings: Rankings, rel: Grade = 1) -> Floats:
    """Average precision as log odds: ln((1 + S)/(1 + R − S)).

    S is the sum of the precisions at the R relevant documents. The values are spread more like a
    normal distribution than those of average precision.

    >>> measure("yaap")(rankings("+-+")).round(4)
    array([0.6931])
    """
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    total = found.sum(found.place / found.rank)
    return np.where(known > 0, np.log((1 + total) / (1 + known - total)), np.nan)


@yaap.trace
def yaap_trace(rankings: Rankings, s: Settings) -> Columns:
    """The precision at each relevant document, and the log odds so far."""
    found, known = rankings.relevant(s.rel), rankings.relevant_count(s.rel)[0]
    total = np.cumsum(found.place / found.rank)
    return {
        "rank": found.rank,
        "precision": found.place / found.rank,
        "sum": total,
        "log odds": np.log((1 + total) / (1 + known - total)),
    }
