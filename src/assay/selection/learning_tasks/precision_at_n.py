"""Precision at n: the share of outliers among the n highest scores, where n outliers exist."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.engine.result import Result
from assay.statistics.intervals.interval_ends import (
    mean_acceleration,
    resampled_ends,
    single_interval,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import NO_WIDTH, RARE_OUTCOMES, Interval
from assay.statistics.intervals.unit_intervals import Bootstrap

PRECISION_AT_N = "P@n"
FEW_OUTCOMES = 10
"""With fewer outliers among the n highest scores, or fewer missed, resamples are too alike."""


def precision_at_n(truth: Bools, scores: Floats) -> float:
    """Return the share of outliers among the n highest scores, where n outliers exist.

    Of items that share the last score that is counted, an equal part of each is.
    """
    count = int(truth.sum())
    if not count:
        return np.nan
    last = np.partition(scores, len(scores) - count)[len(scores) - count]
    above, equal = scores > last, scores == last
    rest = (count - above.sum()) / equal.sum()
    return float((truth[above].sum() + rest * truth[equal].sum()) / count)


def precision_result(
    name: str, part: str, scores: Floats, truth: Bools, used: Bootstrap | None
) -> Result:
    """Return the precision at n with its interval."""
    value = precision_at_n(truth, scores)
    low, high, method = _precision_interval(value, scores, truth, used)
    return Result(
        name,
        part,
        PRECISION_AT_N,
        ("all",),
        np.array([value]),
        (None if np.isfinite(value) else "no item is an outlier",),
        value,
        "whole",
        "set",
        "higher",
        low,
        high,
        method,
    )


def _precision_interval(
    value: float, scores: Floats, truth: Bools, used: Bootstrap | None
) -> Interval:
    """Return Wilson's interval where few outliers are found, or missed; else one of resamples."""
    if used is None or np.isnan(value):
        return Interval(np.nan, np.nan, "")
    count = float(truth.sum())
    hits = value * count
    if used.closed_forms and min(hits, count - hits) < FEW_OUTCOMES:
        ends = wilson_ends(np.array([hits]), np.array([count]), used.confidence)
        return single_interval(ends, RARE_OUTCOMES)
    draw = np.random.default_rng(used.seed)
    size = len(truth)
    drawn = (draw.integers(0, size, size) for _ in range(used.resamples))
    again = np.array([precision_at_n(truth[rows], scores[rows]) for rows in drawn])

    def correction() -> tuple[Floats, Floats]:
        """Return the value and its acceleration, for BCa."""
        left_out = [
            precision_at_n(np.delete(truth, place), np.delete(scores, place))
            for place in range(size)
        ]
        return np.array([value]), mean_acceleration(-np.array(left_out)[:, None])

    method = "expanded" if used.closed_forms else used.method
    found = single_interval(resampled_ends(again[:, None], size, used, correction), method)
    return found if found.low < found.high else Interval(np.nan, np.nan, NO_WIDTH)
