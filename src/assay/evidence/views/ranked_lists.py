"""RankedLists: two rankings that need not hold the same things, with ties, group after group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.evidence.views.view import View


@dataclass(frozen=True)
class Ranking:
    """Where things stand in one ranking: the first and the last rank of their tie, 0 if absent.

    The entries are the things of both rankings.
    """

    top: Ints
    bottom: Ints

    @property
    def length(self) -> int:
        """How many things the ranking holds."""
        return int(np.count_nonzero(self.top))

    @property
    def tied(self) -> bool:
        """Whether any two things share a place."""
        return bool((self.bottom > self.top).any())

    def take(self, chosen: Bools) -> Ranking:
        """Return only some of the things, where they stand."""
        return Ranking(self.top[chosen], self.bottom[chosen])

    def chances(self, depths: Ints) -> Floats:
        """Depth × thing: its chance to stand so high, if ties are broken at random."""
        share = (depths[:, None] - self.top + 1) / (self.bottom - self.top + 1)
        return np.where(self.top > 0, np.clip(share, 0, 1), 0)

    def squared_chances(self, depths: Ints) -> Floats:
        """At each depth the squares of the chances of all things, added up: tie by tie."""
        own = self.top > 0
        top, bottom = np.sort(self.top[own]), np.sort(self.bottom[own])
        inside = np.minimum(depths, len(top)) - 1
        within, size = depths - top[inside] + 1, bottom[inside] - top[inside] + 1
        return np.where(depths > len(top), len(top), top[inside] - 1 + within**2 / size)


@dataclass(frozen=True)
class RankedLists(View):
    """Pairs of rankings, one pair a group."""

    task: ClassVar[str] = "correlation"
    unit_kind: ClassVar[str] = "group"

    groups: tuple[str, ...]
    pairs: tuple[tuple[Ranking, Ranking], ...]

    @property
    def units(self) -> tuple[str, ...]:
        """The groups."""
        return self.groups

    def __iter__(self) -> Iterator[tuple[Ranking, Ranking]]:
        return iter(self.pairs)

    def ideal(self) -> Self:
        """Return the first ranking twice."""
        own = (first.take(first.top > 0) for first, _ in self.pairs)
        return replace(self, pairs=tuple((alone, alone) for alone in own))
