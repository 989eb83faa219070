"""Rankings beside other judgments: by subtopic, by assessor, and of a sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.frozen_dataclass import dataclass, replace
from assay.evidence.views.rankings import Rankings
from assay.evidence.views.view import (
    QueryRecords,
    View,
    bytewise,
    missing_units,
    places_among,
    refuse_split_query,
)


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

    def subtopics(self, rel: float = 1) -> Floats:
        """Return how many subtopics of each query some known document treats."""
        return self.per_query(lambda one: (one.known >= rel).any(axis=0).sum())

    def select(self, choice: str) -> Self:
        """``judged_only``: the condensed lists, from which unjudged documents are taken out."""
        if choice != "judged_only":
            return super().select(choice)
        return self.map_records(_condense)

    def ideal(self) -> Self:
        """Return every known document retrieved, each the one that then brings most that is new."""
        return replace(self.map_records(_greedy_ideal), missing=None)


def _greedy_ideal(one: QuerySubtopics) -> QuerySubtopics:
    """Take the document with most new subtopics, then with most that are rare so far."""
    about = (one.known > 0).astype(np.float64)
    met = np.zeros(about.shape[1])
    left, order = np.arange(len(about)), []
    while len(left):
        new, rare = about[left] @ (met == 0), about[left] @ 0.5**met
        place = int(np.lexsort((-rare, -new))[0])
        order.append(int(left[place]))
        met += about[order[-1]]
        left = np.delete(left, place)
    rank = np.arange(1, len(order) + 1)
    return QuerySubtopics(rank, one.known[order], one.known, len(order))


def _condense(one: QuerySubtopics) -> QuerySubtopics:
    return replace(one, rank=np.arange(1, len(one.rank) + 1), retrieved=len(one.rank))


@dataclass(frozen=True)
class JudgmentGroups(View):
    """One set of rankings for each group of judgments, over the queries that it judged."""

    task: ClassVar[str] = "retrieval"
    unit_kind: ClassVar[str] = "query"

    queries: tuple[str, ...]
    groups: tuple[Rankings, ...]
    no_relevant: str = "undefined"
    """Whether a group without a relevant document is ignored, or counts ``zero``."""
    missing: Bools | None = None
    """Queries that the run does not answer at all; None if it answers all."""

    @property
    def units(self) -> tuple[str, ...]:
        """The queries that some group judged, in bytewise order."""
        return self.queries

    def mean(self, measure: Callable[[Rankings], Floats]) -> Floats:
        """Return the mean over the groups that judged a query; NaN where none can be measured."""
        table = np.full((len(self.groups), len(self.queries)), np.nan)
        for row, group in zip(table, self.groups, strict=True):
            values = measure(group)
            row[places_among(group.queries, self.queries)] = (
                np.nan_to_num(values) if self.no_relevant == "zero" else values
            )
        defined = ~np.isnan(table)
        sums = np.where(defined, table, 0.0).sum(axis=0)
        return np.divide(
            sums, defined.sum(axis=0), out=np.full(len(sums), np.nan), where=defined.any(axis=0)
        )

    def ideal(self) -> Self:
        """For each group the list that is perfect in its eyes."""
        return replace(self, missing=None, groups=tuple(group.ideal() for group in self.groups))

    def __add__(self, other: Self) -> Self:
        """Return the union of two parts that share no query; groups pair up in their order."""
        refuse_split_query(self.queries, other.queries)
        flags = np.concatenate((missing_units(self), missing_units(other))).tolist()
        missing = dict(zip(self.queries + other.queries, flags, strict=True))
        queries = bytewise(missing)
        return replace(
            self,
            queries=queries,
            groups=self.groups + other.groups,
            missing=np.asarray([missing[query] for query in queries], dtype=bool),
        )


@dataclass(frozen=True)
class QuerySample:
    """One query: the pool, the sample from it, and the ranks of its documents in the run."""

    rank: Ints
    """The ranks of the retrieved documents of the pool, rising."""
    listed: Ints
    """The number of each of them within the pool."""
    grade: Floats
    """The grade of each document of the pool; negative where it was not drawn."""
    stratum: Ints
    """The stratum of each document of the pool, from 0."""
    probability: Floats
    """How likely each document of the pool was to be drawn."""

    @property
    def drawn(self) -> Floats:
        """For each document of the pool, 1 if it was drawn and judged."""
        return (self.grade >= 0).astype(np.float64)

    @property
    def drawn_share(self) -> Floats:
        """For each document of the pool, the share of its stratum that was drawn."""
        size = np.bincount(self.stratum).astype(np.float64)
        return (np.bincount(self.stratum, self.drawn) / size)[self.stratum]

    @property
    def stratified(self) -> bool:
        """Whether every document was as likely to be drawn as any other of its stratum."""
        return bool(np.allclose(self.probability, self.drawn_share, rtol=1e-9, atol=0))

    def weight(self) -> Floats:
        """For each document of the pool, how many it stands for; 0 if it was not drawn."""
        drawn = self.drawn > 0
        return np.divide(1, self.probability, out=np.zeros(len(drawn)), where=drawn)


@dataclass(frozen=True)
class SampledRankings(QueryRecords[QuerySample]):
    """The rankings of one system, beside sampled judgments."""

    task: ClassVar[str] = "retrieval"

    def ideal(self) -> Self:
        """Return the pool retrieved by falling grade, and nothing else."""
        return replace(self.map_records(_ideal_sample), missing=None)


def _ideal_sample(one: QuerySample) -> QuerySample:
    order = np.argsort(-one.grade, kind="stable")
    return replace(one, rank=np.arange(1, len(order) + 1), listed=order)
