"""Significance tests: the settings of a comparison, and the tests by name.

A paired or joint test declares itself in a module of ``paired`` or ``joint``.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.core.errors import UsageError, unknown_name
from assay.statistics.corrections import CORRECTIONS
from assay.statistics.intervals.interval_ends import Ends
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.other_test_names import AREA_TEST, CORRECTION_ALIASES, TEST_ALIASES

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
Family = Literal["systems", "measures", "all"]
FAMILIES: tuple[Family, ...] = ("systems", "measures", "all")
PERMUTATIONS = 10_000
"""The default number of permutations; more are drawn where the correction needs them."""
MOST_PERMUTATIONS = 100_000_000
"""More permutations would take hours."""
DEFAULT_TEST = "randomization"
DEFAULT_CORRECTION = "holm"
_MOST_EXCHANGES = 60_000_000
"""Permutations times tests that are drawn by default: some seconds."""


MOST_MARGIN = 1e100
"""Larger margins overflow when they are compared with a standard error."""


@dataclass(frozen=True)
class ComparisonSettings:
    """How systems are compared: baselines, test, correction and intervals."""

    test: str = DEFAULT_TEST
    alternative: Alternative = "two-sided"
    """Alternative hypothesis about the difference, system minus baseline."""
    permutations: int = PERMUTATIONS
    seed: int = 1
    tie_width: float = 0.0
    """Differences up to this size count as ties in the sign test."""
    test_share: float | None = None
    """Number of test items over number of training items, in each fold."""
    progress: Callable[[int, int], None] = lambda done, of: None
    units: tuple[str, ...] = ()
    """Names of the units, for tests that read repetitions and folds from them."""
    shares: Floats | None = None
    """The weight of each unit over the mean weight, for tests that exchange weighted units."""
    baselines: tuple[str, ...] = ()
    correct: str = DEFAULT_CORRECTION
    family: Family = "systems"
    margin: float | None = None
    """The smallest difference that matters."""
    interval: Bootstrap = Bootstrap()  # noqa: RUF009 (frozen)

    def __post_init__(self) -> None:
        if self.alternative not in ALTERNATIVES:
            raise UsageError(
                f"an alternative is {', '.join(ALTERNATIVES)}; not '{self.alternative}'"
            )
        if self.permutations < 1:
            raise UsageError(f"at least one permutation is needed, not {self.permutations}")
        if self.permutations > MOST_PERMUTATIONS:
            raise UsageError(
                f"permutations must be at most {MOST_PERMUTATIONS:,}, found {self.permutations:,}"
            )
        if self.family not in FAMILIES:
            raise UsageError(f"a family is {', '.join(FAMILIES)}; not '{self.family}'")
        if self.correct not in CORRECTIONS:
            raise unknown_name("correction", self.correct, CORRECTIONS)
        if not 0 <= self.tie_width < math.inf:
            raise UsageError(f"the width of a tie is a number from 0, not {self.tie_width:g}")
        if self.test_share is not None and not 0 < self.test_share < math.inf:
            raise UsageError(
                f"the share of test to training items is above 0, not {self.test_share:g}"
            )
        if self.margin is not None and not 0 < self.margin < MOST_MARGIN:
            raise UsageError(
                f"a margin is a difference above 0 and below {MOST_MARGIN:g}, not {self.margin:g}"
            )

    @property
    def level(self) -> float:
        """The significance level."""
        return 1 - self.interval.confidence

    def family_size(self, pairs: int, measures: int) -> int:
        """Return how many tests are corrected together."""
        sizes = {"all": pairs * measures, "systems": pairs, "measures": measures}
        return sizes[self.family]

    def permutations_for(self, tests: int) -> int:
        """Return twice as many permutations as the correction needs to find a single difference.

        A p-value is at least 1/(m + 1), and the correction multiplies the least by the number of
        tests.
        """
        return max(PERMUTATIONS, math.ceil(2 * tests / self.level))

    def too_many_tests(self, tests: int) -> bool:
        """Return whether enough permutations for each test would take too long."""
        return tests * self.permutations_for(tests) > _MOST_EXCHANGES


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
    low: Floats
    high: Floats
    """Systems × systems: the interval of the second minus the first; NaN where there is none."""
    interval: str
    """How the intervals were made, or why there are none."""


class OwnInterval(NamedTuple):
    """The interval that belongs to a test: the differences that it does not reject."""

    title: str
    ends: Callable[[Floats, ComparisonSettings, float], Ends]
    """From the differences, the settings and the confidence; NaN where there is none."""
    one_sided: bool = False
    """Whether the ends are those of the alternative; otherwise they are two-sided."""


@dataclass(frozen=True)
class PairedTest:
    """A test of whether differences are centered on zero."""

    name: str
    title: str
    function: Callable[[Floats, ComparisonSettings], Significances]
    interval: OwnInterval
    seeded: bool = False
    least_units: int = 0
    """With fewer units it rejects too often, and a comparison reports no p-value."""
    weights: Literal["spread", "exchange"] | None = None
    """How it takes weights: by the spread of a weighted mean, or by exchanging weighted units."""
    note: Callable[[ComparisonSettings], str | None] | None = None
    """A note on what the names of the units were taken to mean."""
    two_sided: bool = False
    """Whether it has no one-sided form."""

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
    name: str, title: str, interval: OwnInterval, **facts: Any
) -> Callable[[Callable[[Floats, ComparisonSettings], Significances]], PairedTest]:
    """Declare the decorated function as a paired test, with further fields of ``PairedTest``."""
    return lambda function: PairedTest(name, title, function, interval, **facts)


def joint_test(
    name: str, title: str, seeded: bool = False
) -> Callable[[Callable[[Floats, ComparisonSettings], JointResult]], JointTest]:
    """Declare the decorated function as a joint test."""
    return lambda function: JointTest(name, title, function, seeded)


Test = TypeVar("Test", bound=PairedTest | JointTest)


@cache
def paired_tests() -> dict[str, PairedTest]:
    """Return all paired tests by name: those in the modules of the folder."""
    return _declared_tests("assay.statistics.paired", PairedTest)


@cache
def joint_tests() -> dict[str, JointTest]:
    """Return all joint tests by name: those in the modules of the folder."""
    return _declared_tests("assay.statistics.joint", JointTest)


def _declared_tests(folder: str, kind: type[Test]) -> dict[str, Test]:
    package = importlib.import_module(folder)
    modules = [
        importlib.import_module(each.name)
        for each in pkgutil.iter_modules(package.__path__, f"{folder}.")
    ]
    values = [value for module in modules for value in vars(module).values()]
    return {value.name: value for value in values if isinstance(value, kind)}


def find_test(name: str) -> PairedTest:
    """Return the paired test of that name."""
    return _find("paired test", name, paired_tests())


def find_any_test(name: str) -> PairedTest | JointTest:
    """Return the paired or joint test of that name."""
    known: dict[str, PairedTest | JointTest] = {**paired_tests(), **joint_tests()}
    return _find("test", name, known)


def _find(kind: str, name: str, known: Mapping[str, Test]) -> Test:
    if name not in known:
        raise unknown_name(kind, name, known, {each: test.title for each, test in known.items()})
    return known[name]


def find_named_test(name: str, alternative: Alternative) -> tuple[str, list[str]]:
    """Return the name that a test has here, and a note if it is another one.

    A one-sided alternative of a test that has no one-sided form is refused.
    """
    found = find_any_test(TEST_ALIASES.get(name.casefold(), name))
    if alternative != "two-sided" and (isinstance(found, JointTest) or found.two_sided):
        raise UsageError(
            f"the test {found.name} has no one-sided form: leave the alternative '{alternative}'"
            " out, or choose another test, such as randomization"
        )
    if name == found.name or name.casefold() == AREA_TEST:
        return found.name, []
    return found.name, [f"the test {name} is called {found.name} here: {found.title}"]


def default_correction(test: str, correct: str | None) -> str:
    """Return the requested correction of a test or the default; a joint test has its own."""
    if test not in joint_tests():
        named = correct or DEFAULT_CORRECTION
        return CORRECTION_ALIASES.get(named.casefold(), named)
    if correct not in (None, "none"):
        raise UsageError(
            f"{test} corrects over all pairs itself: leave the correction '{correct}' out"
        )
    return "none"


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
