"""Result: one measure of one system on one slice."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.frozen_dataclass import dataclass, replace

ALL = "all"
"""The name of the slice that is the whole."""


class NoReasons(Sequence[None]):
    """The reasons of units that are all defined: none for each, without memory for millions."""

    def __init__(self, size: int) -> None:
        self._places = range(size)

    def __len__(self) -> int:
        return len(self._places)

    def __eq__(self, other: object) -> bool:
        """Return whether there are as many reasons, and none."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(self._places)

    def __getitem__(self, place: Any) -> Any:
        """Return None, or as many as a slice has."""
        return (None,) * len(self._places[place]) if isinstance(place, slice) else self._at(place)

    def _at(self, place: int) -> None:
        self._places[place]


@dataclass(frozen=True, eq=False)
class Result:
    """One measure of one system on one slice: a value for each unit, and their summary."""

    system: str
    slice: str
    measure: str
    units: Sequence[str]
    values: Floats
    """One value for each unit; NaN where it is undefined."""
    reasons: Sequence[str | None]
    """Why, for each unit whose value is undefined."""
    value: float
    aggregate: str
    unit_kind: str
    better: str
    low: float = math.nan
    high: float = math.nan
    interval: str = ""
    """How its interval was really made, as ``bca`` or ``closed form``; empty where it has none, and
    ``no width`` if that is since every resample gave the same number."""

    def __eq__(self, other: object) -> bool:
        """Return whether every field is the same; an undefined value equals another one."""
        if not isinstance(other, Result):
            return NotImplemented
        one, two = self.listed, other.listed
        same = np.array_equal(one._numbers(), two._numbers(), equal_nan=True)
        return same and one._words() == two._words()

    def __hash__(self) -> int:
        return hash((self.system, self.slice, self.measure))

    def _numbers(self) -> Floats:
        """Return all values, the summary and the interval."""
        return np.append(self.values, [self.value, self.low, self.high])

    def _words(self) -> tuple[Any, ...]:
        """Return the fields that are not numbers."""
        words = {key: each for key, each in self.__dict__.items() if key != "reasons"}
        texts = (value for value in words.values() if isinstance(value, str | tuple))
        return *texts, tuple(self.reasons)

    @property
    def listed(self) -> Result:
        """The same with items in the order of their numbers, and queries in natural order."""
        if self.unit_kind == "item" and all(map(str.isdecimal, self.units)):
            order = sorted(range(len(self.units)), key=lambda place: int(self.units[place]))
        elif self.unit_kind == "query":
            order = sorted(range(len(self.units)), key=lambda at: natural_key(self.units[at]))
        else:
            return self
        return replace(
            self,
            units=tuple(self.units[place] for place in order),
            values=self.values[order],
            reasons=tuple(self.reasons[place] for place in order),
        )

    @property
    def undefined(self) -> dict[str, int]:
        """How many units are undefined, by reason."""
        counted: dict[str, int] = {}
        if isinstance(self.reasons, NoReasons) or not np.isnan(self.values).any():
            return counted
        for reason in self.reasons:
            if reason is not None:
                counted[reason] = counted.get(reason, 0) + 1
        return dict(sorted(counted.items()))

    def summary(self) -> dict[str, Any]:
        """Return the row of the summary table."""
        undefined = self.undefined
        return {
            "system": self.system,
            "slice": self.slice,
            "measure": self.measure,
            "value": self.value,
            "aggregate": self.aggregate,
            "unit": self.unit_kind,
            "units": len(self.units),
            "undefined": sum(undefined.values()),
            "reasons": "; ".join(f"{reason} ({n})" for reason, n in undefined.items()) or None,
            "low": self.low,
            "high": self.high,
            "interval": self.interval or None,
        }


def natural_key(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Return what sorts names with numbers as people do: q2 before q10."""
    parts = re.findall(r"\d+|\D+", name)
    return tuple((not p.isdecimal(), int(p) if p.isdecimal() else 0, p) for p in parts)
