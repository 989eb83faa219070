"""The lowest and highest values that have been found, and their summary over queries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.definition import GEOMETRIC_FLOOR
from assay.core.names import Measure
from assay.engine.local import Measurement


def extreme_summary(
    measure: Measure, now: Measurement, values: Floats, leaving: Bools, sign: int
) -> float:
    """Return the greatest summary of the values (sign 1), or the least (sign -1).

    Queries that are undefined ``now``, and those that may leave, are in it where that helps: those
    with the most extreme values first, as long as each is beyond the mean so far.
    """
    undefined, without = np.isnan(now.values), np.isnan(values)
    settled = np.where(undefined | without, now.values, values)
    able = np.flatnonzero((undefined | leaving) & ~without)
    settled[leaving] = np.nan
    if not len(able):
        return now.summary(measure, settled, settled)
    falling = able[np.argsort(-sign * values[able], kind="stable")]
    joining = falling[
        : _best_count(measure, now.view.support, settled, values[falling], falling, sign)
    ]
    settled[joining] = values[joining]
    return now.summary(measure, settled, settled)


def _best_count(
    measure: Measure,
    support: Floats | None,
    settled: Floats,
    joining: Floats,
    places: Ints,
    sign: int,
) -> int:
    """Return how many of the values, in their order, make the summary most extreme."""
    if measure.definition.aggregate == "sum":
        return int(np.count_nonzero(sign * joining > 0))
    weight = np.ones(len(settled))
    if measure.average == "weighted" and support is not None:
        weight = support
    if measure.definition.aggregate == "geometric" and measure.average is None:
        settled, joining = (
            np.log(np.maximum(each, GEOMETRIC_FLOOR)) for each in (settled, joining)
        )
    known = ~np.isnan(settled)
    top = np.cumsum(np.append(settled[known] @ weight[known], joining * weight[places]))
    bottom = np.cumsum(np.append(weight[known].sum(), weight[places]))
    with np.errstate(all="ignore"):
        means = sign * top / bottom
    return 0 if np.isnan(means).all() else int(np.nanargmax(means))


SLACK = 1e-12
"""Numbers that differ by less are the same."""


@dataclass(frozen=True)
class Bounds:
    """For each query the bounds of its value, and whether an assignment reaches them."""

    low: Floats
    high: Floats
    low_exact: Bools
    high_exact: Bools
    derived: Bools
    """Whether the bounds follow from the ranking; if not, they are the limits of the measure."""
    leaving: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """Which queries have a value that some assignment takes from them; empty if none has."""

    @property
    def kind(self) -> str:
        """What the bounds are: ``exact``, ``outer``, or the measure's own ``limits``."""
        if bool(np.all(self.low_exact & self.high_exact)):
            return "exact"
        return "outer" if bool(np.all(self.derived)) else "limits"

    def summary(self, measure: Measure, now: Measurement) -> tuple[float, float]:
        """Return the bounds of the summary value, which queries may join or leave by judgments.

        A micro average weighs queries by their denominators, which grow with what is judged, so all
        that is known of it is that it lies among the values of the queries.
        """
        if measure.pooled:
            return float(np.fmin.reduce(self.low)), float(np.fmax.reduce(self.high))
        leaving = self.leaving if len(self.leaving) else np.zeros(len(self.low), dtype=bool)
        return (
            extreme_summary(measure, now, self.low, leaving, sign=-1),
            extreme_summary(measure, now, self.high, leaving, sign=1),
        )

    def allow_undefined(self, leaving: Bools, instead: float | None, certainly: bool) -> Bounds:
        """Return the same where some assignment leaves these queries undefined.

        Then ``instead`` stands for the value, if anything does, ``certainly`` or perhaps.
        """
        if instead is None:
            return replace(self, leaving=leaving)
        low = np.where(leaving, np.fmin(self.low, instead), self.low)
        high = np.where(leaving, np.fmax(self.high, instead), self.high)
        sure = certainly | ~leaving
        return Bounds(
            low,
            high,
            (self.low_exact | (low < self.low)) & sure,
            (self.high_exact | (high > self.high)) & sure,
            self.derived,
            leaving & (not certainly),
        )

    def replace_for(self, others: Bounds, chosen: Ints, now: Floats) -> Bounds:
        """Return the same, with other bounds for some queries that are undefined as judged.

        Where something stands for what is undefined, it is a value that they may keep.
        """
        kept = now[chosen]
        low, high = self.low.copy(), self.high.copy()
        low[chosen], high[chosen] = np.fmin(others.low, kept), np.fmax(others.high, kept)
        low_exact, high_exact = self.low_exact.copy(), self.high_exact.copy()
        low_exact[chosen] = others.low_exact | (kept <= low[chosen])
        high_exact[chosen] = others.high_exact | (kept >= high[chosen])
        derived = self.derived.copy()
        derived[chosen] = others.derived
        return Bounds(low, high, low_exact, high_exact, derived, self.leaving)


def certain_bounds(now: Floats) -> Bounds:
    """Return the bounds of values that no judgment can change."""
    always = np.ones(len(now), dtype=bool)
    return Bounds(now, now, always, always, always)


class Extremes:
    """The extremes met so far, and the extremes that some assignment reaches."""

    def __init__(
        self, now: Floats, limits: tuple[float, float], as_zero: bool, opened: bool = False
    ) -> None:
        self.now, self.limits, self.opened = now, limits, opened
        self.low, self.high = now.copy(), now.copy()
        # The value now is that of grade 0 everywhere, unless the measure sees who was judged.
        first = now if as_zero else np.full_like(now, np.nan)
        self.reached_low, self.reached_high = first.copy(), first.copy()

    def meet(self, query: Ints, values: Floats, reached: Bools) -> None:
        """Widen by values, some of which an assignment reaches."""
        np.fmin.at(self.low, query, values)
        np.fmax.at(self.high, query, values)
        self.reach(query[reached], values[reached])

    def reach(self, query: Ints, values: Floats) -> None:
        """Add values that an assignment attains."""
        np.fmin.at(self.reached_low, query, values)
        np.fmax.at(self.reached_high, query, values)

    def bounds(self) -> Bounds:
        """Return the extremes within the measure's own limits.

        Undefined queries stay undefined, unless they are ``opened``: then these are the extremes of
        the assignments that define them.
        """
        known = ~np.isnan(self.low if self.opened else self.now)
        low = np.where(known, np.maximum(self.low, self.limits[0]), np.nan)
        high = np.where(known, np.minimum(self.high, self.limits[1]), np.nan)
        return Bounds(
            low,
            high,
            ~known | (np.abs(low - self.reached_low) <= SLACK),
            ~known | (np.abs(high - self.reached_high) <= SLACK),
            np.ones(len(low), dtype=bool),
        )
