"""SubtopicRankings: for each query, which subtopics the documents of the list are about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.evidence.views.view import QueryRecords


@dataclass(frozen=True)
class QuerySubtopics:
    """One query: a list of documents that treat some subtopic, and all such documents known."""

    rank: Ints
    """The ranks of the judged documents in the list, rising."""
    grades: Floats
    """Judged document in the list × subtopic: the grade, 0 where it is not about it."""
    known: Floats
    """Judged document × subtopic, retrieved or not, by document id descending."""
    retrieved: int

    def about(self, rel: float = 1, known: bool = False) -> Floats:
        """Document × subtopic: 1 where the document is about it; of the list, or of all known.

        Subtopics that no known document treats are left out.
        """
        treated = (self.known >= rel).any(axis=0)
        grades = self.known if known else self.grades
        return (grades[:, treated] >= rel).astype(np.float64)


@dataclass(frozen=True)
class SubtopicRankings(QueryRecords[QuerySubtopics]):
    """The rankings of one system for many queries, seen by subtopic."""

    task: ClassVar[str] = "retrieval"
    selections: ClassVar[tuple[str, ...]] = ("judged_only",)

    first_rank: str = "normalized"
    """``raw``: at rank 1, ERR-IA and α-DCG are not normalized (as in ndeval)."""

    @property
    def aspects(self) -> tuple[QuerySubtopics, ...]:
        """The records of the queries."""
        return self.records

    def subtopics(self, rel: float = 1) -> Floats:
        """Return how many subtopics of each query some known document treats."""
        return self.each(lambda one: (one.known >= rel).any(axis=0).sum())

    def select(self, choice: str) -> Self:
        """``judged_only``: the condensed lists, from which unjudged documents are taken out."""
        if choice != "judged_only":
            return super().select(choice)
        return self.seen(_condense)

    def ideal(self) -> Self:
        """Return every known document retrieved, each the one that then brings most that is new."""
        return replace(self.seen(_greedy_ideal), missing=None)


def _greedy_ideal(one: QuerySubtopics) -> QuerySubtopics:
    """Document by document the one that treats most subtopics anew, then most that are rare yet."""
    about = (one.known > 0).astype(np.float64)
    met = np.zeros(about.shape[1])
    left, order = np.arange(len(about)), []
    while len(left):
        anew, rare = about[left] @ (met == 0), about[left] @ 0.5**met
        place = int(np.lexsort((-rare, -anew))[0])
        order.append(int(left[place]))
        met += about[order[-1]]
        left = np.delete(left, place)
    rank = np.arange(1, len(order) + 1)
    return QuerySubtopics(rank, one.known[order], one.known, len(order))


def _condense(one: QuerySubtopics) -> QuerySubtopics:
    return replace(one, rank=np.arange(1, len(one.rank) + 1), retrieved=len(one.rank))
