"""What a joint test is, and how it is found by its name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from assay.core.arrays import Floats
from assay.statistics.test_result import Setup


class JointResult(NamedTuple):
    """What a joint test finds: of all systems together, and of each pair."""

    omnibus: str
    """The test of whether there is any difference at all, by its name."""
    statistic: float
    p: float
    pairs: Floats
    """Systems × systems: the p-value of each pair, corrected for all pairs."""
    pair_statistic: Floats


@dataclass(frozen=True)
class JointTest:
    """A test of all pairs of systems, corrected for the number of pairs by its construction."""

    name: str
    said: str
    function: Callable[[Floats, Setup], JointResult]
    seeded: bool = False

    def __call__(self, table: Floats, setup: Setup | None = None) -> JointResult:
        """The findings for a table of units × systems."""
        return self.function(table, setup or Setup())


def joint_test(
    name: str, said: str, seeded: bool = False
) -> Callable[[Callable[[Floats, Setup], JointResult]], JointTest]:
    """Declare the decorated function as a joint test."""
    return lambda function: JointTest(name, said, function, seeded)


@cache
def joint_tests() -> dict[str, JointTest]:
    """All joint tests by name: the files of the folder."""
    package = importlib.import_module("assay.statistics.joint")
    found = {}
    for each in pkgutil.iter_modules(package.__path__, "assay.statistics.joint."):
        for value in vars(importlib.import_module(each.name)).values():
            if isinstance(value, JointTest):
                found[value.name] = value
    return found
