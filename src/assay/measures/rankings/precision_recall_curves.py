"""Curves of precision over recall: of points, of one query, and averaged over many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats, exact_mean, ratio
from assay.core.curves import Columns, curve
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.interpolated_precision import ELEVEN, interpolate_precision

RANKS = (5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)


def interpolate(
    precision: Sequence[float], recall: Sequence[float], at: Sequence[float] = ELEVEN
) -> Floats:
    """The largest precision among given points at each recall or any higher one; 0 beyond them.

    >>> interpolate([0.5, 0.4], [0.25, 0.5], at=[0, 0.25, 0.3, 0.6])
    array([0.5, 0.5, 0.4, 0. ])
    """
    height, place = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    reached = place[None, :] >= np.asarray(at, np.float64)[:, None]
    return np.where(reached, height[None, :], 0.0).max(axis=1, initial=0.0)


def _mean(values: Floats) -> float:
    return exact_mean(values[~np.isnan(values)].tolist())


@curve("precision-recall at recalls")
def precision_at_recalls(
    rankings: Rankings, rel: float = 1, levels: Sequence[float] = ELEVEN
) -> Columns:
    """The interpolated precision at fixed recalls, averaged over queries."""
    precision = [_mean(values) for values in interpolate_precision(rankings, rel, *levels)]
    return {"recall": np.asarray(levels, np.float64), "precision": np.asarray(precision)}


@curve("precision-recall at ranks")
def precision_at_ranks(rankings: Rankings, rel: float = 1, ranks: Sequence[int] = RANKS) -> Columns:
    """The precision and the recall at fixed ranks, each averaged over queries."""
    known = rankings.relevant_count(rel)
    found = [rankings.relevant(rel, rank).count for rank in ranks]
    return {
        "rank": np.asarray(ranks),
        "recall": np.asarray([_mean(ratio(count, known)) for count in found]),
        "precision": np.asarray(
            [_mean(count / rank) for count, rank in zip(found, ranks, strict=True)]
        ),
    }
