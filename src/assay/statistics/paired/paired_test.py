"""What a paired test is, and how it is found by its name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from assay.core.arrays import Floats
from assay.core.errors import UsageError, did_you_mean
from assay.statistics.intervals.interval_ends import Ends
from assay.statistics.test_result import Setup, Significances

Weighting = Literal["spread", "exchange"]


class OwnInterval(NamedTuple):
    """The interval that belongs to a test: the differences that it does not reject."""

    said: str
    """How it is made, in a few words."""
    ends: Callable[[Floats, Setup, float], Ends]
    """From the differences, the set-up and the confidence; NaN where there is none."""


@dataclass(frozen=True)
class PairedTest:
    """A test of whether differences are centred on zero."""

    name: str
    said: str
    """What it is, in a few words, for a note below a table."""
    function: Callable[[Floats, Setup], Significances]
    seeded: bool = False
    least_units: int = 0
    """With fewer it is known to find too much, and a comparison gives no p by it."""
    weights: Weighting | None = None
    """How it takes weights: by the spread of a weighted mean, or by exchanging weighted units."""
    told: Callable[[Setup], str | None] | None = None
    """What it takes the units for, where it reads that from their names."""

    interval: OwnInterval | None = None
    """None where the interval beside the test is the one that was asked for."""

    def __call__(self, differences: Floats, setup: Setup | None = None) -> Significances:
        """The statistic and the p-value of each column."""
        return self.function(differences, setup or Setup())


def paired_test(
    name: str,
    said: str,
    seeded: bool = False,
    least_units: int = 0,
    weights: Weighting | None = None,
    told: Callable[[Setup], str | None] | None = None,
    interval: OwnInterval | None = None,
) -> Callable[[Callable[[Floats, Setup], Significances]], PairedTest]:
    """Declare the decorated function as a paired test."""
    return lambda function: PairedTest(
        name, said, function, seeded, least_units, weights, told, interval
    )


@cache
def paired_tests() -> dict[str, PairedTest]:
    """All paired tests by name: the files of the folder."""
    package = importlib.import_module("assay.statistics.paired")
    found = {}
    for each in pkgutil.iter_modules(package.__path__, "assay.statistics.paired."):
        module = importlib.import_module(each.name)
        for value in vars(module).values():
            if isinstance(value, PairedTest):
                found[value.name] = value
    return found


def find_test(name: str) -> PairedTest:
    """The paired test of that name."""
    known = paired_tests()
    if name not in known:
        raise UsageError(
            f"there is no paired test '{name}' (there are {', '.join(known)})."
            + did_you_mean(name, known)
        )
    return known[name]
