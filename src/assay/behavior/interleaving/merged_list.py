"""A merged list, the interface of interleaving methods, and the registry of methods."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.random import Generator

from assay.behavior.interleaving.query_rankings import QueryRankings
from assay.core.arrays import Bools, Floats, Ints
from assay.core.errors import UsageError, unknown_name


@dataclass(frozen=True)
class MergedList:
    """What a user is shown, and the credit that a click brings."""

    docs: tuple[int, ...]
    """Documents by number, from the first rank on."""
    teams: tuple[int, ...] | None = None
    """The system that each document is from, where the method has teams."""
    credits: Floats | None = None
    """System × rank: the credit of a click, where credits of clicks add up."""
    available: tuple[int, ...] | None = None
    """The number of documents among which each was drawn, where all had the same chance."""
    probability: float | None = None
    """The probability of this list, where the method has a distribution over few lists."""


class Sampler(Protocol):
    """Draws merged lists for one query."""

    def __call__(self, generator: Generator) -> MergedList:
        """Return a merged list."""
        ...


Prepare: TypeAlias = Callable[[QueryRankings, int], Sampler]
"""Returns what draws lists of at most that many documents."""


ListCredit: TypeAlias = Callable[[Ints, Ints, Bools], Floats]
"""Returns the credit of each system from its ranks (system × rank of the list), the numbers of
available documents, and which documents were clicked."""


@dataclass(frozen=True)
class InterleavingMethod:
    """How lists are merged, and how clicks are credited."""

    name: str
    prepare: Prepare
    most_systems: int | None = None
    outcome: str = "credit"
    """What is compared by default: the credit of each impression, or only who wins it."""
    credit: ListCredit | None = None
    """The credit of an impression, where the credits of clicks do not add up."""

    def check(self, systems: int) -> None:
        """Raise an error for more systems than the method can compare."""
        if self.most_systems is not None and systems > self.most_systems:
            several = [name for name in METHODS if find_method(name).most_systems is None]
            raise UsageError(
                f"{self.name} interleaving compares two systems, found {systems}; for more use"
                f" {' or '.join(several)}"
            )


METHODS = {
    "balanced": "balanced",
    "debiased-balanced": "balanced",
    "team-draft": "team_draft",
    "probabilistic": "probabilistic",
    "optimized": "optimized",
    "pairwise-preference": "pairwise_preference",
}
"""The module of each method."""


def find_method(name: str) -> InterleavingMethod:
    """Return an interleaving method by its name."""
    if name not in METHODS:
        raise unknown_name("interleaving method", name, METHODS)
    module = importlib.import_module(f"assay.behavior.interleaving.{METHODS[name]}")
    method: InterleavingMethod = module.DECLARED[name]
    return method


def one_hot(teams: tuple[int, ...], systems: int) -> Floats:
    """Return 1 for the team of each rank, system × rank."""
    return (np.arange(systems)[:, None] == np.array(teams, dtype=np.int64)).astype(np.float64)
