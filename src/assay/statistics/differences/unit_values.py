"""One measure of all systems as a table of units × systems: what paired comparison starts from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, exact_mean, ratio
from assay.core.errors import AssayError, DataError, UsageError
from assay.core.names import measure as measure_named
from assay.engine.scores import ALL, Result, Scores
from assay.statistics.intervals.zero_width import UNBOUNDED

Missing = Literal["drop", "zero", "error"]
MISSING: tuple[Missing, ...] = ("drop", "zero", "error")

NUMBERED_ITEMS_ERROR = "numbered_apart"
"""The convention of Scores whose items are known by their row numbers in different inputs."""


@dataclass(frozen=True)
class Sample:
    """The values of one measure, a row for each unit and a column for each system."""

    measure: str
    better: str
    unit_kind: str
    systems: tuple[str, ...]
    units: tuple[str, ...]
    """In bytewise order, so that no result depends on the order in which they came."""
    values: Floats
    """NaN where a system has no value for a unit."""
    weights: Floats | None = None
    notes: tuple[str, ...] = ()
    tables: Any = None
    """The ``TableSample`` of which these are the items, where the measure is their mean."""
    bounds: tuple[float, float] = UNBOUNDED
    """What the measure can be, as far as it is a known one."""

    def __len__(self) -> int:
        return len(self.units)

    @property
    def sign(self) -> float:
        """1 where higher values are better, -1 where lower ones are."""
        return -1.0 if self.better == "lower" else 1.0

    @property
    def complete(self) -> Bools:
        """The units for which every system has a value."""
        return np.asarray(~np.isnan(self.values).any(axis=1))

    @property
    def shares(self) -> Floats:
        """The weight of each unit over the mean weight: NaN where nothing weighs anything."""
        if self.weights is None:
            return np.ones(len(self))
        return ratio(self.weights, exact_mean(self.weights.tolist()))

    @property
    def difference_bounds(self) -> tuple[float, float]:
        """What the mean difference of two systems can be."""
        least, most = self.bounds
        return least - most, most - least

    def means(self, columns: Floats | None = None) -> Floats:
        """The mean of each system, or of each of other columns over the same units, by weight."""
        chosen = self.values if columns is None else columns
        if self.weights is None:
            return np.asarray([exact_mean(column) for column in chosen.T.tolist()])
        total = math.fsum(self.weights.tolist())
        sums = [math.fsum(column) for column in (chosen * self.weights[:, None]).T.tolist()]
        return ratio(np.asarray(sums), total)

    def weighted(self) -> Floats:
        """Values whose plain mean and its spread are those of the weighted mean.

        Each is the weighted mean and, by weight, how far the unit lies from it: what the unit
        moves. A system that is the same on every unit has no spread, whatever the weights.
        """
        if self.weights is None:
            return self.values
        means = self.means()
        return means + (self.values - means) * self.shares[:, None]

    def products(self) -> Floats:
        """Each value times its weight, scaled: what changes sides when two systems are exchanged.

        Plain means are weighted means, but the spread is not theirs.
        """
        return self.values if self.weights is None else self.values * self.shares[:, None]

    def where(self, kept: Bools) -> Sample:
        """The sample of some of its units."""
        return replace(
            self,
            units=tuple(unit for unit, keep in zip(self.units, kept.tolist(), strict=True) if keep),
            values=self.values[kept],
            weights=None if self.weights is None else self.weights[kept],
        )

    def pairs_by_units(self, first: Ints, second: Ints) -> Iterator[tuple[Ints, Sample]]:
        """The pairs of columns, grouped by the units that both have; which pairs, and the units."""
        for own, kept in pairs_with_equal_rows(np.isnan(self.values), first, second):
            yield own, self if kept is None else self.where(kept)


def pairs_with_equal_rows(
    gaps: Bools, first: Ints, second: Ints
) -> Iterator[tuple[Ints, Bools | None]]:
    """Pairs of columns with the same rows without a gap; None where no column has one."""
    if not gaps.any():
        yield np.arange(len(first)), None
        return
    masks = ~(gaps[:, first] | gaps[:, second])
    alike: dict[bytes, list[int]] = {}
    for pair in range(len(first)):
        alike.setdefault(masks[:, pair].tobytes(), []).append(pair)
    for own in alike.values():
        yield np.asarray(own), masks[:, own[0]]


def sample_values(
    scores: Scores,
    measure: str,
    slice_name: str = ALL,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
) -> Sample:
    """The values of a measure for all systems.

    ``missing`` says what becomes of a unit that only some systems have: it is dropped from the
    comparisons with those that do not, counts as zero, or is an error.
    """
    if missing not in MISSING:
        raise UsageError(f"missing units are {', '.join(MISSING)}; not '{missing}'")
    found = scores.of(measure, slice_name)
    _refuse_whole(found)
    if found[0].unit_kind == "item":
        refuse_numbers(scores, found)
    units = tuple(sorted({unit for each in found for unit in each.units}, key=str.encode))
    place = {unit: row for row, unit in enumerate(units)}
    values = np.full((len(units), len(found)), np.nan)
    absent = np.ones(values.shape, dtype=bool)
    for column, each in enumerate(found):
        rows = [place[unit] for unit in each.units]
        values[rows, column] = each.values
        absent[rows, column] = False
    notes = tuple(_missing_notes(found, absent, missing))
    if missing == "zero":
        _refuse_zero(found, absent)
        values[absent] = 0.0
    return Sample(
        measure,
        found[0].better,
        found[0].unit_kind,
        tuple(each.system for each in found),
        units,
        values,
        unit_weights(units, weights),
        notes + tuple(undefined_notes(found)),
        bounds=_measure_bounds(scores.task, measure),
    )


def _measure_bounds(task: str, measure: str) -> tuple[float, float]:
    """What a measure can be; a table of scores may have columns that are none."""
    try:
        return measure_named(measure, task).definition.bounds
    except AssayError:
        return UNBOUNDED


def _refuse_whole(found: Sequence[Result]) -> None:
    if all(len(each.units) <= 1 and each.aggregate == "whole" for each in found):
        raise DataError(
            f"{found[0].measure} is one number for a whole set, and these scores do not have the"
            " items behind it. Give the task and its files (assay compare TASK FILE...), scores"
            " that were not saved, or scores per fold or per item."
        )


def refuse_numbers(scores: Scores, found: Sequence[Result]) -> None:
    """Complain about items that only their row numbers would pair, in different inputs."""
    if scores.conventions.get(NUMBERED_ITEMS_ERROR):
        raise DataError(
            f"{found[0].measure} is paired item by item, but the items have no names, and row"
            " numbers of different inputs need not mean the same items; name the column of items"
            " (item=, --item) when each system is measured."
        )


def _refuse_zero(found: Sequence[Result], absent: Bools) -> None:
    if absent.any() and found[0].better == "lower":
        raise UsageError(
            f"of {found[0].measure} lower values are better: a missing unit that counts as zero"
            " would be the best of all; choose drop or error for missing units"
        )


def _missing_notes(found: Sequence[Result], absent: Bools, missing: Missing) -> Iterator[str]:
    done = {"drop": "left out of its comparisons", "zero": "counted as zero", "error": ""}
    for each, gaps in zip(found, absent.T, strict=True):
        if not gaps.any():
            continue
        said = (
            f"{each.system}: {each.measure} has no value for {int(gaps.sum())} of {len(gaps)} units"
        )
        if missing == "error":
            raise DataError(f"{said}; with missing 'drop' or 'zero' they may be compared")
        yield f"{said}: {done[missing]}"


def undefined_notes(found: Sequence[Result]) -> Iterator[str]:
    """How many units of each system have no value, and why."""
    for each in found:
        for reason, count in each.undefined.items():
            yield (
                f"{each.system}: {each.measure} is undefined for {count} of {len(each.units)}"
                f" units, left out: {reason}"
            )


def unit_weights(units: Sequence[str], weights: Mapping[str, float] | None) -> Floats | None:
    """The weight of each unit, of which none may be without one."""
    if weights is None:
        return None
    without = [unit for unit in units if unit not in weights]
    if without:
        raise DataError(
            f"{len(without)} of {len(units)} units have no weight, such as '{without[0]}'"
        )
    found = np.asarray([float(weights[unit]) for unit in units])
    if not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise DataError("weights are finite, not negative, and not all zero")
    return found
