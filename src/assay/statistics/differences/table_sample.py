"""One measure of all systems, each from a table of its own over items that have names.

The systems answered the same items, so items are drawn for all of them together, and the measure
is computed from the tables of each resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, ratio, row_blocks
from assay.core.names import Measure
from assay.evidence.effective_size import effective_size
from assay.statistics.differences.unit_values import pairs_with_equal_rows
from assay.statistics.intervals.resampling import unit_counts
from assay.statistics.intervals.table_intervals import table_summaries

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
    """The weight of each item, which is the same for all systems."""
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
        for own, kept in pairs_with_equal_rows(self.cells == ABSENT, first, second):
            yield own, self if kept is None else self.where(kept)

    def value(self, system: int) -> float:
        """The value of a system over its items of this sample."""
        if not np.isnan(self.whole[system]):
            return float(self.whole[system])
        return (
            float(table_summaries(self.made, self.view(system), 1)[0])
            if len(self)
            else float("nan")
        )

    def view(self, system: int) -> Any:
        """The table of a system over its items of this sample, never thinned."""
        return self._exact(system, self.weights)

    def view_in_items(self, system: int) -> Any:
        """The same in numbers of items: weights are brought down to their effective size.

        So what takes the entries for items gives the same in whatever unit they weigh.
        """
        return self._exact(system, self.shares)

    def _exact(self, system: int, weights: Floats) -> Any:
        exact = self.views[system].unthinned()
        return exact.reweight(self._counted(exact, self.cells[:, system], weights[None, :]))

    @property
    def size(self) -> float:
        """How many items of equal weight the items are worth."""
        return effective_size(self.weights) or 0.0

    @property
    def shares(self) -> Floats:
        """How many items of equal weight each item is worth."""
        return self.weights * ratio(self.size, self.weights.sum())

    def drawn(
        self, systems: Sequence[int], resamples: int, seed: int, clusters: Ints | None = None
    ) -> Floats:
        """Resamples × systems: the value of each, for items that are drawn alike for all."""
        if not len(self):
            return np.empty((0, len(systems)))
        draws = unit_counts(len(self), resamples, seed, clusters)
        return np.concatenate(
            [np.stack([self._values(each, counts) for each in systems], axis=1) for counts in draws]
        )

    def leave_cluster_out_values(self, system: int, clusters: Ints) -> Floats:
        """The value of a system without each of the clusters of items."""
        number = int(clusters.max()) + 1
        found, start = [], 0
        for rows in row_blocks(number, len(self)):
            some = np.arange(start, start + rows)
            found.append(self._values(system, (clusters != some[:, None]).astype(np.float64)))
            start += rows
        return np.concatenate(found)

    def _values(self, system: int, counts: Floats) -> Floats:
        """The value for each row of how often each item counts, from a thinned table if long."""
        view, cells = self.views[system], self.cells[:, system]
        place = np.where(cells == ABSENT, ABSENT, view.thinned_cells(cells))
        again = view.reweight(self._counted(view, place, counts * self.weights))
        return table_summaries(self.made, again, len(counts))

    @staticmethod
    def _counted(view: Any, place: Ints, counts: Floats) -> Floats:
        """How much each cell of a view holds, for each row of how much each item counts."""
        order = np.argsort(place, kind="stable")
        order = order[np.count_nonzero(place == ABSENT) :]
        filled, starts = np.unique(place[order], return_index=True)
        found = np.zeros((len(counts), len(view.cells)))
        if len(order):
            found[:, filled] = np.add.reduceat(counts[:, order], starts, axis=1)
        return found
