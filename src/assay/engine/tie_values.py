"""The expected, lowest and highest value of a measure over the orders of tied documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, sum_at
from assay.core.definition import Ratio
from assay.core.facts import Facts
from assay.core.names import Measure
from assay.engine.document_weights import Weights, weights
from assay.engine.local import Measurement, measure_view, select_evidence
from assay.engine.measure_facts import facts_of
from assay.evidence.tied_rankings import TiedRankings
from assay.evidence.views.rankings import Rankings

MOST_ORDERS = 128
"""Up to this many orders of a query are enumerated."""
RANDOM_ORDERS = 40
"""The number of orders sampled where there are more."""


@dataclass(frozen=True)
class TiedValues:
    """For each query the value over the orders of its tied documents."""

    expected: Floats
    low: Floats
    high: Floats
    exact: Bools
    """Whether the expected value is exact, not estimated from a sample of orders."""
    limits_exact: Bools
    """Whether the lowest and highest values are exact."""

    def summary(self, measure: Measure, now: Measurement) -> list[float]:
        """Return expected, lowest and highest summary; undefined queries stay as they are ``now``.

        Denominators do not depend on the order of the list, so a micro average pools with those of
        the present order.
        """
        kinds = (self.expected, self.low, self.high)
        return [self._summarize(measure, now, each) for each in kinds]

    def _summarize(self, measure: Measure, now: Measurement, values: Floats) -> float:
        settled = np.where(np.isnan(values), now.values, values)
        parts = now.parts
        if measure.pooled and isinstance(parts, Ratio):
            parts = Ratio(np.nan_to_num(settled) * parts.denominator, parts.denominator)
        return now.summary(measure, settled, parts)


class TieAnalysis:
    """The values of several measures over the orders of the same ties, which are built once."""

    def __init__(self, rankings: Rankings, seed: int = 1) -> None:
        self._rankings = rankings
        self._seed = seed
        self._made: dict[tuple[bool, bool, bytes], _Orders] = {}
        self._factors: dict[tuple[Measure, bool], Floats] = {}

    @cached_property
    def _all(self) -> TiedRankings:
        return TiedRankings(self._rankings)

    @cached_property
    def _relevant(self) -> TiedRankings:
        """The relevant documents alone, for measures that see no others."""
        own = self._rankings
        return TiedRankings(replace(own.only(own.hits.grade > 0), pool=own.useful))

    @cached_property
    def _judged_grades(self) -> tuple[float, ...]:
        return tuple(self._rankings.pool.grades.tolist())

    def _sees_relevant_only(self, facts: Facts) -> bool:
        """Return whether only documents of grades above 0 matter: there may be no others."""
        useless = any(grade <= 0 for grade in self._judged_grades)
        return bool(facts.unjudged_as_zero) or not useless

    def _ties(self, bare: bool) -> TiedRankings:
        return self._relevant if bare else self._all

    @cached_property
    def _extremes(self) -> tuple[Rankings, Rankings]:
        return self._relevant.best(), self._relevant.worst()

    def values(self, measure: Measure, now: Floats | None = None) -> TiedValues:
        """Return expected, lowest and highest value of each query; ``now`` if known already."""
        now = measure_view(self._rankings, measure).values if now is None else now
        facts = facts_of(measure, self._judged_grades)
        bare = self._sees_relevant_only(facts)
        ordered = bare and bool(facts.rises_with_order)
        tied = self._ties(bare).tied_queries & ~np.isnan(now)
        always = np.ones(len(now), dtype=bool)
        if not tied.any():
            return TiedValues(now, now, now, always, always)
        made = self._weights(measure)
        low, high = self._sorted_values(measure, made, now, tied) if ordered else (now, now)
        # Where the two ends of a sorted measure are one, every order gives that value.
        doubtful = tied & (high > low) if ordered else tied
        closed = self._closed_form_values(measure, made, bare) if doubtful.any() else None
        expected = now if closed is None else np.where(doubtful, closed, now)
        unknown = doubtful if closed is None else doubtful & np.isnan(expected)
        asked = unknown if ordered else doubtful
        if not asked.any():
            return TiedValues(expected, low, high, always, always)
        orders = self._orders(bare, bool(facts.sum_over_documents), asked)
        mean, least, most = orders.summarize(measure, low, high)
        mean = np.where(unknown, mean, expected)
        complete = always if ordered else ~doubtful | orders.complete
        return TiedValues(mean, least, most, ~unknown | orders.exact, complete)

    def _weights(self, measure: Measure) -> Weights | None:
        # A condensed list is made of each order anew, so nothing is known of it beforehand.
        if measure.selections:
            return None
        return weights(measure, self._rankings.pool.grades, self._longest)

    def _sorted_values(
        self, measure: Measure, made: Weights | None, now: Floats, tied: Bools
    ) -> tuple[Floats, Floats]:
        """Return the lowest and highest values: those of ties sorted by grade."""
        both = self._extreme_values(measure, made)
        return np.where(tied, np.fmin(*both), now), np.where(tied, np.fmax(*both), now)

    @cached_property
    def _longest(self) -> int:
        return int(self._rankings.retrieved.max(initial=1))

    def _extreme_values(self, measure: Measure, made: Weights | None) -> list[Floats]:
        """Return the values of the best and of the worst order of tied documents."""
        if made is None:
            return [measure(view) for view in self._extremes]
        factor = self._factor(made, bare=True)
        return [factor * made.sums(view.hits) for view in self._extremes]

    def _factor(self, made: Weights, bare: bool) -> Floats:
        """Return the value of each query, which does not depend on which documents are tied."""
        key = made.measure, bare
        if key not in self._factors:
            self._factors[key] = made.factor(self._ties(bare).rankings)
        return self._factors[key]

    def _closed_form_values(
        self, measure: Measure, made: Weights | None, bare: bool
    ) -> Floats | None:
        """Return the expected values in closed form, where there is one."""
        own, formulas = self._ties(bare).rankings, measure.definition.over_ties
        if measure.selections:
            return None
        if made is not None:
            mean = made.mean_sums(own.hits, own.tie_first, own.tie_last)
            return self._factor(made, bare) * mean
        return formulas[0](own, *measure.arguments) if formulas else None

    def _orders(self, bare: bool, adds_up: bool, asked: Bools) -> _Orders:
        key = bare, adds_up, asked.tobytes()
        if key not in self._made:
            self._made[key] = self._make(self._ties(bare), adds_up, asked)
        return self._made[key]

    def _make(self, ties: TiedRankings, adds_up: bool, asked: Bools) -> _Orders:
        """Return the orders of the tied documents of these queries."""
        exact, complete = (np.ones(len(ties.rankings.queries), dtype=bool) for _ in range(2))
        rows: list[Ints] = []
        query, weight = [], []
        for number in np.flatnonzero(asked).tolist():
            found = ties.orders(number, MOST_ORDERS)
            turned = ties.rotated_orders(number, MOST_ORDERS) if found is None and adds_up else None
            if turned is not None:
                found = turned[0]
            elif found is None:
                found = ties.random_orders(number, RANDOM_ORDERS, self._seed)
                exact[number] = False
            complete[number] = turned is None and exact[number]
            rows += found
            query += [number] * len(found)
            weight += list(turned[1]) if turned else [1 / len(found)] * len(found)
        return _Orders(
            ties.with_ranks(query, rows), np.asarray(query), np.asarray(weight), exact, complete
        )


@dataclass(frozen=True)
class _Orders:
    """Queries in several orders each, with the weight of each order in the expected value."""

    view: Rankings
    query: Ints
    weight: Floats
    exact: Bools
    """Whether the expected value of each query is exact."""
    complete: Bools
    """Whether these are all orders of each query."""

    def summarize(
        self, measure: Measure, low: Floats, high: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Return the mean over the orders of each query, and the extremes, widened by others."""
        values = measure(select_evidence(self.view, measure))
        mean = sum_at(self.query, values * self.weight, len(low))
        low, high = low.copy(), high.copy()
        np.fmin.at(low, self.query, values)
        np.fmax.at(high, self.query, values)
        return mean, low, high
