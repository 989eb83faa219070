"""Intervals of measures of whole tables, by resampling their cells or leaving out items.

The jackknife leaves each item out once; items of one cell give the same, so the work grows with the
cells. The estimate is corrected for its bias before the interval is placed around it: resampling
cells with replacement would make a table look more orderly than it is, which inflates mutual
information.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks
from assay.core.definition import Ratio
from assay.core.names import Measure
from assay.engine.local import aggregate, select_evidence
from assay.engine.scores import Result
from assay.statistics.intervals.few_units import MOST, Bounds, bound_interval, few_ratio_interval
from assay.statistics.intervals.interval_ends import (
    Ends,
    add_interval,
    all_equal,
    exact_share_ends,
    log_odds_reach,
    resampled_ends,
    single_interval,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import (
    AT_BOUND_METHOD,
    CLOSED_FORM,
    EXACT_SHARE,
    FEW_PER_CELL,
    JACKKNIFE,
    NO_INTERVAL,
    UNBOUNDED,
    Bootstrap,
    Interval,
)


def table_interval(measure: Measure, view: Any, bootstrap: Bootstrap) -> Interval:
    """Return the interval of a measure of the first table of the view."""
    confidence = bootstrap.confidence
    if bootstrap.method == "wilson" and (counts := _proportion(measure, view)):
        return single_interval(wilson_ends(*counts, confidence), "wilson")
    few = bootstrap.closed_forms and item_count(view) <= MOST
    if few and (counts := _proportion(measure, view)):
        return single_interval(exact_share_ends(*counts, confidence), EXACT_SHARE)
    for closed_form in measure.definition.closed_form if bootstrap.closed_forms else ():
        if direct := closed_form(view, confidence, *measure.arguments):
            return NO_INTERVAL if all_equal(np.asarray(direct)) else Interval(*direct, CLOSED_FORM)
        break
    drawn = resampled_values(measure, view, bootstrap.resamples, bootstrap.seed)
    if all_equal(drawn):
        if counts := _proportion(measure, view):
            return single_interval(wilson_ends(*counts, confidence), AT_BOUND_METHOD)
        return NO_INTERVAL

    def correction() -> Ends:
        """Return the observed values and their acceleration, for BCa."""
        observed = table_summaries(measure, view.reweight(view.cells[None, :]), 1)
        return observed, np.asarray([_acceleration(measure, view, float(observed[0]))])

    method = "expanded" if bootstrap.closed_forms else bootstrap.method
    size = round(item_count(view))
    ends = resampled_ends(drawn[:, None], size, bootstrap, correction)
    return single_interval(ends, method)


def resampled_values(measure: Measure, view: Any, resamples: int, seed: int) -> Floats:
    """Return the summary of each resample of the cells."""
    drawn = [
        table_summaries(measure, view.reweight(counts), len(counts))
        for counts in resampled_counts(view, resamples, seed)
    ]
    return np.concatenate(drawn) if drawn else np.empty(0)


def resampled_counts(view: Any, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of resamples × cells: as many items as the cells hold, resampled."""
    cells = view.cells
    total = cells.sum()
    if total <= 0 or item_count(view) >= 2**63:  # beyond what can be drawn
        return
    random = np.random.default_rng(seed)
    for rows in row_blocks(resamples, len(cells)):
        counts = random.multinomial(round(item_count(view)), cells / total, size=rows)
        yield counts.astype(np.float64)


def item_count(view: Any) -> float:
    """Return the number of items in the cells; with weights, the effective number."""
    return float(view.cells.sum()) if view.effective is None else float(view.effective)


def cells_as_counts(view: Any) -> Floats:
    """Return the cells in numbers of items."""
    cells: Floats = view.cells
    return cells if view.effective is None else cells * (view.effective / cells.sum())


def _proportion(measure: Measure, view: Any) -> tuple[Floats, Floats] | None:
    """Return successes and trials, if the measure is a share of items.

    It is one if each item alone, whatever its cell, counts 0 or 1 in the denominator, and no more
    than that in the numerator: F, for example, is not one.
    """
    whole = measure.parts(view.by(measure.unit))
    if not isinstance(whole, Ratio) or len(whole.denominator) != 1 or not whole.denominator[0]:
        return None
    size, start = len(view.cells), 0
    for rows in row_blocks(size, size):
        each = measure.parts(view.reweight(np.eye(rows, size, start)).by(measure.unit))
        if not isinstance(each, Ratio):
            return None
        counts = np.isin(each.denominator, (0, 1)) & np.isin(each.numerator, (0, 1))
        if not (counts & (each.numerator <= each.denominator)).all():
            return None
        start += rows
    each_item = item_count(view) / view.cells.sum()
    return whole.numerator * each_item, whole.denominator * each_item


