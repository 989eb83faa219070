"""Significance tests: what a paired and a joint test declare, and how they are found by name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.core.errors import UsageError, unknown_name
from assay.statistics.comparison_settings import Alternative, ComparisonSettings
from assay.statistics.intervals.interval_ends import Ends

TEST_ALIASES = {"randomised-tukey": "randomized-tukey"}
"""Former names of tests."""


class Significance(NamedTuple):
    """The outcome of one test."""

    statistic: float
    p: float


class Significances(NamedTuple):
    """The outcome of a test for each column of differences."""

    statistic: Floats
    p: Floats


class JointResult(NamedTuple):
    """The outcome of a joint test: for all systems together, and for each pair."""

    omnibus: str
    """Name of the test of whether there is any difference at all."""
    statistic: float
    p: float
    pairs: Floats
    """Systems × systems: the p-value of each pair, corrected for all pairs."""
    pair_statistic: Floats


class OwnInterval(NamedTuple):
    """The interval that belongs to a test: the differences that it does not reject."""

    title: str
    ends: Callable[[Floats, ComparisonSettings, float], Ends]
    """From the differences, the settings and the confidence; NaN where there is none."""


@dataclass(frozen=True)
class PairedTest:
    """A test of whether differences are centered on zero."""

    name: str
    title: str
    function: Callable[[Floats, ComparisonSettings], Significances]
    seeded: bool = False
    least_units: int = 0
    """With fewer units it rejects too often, and a comparison reports no p-value."""
    weights: Literal["spread", "exchange"] | None = None
    """How it takes weights: by the spread of a weighted mean, or by exchanging weighted units."""
    note: Callable[[ComparisonSettings], str | None] | None = None
    """A note on what the names of the units were taken to mean."""
    interval: OwnInterval | None = None
    """None where the interval of the settings is reported."""

    def __call__(
        self, differences: Floats, settings: ComparisonSettings | None = None
    ) -> Significances:
        """Return the statistic and the p-value of each column."""
        return self.function(differences, settings or ComparisonSettings())


@dataclass(frozen=True)
class JointTest:
    """A test of all pairs of systems that corrects for the number of pairs by its construction."""

    name: str
    title: str
    function: Callable[[Floats, ComparisonSettings], JointResult]
    seeded: bool = False

    def __call__(self, table: Floats, settings: ComparisonSettings | None = None) -> JointResult:
        """Return the results for a table of units × systems."""
        return self.function(table, settings or ComparisonSettings())


def paired_test(
    name: str, title: str, **facts: Any
) -> Callable[[Callable[[Floats, ComparisonSettings], Significances]], PairedTest]:
    """Declare the decorated function as a paired test, with further fields of ``PairedTest``."""
    return lambda function: PairedTest(name, title, function, **facts)


def joint_test(
    name: str, title: str, seeded: bool = False
) -> Callable[[Callable[[Floats, ComparisonSettings], JointResult]], JointTest]:
    """Declare the decorated function as a joint test."""
    return lambda function: JointTest(name, title, function, seeded)


T = TypeVar("T", PairedTest, JointTest)


@cache
def paired_tests() -> dict[str, PairedTest]:
    """Return all paired tests by name: those in the modules of the folder."""
    return _declared_tests("assay.statistics.paired", PairedTest)


@cache
def joint_tests() -> dict[str, JointTest]:
    """Return all joint tests by name: those in the modules of the folder."""
    return _declared_tests("assay.statistics.joint", JointTest)


def _declared_tests(folder: str, kind: type[T]) -> dict[str, T]:
    package = importlib.import_module(folder)
    modules = [
        importlib.import_module(each.name)
        for each in pkgutil.iter_modules(package.__path__, f"{folder}.")
    ]
    values = [value for module in modules for value in vars(module).values()]
    return {value.name: value for value in values if isinstance(value, kind)}


def find_test(name: str) -> PairedTest:
    """Return the paired test of that name."""
    known = paired_tests()
    if name not in known:
        raise _unknown_test("paired test", name, known)
    return known[name]


def find_any_test(name: str) -> PairedTest | JointTest:
    """Return the paired or joint test of that name."""
    known: dict[str, PairedTest | JointTest] = {**paired_tests(), **joint_tests()}
    if name not in known:
        raise _unknown_test("test", name, known)
    return known[name]


def _unknown_test(kind: str, name: str, known: dict[str, Any]) -> UsageError:
    return unknown_name(kind, name, known, {each: test.title for each, test in known.items()})


def tail_p_value(lower: Floats, upper: Floats, alternative: Alternative) -> Floats:
    """Return the p-value from the probabilities of at most and at least the observed statistic."""
    if alternative == "greater":
        return upper
    if alternative == "less":
        return lower
    return np.minimum(1.0, 2 * np.minimum(lower, upper))


def reaches(drawn: Floats, observed: Any, slack: Any, alternative: Alternative) -> Bools:
    """Return where a drawn statistic is at least as extreme as the observed one."""
    if alternative == "two-sided":
        return np.abs(drawn) >= np.abs(observed) - slack
    if alternative == "greater":
        return drawn >= observed - slack
    return drawn <= observed + slack
