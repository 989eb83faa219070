"""A measure of all systems over the same units: values of units, or tables of items.

Paired comparison starts from a sample. Where each unit has a value it is a ``UnitSample``; where a
measure has one value for a whole table of items it is a ``TableSample``, whose items are resampled
together for all systems.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, exact_mean, ratio, row_slices
from assay.core.names import Measure
from assay.evidence.column_values import effective_size
from assay.statistics.intervals.interval_ends import cluster_numbers, unit_counts
from assay.statistics.intervals.interval_settings import UNBOUNDED, Bootstrap
from assay.statistics.intervals.table_intervals import table_summaries

ABSENT = -1
NO_SLICE = "(no slice)"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A measure of several systems, with a row for each unit and a column for each system."""

    measure: str
    better: str
    unit_kind: str = "item"
    systems: tuple[str, ...]
    units: tuple[str, ...]
    """In bytewise order, so that no result depends on the order of the input."""
    weights: Floats | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.units)

    @property
    def sign(self) -> float:
        """1 where higher values are better, -1 where lower ones are."""
        return -1.0 if self.better == "lower" else 1.0

    @property
    def absent(self) -> Bools:
        """Units × systems: where a system has no value or no item."""
        raise NotImplementedError

    @property
    def complete(self) -> Bools:
        """The units that every system has."""
        return np.asarray(~self.absent.any(axis=1))

    def value(self, system: int) -> float:
        """Return the value of a system over the units of this sample."""
        raise NotImplementedError

    def where(self, kept: Bools) -> Self:
        """Return the sample of some of the units."""
        rows: dict[str, Any] = {name: getattr(self, name)[kept] for name in self._row_fields()}
        units = tuple(unit for unit, keep in zip(self.units, kept.tolist(), strict=True) if keep)
        return replace(self, units=units, **rows)

    def _row_fields(self) -> tuple[str, ...]:
        """Return the names of the fields with a row for each unit."""
        return () if self.weights is None else ("weights",)

    def units_of(self, *systems: int) -> Self:
        """Return the sample of the units that all of these systems have."""
        gaps = np.asarray(self.absent[:, list(systems)].any(axis=1))
        return self.where(~gaps) if gaps.any() else self

    def slices(self, labels: Mapping[str, str] | None) -> Iterator[tuple[str, Self]]:
        """Yield each slice by name, in the order of the labels; units without one are a slice."""
        names = np.asarray([labels.get(unit, NO_SLICE) for unit in self.units] if labels else [])
        found = set(names.tolist())
        for name in dict.fromkeys((NO_SLICE, *labels.values()) if labels else ()):
            if name not in found:
                continue
            yield name, self.where(names == name)

    def clusters(self, interval: Bootstrap) -> Ints | None:
        """Return the number of the cluster of each unit, where units are clustered."""
        return cluster_numbers(self.units, interval.clusters) if interval.clusters else None

    def pairs(self, baselines: Sequence[str]) -> tuple[Ints, Ints]:
        """Return each baseline with each other system; all pairs where there is no baseline."""
        if not baselines:
            first, second = np.triu_indices(len(self.systems), 1)
            return first.astype(np.int64), second.astype(np.int64)
        bases = [self.systems.index(name) for name in baselines]
        pairs = [
            (base, other)
            for at, base in enumerate(bases)
            for other in range(len(self.systems))
            if other != base and other not in bases[:at]
        ]
        first, second = np.asarray(pairs, dtype=np.int64).reshape(-1, 2).T
        return first, second

    def pairs_by_units(self, first: Ints, second: Ints) -> Iterator[tuple[Ints, Self]]:
        """Yield groups of pairs of systems that share the same units, and the units."""
        gaps = self.absent
        if not gaps.any():
            yield np.arange(len(first)), self
            return
        masks = ~(gaps[:, first] | gaps[:, second])
        groups: dict[bytes, list[int]] = {}
        for pair in range(len(first)):
            groups.setdefault(masks[:, pair].tobytes(), []).append(pair)
        for pairs in groups.values():
            yield np.asarray(pairs), self.where(masks[:, pairs[0]])


