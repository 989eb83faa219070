"""Intervals of summaries over units: means, and ratios of two sums.

Units are resampled where they are a sample (queries, items); where a whole table gives one number,
its cells are resampled (``table_intervals``). By default the percentiles are widened by Student's
t, since plain percentiles are too narrow for few units; up to ten units have Student's t or an
exact interval (``ratio_intervals``). No interval depends on which other measures are computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints, row_slices
from assay.core.definition import GEOMETRIC_FLOOR, Ratio
from assay.core.names import Measure
from assay.engine.local import measure_view, watch_overflow
from assay.engine.result import Result
from assay.statistics.intervals.interval_ends import (
    Ends,
    add_interval,
    all_equal,
    by_cluster,
    cluster_numbers,
    mean_acceleration,
    resampled_ends,
    resampled_means,
    student_ends,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import UNBOUNDED, Interval
from assay.statistics.intervals.interval_settings import Bootstrap as Bootstrap
from assay.statistics.intervals.ratio_intervals import (
    MOST_FEW_UNITS,
    Bounds,
    few_ends,
    few_method,
    ratio_interval,
)
from assay.statistics.intervals.table_intervals import table_intervals

NOT_MEANS = ("sum", "geometric")
"""The aggregates whose interval is derived from that of a mean."""


def add_intervals(
    results: Sequence[Result], view: Any, measures: Sequence[Measure], bootstrap: Bootstrap
) -> list[Result]:
    """Return the results of one view, each with its interval, if its ends are numbers."""
    with watch_overflow() as overflow:
        found = _find_intervals(results, view, measures, bootstrap)
    if overflow.seen:
        found = [
            each if np.isfinite(each[:2]).all() else Interval(math.nan, math.nan, each.method)
            for each in found
        ]
    return [add_interval(*pair) for pair in zip(results, found, strict=True)]


def _find_intervals(
    results: Sequence[Result], view: Any, measures: Sequence[Measure], bootstrap: Bootstrap
) -> list[Interval]:
    intervals: dict[int, Interval] = {}
    columns: dict[int, Floats] = {}
    whole = [n for n, each in enumerate(results) if each.unit_kind != "item"]
    if whole and view.cells is not None:
        found = table_intervals([measures[place] for place in whole], view, bootstrap)
        intervals = dict(zip(whole, found, strict=True))
    for place, (result, measure) in enumerate(zip(results, measures, strict=True)):
        if place in intervals:
            continue
        # The summary of items and of such averages is a ratio of two sums, not a plain mean.
        weighted = measure.pooled or measure.average == "weighted"
        if weighted or result.unit_kind == "item" or all_equal(result.values):
            intervals[place] = _average_interval(measure, view, result, bootstrap)
        elif _is_geometric(measure):
            columns[place] = np.log(np.maximum(result.values, GEOMETRIC_FLOOR))
        else:
            columns[place] = result.values
    if columns:
        bounds = [_mean_bounds(measure) for measure in measures]
        for place, interval in _column_intervals(columns, results, bootstrap, bounds).items():
            intervals[place] = interval
            if measures[place].definition.aggregate in NOT_MEANS:
                size = int(np.count_nonzero(~np.isnan(columns[place])))
                intervals[place] = _to_summary(measures[place], interval, size)
    return [intervals[place] for place in range(len(results))]


def _is_geometric(measure: Measure) -> bool:
    return measure.definition.aggregate == "geometric"


def _mean_bounds(measure: Measure) -> Bounds:
    """Return the bounds of the mean, if the bounds of the units bound it."""
    return UNBOUNDED if _is_geometric(measure) else measure.definition.bounds


def _to_summary(measure: Measure, mean: Interval, size: int) -> Interval:
    """Return the interval of the summary, given that of the mean of so many units."""
    low, high = mean.low, mean.high
    if measure.definition.aggregate == "sum":
        low, high = low * size, high * size
    elif _is_geometric(measure):
        low, high = float(np.exp(low)), float(np.exp(high))
    return Interval(low, high, mean.method)


def _average_interval(
    measure: Measure, view: Any, result: Result, bootstrap: Bootstrap
) -> Interval:
    """Return the interval of an average that is a ratio of two sums over the units.

    Such are micro and weighted averages, and every mean of items, with weights or without.
    """
    measured = measure_view(view, measure)
    seen, found = measured.view, measured.parts
    del measured  # The values of millions of items take memory.
    defined = ~np.isnan(result.values)
    if measure.pooled and not isinstance(found, Ratio):
        return Interval(math.nan, math.nan, "")
    if measure.pooled and isinstance(found, Ratio):
        # What is undefined alone still counts when all are pooled; an item of weight 0 does not.
        defined |= (result.unit_kind != "item") | (found.denominator != 0)
    clusters, bounds = _clusters(seen.units, defined, bootstrap), _mean_bounds(measure)
    if measure.pooled and isinstance(found, Ratio):
        parts = found if defined.all() else found[defined]
    else:
        weighted = measure.average == "weighted"
        weights = seen.support[defined] if weighted else np.ones(np.count_nonzero(defined))
        parts = Ratio(weights * result.values[defined], weights)
    interval = ratio_interval(parts, bootstrap, clusters, bounds)
    if measure.definition.aggregate in NOT_MEANS:
        return _to_summary(measure, interval, int(np.count_nonzero(defined)))
    return interval


def _column_intervals(
    columns: Mapping[int, Floats],
    results: Sequence[Result],
    bootstrap: Bootstrap,
    bounds: Sequence[Bounds],
) -> dict[int, Interval]:
    """Return the interval of each column; those defined for the same units share their draws."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, column in columns.items():
        defined = ~np.isnan(column)
        units: object = int(defined.sum())
        if bootstrap.clusters:
            units = results[place].units, defined.tobytes()
        groups.setdefault((units, bounds[place]), []).append(place)
    intervals: dict[int, Interval] = {}
    for places in groups.values():
        limits = bounds[places[0]]
        clusters = _clusters(results[places[0]].units, ~np.isnan(columns[places[0]]), bootstrap)
        values = [columns[place][~np.isnan(columns[place])] for place in places]
        found = mean_intervals(np.stack(values, axis=1), bootstrap, clusters, limits)
        intervals |= zip(places, found, strict=True)
    return intervals


