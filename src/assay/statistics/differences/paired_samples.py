"""From Scores to samples: a measure of all systems, paired by units or by items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from assay.core.ambiguous_names import measure_bounds
from assay.core.arrays import Bools, Floats, Ints
from assay.core.definition import Ratio
from assay.core.errors import DataError, UsageError
from assay.engine.result import ALL, Result
from assay.engine.scores import NUMBERED_ITEMS_ERROR, Scores
from assay.evidence.column_values import effective_size
from assay.evidence.item_cells import ItemCells
from assay.statistics.differences.extreme_values import LARGEST_VALUE, extreme_value
from assay.statistics.differences.samples import ABSENT, TableSample, UnitSample

Missing = Literal["drop", "zero", "error"]
MISSING_UNITS: tuple[Missing, ...] = ("drop", "zero", "error")
Weights = Mapping[str, float] | None

MOST_CELLS_OF_MEANS = 1_000
"""Larger tables are not searched cell by cell for the value of an item in each cell."""


def pair_systems(
    scores: Scores, measure: str, missing: Missing = "drop", weights: Weights = None
) -> UnitSample | TableSample:
    """Return a measure of all systems: over its units, or over the items of their tables.

    ``missing`` is how to handle a unit that only some systems have: drop it from the comparisons
    with the others, count it as zero, or raise an error.
    """
    tables = _pair_tables(scores, measure, missing, weights)
    return _pair_values(scores, measure, missing, weights) if tables is None else tables


def pair_units(
    scores: Scores, measure: str, missing: Missing = "drop", weights: Weights = None
) -> UnitSample:
    """Return a measure of all systems over its units, for methods that need a value per unit."""
    tables = _pair_tables(scores, measure, missing, weights)
    if isinstance(tables, UnitSample):
        return tables
    if tables is not None and all(len(each.units) <= 1 for each in scores.of(measure, ALL)):
        raise DataError(
            f"{measure} is one number for a whole table, but values of units are needed. Without a"
            " joint test the items are resampled."
        )
    return _pair_values(scores, measure, missing, weights)


def _pair_values(scores: Scores, measure: str, missing: Missing, weights: Weights) -> UnitSample:
    """Return the values of the units; items keep the weights of the evaluation."""
    if missing not in MISSING_UNITS:
        raise UsageError(f"missing units are {', '.join(MISSING_UNITS)}; not '{missing}'")
    results = scores.of(measure, ALL)
    weights = _item_weights(scores, results) if weights is None else weights
    if all(len(each.units) <= 1 and each.aggregate == "whole" for each in results):
        raise DataError(
            f"{measure} is one number for a whole set, and these scores do not include the"
            " items behind it. Give the task and its files (assay compare TASK FILE...), scores"
            " that were not saved, or scores per fold or per item."
        )
    if results[0].unit_kind == "item":
        _refuse_numbered_items(scores, measure)
    units, rows = _align([each.units for each in results])
    values = np.full((len(units), len(results)), np.nan)
    absent = np.ones(values.shape, dtype=bool)
    for column, each in enumerate(results):
        values[rows[column], column] = each.values
        absent[rows[column], column] = False
    if (np.abs(values) > LARGEST_VALUE).any():
        raise extreme_value(results, units, values)
    if missing == "zero":
        values[absent] = 0.0
    known = scores.formulas.get(measure)
    return UnitSample(
        measure=measure,
        better=results[0].better,
        unit_kind=results[0].unit_kind,
        systems=tuple(each.system for each in results),
        units=units,
        values=values,
        weights=_unit_weights(units, weights),
        notes=(*_missing_notes(results, absent, missing), *_undefined_notes(results)),
        bounds=known.definition.bounds if known else measure_bounds(measure, scores.task, values),
    )


def _align(units: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], list[Ints]]:
    """Return all units in bytewise order, and the rows of those of each system."""
    known = tuple(sorted({unit for each in units for unit in each}, key=str.encode))
    place = {unit: row for row, unit in enumerate(known)}
    return known, [np.asarray([place[unit] for unit in each], dtype=np.int64) for each in units]


def _item_weights(scores: Scores, results: Sequence[Result]) -> dict[str, float] | None:
    """Return the weight of each item, where items are the units and weights differ."""
    if results[0].unit_kind != "item" or results[0].aggregate not in ("micro", "weighted"):
        return None
    tables = _item_cells(scores, results)
    if tables is None or all((each.weight == 1).all() for each in tables):
        return None
    _refuse_different_truth(results, tables)
    return {
        item: weight
        for each in tables
        for item, weight in zip(each.items, each.weight.tolist(), strict=True)
    }


def _pair_tables(
    scores: Scores, measure: str, missing: Missing, weights: Weights
) -> TableSample | UnitSample | None:
    """Return the tables of all systems, or the values of their items where it is a mean of these.

    None where the measure is paired by its own units, or the items are not available.
    """
    results = scores.of(measure, ALL)
    if any(each.unit_kind == "item" for each in results):
        return None
    tables = _item_cells(scores, results)
    if tables is None or any(each.view.cells is None for each in tables):
        return None
    _refuse_numbered_items(scores, measure)
    _refuse_different_truth(results, tables)
    units, rows = _align([each.items for each in tables])
    cells, item_weights = np.full((len(units), len(tables)), ABSENT), np.ones(len(units))
    for column, each in enumerate(tables):
        cells[rows[column], column], item_weights[rows[column]] = each.cells, each.weight
    missing_notes = _missing_notes(results, cells == ABSENT, missing, items=True)
    notes = (*missing_notes, *_undefined_notes(results))
    new_weights = _unit_weights(units, weights)
    jackknife = any(each.left_out for each in tables)
    if new_weights is not None and jackknife:
        # Pairs of items are counted, so that weights must be numbers of items.
        new_weights = new_weights * (effective_size(new_weights) or 0.0) / new_weights.sum()
    sample = TableSample(
        measure=measure,
        formula=scores.formula(measure),
        better=results[0].better,
        systems=tuple(each.system for each in results),
        units=units,
        views=tuple(each.view for each in tables),
        cells=cells,
        weights=item_weights if new_weights is None else new_weights,
        whole=np.asarray([each.value for each in results]) if new_weights is None else None,
        jackknife=jackknife,
        notes=notes,
    )
    return _item_values(sample) or replace(sample, notes=(*notes, *_cell_limit_note(sample)))


def _item_cells(scores: Scores, results: Sequence[Result]) -> list[ItemCells] | None:
    """Return the items of every system in the view of the measure, if they are available."""
    if not all(each.system in scores.evidence for each in results):
        return None
    view = scores.formula(results[0].measure).definition.view
    evidence = [scores.evidence[each.system]() for each in results]
    return [each[view]() for each in evidence] if all(view in each for each in evidence) else None


def _item_values(sample: TableSample) -> UnitSample | None:
    """Return the value of each item, where the measure is the mean of such values (accuracy)."""
    values = np.full(sample.cells.shape, np.nan)
    for system, absent in enumerate(sample.absent.T):
        by_cell = _cell_values(sample, system)
        if by_cell is None:
            return None
        values[~absent, system] = by_cell[sample.cells[~absent, system]]
    equal = (sample.weights == sample.weights[:1]).all()
    return UnitSample(
        measure=sample.measure,
        better=sample.better,
        systems=sample.systems,
        units=sample.units,
        values=values,
        weights=None if equal else sample.weights,
        notes=sample.notes,
        tables=sample,
    )


def _cell_values(sample: TableSample, system: int) -> Floats | None:
    """Return the value of an item in each cell, if the measure is their mean over all items."""
    view, formula = sample.views[system], sample.formula
    parts = formula.parts(view.by(formula.unit))
    too_large = len(view.cells) > MOST_CELLS_OF_MEANS
    if too_large or not isinstance(parts, Ratio) or len(parts.denominator) != 1:
        return None
    each = formula.parts(view.reweight(np.eye(len(view.cells))).by(formula.unit))
    if not isinstance(each, Ratio) or len(each.denominator) != len(view.cells):
        return None
    sums = view.cells @ each.numerator, view.cells @ each.denominator
    is_mean = (each.denominator == 1).all() and np.allclose(
        sums, (parts.numerator[0], parts.denominator[0]), rtol=1e-12
    )
    return each.numerator if is_mean else None


def _cell_limit_note(sample: TableSample) -> list[str]:
    """Return a note on a share of all items in a table too large to be split into items."""
    for view in sample.views:
        parts = sample.formula.parts(view.by(sample.formula.unit))
        of_all = isinstance(parts, Ratio) and np.array_equal(parts.denominator, [view.cells.sum()])
        if of_all and len(view.cells) > MOST_CELLS_OF_MEANS:
            return [
                f"{sample.measure}: a table of {len(view.cells):,} cells is too large for paired"
                f" tests of its items (at most {MOST_CELLS_OF_MEANS:,}): items are resampled"
            ]
    return []


def _refuse_numbered_items(scores: Scores, measure: str) -> None:
    """Raise an error where items would be paired by their row numbers in different inputs."""
    if scores.conventions.get(NUMBERED_ITEMS_ERROR):
        raise DataError(
            f"{measure} is paired item by item, but the items have no names, and row numbers of"
            " different inputs need not mean the same items; name the column of items"
            " (item=, --item) when each system is measured."
        )


def _refuse_different_truth(results: Sequence[Result], tables: Sequence[ItemCells]) -> None:
    """Raise an error where an item has another truth or weight in another system."""
    known: dict[str, tuple[Any, Any, str]] = {}
    for result, table in zip(results, tables, strict=True):
        facts = zip(table.items, table.truth.tolist(), table.weight.tolist(), strict=True)
        for item, truth, weight in facts:
            first = known.setdefault(item, (truth, weight, result.system))
            if first[:2] != (truth, weight):
                what, one, other = "weight", first[1], weight
                if first[0] != truth:
                    what, one, other = "truth", first[0], truth
                raise DataError(
                    f"the {what} of the item '{item}' is {one} in {first[2]} and {other} in"
                    f" {result.system}: compare systems on the same items, or name the right"
                    " column of items (--item)"
                )


def _missing_notes(
    results: Sequence[Result], absent: Bools, missing: Missing, items: bool = False
) -> Iterator[str]:
    """Yield what is missing of each system; raise an error where it cannot be handled so."""
    handled = "counted as zero" if missing == "zero" else "left out of its comparisons"
    for each, gaps in zip(results, absent.T, strict=True):
        if not gaps.any():
            continue
        count = f"{int(gaps.sum())} of {len(gaps)}"
        found = f"{each.system} lacks {count} items"
        if not items:
            found = f"{each.system}: {each.measure} has no value for {count} units"
        if missing == "error":
            choices = "drop" if items else "drop or zero"
            raise DataError(f"{found}; choose {choices} for missing units to compare anyway")
        if missing == "zero" and (items or each.better == "lower"):
            why = "lower values are better: a missing unit that counts as zero would be the best"
            if items:
                why = f"a missing item cannot count as zero in {each.measure} of a whole table"
            raise UsageError(f"{found}, and {why}; choose drop or error for missing units")
        yield f"{found}: {handled}"


def _undefined_notes(results: Sequence[Result]) -> Iterator[str]:
    """Yield how many units of each system have no value, and why."""
    for each in results:
        for reason, count in each.undefined.items():
            yield (
                f"{each.system}: {each.measure} is undefined for {count} of {len(each.units)}"
                f" units, left out: {reason}"
            )


def _unit_weights(units: Sequence[str], weights: Weights) -> Floats | None:
    """Return the weight of each unit; raise an error where one has none."""
    if weights is None:
        return None
    without = [unit for unit in units if unit not in weights]
    if without:
        raise DataError(
            f"{len(without)} of {len(units)} units have no weight, such as '{without[0]}'"
        )
    values = np.asarray([float(weights[unit]) for unit in units])
    if not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise DataError("weights are finite, not negative, and not all zero")
    return values
