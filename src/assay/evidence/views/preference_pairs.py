"""PreferencePairs: for each query, which document is preferred to which, and where both stand."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.frozen_dataclass import dataclass, replace
from assay.evidence.views.view import QueryRecords


@dataclass(frozen=True)
class PreferenceGroup:
    """The judgments of one user for one query."""

    members: Ints
    """Its documents, as numbers within the query, rising."""
    level: Floats
    """The level of each member; 0 is not relevant."""
    better: Ints
    """For each preference the document that is preferred, as a number within the query."""
    worse: Ints
    """And the one to which it is preferred."""
    ranked: bool
    """Whether its members were compared all at once (no subgroups)."""


@dataclass(frozen=True)
class Comparisons:
    """One query: its compared documents and the groups that compared them.

    Documents are numbered by rank, then those that were not retrieved, by id.
    """

    rank: Ints
    """The rank of each retrieved document, rising."""
    documents: int
    """How many documents were compared, retrieved or not."""
    groups: tuple[PreferenceGroup, ...]

    @property
    def retrieved(self) -> int:
        """How many of the compared documents are in the list."""
        return len(self.rank)

    def fulfilled_preferences(self, group: PreferenceGroup) -> Bools:
        """Return which preferences rank the preferred document above the other, or it alone."""
        return (group.better < group.worse) & (group.better < self.retrieved)

    def counted_preferences(self, group: PreferenceGroup, pairs: str) -> Bools:
        """The preferences that count: ``all``, with ``either`` document retrieved, or ``both``."""
        if pairs == "all":
            return np.ones(len(group.better), dtype=bool)
        reach = np.minimum if pairs == "either" else np.maximum
        return reach(group.better, group.worse) < self.retrieved


@dataclass(frozen=True)
class PreferencePairs(QueryRecords[Comparisons]):
    """The preferences of users, beside the rankings of one system."""

    task: ClassVar[str] = "preferences"

    def ideal(self) -> Self:
        """Return every compared document retrieved, those that win most first."""
        return replace(self.map_records(_ideal_ranking), missing=None)


def transitive_closure(table: Bools) -> Bools:
    """With every preference that follows from others: a over b and b over c, so a over c."""
    while True:
        wider = table | ((table.astype(np.float32) @ table.astype(np.float32)) > 0)
        if np.array_equal(wider, table):
            return table
        table = wider


def _ideal_ranking(one: Comparisons) -> Comparisons:
    stated = np.zeros((one.documents, one.documents), dtype=bool)
    for group in one.groups:
        stated[group.better, group.worse] = True
    implied = transitive_closure(stated)
    net = implied.sum(axis=1) - implied.sum(axis=0)
    place = np.empty(one.documents, dtype=np.int64)
    place[np.argsort(-net, kind="stable")] = np.arange(one.documents)
    groups = tuple(_renumber(group, place) for group in one.groups)
    return Comparisons(np.arange(1, one.documents + 1), one.documents, groups)


def _renumber(group: PreferenceGroup, place: Ints) -> PreferenceGroup:
    order = np.argsort(place[group.members])
    return replace(
        group,
        members=place[group.members][order],
        level=group.level[order],
        better=place[group.better],
        worse=place[group.worse],
    )
