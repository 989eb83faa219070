"""Pruning: trials begin with a small budget, and the best of each batch go on with more.

That is successive halving by thirds. It is decided within a batch, whose values are all known, so
that the number of workers and an interruption change nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.core.errors import UsageError
from assay.selection.tuning.space import LARGEST, Values, require_type

KEPT = 3
"""One of so many trials goes on."""


@dataclass(frozen=True)
class TrialBudget:
    """A parameter of the program that says how much it spends, and its values in their order."""

    name: str = ""
    values: tuple[int | float, ...] = (0,)

    @property
    def stages(self) -> int:
        """How many stages a trial has."""
        return len(self.values)

    def add(self, values: Values, stage: int = -1) -> Values:
        """Return the values of a trial with the budget of a stage; by default the highest."""
        return {**values, self.name: self.values[stage]} if self.name else values

    @staticmethod
    def count_kept(trials: int) -> int:
        """Return how many of a batch go on: a third, and at least one."""
        return -(-trials // KEPT)


def read_budget(given: Any, parameters: Sequence[str]) -> TrialBudget:
    """Read the budget of a spec: one parameter with its values, from the lowest."""
    if given is None:
        return TrialBudget()
    require_type("budget", given, Mapping, "a table")
    if len(given) != 1:
        raise UsageError("budget names one parameter, such as iterations = [10, 100]")
    ((name, values),) = given.items()
    if name in parameters:
        raise UsageError(f"budget has '{name}', which is tuned: a parameter is one or the other")
    require_type(f"budget.{name}", values, list | tuple, "a list of numbers")
    for value in values:
        require_type(f"budget.{name}", value, int | float, "a list of numbers")
    rising = all(a < b for a, b in itertools.pairwise(values))
    if len(values) < 2 or not rising or not all(abs(value) <= LARGEST for value in values):
        raise UsageError(
            f"budget.{name} is {values}: two or more rising numbers up to 2^53 are expected"
        )
    return TrialBudget(name, tuple(values))