@dataclass(frozen=True, kw_only=True)
class UnitSample(Sample):
    """The values of a measure whose units have values."""

    values: Floats
    """NaN where a system has no value for a unit."""
    tables: TableSample | None = field(default=None, compare=False)
    """The tables of items, where the measure is the mean of these items; not saved."""
    bounds: tuple[float, float] = UNBOUNDED
    """The least and the largest value of the measure, if it is a known one."""

    @property
    def absent(self) -> Bools:
        """Units × systems: where a system has no value."""
        return np.isnan(self.values)

    def _row_fields(self) -> tuple[str, ...]:
        return ("values", *super()._row_fields())

    @property
    def shares(self) -> Floats:
        """The weight of each unit over the mean weight; NaN where all weights are 0."""
        if self.weights is None:
            return np.ones(len(self))
        return ratio(self.weights, exact_mean(self.weights.tolist()))

    def value(self, system: int) -> float:
        """Return the mean of a system."""
        return float(self.means()[system])

    def means(self, columns: Floats | None = None) -> Floats:
        """Return the weighted mean of each system, or of other columns over the same units."""
        values = self.values if columns is None else columns
        if self.weights is None:
            return exact_means(values)
        total = math.fsum(self.weights.tolist())
        sums = [math.fsum(column) for column in (values * self.weights[:, None]).T.tolist()]
        return ratio(np.asarray(sums), total)

    def weighted_values(self) -> Floats:
        """Return values whose plain mean and its spread are those of the weighted mean.

        Each is the weighted mean plus the weighted deviation of the unit from it. A system with
        the same value on every unit has no spread, whatever the weights.
        """
        if self.weights is None:
            return self.values
        means = self.means()
        return means + (self.values - means) * self.shares[:, None]

    def differences(self, first: Ints, second: Ints, exchangeable: bool = False) -> Floats:
        """Return second minus first for each pair, weighted; each column is contiguous.

        Exchangeable are values times weights, for tests that exchange two systems: their plain
        means are the weighted means, but their spread is not that of the weighted mean.
        """
        columns = self.weighted_values()
        if exchangeable and self.weights is not None:
            columns = self.values * self.shares[:, None]
        return column_differences(columns, first, second)


@dataclass(frozen=True, kw_only=True)
class TableSample(Sample):
    """The table cell in which each item is counted, for measures of whole tables."""

    formula: Measure
    views: tuple[Any, ...]
    cells: Ints
    """The cell of each item in the view of each system; ``ABSENT`` where it has no such item."""
    weights: Floats
    """The weight of each item, which is the same for all systems."""
    whole: Floats | None
    """The value of each system over all of its items, while none is left out."""
    jackknife: bool = False
    """Whether intervals come from leaving items out, and not from drawing them again."""

    @property
    def absent(self) -> Bools:
        """Units × systems: where a system has no such item."""
        return self.cells == ABSENT

    def _row_fields(self) -> tuple[str, ...]:
        return ("weights", "cells")

    def where(self, kept: Bools) -> Self:
        """Return the sample of some of the items, over which each value is computed again."""
        return replace(super().where(kept), whole=None)

    def value(self, system: int) -> float:
        """Return the value of a system over its items of this sample."""
        if self.whole is not None and not np.isnan(self.whole[system]):
            return float(self.whole[system])
        if not len(self):
            return math.nan
        return float(table_summaries(self.formula, self.view(system), 1)[0])

    def view(self, system: int, in_items: bool = False) -> Any:
        """Return the table of a system over its items of this sample, never thinned.

        In items: weights are scaled to their effective size, so that a formula which takes the
        entries for numbers of items gives the same in whatever unit they weigh.
        """
        exact, weights = self.views[system].unthinned(), self.shares if in_items else self.weights
        return exact.reweight(_cell_sums(exact, self.cells[:, system], weights[None, :]))

    @property
    def size(self) -> float:
        """The effective number of items."""
        return effective_size(self.weights) or 0.0

    @property
    def shares(self) -> Floats:
        """How many items of equal weight each item is worth."""
        return self.weights * ratio(self.size, self.weights.sum())

    def resample(
        self, systems: Sequence[int], resamples: int, seed: int, clusters: Ints | None = None
    ) -> Floats:
        """Return resamples × systems: values over items that are drawn alike for all systems."""
        if not len(self):
            return np.empty((0, len(systems)))
        return np.concatenate(
            [
                np.stack([self._values(each, counts) for each in systems], axis=1)
                for counts in unit_counts(len(self), resamples, seed, clusters)
            ]
        )

    def leave_cluster_out_values(self, system: int, clusters: Ints) -> Floats:
        """Return the value of a system without each of the clusters of items."""
        values = []
        for rows in row_slices(int(clusters.max()) + 1, len(self)):
            left_out = np.arange(rows.start, rows.stop)
            counts = (clusters != left_out[:, None]).astype(np.float64)
            values.append(self._values(system, counts))
        return np.concatenate(values)

    def _values(self, system: int, counts: Floats) -> Floats:
        """Return the value for each row of counts of the items, from a thinned table if long."""
        view, cells = self.views[system], self.cells[:, system]
        place = np.where(cells == ABSENT, ABSENT, view.thinned_cells(cells))
        again = view.reweight(_cell_sums(view, place, counts * self.weights))
        return table_summaries(self.formula, again, len(counts))


def _cell_sums(view: Any, place: Ints, counts: Floats) -> Floats:
    """Return the total of each cell of a view, for each row of counts of the items."""
    order = np.argsort(place, kind="stable")[np.count_nonzero(place == ABSENT) :]
    filled, starts = np.unique(place[order], return_index=True)
    sums = np.zeros((len(counts), len(view.cells)))
    if len(order):
        sums[:, filled] = np.add.reduceat(counts[:, order], starts, axis=1)
    return sums


def column_differences(columns: Floats, first: Ints, second: Ints) -> Floats:
    """Return second minus first; each column contiguous, so that it adds up as if alone."""
    values = np.ascontiguousarray(columns.T)
    return (values[second] - values[first]).T


def exact_means(columns: Floats) -> Floats:
    """Return the correctly rounded mean of each column."""
    return np.asarray([exact_mean(column) for column in columns.T.tolist()])
