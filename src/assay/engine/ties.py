"""What ties do to a number: its expected, lowest and highest value over the orders of tied ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import add

import numpy as np

from assay.core.arrays import Floats
from assay.core.names import Measure
from assay.engine.bounds import ignores_judging
from assay.engine.local import aggregate, measured
from assay.evidence.drawing import rankings as drawn
from assay.evidence.rankings import Hits, Rankings
from assay.evidence.ties import Ties

MOST = 128
"""Up to so many orders of a query are gone through; beyond, as many are drawn."""
_SLACK = 1e-9


@dataclass(frozen=True)
class TiedValues:
    """For each query the value over the orders of its tied documents."""

    expected: Floats
    low: Floats
    high: Floats
    exact: bool
    """Whether the expected values are exact, not estimated from a sample of orders."""
    limits_exact: bool
    """Whether the lowest and highest values are exact."""

    def summary(self, measure: Measure) -> tuple[float, float, float]:
        """Expected, lowest and highest summary value."""
        return tuple(  # type: ignore[return-value]
            aggregate(measure, each, each, None) for each in (self.expected, self.low, self.high)
        )


def tied_values(rankings: Rankings, measure: Measure, seed: int = 1) -> TiedValues:
    """The values of a measure over the orders of tied documents."""
    now = measured(rankings, measure).values
    ties = Ties(rankings)
    if measure.selections or not ties.tied.any():
        return TiedValues(now, now, now, exact=True, limits_exact=not measure.selections)
    low, high, expected = now.copy(), now.copy(), now.copy()
    sorted_out = sorts(measure)
    if sorted_out:
        both = np.stack([measure(ties.best()), measure(ties.worst())])
        low, high = np.fmin(both[0], both[1]), np.fmax(both[0], both[1])
    exact, whole = True, True
    # Where the extremes are one, every order gives that value.
    doubtful = ties.tied & ~np.isnan(now) & (high > low if sorted_out else True)
    for query in np.flatnonzero(doubtful).tolist():
        values, complete, gone_through = _values(ties, query, measure, seed)
        expected[query] = values.mean()
        exact &= complete
        whole &= gone_through
        low[query], high[query] = min(low[query], values.min()), max(high[query], values.max())
    return TiedValues(expected, low, high, exact, sorted_out or whole)


def _values(ties: Ties, query: int, measure: Measure, seed: int) -> tuple[Floats, bool, bool]:
    """Values whose mean is the expected one; whether exactly so; whether they are all orders."""
    orders = ties.orders(query, MOST)
    if orders is not None:
        return measure(ties.arranged(query, orders)), True, True
    turned = ties.turned(query, MOST) if additive(measure) else None
    if turned is not None:
        return measure(ties.arranged(query, turned)), True, False
    drawn_orders = ties.drawn(query, MOST, seed)
    return measure(ties.arranged(query, drawn_orders)), False, False


def sorts(measure: Measure) -> bool:
    """Whether a better document further up never hurts, so that sorted ties are the extremes."""
    exempt = any(each.law == "promotion" for each in measure.definition.exempt)
    return not exempt and ignores_judging(measure)


_PROBES = ("+-2+|3", "?3-1", "2?+|2", "123|+", "-+?2", "+-+-+|+", "++|33")


@cache
def additive(measure: Measure) -> bool:
    """Whether the value is the sum of what each document brings at its rank, by itself."""
    return all(_adds_up(measure, drawn(word)) for word in _PROBES)


def _adds_up(measure: Measure, view: Rankings) -> bool:
    whole = measure(view)[0]
    alone = [measure(_only(view, place))[0] for place in range(len(view.hits.rank))]
    return bool(np.isnan(whole)) or abs(reduce(add, alone, 0.0) - whole) < _SLACK


def _only(view: Rankings, place: int) -> Rankings:
    one = slice(place, place + 1)
    hits = Hits(np.asarray([0, 1]), view.hits.rank[one], view.hits.grade[one])
    return replace(view, hits=hits, tie_first=hits.rank, tie_last=hits.rank, row=view.row[one])