def leave_one_out_cells(
    cells: Floats, filled: Ints, weights: Floats | None = None
) -> Iterator[Floats]:
    """Yield blocks of the cells without one item (or the rest of one) of each filled cell.

    An item weighs 1, or as given by ``weights``.
    """
    taken = np.ones(len(filled)) if weights is None else weights
    start = 0
    for rows in row_blocks(len(filled), len(cells)):
        some = filled[start : start + rows]
        counts = np.repeat(cells[None, :], rows, axis=0)
        counts[np.arange(rows), some] -= np.minimum(cells[some], taken[start : start + rows])
        yield counts
        start += rows


def _acceleration(measure: Measure, view: Any, observed: float) -> float:
    """Return the acceleration, from the value without one item of each cell."""
    cells = cells_as_counts(view)
    filled = np.flatnonzero(cells)
    values = np.concatenate(
        [
            table_summaries(measure, view.reweight(counts), len(counts))
            for counts in leave_one_out_cells(cells, filled)
        ]
    )
    weight = cells[filled]
    values = observed + (values - observed) / np.minimum(weight, 1)
    known = ~np.isnan(values)
    values, weight = values[known], weight[known]
    away = (weight @ values) / weight.sum() - values
    spread = (weight @ away**2) ** 1.5
    return float(weight @ away**3 / (6 * spread)) if spread > 0 else 0.0


def table_summaries(measure: Measure, resampled: Any, rows: int) -> Floats:
    """Return the value of each of so many tables, averaged over its units where it has several."""
    seen = select_evidence(resampled, measure)
    parts = measure.parts(seen)
    values = parts.values if isinstance(parts, Ratio) else parts
    if len(values) == rows and measure.average is None:
        return values
    grouped = values.reshape(rows, -1)
    if measure.average is None and measure.definition.aggregate == "sum":
        return np.nansum(grouped, axis=1)
    if measure.average is None:
        defined = ~np.isnan(grouped)
        return np.where(defined, grouped, 0).sum(axis=1) / np.where(
            defined.any(axis=1), defined.sum(axis=1), np.nan
        )
    support = [None] * rows if seen.support is None else seen.support.reshape(rows, -1)
    by_row: Iterable[Any] = grouped
    if isinstance(parts, Ratio):
        halves = (each.reshape(rows, -1) for each in (parts.numerator, parts.denominator))
        by_row = [Ratio(*row) for row in zip(*halves, strict=True)]
    each = zip(grouped, by_row, support, strict=True)
    return np.asarray([aggregate(measure, *arguments) for arguments in each])


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
        if closed_form(view, confidence, *measure.arguments) is not None:
            return Interval(math.nan, math.nan, FEW_PER_CELL)
    without = leave_one_out_values(view, measure, np.arange(len(view.cells)))
    if not np.isnan(without).any() and all_equal(np.append(without, value)):
        return NO_INTERVAL
    low, high = jackknife_ends(value, without, view.cells, confidence, measure.definition.bounds)
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
    value: float, without: Floats, cells: Floats, confidence: float, bounds: Bounds = UNBOUNDED
) -> tuple[float, float]:
    """Return the ends of the interval; NaN where the measure is undefined without some item.

    Between two bounds they are equally far in log-odds if the value is in the upper half: near its
    largest value a measure is skewed.
    """
    from scipy.special import stdtrit

    items = float(cells.sum())
    if items < 2 or math.isnan(value) or np.isnan(without).any():
        return math.nan, math.nan
    bias, error = jackknife_parts(value, without, cells)
    reach = float(stdtrit(items - 1, (1 + confidence) / 2)) * error
    # Moved by the bias alone, a narrow interval would not hold the value that it is about.
    low, high = log_odds_reach(value - bias, reach, bounds)
    return min(value, value - bias + low), max(value, value - bias + high)


def jackknife_parts(
    value: float, without: Floats, cells: Floats | None = None
) -> tuple[float, float]:
    """Return the bias and the standard error of a value, from its values without one item."""
    counts = np.ones(len(without)) if cells is None else cells
    items = float(counts.sum())
    mean = float((counts * without).sum() / items)
    spread = math.sqrt((items - 1) / items * float((counts * (without - mean) ** 2).sum()))
    return (items - 1) * (mean - value), spread
