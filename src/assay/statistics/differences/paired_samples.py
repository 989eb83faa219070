"""From Scores to what is compared: values of units, or tables whose items are drawn together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.core.definition import Ratio
from assay.core.errors import DataError, UsageError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.engine.scores import ALL, Result, Scores
from assay.evidence.builders.item_cells import ItemCells
from assay.evidence.effective_size import effective_size
from assay.statistics.differences.table_sample import ABSENT, TableSample
from assay.statistics.differences.unit_values import (
    Missing,
    Sample,
    refuse_numbers,
    sample_values,
    undefined_notes,
    unit_weights,
)

MOST_CELLS_OF_MEANS = 1_000
"""Larger tables are not looked at cell by cell, to see what an item in each counts."""


def pair_systems(
    scores: Scores,
    measure: str,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
) -> Sample | TableSample:
    """A measure of all systems: over its units, or over the items where those make a table."""
    found = pair_tables(scores, measure, missing, weights)
    return _unit_sample(scores, measure, missing, weights) if found is None else found


def pair_units(
    scores: Scores,
    measure: str,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
) -> Sample:
    """A measure of all systems over its units, for what cannot be done with tables."""
    found = pair_tables(scores, measure, missing, weights)
    if isinstance(found, Sample):
        return found
    if found is not None and all(len(each.units) <= 1 for each in scores.of(measure, ALL)):
        raise DataError(
            f"{measure} is one number for a whole table, and this needs values of units; for a"
            " test leave the joint one out, then the items are drawn"
        )
    return _unit_sample(scores, measure, missing, weights)


def _unit_sample(
    scores: Scores, measure: str, missing: Missing, weights: Mapping[str, float] | None
) -> Sample:
    """The values of the units; items weigh what they weighed when they were measured."""
    own = _item_weights(scores, measure) if weights is None else weights
    return sample_values(scores, measure, ALL, missing, own)


def _item_weights(scores: Scores, measure: str) -> dict[str, float] | None:
    """The weight of each item, where items are the units, and some weigh more than others."""
    found = scores.of(measure, ALL)
    if found[0].unit_kind != "item" or found[0].aggregate not in ("micro", "weighted"):
        return None
    tables = _item_evidence(scores, found)
    if tables is None or all((each.weight == 1).all() for each in tables):
        return None
    _refuse_different_truth(found, tables)
    return {
        item: weight
        for each in tables
        for item, weight in zip(each.items, each.weight.tolist(), strict=True)
    }


def pair_tables(
    scores: Scores,
    measure: str,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
) -> TableSample | Sample | None:
    """The tables of all systems in a measure; their items' values where it is a mean of items.

    None where the units of the measure are paired as they are, or the items are not at hand.
    """
    found = scores.of(measure, ALL)
    tables = _measure_tables(scores, found)
    if tables is None:
        return None
    refuse_numbers(scores, found)
    _refuse_different_truth(found, tables)
    units = tuple(sorted({item for each in tables for item in each.items}, key=str.encode))
    place = {unit: row for row, unit in enumerate(units)}
    cells = np.full((len(units), len(tables)), ABSENT)
    weight = np.ones(len(units))
    for column, each in enumerate(tables):
        rows = [place[item] for item in each.items]
        cells[rows, column], weight[rows] = each.cells, each.weight
    notes = (*_missing_notes(found, cells == ABSENT, missing), *undefined_notes(found))
    given = unit_weights(units, weights)
    left_out = any(each.left_out for each in tables)
    if given is not None and left_out:
        # Pairs of items are counted, so that weights must be numbers of items.
        given = given * (effective_size(given) or 0.0) / given.sum()
    made = TableSample(
        _measure(scores, found[0]),
        found[0].better,
        tuple(each.system for each in found),
        units,
        tuple(each.view for each in tables),
        cells,
        weight if given is None else given,
        np.asarray([each.value for each in found])
        if given is None
        else np.full(len(found), np.nan),
        left_out,
        notes,
    )
    return _item_values(made) or replace(made, notes=(*notes, *_cell_limit_note(made)))


def _measure_tables(scores: Scores, found: Sequence[Result]) -> list[ItemCells] | None:
    if any(each.unit_kind == "item" for each in found):
        return None
    tables = _item_evidence(scores, found)
    known = tables is not None and all(each.view.cells is not None for each in tables)
    return tables if known else None


def _item_evidence(scores: Scores, found: Sequence[Result]) -> list[ItemCells] | None:
    """The items of every system in the view of the measure, as far as they are at hand."""
    if not all(each.system in scores.evidence for each in found):
        return None
    kind = _measure(scores, found[0]).definition.view
    kinds = [scores.evidence[each.system] for each in found]
    return [each[kind]() for each in kinds] if all(kind in each for each in kinds) else None


def _measure(scores: Scores, result: Result) -> Measure:
    return measure_named(result.measure, scores.task)


def _refuse_different_truth(found: Sequence[Result], tables: Sequence[ItemCells]) -> None:
    """The same item must be the same: systems on different data are not paired."""
    known: dict[str, tuple[Any, Any, str]] = {}
    for result, table in zip(found, tables, strict=True):
        about = zip(table.items, table.truth.tolist(), table.weight.tolist(), strict=True)
        for item, truth, weight in about:
            *said, by = known.setdefault(item, (truth, weight, result.system))
            if said != [truth, weight]:
                what, one, other = (
                    ("truth", said[0], truth) if said[0] != truth else ("weight", said[1], weight)
                )
                raise DataError(
                    f"the {what} of the item '{item}' is {one} in {by} and {other} in"
                    f" {result.system}: compare systems on the same items, or name the column of"
                    " items (--item) rightly"
                )


def _missing_notes(found: Sequence[Result], absent: Bools, missing: Missing) -> Iterator[str]:
    for each, gaps in zip(found, absent.T, strict=True):
        if not gaps.any():
            continue
        said = f"{each.system} lacks {int(gaps.sum())} of {len(gaps)} items"
        if missing == "error":
            raise DataError(f"{said}; with missing 'drop' they may be compared")
        if missing == "zero":
            raise UsageError(
                f"{said}, and {each.measure} is one number for a whole table: a missing item cannot"
                " count as zero; choose drop or error for missing units"
            )
        yield f"{said}: they are left out of its comparisons"


def _item_values(made: TableSample) -> Sample | None:
    """The value of each item, where the measure is the mean of such values, as accuracy is."""
    values = np.full(made.cells.shape, np.nan)
    for system in range(len(made.systems)):
        each = _cell_values(made, system)
        if each is None:
            return None
        here = made.cells[:, system] != ABSENT
        values[here, system] = each[made.cells[here, system]]
    return Sample(
        made.measure,
        made.better,
        "item",
        made.systems,
        made.units,
        values,
        None if (made.weights == made.weights[:1]).all() else made.weights,
        made.notes,
        made,
    )


def _cell_limit_note(made: TableSample) -> Iterator[str]:
    """What is to be said of a share of all items in tables that are too large to see that."""
    for view in made.views:
        parts = made.made.parts(view.by(made.made.unit))
        of_all = isinstance(parts, Ratio) and np.array_equal(parts.denominator, [view.cells.sum()])
        if of_all and len(view.cells) > MOST_CELLS_OF_MEANS:
            yield (
                f"{made.measure}: a table of {len(view.cells):,} cells is too large for paired"
                f" tests of its items (at most {MOST_CELLS_OF_MEANS:,}): they are drawn again"
            )
            return


def _cell_values(made: TableSample, system: int) -> Floats | None:
    """What an item in each cell counts, if the measure is the mean of that over all items."""
    view = made.views[system]
    parts = made.made.parts(view.by(made.made.unit))
    if not isinstance(parts, Ratio) or len(parts.denominator) != 1:
        return None
    if len(view.cells) > MOST_CELLS_OF_MEANS:
        return None
    each = made.made.parts(view.reweight(np.eye(len(view.cells))).by(made.made.unit))
    if not isinstance(each, Ratio) or len(each.denominator) != len(view.cells):
        return None
    sums = view.cells @ each.numerator, view.cells @ each.denominator
    known = (each.denominator == 1).all() and np.allclose(
        sums, (parts.numerator[0], parts.denominator[0]), rtol=1e-12
    )
    return each.numerator if known else None
