"""One measure of all systems, each from a table of its own over items that have names.

The systems answered the same items, so items are drawn for all of them together, and the measure
is computed from the tables of each resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.catalogue import Ratio
from assay.core.errors import DataError, UsageError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.engine.scores import ALL, Result, Scores
from assay.evidence.item_cells import ItemCells
from assay.statistics.pairing import (
    Missing,
    Sample,
    alike_pairs,
    refuse_numbers,
    sample,
    undefined_notes,
    unit_weights,
)
from assay.statistics.resampling import unit_counts
from assay.statistics.tables import summaries

ABSENT = -1


@dataclass(frozen=True)
class TableSample:
    """Where each item is counted, a row for each item and a column for each system."""

    made: Measure
    better: str
    systems: tuple[str, ...]
    units: tuple[str, ...]
    """The items, in bytewise order."""
    views: tuple[Any, ...]
    cells: Ints
    """The cell of each item in the view of each system; ``ABSENT`` where it has no such item."""
    weights: Floats
    whole: Floats
    """The value of each system over all of its items."""
    left_out: bool = False
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.units)

    @property
    def measure(self) -> str:
        """The name of the measure."""
        return self.made.name

    @property
    def unit_kind(self) -> str:
        """What is drawn."""
        return "item"

    @property
    def sign(self) -> float:
        """1 where higher values are better, -1 where lower ones are."""
        return -1.0 if self.better == "lower" else 1.0

    def where(self, kept: Bools) -> TableSample:
        """The sample of some of its items, over which each value is computed again."""
        rows = kept.tolist()
        return replace(
            self,
            units=tuple(unit for unit, keep in zip(self.units, rows, strict=True) if keep),
            cells=self.cells[kept],
            weights=self.weights[kept],
            whole=np.full(len(self.systems), np.nan),
        )

    def pairs_by_units(self, first: Ints, second: Ints) -> Iterator[tuple[Ints, TableSample]]:
        """The pairs of systems, grouped by the items that both have."""
        for own, kept in alike_pairs(self.cells == ABSENT, first, second):
            yield own, self if kept is None else self.where(kept)

    def value(self, system: int) -> float:
        """The value of a system over its items of this sample."""
        if not np.isnan(self.whole[system]):
            return float(self.whole[system])
        once = np.ones((1, len(self)))
        return float(self._values(system, once)[0]) if len(self) else float("nan")

    def view(self, system: int) -> Any:
        """The table of a system over its items of this sample."""
        return self.views[system].reweight(self.counted(system, np.ones((1, len(self)))))

    def drawn(self, system: int, resamples: int, seed: int, clusters: Ints | None = None) -> Floats:
        """The value of a system in each resample, which is the same for every system."""
        if not len(self):
            return np.empty(0)
        draws = unit_counts(len(self), resamples, seed, clusters)
        return np.concatenate([self._values(system, counts) for counts in draws])

    def counted(self, system: int, counts: Floats) -> Floats:
        """How much each cell of a system holds, for each row of how often each item counts."""
        place, weight = self.cells[:, system], self.weights[:, system]
        order = np.argsort(place, kind="stable")
        order = order[np.count_nonzero(place == ABSENT) :]
        filled, starts = np.unique(place[order], return_index=True)
        found = np.zeros((len(counts), len(self.views[system].cells)))
        if len(order):
            found[:, filled] = np.add.reduceat(counts[:, order] * weight[order], starts, axis=1)
        return found

    def _values(self, system: int, counts: Floats) -> Floats:
        again = self.views[system].reweight(self.counted(system, counts))
        return summaries(self.made, again, len(counts))


def paired(
    scores: Scores,
    measure: str,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
    by_units: bool = False,
) -> Sample | TableSample:
    """A measure of all systems: over its units, or over the items where those make a table.

    ``by_units`` keeps to units, for what cannot be done with tables.
    """
    found = drawn_together(scores, measure, missing, weights)
    if found is None or (by_units and isinstance(found, TableSample)):
        if found is not None and all(len(each.units) <= 1 for each in scores.of(measure, ALL)):
            raise DataError(
                f"{measure} is one number for a whole table: tests of all systems at once look at"
                " units; choose a paired test, or leave it out for one that draws the items"
            )
        return sample(scores, measure, ALL, missing, weights)
    return found


def drawn_together(
    scores: Scores,
    measure: str,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
) -> TableSample | Sample | None:
    """The tables of all systems in a measure; their items' values where it is a mean of items.

    None where the units of the measure are paired as they are, or the items are not at hand.
    """
    found = scores.of(measure, ALL)
    tables = _tables(scores, found)
    if tables is None:
        return None
    refuse_numbers(scores, found)
    _refuse_other_truths(found, tables)
    units = tuple(sorted({item for each in tables for item in each.items}, key=str.encode))
    place = {unit: row for row, unit in enumerate(units)}
    cells = np.full((len(units), len(tables)), ABSENT)
    weight = np.ones(cells.shape)
    for column, each in enumerate(tables):
        rows = [place[item] for item in each.items]
        cells[rows, column], weight[rows, column] = each.cells, each.weight
    notes = (*_gaps(found, cells == ABSENT, missing), *undefined_notes(found))
    given = unit_weights(units, weights)
    made = TableSample(
        _measure(scores, found[0]),
        found[0].better,
        tuple(each.system for each in found),
        units,
        tuple(each.view for each in tables),
        cells,
        weight if given is None else np.repeat(given[:, None], len(tables), axis=1),
        np.asarray([each.value for each in found])
        if given is None
        else np.full(len(found), np.nan),
        any(each.left_out for each in tables),
        notes,
    )
    return _as_items(made) or made


def _tables(scores: Scores, found: Sequence[Result]) -> list[ItemCells] | None:
    known = all(each.system in scores.evidence for each in found)
    if not known or any(each.unit_kind == "item" for each in found):
        return None
    kind = _measure(scores, found[0]).definition.view
    kinds = [scores.evidence[each.system] for each in found]
    if not all(kind in each for each in kinds):
        return None
    tables: list[ItemCells] = [each[kind]() for each in kinds]
    return tables if all(each.view.cells is not None for each in tables) else None


def _measure(scores: Scores, result: Result) -> Measure:
    return measure_named(result.measure, scores.task)


def _refuse_other_truths(found: Sequence[Result], tables: Sequence[ItemCells]) -> None:
    """The same item must be the same: systems on different data are not paired."""
    known: dict[str, tuple[Any, str]] = {}
    for result, table in zip(found, tables, strict=True):
        for item, truth in zip(table.items, table.truth.tolist(), strict=True):
            said, by = known.setdefault(item, (truth, result.system))
            if said != truth:
                raise DataError(
                    f"the truth of the item '{item}' is {said} in {by} and {truth} in"
                    f" {result.system}: compare systems on the same items, or name the column of"
                    " items (--item) rightly"
                )


def _gaps(found: Sequence[Result], absent: Bools, missing: Missing) -> Iterator[str]:
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


def _as_items(made: TableSample) -> Sample | None:
    """The value of each item, where the measure is the mean of such values, as accuracy is."""
    weights = made.weights[:, 0]
    if (made.weights != weights[:, None]).any():
        return None
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
        None if (weights == 1).all() else weights,
        made.notes,
    )


MOST_CELLS = 1_000
"""Larger tables are not looked at cell by cell."""


def _cell_values(made: TableSample, system: int) -> Floats | None:
    """What an item in each cell counts, if the measure is the mean of that over all items."""
    view = made.views[system]
    parts = made.made.parts(view.by(made.made.unit))
    if not isinstance(parts, Ratio) or len(parts.denominator) != 1 or len(view.cells) > MOST_CELLS:
        return None
    each = made.made.parts(view.reweight(np.eye(len(view.cells))).by(made.made.unit))
    if not isinstance(each, Ratio) or len(each.denominator) != len(view.cells):
        return None
    sums = view.cells @ each.numerator, view.cells @ each.denominator
    known = (each.denominator == 1).all() and np.allclose(
        sums, (parts.numerator[0], parts.denominator[0]), rtol=1e-12
    )
    return each.numerator if known else None
