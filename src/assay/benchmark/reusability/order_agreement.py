"""How far two results agree on the order of systems: tau, tau-AP, and significant pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.core.arrays import Floats, exact_mean
from assay.statistics.paired.student import student
from assay.tasks.correlation.correlation_evidence import correlation

LEVEL = 0.05
"""The level of the paired t-tests."""


@dataclass(frozen=True)
class UnitValues:
    """The values of systems over the same queries, NaN where one is undefined."""

    systems: Mapping[str, Floats]

    def means(self) -> dict[str, float]:
        """Return the mean of each system over its defined values."""
        return {
            name: exact_mean(values[~np.isnan(values)].tolist()) if len(values) else float("nan")
            for name, values in self.systems.items()
        }

    def significant(self, level: float = LEVEL) -> dict[tuple[str, str], int]:
        """Return 1 or -1 for each pair of systems that differ in a paired t-test, else 0."""
        pairs = list(combinations(self.systems, 2))
        found = {}
        for one, other in pairs:
            difference = self.systems[one] - self.systems[other]
            difference = difference[~np.isnan(difference)]
            found[one, other] = _direction(difference, level)
        return found


def _direction(difference: Floats, level: float) -> int:
    if len(difference) < 2 or not difference.any():
        return 0
    p_value = student(difference[:, None]).p[0]
    return int(np.sign(difference.mean())) if p_value < level else 0


@dataclass(frozen=True)
class Agreement:
    """How far a result keeps the order of another one."""

    tau: float
    tau_ap: float
    significant: int
    """Pairs that differ significantly in the first result."""
    kept: int
    """Of these, pairs that do so in the second, in the same direction."""
    reversed: int
    """Of these, pairs that differ significantly in the other direction."""
    added: int
    """Pairs that differ significantly in the second result alone."""


def compare_orders(first: UnitValues, second: UnitValues, level: float = LEVEL) -> Agreement:
    """Return how far the second result keeps the order of the first."""
    before, after = first.means(), second.means()
    names = list(before)
    tau, tau_ap = _correlations([before[each] for each in names], [after[each] for each in names])
    one, other = first.significant(level), second.significant(level)
    differ = [pair for pair, sign in one.items() if sign]
    return Agreement(
        tau,
        tau_ap,
        len(differ),
        sum(other[pair] == one[pair] for pair in differ),
        sum(other[pair] == -one[pair] for pair in differ),
        sum(bool(other[pair]) and not one[pair] for pair in one),
    )


def _correlations(before: list[float], after: list[float]) -> tuple[float, float]:
    """Return tau and tau-AP, NaN where a system has no score: too few judgments are left."""
    if len(before) < 2 or not np.isfinite([*before, *after]).all():
        return float("nan"), float("nan")
    columns = {"item": [str(place) for place in range(len(before))]}
    found = correlation(
        columns | {"first": before, "second": after},
        "tau tauAP(ties=b)",
        item="item",
        first="first",
        second="second",
        interval=None,
    )
    return found.results[0].value, found.results[1].value
