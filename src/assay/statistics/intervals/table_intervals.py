"""An interval for a number that stands for a whole table, by drawing its cells again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks
from assay.core.definition import Ratio
from assay.core.names import Measure
from assay.engine.local import aggregate
from assay.statistics.intervals import interval_ends
from assay.statistics.intervals.few_units import MOST
from assay.statistics.intervals.interval_settings import (
    AT_BOUND_METHOD,
    CLOSED_FORM,
    EXACT_SHARE,
    Bootstrap,
    Interval,
)
from assay.statistics.intervals.zero_width import NO_INTERVAL, all_equal


def table_interval(measure: Measure, view: Any, bootstrap: Bootstrap) -> Interval:
    """The interval of a measure of the first table of the view."""
    if bootstrap.method == "wilson" and (counts := _proportion(measure, view)):
        return _single_view(interval_ends.wilson_ends(*counts, bootstrap.confidence), "wilson")
    few = bootstrap.closed_forms and item_count(view) <= MOST
    if few and (counts := _proportion(measure, view)):
        return _single_view(
            interval_ends.exact_share_ends(*counts, bootstrap.confidence), EXACT_SHARE
        )
    if bootstrap.closed_forms and (ends := _closed_form_interval(measure, view, bootstrap)):
        return NO_INTERVAL if all_equal(np.asarray(ends)) else Interval(*ends, CLOSED_FORM)
    drawn = resampled_values(measure, view, bootstrap.resamples, bootstrap.seed)
    if all_equal(drawn):
        if counts := _proportion(measure, view):
            return _single_view(
                interval_ends.wilson_ends(*counts, bootstrap.confidence), AT_BOUND_METHOD
            )
        return NO_INTERVAL
    method = bootstrap.method if bootstrap.method in ("percentile", "bca") else "expanded"
    return _single_view(_resampled_ends(measure, view, drawn[:, None], bootstrap), method)


def _single_view(ends: interval_ends.Ends, method: str) -> Interval:
    return Interval(float(ends[0][0]), float(ends[1][0]), method)


def _closed_form_interval(
    measure: Measure, view: Any, bootstrap: Bootstrap
) -> tuple[float, float] | None:
    """The interval that the measure declares in closed form, if it has one."""
    for closed_form in measure.definition.closed_form:
        return measure.apply(closed_form, view, bootstrap.confidence)
    return None


def _resampled_ends(
    measure: Measure, view: Any, drawn: Floats, bootstrap: Bootstrap
) -> interval_ends.Ends:
    if bootstrap.method == "percentile":
        return interval_ends.percentile_ends(drawn, bootstrap.confidence)
    if bootstrap.method == "bca" and len(drawn):
        observed = table_summaries(measure, view.reweight(view.cells[None, :]), 1)
        acceleration = np.asarray([_acceleration(measure, view, float(observed[0]))])
        return interval_ends.bca_ends(drawn, observed, acceleration, bootstrap.confidence)
    return interval_ends.expanded_ends(drawn, round(item_count(view)), bootstrap.confidence)


def resampled_values(measure: Measure, view: Any, resamples: int, seed: int) -> Floats:
    """The summary of each resample of the cells."""
    drawn = [
        table_summaries(measure, view.reweight(counts), len(counts))
        for counts in resampled_counts(view, resamples, seed)
    ]
    return np.concatenate(drawn) if drawn else np.empty(0)


def resampled_counts(view: Any, resamples: int, seed: int) -> Iterator[Floats]:
    """Blocks of resamples × cells: as many items as the cells hold, drawn again."""
    cells = view.cells
    total = cells.sum()
    if total <= 0:
        return
    random = np.random.default_rng(seed)
    for rows in row_blocks(resamples, len(cells)):
        counts = random.multinomial(round(item_count(view)), cells / total, size=rows)
        yield counts.astype(np.float64)


def item_count(view: Any) -> float:
    """How many items the cells hold; with weights, how many of equal weight they are worth."""
    return float(view.cells.sum()) if view.effective is None else float(view.effective)


def cells_as_counts(view: Any) -> Floats:
    """The cells in numbers of items."""
    cells: Floats = view.cells
    return cells if view.effective is None else cells * (view.effective / cells.sum())


def _proportion(measure: Measure, view: Any) -> tuple[Floats, Floats] | None:
    """Successes and trials, where the measure is a share of items.

    It is one if each item alone, whatever its cell, counts 0 or 1 in the denominator, and no more
    than that in the numerator: so F, for example, is none.
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
    """Blocks of the cells without one item (or what there is of one) of each of those filled.

    An item weighs 1, or what ``weights`` says of each.
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
    """From the value without one item of each cell in turn, as often as the cell has items."""
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
    """The number that stands for each of so many tables, whatever units it is an average of."""
    seen = resampled.by(measure.unit)
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
