"""Intervals of measures of whole tables, by resampling their cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks, row_slices
from assay.core.closed_form_intervals import FEW_OUTCOMES
from assay.core.definition import Ratio
from assay.core.names import Measure
from assay.core.progress import report_progress
from assay.engine.local import aggregate, select_evidence
from assay.statistics.intervals.interval_ends import (
    Ends,
    all_equal,
    exact_share_ends,
    resampled_ends,
    single_interval,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import (
    AT_BOUND_METHOD,
    BIASED,
    CLOSED_FORM,
    EXACT_SHARE,
    NO_INTERVAL,
    RARE_OUTCOMES,
    Bootstrap,
    Interval,
)
from assay.statistics.intervals.ratio_intervals import MOST_FEW_UNITS

MOST_CELLS = 1000
"""With more cells this is not tried: it takes the square of their number."""
MANY_CELLS = 5_000
"""Beyond this the counts are drawn as Poisson counts with a remainder, which is faster, unless the
remainder is longer than the table."""
_REMAINDER = 2.0
"""By how many standard deviations the Poisson counts fall short of the items on average."""


def table_interval(measure: Measure, view: Any, bootstrap: Bootstrap) -> Interval:
    """Return the interval of a measure of the first table of the view."""
    return table_intervals([measure], view, bootstrap)[0]


def table_intervals(measures: Sequence[Measure], view: Any, bootstrap: Bootstrap) -> list[Interval]:
    """Return the interval of each measure of the first table of the view.

    Measures without a closed form share their resamples, which depend on the seed alone.
    """
    found = [_direct_interval(each, view, bootstrap) for each in measures]
    others = [each for each, direct in zip(measures, found, strict=True) if direct is None]
    drawn = iter(resampled_values(others, view, bootstrap.resamples, bootstrap.seed))
    return [
        _resampled_interval(measure, view, bootstrap, next(drawn)) if direct is None else direct
        for measure, direct in zip(measures, found, strict=True)
    ]


def _direct_interval(measure: Measure, view: Any, bootstrap: Bootstrap) -> Interval | None:
    """Return an interval that needs no resamples, if there is one."""
    if measure.definition.biased:
        return Interval(math.nan, math.nan, BIASED)
    confidence = bootstrap.confidence
    if bootstrap.method == "wilson" and (counts := _proportion(measure, view)):
        return single_interval(wilson_ends(*counts, confidence), "wilson")
    few = bootstrap.closed_forms and item_count(view) <= MOST_FEW_UNITS
    if few and (counts := _proportion(measure, view)):
        return single_interval(exact_share_ends(*counts, confidence), EXACT_SHARE)
    for closed_form in measure.definition.closed_form if bootstrap.closed_forms else ():
        if direct := closed_form(view, confidence, *measure.arguments):
            return NO_INTERVAL if all_equal(np.asarray(direct)) else Interval(*direct, CLOSED_FORM)
        break
    if bootstrap.closed_forms and (counts := _rare_proportion(measure, view)):
        return single_interval(wilson_ends(*counts, confidence), RARE_OUTCOMES)
    return None


def _resampled_interval(
    measure: Measure, view: Any, bootstrap: Bootstrap, drawn: Floats
) -> Interval:
    """Return the interval from the value of each resample."""
    if all_equal(drawn):
        if counts := _proportion(measure, view):
            return single_interval(wilson_ends(*counts, bootstrap.confidence), AT_BOUND_METHOD)
        return NO_INTERVAL

    def correction() -> Ends:
        """Return the observed values and their acceleration, for BCa."""
        observed = table_summaries(measure, view.reweight(view.cells[None, :]), 1)
        return observed, np.asarray([_acceleration(measure, view, float(observed[0]))])

    method = "expanded" if bootstrap.closed_forms else bootstrap.method
    size = round(item_count(view))
    ends = resampled_ends(drawn[:, None], size, bootstrap, correction)
    return single_interval(ends, method)


def resampled_values(
    measures: Sequence[Measure], view: Any, resamples: int, seed: int
) -> list[Floats]:
    """Return the summary of each resample of the cells, for each measure."""
    drawn: list[list[Floats]] = [[np.empty(0)] for _ in measures]
    for counts in resampled_counts(view, resamples, seed) if measures else ():
        resampled = view.reweight(counts)
        for values, measure in zip(drawn, measures, strict=True):
            values.append(table_summaries(measure, resampled, len(counts)))
            if len(counts) < resamples:
                report_progress(sum(map(len, values)), resamples)
    return [np.concatenate(values) for values in drawn]


def resampled_counts(view: Any, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of resamples × cells: as many items as the cells hold, resampled."""
    cells = view.cells
    total = cells.sum()
    if total <= 0 or item_count(view) >= 2**63:  # beyond what can be drawn
        return
    random = np.random.default_rng(seed)
    for rows in row_blocks(resamples, len(cells)):
        yield draw_cells(random, round(item_count(view)), cells / total, rows)


