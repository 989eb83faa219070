"""StoppingRankings: rankings whose documents satisfy a user with a known probability."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.frozen_dataclass import dataclass, replace
from assay.evidence.views.view import QueryRecords


@dataclass(frozen=True)
class QueryStops:
    """One query: where documents with a known probability of stopping are, and all of these."""

    rank: Ints
    """The ranks of the retrieved documents whose probability is known, rising."""
    chance: Floats
    """The probability that a user stops at each of them, satisfied."""
    pool: Floats
    """The probabilities of all documents of the query, the highest first."""

    @property
    def reached(self) -> Floats:
        """How likely a user comes to each of the documents."""
        return np.concatenate(([1.0], np.cumprod(1 - self.chance)[:-1]))[: len(self.chance)]

    def within(self, cutoff: int | None) -> QueryStops:
        """Return the query with the documents down to a rank."""
        if cutoff is None:
            return self
        inside = self.rank <= cutoff
        return replace(self, rank=self.rank[inside], chance=self.chance[inside])


@dataclass(frozen=True)
class StoppingRankings(QueryRecords[QueryStops]):
    """The rankings of one system, beside the probabilities that documents satisfy."""

    task: ClassVar[str] = "retrieval"

    def ideal(self) -> Self:
        """Return the known documents retrieved by falling probability, and nothing else."""
        return replace(self.map_records(_ideal_stops), missing=None)


def _ideal_stops(one: QueryStops) -> QueryStops:
    return replace(one, rank=np.arange(1, len(one.pool) + 1), chance=one.pool)