def _clusters(units: Sequence[str], defined: Any, bootstrap: Bootstrap) -> Ints | None:
    if not bootstrap.clusters:
        return None
    kept = [unit for unit, keep in zip(units, defined, strict=True) if keep]
    return cluster_numbers(kept, bootstrap.clusters) if kept else None


def mean_intervals(
    columns: Floats, bootstrap: Bootstrap, clusters: Ints | None = None, bounds: Bounds = UNBOUNDED
) -> list[Interval]:
    """Return an interval for the mean of each column, with a row for each unit."""
    methods = [_applicable_method(column, bootstrap, clusters, bounds) for column in columns.T]
    low, high = mean_ends(columns, bootstrap, clusters, bounds)
    return [Interval(*each) for each in zip(low.tolist(), high.tolist(), methods, strict=True)]


def _applicable_method(
    column: Floats, bootstrap: Bootstrap, clusters: Ints | None, bounds: Bounds
) -> str:
    """Return the method of the settings, or the default where it does not apply to this mean."""
    if not bootstrap.closed_forms:
        return bootstrap.method
    alone = clusters is None
    if alone and (bootstrap.method == "t" or (bootstrap.method == "wilson" and _is_binary(column))):
        return bootstrap.method
    few = _independent_count(column, clusters) <= MOST_FEW_UNITS
    return few_method(column, bounds, clusters) if few else "expanded"


def _independent_count(columns: Floats, clusters: Ints | None) -> int:
    """Return the number of units, or of clusters, that were drawn independently."""
    return len(columns) if clusters is None else len(np.unique(clusters))


def _is_binary(column: Floats) -> Any:
    return ((column == 0) | (column == 1)).all(axis=0)


def mean_ends(
    columns: Floats, bootstrap: Bootstrap, clusters: Ints | None = None, bounds: Bounds = UNBOUNDED
) -> Ends:
    """Return the ends of the interval of each mean; the bounds matter for few units only."""
    ends = [
        _block_ends(columns[:, own], bootstrap, clusters, bounds)
        for own in row_slices(columns.shape[1], bootstrap.resamples)
    ]
    low, high = zip(*ends, strict=True) if ends else ((np.empty(0),), (np.empty(0),))
    return np.concatenate(low), np.concatenate(high)


def _block_ends(
    columns: Floats, bootstrap: Bootstrap, clusters: Ints | None, bounds: Bounds
) -> Ends:
    """Return the ends for as many columns as memory has room for their resamples.

    Each column is contiguous in memory, so that NumPy adds it up as if it were alone.
    """
    columns = np.asfortranarray(columns)
    size = _independent_count(columns, clusters)
    if bootstrap.method == "t" and clusters is None:
        return student_ends(columns, bootstrap.confidence)
    if size <= MOST_FEW_UNITS and bootstrap.closed_forms:
        low, high = few_ends(columns, bounds, bootstrap.confidence, clusters)
    else:
        drawn = resampled_means(columns, bootstrap.resamples, bootstrap.seed, clusters)

        def correction() -> Ends:
            """Return the observed values and their acceleration, for BCa."""
            means = columns.mean(axis=0)
            away = columns if clusters is None else by_cluster(columns - means, clusters)
            return means, mean_acceleration(away)

        low, high = resampled_ends(drawn, size, bootstrap, correction)
    if bootstrap.method == "wilson" and clusters is None and size:
        binary = _is_binary(columns)
        trials = np.full(columns.shape[1], float(size))
        successes = np.where(binary, columns.sum(axis=0), 0)
        least, most = wilson_ends(successes, trials, bootstrap.confidence)
        return np.where(binary, least, low), np.where(binary, most, high)
    return low, high
