"""SubtopicRankings: for each query, which aspects of it the documents of the list treat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.errors import AlignmentError
from assay.evidence.view import View, missing_in


@dataclass(frozen=True)
class Aspects:
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
class SubtopicRankings(View):
    """The rankings of one system for many queries, seen by subtopic."""

    task: ClassVar[str] = "retrieval"
    unit_kind: ClassVar[str] = "query"
    selections: ClassVar[tuple[str, ...]] = ("judged_only",)

    queries: tuple[str, ...]
    aspects: tuple[Aspects, ...]
    first_rank: str = "normalised"
    """``raw``: at rank 1, ERR-IA and α-DCG are not normalised (as in ndeval)."""
    missing: Bools | None = None
    """Queries that the run does not answer at all; None if it answers all."""

    @property
    def units(self) -> tuple[str, ...]:
        """The queries, in bytewise order."""
        return self.queries

    def subtopics(self, rel: float = 1) -> Floats:
        """How many subtopics of each query some known document treats."""
        counts = [(one.known >= rel).any(axis=0).sum() for one in self.aspects]
        return np.asarray(counts, dtype=np.float64)

    def select(self, choice: str) -> Self:
        """``judged_only``: the condensed lists, from which unjudged documents are taken out."""
        if choice != "judged_only":
            return super().select(choice)
        return replace(self, aspects=tuple(_condensed(one) for one in self.aspects))

    def ideal(self) -> Self:
        """Every known document retrieved, those with most subtopics first."""
        return replace(self, missing=None, aspects=tuple(_best(each) for each in self.aspects))

    def reweight(self, counts: Floats) -> Self:
        """Each query as often as its count says."""
        return self.take(np.repeat(np.arange(len(self.queries)), counts.astype(np.int64)))

    def take(self, chosen: Ints) -> Self:
        """Some of the queries, in that order, perhaps repeatedly."""
        return replace(
            self,
            queries=tuple(self.queries[n] for n in chosen.tolist()),
            aspects=tuple(self.aspects[n] for n in chosen.tolist()),
            missing=missing_in(self)[chosen],
        )

    def __add__(self, other: Self) -> Self:
        """The union of two parts that share no query."""
        if shared := set(self.queries) & set(other.queries):
            raise AlignmentError(
                f"the query {min(shared)} is split over two parts: a ranking must come whole"
            )
        joined = replace(
            self,
            queries=self.queries + other.queries,
            aspects=self.aspects + other.aspects,
            missing=np.concatenate((missing_in(self), missing_in(other))),
        )
        names = [query.encode() for query in joined.queries]
        return joined.take(np.asarray(sorted(range(len(names)), key=names.__getitem__), np.int64))


def _best(one: Aspects) -> Aspects:
    order = np.argsort(-(one.known > 0).sum(axis=1), kind="stable")
    rank = np.arange(1, len(order) + 1)
    return Aspects(rank, one.known[order], one.known, len(order))


def _condensed(one: Aspects) -> Aspects:
    return replace(one, rank=np.arange(1, len(one.rank) + 1), retrieved=len(one.rank))