def draw_cells(random: np.random.Generator, items: int, shares: Floats, rows: int) -> Floats:
    """Return rows × cells: so many items in each row, each in a cell with the chance of its share.

    Poisson counts with a given sum are multinomial, and so are these together with the items that
    they lack, drawn one by one: both ways draw from the same distribution.
    """
    short = _REMAINDER * math.sqrt(items)
    if len(shares) <= MANY_CELLS or short > len(shares):
        return random.multinomial(items, shares, size=rows).astype(np.float64)
    means = shares * max(items - short, 0)
    counts = random.poisson(means, size=(rows, len(shares)))
    totals = counts.sum(axis=1)
    while len(over := np.flatnonzero(totals > items)):
        counts[over] = random.poisson(means, size=(len(over), len(shares)))
        totals[over] = counts[over].sum(axis=1)
    row = np.repeat(np.arange(rows), items - totals)
    reached = np.cumsum(shares)
    cell = np.searchsorted(reached, random.random(len(row)) * reached[-1], side="right")
    cell = np.minimum(cell, np.flatnonzero(shares)[-1])
    drawn = np.bincount(row * len(shares) + cell, minlength=counts.size)
    return np.add(counts, drawn.reshape(counts.shape), dtype=np.float64)


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
    than that in the numerator, and these counts add up: F, for example, is not one, nor is Youden's
    J, whose denominator is a product.
    """
    whole = measure.parts(select_evidence(view, measure))
    if not isinstance(whole, Ratio) or len(whole.denominator) != 1 or not whole.denominator[0]:
        return None
    size, trials = len(view.cells), 0.0
    for rows in row_slices(size, size):
        ones = np.eye(rows.stop - rows.start, size, rows.start)
        each = measure.parts(view.reweight(ones).by(measure.unit))
        if not isinstance(each, Ratio):
            return None
        counts = np.isin(each.denominator, (0, 1)) & np.isin(each.numerator, (0, 1))
        if not (counts & (each.numerator <= each.denominator)).all():
            return None
        trials += float(each.denominator @ view.cells[rows])
    if not math.isclose(trials, whole.denominator[0]):
        return None
    each_item = item_count(view) / view.cells.sum()
    return whole.numerator * each_item, whole.denominator * each_item


def _rare_proportion(measure: Measure, view: Any) -> tuple[Floats, Floats] | None:
    """Return successes and trials, if few are of one kind: percentiles are too narrow then."""
    whole = measure.parts(select_evidence(view, measure)) if len(view.cells) <= MOST_CELLS else None
    if not isinstance(whole, Ratio) or len(whole.denominator) != 1:
        return None
    each_item = item_count(view) / view.cells.sum()
    successes = whole.numerator[0] * each_item
    failures = whole.denominator[0] * each_item - successes
    rare = 0 < min(successes, failures) < FEW_OUTCOMES
    return _proportion(measure, view) if rare else None


def leave_one_out_cells(
    cells: Floats, filled: Ints, weights: Floats | None = None
) -> Iterator[Floats]:
    """Yield blocks of the cells without one item (or the rest of one) of each filled cell.

    An item weighs 1, or as given by ``weights``.
    """
    taken = np.ones(len(filled)) if weights is None else weights
    for rows in row_slices(len(filled), len(cells)):
        some = filled[rows]
        counts = np.repeat(cells[None, :], len(some), axis=0)
        counts[np.arange(len(some)), some] -= np.minimum(cells[some], taken[rows])
        yield counts


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


def clip_to_bounds(measure: Measure, low: float, high: float) -> tuple[float, float]:
    """Return the ends of an interval within the bounds of the measure; NaN stays NaN."""
    ends = np.clip((low, high), *measure.definition.bounds)
    return float(ends[0]), float(ends[1])
