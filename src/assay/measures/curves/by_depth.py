"""Curves by depth: what has been found, and gained, down to each rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats, exact_mean, ratio
from assay.core.curves import Columns, curve
from assay.core.parameters import Gain
from assay.evidence.views.rankings import Rankings
from assay.measures.graded.gain import grade_gain, ideal_gains, rank_discount

DEPTHS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)


@curve("recall by depth")
def recall_by_depth(rankings: Rankings, rel: float = 1, depths: Sequence[int] = DEPTHS) -> Columns:
    """The recall down to each depth, averaged over queries."""
    known = rankings.relevant_count(rel)
    values = [_mean(ratio(rankings.relevant(rel, depth).count, known)) for depth in depths]
    return {"depth": np.asarray(depths), "recall": np.asarray(values)}


@curve("gain by depth")
def gain_by_depth(
    rankings: Rankings, gain: Gain = "grade", depths: Sequence[int] = DEPTHS
) -> Columns:
    """The gain, the discounted gain and its share of the ideal down to each depth, averaged."""
    columns: dict[str, list[float]] = {"gain": [], "discounted": [], "share": []}
    for depth in depths:
        found, best = rankings.judged(depth), ideal_gains(rankings, gain, depth)
        worth = grade_gain(found.grade, gain)
        gained = found.sum(worth * rank_discount(found.rank))
        ideal = best.sum(best.grade * rank_discount(best.rank))
        columns["gain"].append(_mean(found.sum(worth)))
        columns["discounted"].append(_mean(gained))
        columns["share"].append(_mean(ratio(gained, ideal)))
    return {"depth": np.asarray(depths)} | {
        name: np.asarray(values) for name, values in columns.items()
    }


@curve("precision-recall sawtooth")
def sawtooth(rankings: Rankings, rel: float = 1) -> Columns:
    """Precision and recall at each rank of one query: up at a relevant document, down at others."""
    found, known = rankings.relevant(rel), float(rankings.relevant_count(rel)[0])
    rank = np.arange(1, int(rankings.retrieved[0]) + 1)
    met = np.searchsorted(found.rank, rank, side="right")
    return {"rank": rank, "recall": ratio(met, known), "precision": met / rank}


def _mean(values: Floats) -> float:
    return exact_mean(values[~np.isnan(values)].tolist())
