"""A bootstrap interval for every summary.

Units are drawn again where the units are a sample (queries, items); where a whole table gives one
number, its cells are drawn again from a multinomial distribution, and the measure is computed for
all resamples at once. The percentiles are widened by Student's t, since plain percentiles are too
narrow for few units; an interval never leaves the range of the measure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats
from assay.core.catalogue import Ratio
from assay.core.names import Measure
from assay.engine.local import GEOMETRIC_FLOOR, aggregate, measured
from assay.engine.scores import Result

CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Bootstrap:
    """How an interval is made."""

    confidence: float = 0.95
    resamples: int = 1000
    seed: int = 1

    def described(self) -> dict[str, Any]:
        """The settings, to travel with the numbers."""
        return {
            "method": "bootstrap percentiles widened by Student's t",
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
        }


def with_intervals(
    results: Sequence[Result], view: Any, measures: Sequence[Measure], bootstrap: Bootstrap
) -> list[Result]:
    """The results of one view, each with its interval."""
    return [
        _with_interval(result, view, measure, bootstrap)
        for result, measure in zip(results, measures, strict=True)
    ]


def _with_interval(result: Result, view: Any, measure: Measure, bootstrap: Bootstrap) -> Result:
    for closed_form in measure.definition.closed_form:
        ends = closed_form(view, bootstrap.confidence, **dict(measure.arguments))
        if ends is not None:
            return replace(result, low=ends[0], high=ends[1])
    found = measured(view, measure)
    cells = view.cells if result.unit_kind != "item" else None
    if cells is None:
        drawn = _drawn_units(measure, result.values, found.parts, bootstrap)
        size = int(np.count_nonzero(~np.isnan(result.values)))
    else:
        drawn = _drawn_cells(measure, view, cells, bootstrap)
        size = round(float(cells.sum()))
    low, high = percentile_interval(drawn, size, bootstrap.confidence)
    return replace(result, low=low, high=high)


def percentile_interval(drawn: Floats, size: int, confidence: float) -> tuple[float, float]:
    """The widened percentiles of the resamples of a sample of that size; NaN where undefined."""
    from scipy.special import ndtr, stdtrit

    kept = drawn[~np.isnan(drawn)]
    if size < 2 or len(kept) < len(drawn) / 2 or not len(kept):
        return math.nan, math.nan
    tail = float(ndtr(math.sqrt(size / (size - 1)) * stdtrit(size - 1, (1 - confidence) / 2)))
    low, high = np.quantile(kept, [tail, 1 - tail])
    return float(low), float(high)


def unit_counts(units: int, bootstrap: Bootstrap) -> Iterator[Floats]:
    """How often each unit is drawn, some resamples at a time; the same for the same seed."""
    for counts in _kept_counts(units, bootstrap.resamples, bootstrap.seed):
        yield counts.astype(np.float64)


@lru_cache(maxsize=2)
def _kept_counts(units: int, resamples: int, seed: int) -> tuple[NDArray[np.uint16], ...]:
    random = np.random.default_rng(seed)
    step = max(1, CELLS_AT_ONCE // max(units, 1))
    kept = []
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        chosen = random.integers(0, units, size=(rows, units))
        chosen += np.arange(rows)[:, None] * units
        counts = np.bincount(chosen.ravel(), minlength=rows * units)
        kept.append(counts.reshape(rows, units).astype(np.uint16))
    return tuple(kept)


def _drawn_units(
    measure: Measure, values: Floats, parts: Floats | Ratio, bootstrap: Bootstrap
) -> Floats:
    """The summary of each resample of units, undefined units left out beforehand."""
    kept = values[~np.isnan(values)]
    if measure.pooled and isinstance(parts, Ratio):
        pairs = [
            (counts @ parts.numerator, counts @ parts.denominator)
            for counts in unit_counts(len(values), bootstrap)
        ]
        return np.concatenate([top / np.where(bottom, bottom, np.nan) for top, bottom in pairs])
    geometric = measure.definition.aggregate == "geometric"
    if geometric:
        kept = np.log(np.maximum(kept, GEOMETRIC_FLOOR))
    if not len(kept):
        return np.empty(0)
    means = np.concatenate([counts @ kept for counts in unit_counts(len(kept), bootstrap)]) / len(
        kept
    )
    if geometric:
        return np.asarray(np.exp(means))
    return means * len(kept) if measure.definition.aggregate == "sum" else means


def _drawn_cells(measure: Measure, view: Any, cells: Floats, bootstrap: Bootstrap) -> Floats:
    """The summary of each resample of cells."""
    total = cells.sum()
    if total <= 0:
        return np.empty(0)
    random = np.random.default_rng(bootstrap.seed)
    step = max(1, CELLS_AT_ONCE // len(cells))
    drawn = []
    for start in range(0, bootstrap.resamples, step):
        rows = min(step, bootstrap.resamples - start)
        counts = random.multinomial(round(float(total)), cells / total, size=rows)
        drawn.append(_summaries(measure, view.reweight(counts.astype(np.float64)), rows))
    return np.concatenate(drawn)


def _summaries(measure: Measure, resampled: Any, rows: int) -> Floats:
    seen = resampled.by(measure.unit)
    parts = measure.parts(seen)
    values = parts.values if isinstance(parts, Ratio) else parts
    if len(values) == rows and measure.average is None:
        return values
    grouped = values.reshape(rows, -1)
    if measure.average is None:
        defined = ~np.isnan(grouped)
        return np.where(defined, grouped, 0).sum(axis=1) / np.where(
            defined.any(axis=1), defined.sum(axis=1), np.nan
        )
    support = None if seen.support is None else seen.support.reshape(rows, -1)
    return np.asarray(
        [
            aggregate(
                measure,
                grouped[row],
                _row(parts, row, rows),
                None if support is None else support[row],
            )
            for row in range(rows)
        ]
    )


def _row(parts: Floats | Ratio, row: int, rows: int) -> Floats | Ratio:
    if isinstance(parts, Ratio):
        return Ratio(
            parts.numerator.reshape(rows, -1)[row], parts.denominator.reshape(rows, -1)[row]
        )
    return parts.reshape(rows, -1)[row]
