"""SampledRankings: rankings whose pool was judged by sampling, by strata or probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.evidence.views.view import QueryRecords


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
        return replace(self.seen(_ideal_sample), missing=None)


def _ideal_sample(one: QuerySample) -> QuerySample:
    order = np.argsort(-one.grade, kind="stable")
    return replace(one, rank=np.arange(1, len(order) + 1), listed=order)
