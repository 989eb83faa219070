"""The blended ratio of precision and cumulated gain, from which a family of measures comes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats
from assay.core.parameters import Gain
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import gains_within, ideal_gains


@dataclass(frozen=True)
class Blend:
    """The documents with a gain, their precision, and the blended ratio at each."""

    found: Hits
    known: Floats
    """How many documents with a gain there are, for each query."""
    gained: Floats
    possible: Floats
    ratio: Floats

    @property
    def precision(self) -> Floats:
        """The precision at each document."""
        return self.found.place / self.found.rank


def blended_ratios(rankings: Rankings, gain: Gain, beta: float, cutoff: int | None = None) -> Blend:
    """(relevant so far + beta · gain so far) / (rank + beta · ideal gain so far) at each."""
    listed, ideal = gains_within(rankings, gain, cutoff), ideal_gains(rankings, gain)
    found, best = listed.where(listed.grade > 0), ideal.where(ideal.grade > 0)
    gained = found.total(found.grade)
    possible = best.at(best.total(best.grade), found.query, found.rank)
    value = (found.place + beta * gained) / (found.rank + beta * possible)
    return Blend(found, best.count, gained, possible, value)


def first_maximum(found: Hits) -> Floats:
    """For each query the place of the first of its documents with the largest gain; 0 if none."""
    top = found.grade == found.highest(found.grade)[found.query]
    return found.highest(np.where(top & (found.running(top) == 1), found.place, 0).astype(float))
