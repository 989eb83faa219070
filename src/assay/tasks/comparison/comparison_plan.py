"""What is to be compared, and how."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay.core.errors import UsageError, did_you_mean
from assay.statistics.corrections import CORRECTIONS, adjust_p_values
from assay.statistics.differences.table_contrasts import TESTS
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.joint.joint_test import joint_tests
from assay.statistics.paired.paired_test import paired_tests
from assay.statistics.test_result import Setup

Family = Literal["systems", "measures", "all"]
FAMILIES: tuple[Family, ...] = ("systems", "measures", "all")
TEST = "randomization"
"""The default test, with Holm's correction."""
JOINT_TEST = "randomised-tukey"
"""The default test of all pairs where single ones would need too many permutations."""
PERMUTATIONS = 10_000
"""The least number of permutations, if nobody says how many."""
_MOST_EXCHANGES = 60_000_000
"""Permutations times tests that are drawn unasked: some seconds."""


@dataclass(frozen=True)
class ComparisonPlan:
    """What is to be compared, and how."""

    baselines: tuple[str, ...]
    test: str
    correct: str
    family: Family
    margin: float | None
    interval: Bootstrap
    setup: Setup

    def __post_init__(self) -> None:
        known = {name: each.said for name, each in paired_tests().items()}
        known |= {name: each.said for name, each in joint_tests().items()}
        if self.test not in known:
            raise UsageError(
                f"there is no test '{self.test}' (there are {', '.join(known)})."
                + did_you_mean(self.test, known, known)
            )
        if self.family not in FAMILIES:
            raise UsageError(f"a family is {', '.join(FAMILIES)}; not '{self.family}'")
        if self.correct not in CORRECTIONS:
            adjust_p_values(np.empty(0), self.correct)
        if self.margin is not None and self.margin <= 0:
            raise UsageError(f"a margin is a difference above 0, not {self.margin:g}")

    @property
    def joint(self) -> bool:
        """Whether the test looks at all systems together."""
        return self.test in joint_tests()

    @property
    def draws(self) -> dict[str, int]:
        """How many exchanges or resamples each test draws, as far as it corrects nothing itself."""
        found = {TESTS["expanded"]: self.interval.resamples}
        if not self.joint and paired_tests()[self.test].seeded:
            found[self.test] = self.setup.permutations
        return found

    def described(self) -> dict[str, Any]:
        """The choices, to travel with the numbers."""
        made = joint_tests()[self.test] if self.joint else paired_tests()[self.test]
        return {
            "test": self.test,
            "test_said": made.said,
            "alternative": self.setup.alternative,
            "permutations": self.setup.permutations if made.seeded else None,
            "seed": self.setup.seed if made.seeded else None,
            "tie_width": self.setup.tie_width,
            "correct": "built in" if self.joint else self.correct,
            "family": "systems" if self.joint else self.family,
            "margin": self.margin,
            "confidence": self.interval.confidence,
            "interval": self.interval.described(),
        }


def permutations_for(tests: int, level: float) -> int:
    """Return twice as many permutations as the correction needs to find a single difference.

    A p-value is at least 1/(m + 1), and the correction multiplies the least by the number of tests.
    """
    return max(PERMUTATIONS, math.ceil(2 * tests / level))


def too_many_tests(tests: int, level: float) -> bool:
    """Return whether permutations for each of so many tests would take too long."""
    return tests * permutations_for(tests, level) > _MOST_EXCHANGES


def family_size(pairs: int, measures: int, family: Family) -> int:
    """Return how many tests are corrected together."""
    return {"all": pairs * measures, "systems": pairs, "measures": measures}.get(family, pairs)


def choose_correction(test: str, correct: str | None) -> str:
    """The correction that was asked for, or the default; a joint test has its own."""
    if test in joint_tests():
        if correct not in (None, "none"):
            raise UsageError(
                f"{test} corrects over all pairs itself: leave the correction '{correct}' out"
            )
        return "none"
    return correct or "holm"
