"""What a test finds, and how it is set up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import UsageError

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


class Significance(NamedTuple):
    """The outcome of one test."""

    statistic: float
    p: float


class Significances(NamedTuple):
    """The outcome of a test for each of many columns of differences."""

    statistic: Floats
    p: Floats


@dataclass(frozen=True)
class Setup:
    """How a test is done, as far as it has a say."""

    alternative: Alternative = "two-sided"
    """What is suspected of the difference, the system less the baseline."""
    permutations: int = 10_000
    seed: int = 1
    tie_width: float = 0.0
    """Differences up to this size count as ties in the sign test."""
    test_share: float | None = None
    """Items tested over items learnt from, in each fold of a resampled evaluation."""
    progress: Callable[[int, int], None] = lambda done, of: None
    units: tuple[str, ...] = ()
    """The names of the units, for tests that read repetitions and folds from them."""

    def __post_init__(self) -> None:
        if self.alternative not in ALTERNATIVES:
            raise UsageError(
                f"an alternative is {', '.join(ALTERNATIVES)}; not '{self.alternative}'"
            )
        if self.permutations < 1:
            raise UsageError(f"at least one permutation is needed, not {self.permutations}")


def tail_p_value(lower: Floats, upper: Floats, alternative: Alternative) -> Floats:
    """The p-value from the chances of a statistic at most, and at least, as large as seen."""
    if alternative == "greater":
        return upper
    if alternative == "less":
        return lower
    return np.minimum(1.0, 2 * np.minimum(lower, upper))
