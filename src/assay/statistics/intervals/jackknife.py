"""Jackknife intervals for a number that comes from one table of counts.

Each item is left out once; items of one cell give the same, so the work grows with the cells. The
estimate is corrected for its bias before the interval is placed around it: resampling cells with
replacement would make a table look more orderly than it is, which inflates mutual information.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.definition import Ratio
from assay.core.names import Measure
from assay.engine.scores import Result
from assay.statistics.intervals.few_units import MOST, bound_interval, few_ratio_interval
from assay.statistics.intervals.interval_ends import all_equal, single_interval, wilson_ends
from assay.statistics.intervals.interval_settings import (
    FEW_PER_CELL,
    JACKKNIFE,
    NO_INTERVAL,
    Bootstrap,
    Interval,
)
from assay.statistics.intervals.table_intervals import leave_one_out_cells
from assay.statistics.intervals.unit_intervals import add_interval

MOST_CELLS = 20_000
"""Larger tables have no intervals: the work is the square of the cells."""


def describe_jackknife(confidence: float) -> dict[str, Any]:
    """Return the settings for the conventions of a result."""
    return {
        "name": JACKKNIFE,
        "method": "jackknife over items, corrected for bias (Wilson's for shares of items)",
        "confidence": confidence,
    }


def add_jackknife_intervals(
    results: Sequence[Result], view: Any, measures: Sequence[Measure], bootstrap: Bootstrap
) -> list[Result]:
    """Return the results of one view, each with its interval.

    Where the items are the units, as with silhouettes, one value is left out of their mean; a
    number that comes from all points at once has no interval. Of the settings of a bootstrap only
    the confidence matters.
    """
    confidence = bootstrap.confidence
    if view.cells is not None and len(view.cells) > MOST_CELLS:
        return list(results)
    return [
        _add_mean_interval(result, measure, confidence)
        if view.cells is None
        else add_interval(result, jackknife_interval(result.value, view, measure, confidence))
        for result, measure in zip(results, measures, strict=True)
    ]


def _add_mean_interval(result: Result, measure: Measure, confidence: float) -> Result:
    values = result.values[~np.isnan(result.values)]
    if result.unit_kind != "item" or len(values) < 2:
        return result
    if all_equal(values):
        bounds = measure.definition.bounds
        return add_interval(result, bound_interval(values[0], len(values), bounds, confidence))
    if len(values) <= MOST:
        parts = Ratio(values, np.ones(len(values)))
        few = few_ratio_interval(parts, measure.definition.bounds, confidence, None)
        return add_interval(result, few)
    without = (values.sum() - values) / (len(values) - 1)
    low, high = jackknife_ends(result.value, without, np.ones(len(values)), confidence)
    return replace(result, low=low, high=high, interval=JACKKNIFE)


def jackknife_interval(value: float, view: Any, measure: Measure, confidence: float) -> Interval:
    """Return the interval of a measure of one table: Wilson's where it is a share of all items."""
    if len(view.cells) > MOST_CELLS:
        return Interval(math.nan, math.nan, "")
    parts, items = measure.parts(view), float(view.cells.sum())
    if isinstance(parts, Ratio) and items and parts.denominator[0] == items:
        ends = wilson_ends(parts.numerator[:1], parts.denominator[:1], confidence)
        return single_interval(ends, "wilson")
    for closed_form in measure.definition.closed_form:
        if measure.apply(closed_form, view, confidence) is not None:
            return Interval(math.nan, math.nan, FEW_PER_CELL)
    without = leave_one_out_values(view, measure, np.arange(len(view.cells)))
    if not np.isnan(without).any() and all_equal(np.append(without, value)):
        return NO_INTERVAL
    share = measure.definition.bounds[1] == 1
    low, high = jackknife_ends(value, without, view.cells, confidence, share)
    return Interval(*clip_to_bounds(measure, low, high), JACKKNIFE)


def clip_to_bounds(measure: Measure, low: float, high: float) -> tuple[float, float]:
    """Return the ends of an interval within the bounds of the measure; NaN stays NaN."""
    ends = np.clip((low, high), *measure.definition.bounds)
    return float(ends[0]), float(ends[1])


def leave_one_out_values(
    view: Any, measure: Measure, cells: Ints, weights: Floats | None = None
) -> Floats:
    """Return the measure without one item, of this weight, of each of the cells."""
    rows = leave_one_out_cells(view.cells, cells, weights)
    values = [measure(view.reweight(counts)) for counts in rows]
    return np.concatenate(values) if values else np.empty(0)


def jackknife_ends(
    value: float, without: Floats, cells: Floats, confidence: float, share: bool = False
) -> tuple[float, float]:
    """Return the ends of the interval; NaN where the measure is undefined without some item.

    Those of a ``share``, which is at most 1, are symmetric in its log-odds if it is above a half:
    near 1 its distribution is skewed.
    """
    from scipy.special import stdtrit

    items = float(cells.sum())
    if items < 2 or math.isnan(value) or np.isnan(without).any():
        return math.nan, math.nan
    bias, error = jackknife_parts(value, without, cells)
    reach = float(stdtrit(items - 1, (1 + confidence) / 2)) * error
    # Moved by the bias alone, a narrow interval would not hold the value that it is about.
    low, high = _log_odds_ends(value - bias, reach) if share else (-reach, reach)
    return min(value, value - bias + low), max(value, value - bias + high)


def _log_odds_ends(center: float, reach: float) -> tuple[float, float]:
    """Return how far the ends are from the center, equally far in log-odds if it is above 0.5."""
    if not 0.5 < center < 1:
        return -reach, reach
    step = math.exp(min(reach / (center * (1 - center)), 700.0))
    odds = center / (1 - center)
    return odds / (odds + step) - center, odds * step / (1 + odds * step) - center


def jackknife_parts(
    value: float, without: Floats, cells: Floats | None = None
) -> tuple[float, float]:
    """Return the bias and the standard error of a value, from its values without one item."""
    counts = np.ones(len(without)) if cells is None else cells
    items = float(counts.sum())
    mean = float((counts * without).sum() / items)
    spread = math.sqrt((items - 1) / items * float((counts * (without - mean) ** 2).sum()))
    return (items - 1) * (mean - value), spread
