"""An interval for every summary.

Units are drawn again where the units are a sample (queries, items); where a whole table gives one
number, its cells are drawn again from a multinomial distribution, and the measure is computed for
all resamples at once. By default the percentiles are widened by Student's t, since plain
percentiles are too narrow for few units. No interval depends on which other measures are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.catalogue import Ratio
from assay.core.names import Measure
from assay.engine.local import GEOMETRIC_FLOOR, Measured, measured
from assay.engine.scores import Result
from assay.statistics import limits
from assay.statistics.bootstrap import Bootstrap
from assay.statistics.resampling import CELLS_AT_ONCE, cluster_numbers, resampled_means
from assay.statistics.tables import table_ends

MANY_UNITS = 20_000
"""Beyond this the resamples of a ratio of sums are normal, and would take long."""
__all__ = ["Bootstrap", "mean_ends", "with_intervals"]


def with_intervals(
    results: Sequence[Result], view: Any, measures: Sequence[Measure], bootstrap: Bootstrap
) -> list[Result]:
    """The results of one view, each with its interval."""
    ends: dict[int, tuple[float, float]] = {}
    columns: dict[int, Floats] = {}
    for place, (result, measure) in enumerate(zip(results, measures, strict=True)):
        if view.cells is not None and result.unit_kind != "item":
            ends[place] = table_ends(measure, view, bootstrap)
        elif measure.pooled:
            ends[place] = _pooled_ends(measured(view, measure), bootstrap)
        else:
            columns[place] = _shape(measure).forward(result.values)
    for place, found in _column_ends(columns, results, bootstrap).items():
        size = int(np.count_nonzero(~np.isnan(columns[place])))
        back = _shape(measures[place]).back
        ends[place] = (back(found[0], size), back(found[1], size))
    return [
        replace(result, low=ends[place][0], high=ends[place][1])
        for place, result in enumerate(results)
    ]


def _column_ends(
    columns: Mapping[int, Floats], results: Sequence[Result], bootstrap: Bootstrap
) -> dict[int, tuple[float, float]]:
    """The ends of each column of values; those defined for the same units share their draws."""
    alike: dict[bytes, list[int]] = {}
    for place, column in columns.items():
        mask = ~np.isnan(column)
        own = "\n".join(results[place].units) if bootstrap.clusters else str(mask.sum())
        key = own.encode() + (mask.tobytes() if bootstrap.clusters else b"")
        alike.setdefault(key, []).append(place)
    found: dict[int, tuple[float, float]] = {}
    for places in alike.values():
        kept = [columns[place][~np.isnan(columns[place])] for place in places]
        units = results[places[0]].units
        mask = ~np.isnan(columns[places[0]])
        clusters = _clusters([u for u, kept in zip(units, mask, strict=True) if kept], bootstrap)
        low, high = mean_ends(np.stack(kept, axis=1), bootstrap, clusters)
        found |= {p: (float(a), float(b)) for p, a, b in zip(places, low, high, strict=True)}
    return found


def _clusters(units: Sequence[str], bootstrap: Bootstrap) -> Ints | None:
    if not bootstrap.clusters or not units:
        return None
    return cluster_numbers(units, bootstrap.clusters)


def mean_ends(
    columns: Floats, bootstrap: Bootstrap, clusters: Ints | None = None
) -> tuple[Floats, Floats]:
    """An interval for the mean of each column, a row for each unit."""
    width = max(1, CELLS_AT_ONCE // max(bootstrap.resamples, 1))
    found = [
        _block_ends(columns[:, start : start + width], bootstrap, clusters)
        for start in range(0, columns.shape[1], width)
    ]
    low, high = zip(*found, strict=True) if found else ((np.empty(0),), (np.empty(0),))
    return np.concatenate(low), np.concatenate(high)


def _block_ends(
    columns: Floats, bootstrap: Bootstrap, clusters: Ints | None
) -> tuple[Floats, Floats]:
    """As many columns as memory has room for the resamples of.

    Each column stands together in memory, so that NumPy adds it up as if it were alone.
    """
    columns = np.asfortranarray(columns)
    confidence = bootstrap.confidence
    size = len(columns) if clusters is None else len(np.unique(clusters))
    if bootstrap.method == "t" and clusters is None:
        return limits.student_ends(columns, confidence)
    drawn = resampled_means(columns, bootstrap.resamples, bootstrap.seed, clusters)
    if bootstrap.method == "percentile":
        return limits.percentile_ends(drawn, confidence)
    if bootstrap.method == "bca" and clusters is None:
        acceleration = limits.mean_acceleration(columns)
        return limits.bca_ends(drawn, columns.mean(axis=0), acceleration, confidence)
    low, high = limits.expanded_ends(drawn, size, confidence)
    if bootstrap.method == "wilson" and clusters is None and size:
        binary = ((columns == 0) | (columns == 1)).all(axis=0)
        trials = np.full(columns.shape[1], float(size))
        least, most = limits.wilson_ends(columns.sum(axis=0), trials, confidence)
        return np.where(binary, least, low), np.where(binary, most, high)
    return low, high


def _pooled_ends(found: Measured, bootstrap: Bootstrap) -> tuple[float, float]:
    """The interval of a micro average: numerators and denominators are drawn together."""
    parts = found.parts
    if not isinstance(parts, Ratio):
        return float("nan"), float("nan")
    columns = np.stack((parts.numerator, parts.denominator), axis=1)
    clusters = _clusters(found.view.units, bootstrap)
    if clusters is None and len(columns) > MANY_UNITS:
        return _linear_ends(parts, bootstrap.confidence)
    means = resampled_means(columns, bootstrap.resamples, bootstrap.seed, clusters)
    drawn = means[:, :1] / np.where(means[:, 1:], means[:, 1:], np.nan)
    size = len(columns) if clusters is None else len(np.unique(clusters))
    low, high = limits.expanded_ends(drawn, size, bootstrap.confidence)
    return float(low[0]), float(high[0])


def _linear_ends(parts: Ratio, confidence: float) -> tuple[float, float]:
    """The interval of a ratio of sums from how much each unit moves it."""
    from scipy.special import ndtri

    below = parts.denominator.sum()
    if not below:
        return float("nan"), float("nan")
    value = parts.numerator.sum() / below
    moved = (parts.numerator - value * parts.denominator) / below
    reach = float(ndtri((1 + confidence) / 2) * np.sqrt((moved**2).sum()))
    return float(value - reach), float(value + reach)


class _Plain:
    """A summary as a mean of something: what is averaged, and the way back."""

    def forward(self, values: Floats) -> Floats:
        return values

    def back(self, mean: float, size: int) -> float:
        return mean


class _Sum(_Plain):
    def back(self, mean: float, size: int) -> float:
        return mean * size


class _Geometric(_Plain):
    def forward(self, values: Floats) -> Floats:
        return np.log(np.maximum(values, GEOMETRIC_FLOOR))

    def back(self, mean: float, size: int) -> float:
        return float(np.exp(mean))


_SHAPES = {"sum": _Sum(), "geometric": _Geometric()}


def _shape(measure: Measure) -> _Plain:
    return _SHAPES.get(measure.definition.aggregate, _Plain())
