"""An interval for every summary.

Units are drawn again where the units are a sample (queries, items); where a whole table gives one
number, its cells are drawn again from a multinomial distribution, and the measure is computed for
all resamples at once. By default the percentiles are widened by Student's t, since plain
percentiles are too narrow for few units; up to ten units have Student's t or an exact interval
(``few_units``). No interval depends on which other measures are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks
from assay.core.definition import GEOMETRIC_FLOOR, Ratio
from assay.core.names import Measure
from assay.engine.local import measure_view
from assay.engine.scores import Result
from assay.statistics.intervals import interval_ends
from assay.statistics.intervals.few_units import MOST, Bounds, few_ends, few_method
from assay.statistics.intervals.interval_settings import NO_WIDTH, Bootstrap, Interval
from assay.statistics.intervals.ratio_intervals import ratio_interval
from assay.statistics.intervals.resampling import resampled_means
from assay.statistics.intervals.table_intervals import table_interval
from assay.statistics.intervals.unit_clusters import by_cluster, cluster_numbers
from assay.statistics.intervals.zero_width import UNBOUNDED, all_equal

__all__ = ["Bootstrap", "add_interval", "add_intervals", "applicable_method", "mean_ends"]


def add_intervals(
    results: Sequence[Result], view: Any, measures: Sequence[Measure], bootstrap: Bootstrap
) -> list[Result]:
    """The results of one view, each with its interval and how that was made."""
    found: dict[int, Interval] = {}
    columns: dict[int, Floats] = {}
    for place, (result, measure) in enumerate(zip(results, measures, strict=True)):
        if view.cells is not None and result.unit_kind != "item":
            found[place] = table_interval(measure, view, bootstrap)
        elif _is_ratio(measure, result) or all_equal(result.values):
            found[place] = _average_interval(measure, view, result, bootstrap)
        else:
            columns[place] = _shape(measure).forward(result.values)
    bounds = [_mean_bounds(measure) for measure in measures]
    for place, (low, high, method) in _column_ends(columns, results, bootstrap, bounds).items():
        size = int(np.count_nonzero(~np.isnan(columns[place])))
        back = _shape(measures[place]).back
        found[place] = Interval(back(low, size), back(high, size), method)
    return [add_interval(result, found[place]) for place, result in enumerate(results)]


def _is_ratio(measure: Measure, result: Result) -> bool:
    """Whether the summary is a ratio of two sums over the units, and none of their plain mean."""
    return measure.pooled or measure.average == "weighted" or result.unit_kind == "item"


def add_interval(result: Result, found: Interval) -> Result:
    """The result with its interval, and with how it was made, or why there is none."""
    method = "" if math.isnan(found.low) and found.method != NO_WIDTH else found.method
    return replace(result, low=found.low, high=found.high, interval=method)


def _average_interval(
    measure: Measure, view: Any, result: Result, bootstrap: Bootstrap
) -> Interval:
    """The interval of an average that is a ratio of two sums over the units.

    So are micro and weighted averages, and every mean of items, with weights or without.
    """
    seen = measure_view(view, measure)
    defined = ~np.isnan(result.values)
    if measure.pooled:
        if not isinstance(seen.parts, Ratio):
            return Interval(math.nan, math.nan, "")
        # A query that is undefined alone counts when all are pooled; an item is the whole of it.
        defined |= result.unit_kind != "item"
        parts = seen.parts[defined]
    else:
        weighted = measure.average == "weighted"
        weights = seen.view.support[defined] if weighted else np.ones(np.count_nonzero(defined))
        parts = Ratio(weights * result.values[defined], weights)
    units = [unit for unit, kept in zip(seen.view.units, defined, strict=True) if kept]
    shape, clusters = _shape(measure), _clusters(units, bootstrap)
    low, high, method = ratio_interval(parts, bootstrap, clusters, _mean_bounds(measure))
    return Interval(shape.back(low, len(units)), shape.back(high, len(units)), method)


def _mean_bounds(measure: Measure) -> Bounds:
    """The bounds of the mean that is averaged, as far as those of the units bound it."""
    return measure.definition.bounds if _shape(measure).linear else UNBOUNDED


def _column_ends(
    columns: Mapping[int, Floats],
    results: Sequence[Result],
    bootstrap: Bootstrap,
    bounds: Sequence[Bounds],
) -> dict[int, Interval]:
    """The ends of each column of values; those defined for the same units share their draws."""
    shared: dict[tuple[bytes, Bounds], list[int]] = {}
    for place, column in columns.items():
        mask = ~np.isnan(column)
        own = "\n".join(results[place].units) if bootstrap.clusters else str(mask.sum())
        key = own.encode() + (mask.tobytes() if bootstrap.clusters else b"")
        shared.setdefault((key, bounds[place]), []).append(place)
    found: dict[int, Interval] = {}
    for (_, limits_of_mean), places in shared.items():
        kept = [columns[place][~np.isnan(columns[place])] for place in places]
        units = results[places[0]].units
        mask = ~np.isnan(columns[places[0]])
        clusters = _clusters([u for u, kept in zip(units, mask, strict=True) if kept], bootstrap)
        low, high = mean_ends(np.stack(kept, axis=1), bootstrap, clusters, limits_of_mean)
        for place, column, *ends in zip(places, kept, low, high, strict=True):
            method = applicable_method(column, bootstrap, clusters, limits_of_mean)
            found[place] = Interval(float(ends[0]), float(ends[1]), method)
    return found


def applicable_method(
    column: Floats,
    bootstrap: Bootstrap,
    clusters: Ints | None = None,
    bounds: Bounds = UNBOUNDED,
) -> str:
    """The method that was asked for, or the default where it does not apply to this mean."""
    if bootstrap.method in ("percentile", "bca"):
        return bootstrap.method
    if bootstrap.method == "t" and clusters is None:
        return "t"
    if bootstrap.method == "wilson" and clusters is None and _is_binary(column):
        return "wilson"
    few = _independent(column, clusters) <= MOST
    return few_method(column, bounds, clusters) if few else "expanded"


def _independent(columns: Floats, clusters: Ints | None) -> int:
    """How many units, or clusters of them, were drawn independently."""
    return len(columns) if clusters is None else len(np.unique(clusters))


def _is_binary(column: Floats) -> Any:
    return ((column == 0) | (column == 1)).all(axis=0)


def _clusters(units: Sequence[str], bootstrap: Bootstrap) -> Ints | None:
    if not bootstrap.clusters or not units:
        return None
    return cluster_numbers(units, bootstrap.clusters)


def mean_ends(
    columns: Floats,
    bootstrap: Bootstrap,
    clusters: Ints | None = None,
    bounds: Bounds = UNBOUNDED,
) -> tuple[Floats, Floats]:
    """Return an interval for the mean of each column, a row for each unit.

    ``bounds`` are what a mean can be; they matter for few units only.
    """
    found, start = [], 0
    for width in row_blocks(columns.shape[1], bootstrap.resamples):
        found.append(_block_ends(columns[:, start : start + width], bootstrap, clusters, bounds))
        start += width
    low, high = zip(*found, strict=True) if found else ((np.empty(0),), (np.empty(0),))
    return np.concatenate(low), np.concatenate(high)


def _block_ends(
    columns: Floats, bootstrap: Bootstrap, clusters: Ints | None, bounds: Bounds
) -> tuple[Floats, Floats]:
    """As many columns as memory has room for the resamples of.

    Each column stands together in memory, so that NumPy adds it up as if it were alone.
    """
    columns = np.asfortranarray(columns)
    confidence = bootstrap.confidence
    size = _independent(columns, clusters)
    if bootstrap.method == "t" and clusters is None:
        return interval_ends.student_ends(columns, confidence)
    if size <= MOST and bootstrap.method not in ("percentile", "bca"):
        low, high = few_ends(columns, bounds, confidence, clusters)
    else:
        low, high = _drawn_ends(columns, size, bootstrap, clusters)
    if bootstrap.method == "wilson" and clusters is None and size:
        binary = _is_binary(columns)
        trials = np.full(columns.shape[1], float(size))
        successes = np.where(binary, columns.sum(axis=0), 0)
        least, most = interval_ends.wilson_ends(successes, trials, confidence)
        return np.where(binary, least, low), np.where(binary, most, high)
    return low, high


def _drawn_ends(
    columns: Floats, size: int, bootstrap: Bootstrap, clusters: Ints | None
) -> tuple[Floats, Floats]:
    """The ends by resamples of the units."""
    drawn = resampled_means(columns, bootstrap.resamples, bootstrap.seed, clusters)
    if bootstrap.method == "percentile":
        return interval_ends.percentile_ends(drawn, bootstrap.confidence)
    if bootstrap.method == "bca":
        means = columns.mean(axis=0)
        away = columns if clusters is None else by_cluster(columns - means, clusters)
        acceleration = interval_ends.mean_acceleration(away)
        return interval_ends.bca_ends(drawn, means, acceleration, bootstrap.confidence)
    return interval_ends.expanded_ends(drawn, size, bootstrap.confidence)


class _MeanShape:
    """A summary as a mean of something: what is averaged, and the way back."""

    linear = True
    """Whether the bounds of the units bound the mean."""

    def forward(self, values: Floats) -> Floats:
        return values

    def back(self, mean: float, size: int) -> float:
        return mean


class _SumShape(_MeanShape):
    def back(self, mean: float, size: int) -> float:
        return mean * size


class _GeometricShape(_MeanShape):
    linear = False

    def forward(self, values: Floats) -> Floats:
        return np.log(np.maximum(values, GEOMETRIC_FLOOR))

    def back(self, mean: float, size: int) -> float:
        return float(np.exp(mean))


_SHAPES = {"sum": _SumShape(), "geometric": _GeometricShape()}


def _shape(measure: Measure) -> _MeanShape:
    return _SHAPES.get(measure.definition.aggregate, _MeanShape())
