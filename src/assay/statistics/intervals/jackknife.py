"""Intervals by leaving each item of a table out once.

Items of one cell give the same, so the work grows with the cells. The estimate is corrected for its
bias before the interval is placed around it: resampling cells with replacement would make a table
look more orderly than it is, which inflates mutual information.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.definition import Ratio
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.engine.result import Result
from assay.evidence.views.contingency import Contingency
from assay.statistics.intervals.interval_ends import (
    ROUNDING,
    add_interval,
    all_equal,
    log_odds_reach,
    single_interval,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import (
    ALL_POINTS,
    FEW_PER_CELL,
    JACKKNIFE,
    NO_INTERVAL,
    UNBOUNDED,
    Bootstrap,
    Interval,
)
from assay.statistics.intervals.ratio_intervals import (
    MOST_FEW_UNITS,
    Bounds,
    bound_interval,
    few_ratio_interval,
)
from assay.statistics.intervals.table_intervals import clip_to_bounds, leave_one_out_cells

MOST_SHUFFLED = 10_000
"""With more items chance adds too little to matter."""
MOST_CELLS = 20_000
"""Larger tables have no intervals: the work is the square of the cells."""


def require_jackknife(interval: Bootstrap) -> None:
    """Raise an error where clusterings should have another interval."""
    if interval.method != "expanded":
        raise UsageError(
            f"the interval '{interval.method}' is not for clusterings: resamples look more orderly"
            " than the items, so clusterings have jackknife intervals; leave `interval` out"
        )


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
    if result.unit_kind != "item":
        return replace(result, interval=ALL_POINTS) if len(values) else result
    if len(values) < 2:
        return result
    if all_equal(values):
        bounds = measure.definition.bounds
        return add_interval(result, bound_interval(values[0], len(values), bounds, confidence))
    if len(values) <= MOST_FEW_UNITS:
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
        if closed_form(view, confidence, *measure.arguments) is not None:
            return Interval(math.nan, math.nan, FEW_PER_CELL)
    without = leave_one_out_values(view, measure, np.arange(len(view.cells)))
    bounds = measure.definition.bounds
    every = np.append(without, value)
    if not np.isnan(without).any() and (
        all_equal(every) or (np.isfinite(bounds).all() and np.ptp(every) <= ROUNDING)
    ):  # such as 6e-16 beside 0
        return NO_INTERVAL
    chance = chance_variance(view, measure)
    low, high = jackknife_ends(value, without, view.cells, confidence, bounds, chance)
    return Interval(*clip_to_bounds(measure, low, high), JACKKNIFE)


def leave_one_out_values(
    view: Any, measure: Measure, cells: Ints, weights: Floats | None = None
) -> Floats:
    """Return the measure without one item, of this weight, of each of the cells."""
    rows = leave_one_out_cells(view.cells, cells, weights)
    values = [measure(view.reweight(counts)) for counts in rows]
    return np.concatenate(values) if values else np.empty(0)


def jackknife_ends(
    value: float,
    without: Floats,
    cells: Floats,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
    chance: float = 0.0,
) -> tuple[float, float]:
    """Return the ends of the interval; NaN where the measure is undefined without some item.

    ``chance`` is a variance that leaving items out does not show (``chance_variance``).
    Between two bounds they are equally far in log-odds if the value is in the upper half: near its
    largest value a measure is skewed.
    """
    from scipy.special import stdtrit

    items = float(cells.sum())
    if items < 2 or math.isnan(value) or np.isnan(without).any():
        return math.nan, math.nan
    bias, error = jackknife_parts(value, without, cells)
    reach = float(stdtrit(items - 1, (1 + confidence) / 2)) * math.hypot(error, math.sqrt(chance))
    # Moved by the bias alone, a narrow interval would not hold the value that it is about.
    low, high = log_odds_reach(value - bias, reach, bounds)
    return min(value, value - bias + low), max(value, value - bias + high)


def chance_variance(view: Any, measure: Measure) -> float:
    """Return the variance of the measure among tables of the same sizes without any relation.

    Near independence a measure is a sum of squares. Leaving items out shows how it moves along its
    slope, which is almost 0 there, and not how the squares vary.
    """
    shuffled = _shuffle_cells(view) if isinstance(view, Contingency) else None
    if shuffled is None:
        return 0.0
    values = measure(shuffled)
    return 0.0 if np.isnan(values).any() else float(values.var())


def _shuffle_cells(view: Contingency) -> Contingency | None:
    """Return tables of the same sizes without any relation; None where chance adds too little."""
    cells = len(view.clusters) * len(view.classes)
    if float(view.cells.sum()) > MOST_SHUFFLED or cells > MOST_CELLS:
        return None
    return view.shuffled


def jackknife_parts(
    value: float, without: Floats, cells: Floats | None = None
) -> tuple[float, float]:
    """Return the bias and the standard error of a value, from its values without one item."""
    counts = np.ones(len(without)) if cells is None else cells
    items = float(counts.sum())
    mean = float((counts * without).sum() / items)
    spread = math.sqrt((items - 1) / items * float((counts * (without - mean) ** 2).sum()))
    return (items - 1) * (mean - value), spread
