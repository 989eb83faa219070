"""The parameters that are tuned, the values that they may have, and which are simpler."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.errors import UsageError, unknown_name

Values = dict[str, Any]
"""A value for each parameter."""
LARGEST = 2.0**53
"""The largest number of a range: whole numbers up to it are exact."""
MOST_POINTS = 100_000
"""The most values of one parameter in a grid."""
COLUMNS = (
    *("trial", "value", "error", "seconds", "budget", "pruned", "failure"),
    *("fold", "inside", "left_out"),
)
"""Columns of the tables of trials and of nested folds, beside the parameters."""
_FIELDS = ("low", "high", "log", "values", "points")


@dataclass(frozen=True)
class TunedParameter:
    """A number between two ends, or one of several values."""

    name: str
    values: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    """Whether the logarithm is drawn evenly."""
    points: int = 5
    """How many values a grid has."""

    @property
    def whole(self) -> bool:
        """Whether the values are whole numbers."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def grid(self) -> list[Any]:
        """Return the values of a grid."""
        if self.values:
            return list(self.values)
        ends = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        steps = np.linspace(*ends, self.points)
        return list(dict.fromkeys(self._value(float(step)) for step in steps))

    def draw(self, draw: np.random.Generator) -> Any:
        """Return a random value."""
        if self.values:
            return self.values[int(draw.integers(len(self.values)))]
        if self.whole and not self.log:
            return int(draw.integers(int(self.low), int(self.high) + 1))
        ends = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        return self._value(float(draw.uniform(*ends)))

    def _value(self, step: float) -> Any:
        value = math.exp(step) if self.log else step
        return round(value) if self.whole else float(f"{value:.6g}")


@dataclass(frozen=True)
class Space:
    """The parameters, and which direction of each is simpler."""

    parameters: tuple[TunedParameter, ...]
    simpler: tuple[str, ...] = ()
    """Signed names: ``-degree`` if a lower degree is simpler, ``+alpha`` if a higher alpha is."""

    def grid(self) -> list[Values]:
        """Return every combination of the values of the grids."""
        names = [each.name for each in self.parameters]
        grids = itertools.product(*(each.grid() for each in self.parameters))
        return [dict(zip(names, values, strict=True)) for values in grids]

    @property
    def grid_size(self) -> int:
        """How many combinations the grid has."""
        return math.prod(len(each.grid()) for each in self.parameters)

    def draw(self, seed: int, number: int) -> Values:
        """Return random values: those of a trial number, whatever was drawn before."""
        stream = np.random.default_rng([seed, number])
        return {each.name: each.draw(stream) for each in self.parameters}

    def complexity(self, values: Values) -> tuple[float, ...]:
        """Return what orders values from the simplest."""
        return tuple(
            float(values[name[1:]]) * (1 if name[0] == "-" else -1) for name in self.simpler
        )


def require_type(name: str, given: Any, kind: Any, expected: str) -> None:
    """Refuse a value of a spec that is of another type; true and false are no numbers."""
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
        raise UsageError(f"{name} is {given!r}: {expected} is expected")


def read_space(given: Mapping[str, Any], simpler: Sequence[str] = ()) -> Space:
    """Read the parameters of a spec: a list of values, or a table with low and high."""
    require_type("parameters", given, Mapping, "a table")
    if not given:
        raise UsageError("the spec names no parameters: give [parameters]")
    parameters = tuple(_read_parameter(name, each) for name, each in given.items())
    names = {each.name: each for each in parameters}
    for name in names:
        if name in COLUMNS:
            raise UsageError(
                f"parameter {name}: the table of trials has a column of this name; use another name"
                f" than {', '.join(COLUMNS)}"
            )
    require_type("simpler", simpler, list | tuple, "a list of names")
    for word in simpler:
        require_type("simpler", word, str, "a list of names")
        if word[:1] not in "+-" or word[1:] not in names:
            raise UsageError(
                f"simpler has '{word}': the name of a parameter with + or - is expected, such as"
                f" -{parameters[0].name} if lower values are simpler"
            )
        if any(not isinstance(value, int | float) for value in names[word[1:]].values):
            raise UsageError(f"simpler has '{word}', but not all its values are numbers")
    return Space(parameters, tuple(simpler))


def _read_parameter(name: str, given: Any) -> TunedParameter:
    if isinstance(given, Sequence) and not isinstance(given, str):
        given = {"values": list(given)}
    if not isinstance(given, Mapping):
        raise UsageError(f"parameter {name}: a list of values or {{low, high}} is expected")
    for word in given:
        if word not in _FIELDS:
            raise unknown_name(f"field of the parameter {name}", word, _FIELDS)
    if "values" in given:
        require_type(f"parameter {name}: values", given["values"], list | tuple, "a list")
        if not given["values"]:
            raise UsageError(f"parameter {name}: the list of values is empty")
        return TunedParameter(name, tuple(given["values"]))
    missing = [word for word in ("low", "high") if word not in given]
    if missing:
        raise UsageError(f"parameter {name}: {missing[0]} is missing")
    low, high, log = given["low"], given["high"], given.get("log", False)
    numbers = all(
        isinstance(end, int | float) and not isinstance(end, bool) and abs(end) <= LARGEST
        for end in (low, high)
    )
    if not numbers or not low < high or (log and low <= 0):
        raise UsageError(
            f"parameter {name}: low is below high, both are numbers{' above 0' if log else ''};"
            f" found {low} and {high}"
        )
    points = given.get("points", 5)
    if not isinstance(points, int) or not 2 <= points <= MOST_POINTS:
        raise UsageError(
            f"parameter {name}: points is a whole number from 2 to {MOST_POINTS:,}, not {points}"
        )
    return TunedParameter(name, (), low, high, bool(log), points)
