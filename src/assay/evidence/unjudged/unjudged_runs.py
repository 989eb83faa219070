"""Unjudged documents rank by rank, as a matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Bools, Floats, row_blocks
from assay.evidence.views.rankings import Rankings


@dataclass(frozen=True)
class RankMatrix:
    """Some queries, a row each, and a column for each rank."""

    queries: slice
    relevant: Bools
    others: Bools
    """Judged, and not relevant."""
    holes: Bools
    grades: Floats
    """0 where nothing is known."""

    @classmethod
    def blocks(cls, rankings: Rankings, rel: float, cutoff: int | None) -> Iterator[RankMatrix]:
        """Return all queries, as many at a time as memory has room for."""
        longest = int(rankings.retrieved.max(initial=0))
        width = longest if cutoff is None else min(longest, cutoff)
        hits, start = rankings.hits, 0
        for size in row_blocks(len(rankings.queries), max(width, 1)):
            own = slice(start, start + size)
            rows = slice(int(hits.offsets[start]), int(hits.offsets[start + size]))
            rank, grade = hits.rank[rows], hits.grade[rows]
            seen = (rank <= width) & (grade >= 0)
            place = hits.query[rows][seen] - start, rank[seen] - 1
            holes = np.arange(width) < rankings.retrieved[own, None]
            holes[place] = False
            relevant = np.zeros((size, width), dtype=bool)
            relevant[place] = grade[seen] >= rel
            others = np.zeros((size, width), dtype=bool)
            others[place] = grade[seen] < rel
            grades = np.zeros((size, width))
            grades[place] = grade[seen]
            yield cls(own, relevant, others, holes, grades)
            start += size
