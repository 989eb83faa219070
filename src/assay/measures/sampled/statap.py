"""statAP: average precision from documents drawn with known probabilities."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Grade
from assay.evidence.views.sampled_rankings import QuerySample, SampledRankings


@define(
    "statAP",
    bounds=(0, np.inf),
    estimates=(0, 1),
    undefined="no relevant document was sampled",
    variants=["statAP(rel=2)"],
    label="statistical average precision",
)
def stat_ap(rankings: SampledRankings, rel: Grade = 1) -> Floats:
    """Average precision estimated from documents sampled with known probabilities.

    A drawn relevant document counts 1/π, where π is its probability, in the number of relevant
    documents and in the average over them; so do those above it in the precision at its rank,
    where it counts 1 itself: it is there for certain. With everything drawn it is AP.

    >>> measure("statAP")(sampled("+-+")).round(3)
    array([0.833])
    """
    return rankings.each(lambda one: _average(one, rel))


def _average(one: QuerySample, rel: float) -> float:
    counted = np.where(one.grade >= rel, ratio(1, one.probability), 0.0)
    total = float(counted.sum())
    if not total:
        return np.nan
    listed = counted[one.listed]
    return float(listed @ _precisions(one, listed)) / total


def _precisions(one: QuerySample, listed: Floats) -> Floats:
    """Return the precision at each rank, where the document itself counts 1."""
    return (1 + np.cumsum(listed) - listed) / one.rank


@stat_ap.trace
def stat_ap_trace(rankings: SampledRankings, s: Settings) -> Columns:
    """Return for each sampled relevant document its weight, the precision there, and its part."""
    one = rankings.records[0]
    counted = np.where(one.grade >= s.rel, ratio(1, one.probability), 0.0)
    found = counted[one.listed] > 0
    precision = _precisions(one, counted[one.listed])[found]
    return weighted_precisions(
        one.rank[found], counted[one.listed][found], precision, counted.sum()
    )


def weighted_precisions(rank: Ints, weight: Floats, precision: Floats, total: float) -> Columns:
    """Return the weighted precisions, and their mean so far."""
    return {
        "rank": rank,
        "stands for": weight,
        "precision": precision,
        "part": weight * precision,
        "relevant, estimated": np.full(len(rank), total),
        "sum": ratio(np.cumsum(weight * precision), total),
    }
