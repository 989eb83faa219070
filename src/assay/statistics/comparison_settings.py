"""Settings of a comparison of systems."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from assay.core.errors import UsageError
from assay.statistics.corrections import check_correction
from assay.statistics.intervals.interval_settings import Bootstrap

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
        check_correction(self.correct)
        if self.margin is not None and self.margin <= 0:
            raise UsageError(f"a margin is a difference above 0, not {self.margin:g}")

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
