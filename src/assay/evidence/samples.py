"""SampledRankings: rankings whose pool was judged by sampling, by strata or probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.errors import AlignmentError
from assay.evidence.view import View, missing_in


@dataclass(frozen=True)
class Sample:
    """One query: the pool, what was drawn from it, and where the run has its documents."""

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
        """For each document of the pool, how many of its stratum it stands for."""
        size = np.bincount(self.stratum).astype(np.float64)
        drawn = np.bincount(self.stratum, self.drawn)
        return self.drawn * (size / np.maximum(drawn, 1))[self.stratum]


@dataclass(frozen=True)
class SampledRankings(View):
    """The rankings of one system, beside sampled judgments."""

    task: ClassVar[str] = "retrieval"
    unit_kind: ClassVar[str] = "query"

    queries: tuple[str, ...]
    samples: tuple[Sample, ...]
    missing: Bools | None = None
    """Queries that the run does not answer at all; None if it answers all."""

    @property
    def units(self) -> tuple[str, ...]:
        """The queries, in bytewise order."""
        return self.queries

    def each(self, value: Callable[[Sample], float]) -> Floats:
        """The value of each query."""
        return np.asarray([value(one) for one in self.samples], dtype=np.float64)

    def ideal(self) -> Self:
        """The pool retrieved by falling grade, and nothing else."""
        return replace(self, missing=None, samples=tuple(_best(one) for one in self.samples))

    def reweight(self, counts: Floats) -> Self:
        """Each query as often as its count says."""
        return self.take(np.repeat(np.arange(len(self.queries)), counts.astype(np.int64)))

    def take(self, chosen: Ints) -> Self:
        """Some of the queries, in that order, perhaps repeatedly."""
        return replace(
            self,
            queries=tuple(self.queries[n] for n in chosen.tolist()),
            samples=tuple(self.samples[n] for n in chosen.tolist()),
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
            samples=self.samples + other.samples,
            missing=np.concatenate((missing_in(self), missing_in(other))),
        )
        names = [query.encode() for query in joined.queries]
        return joined.take(np.asarray(sorted(range(len(names)), key=names.__getitem__), np.int64))


def _best(one: Sample) -> Sample:
    order = np.argsort(-one.grade, kind="stable")
    return replace(one, rank=np.arange(1, len(order) + 1), listed=order)
