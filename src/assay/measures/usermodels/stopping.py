"""ERR and expected utility with stopping probabilities that were estimated from clicks."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Depth, Share
from assay.evidence.views.stopping_rankings import QueryStops, StoppingRankings

NO_STOP = "no document that could satisfy is known"


@define(
    "clickERR",
    undefined=NO_STOP,
    variants=["clickERR@2"],
    label="expected reciprocal rank by clicks",
)
def click_err(rankings: StoppingRankings, cutoff: Depth | None = None) -> Floats:
    """The expected reciprocal of the rank at which a user stops, satisfied.

    As ERR, but the probability that each document satisfies is given, for example by a click model
    of a log. Documents without one never satisfy.

    >>> measure("clickERR")(stopping("+-2")).round(3)
    array([0.625])
    """
    return rankings.per_query(lambda one: _expected(one, _reciprocal(one.within(cutoff))))


@define(
    "clickEU",
    undefined=NO_STOP,
    variants=["clickEU@2", "clickEU(continuation=0.5)"],
    label="expected utility by clicks",
)
def click_utility(
    rankings: StoppingRankings, continuation: Share = 1, cutoff: Depth | None = None
) -> Floats:
    """The probability that a user stops at a document of the ranking, satisfied.

    A user who is not satisfied goes on to the next rank with the probability ``continuation``, as
    in a DBN.

    >>> measure("clickEU")(stopping("+-2")).round(3)
    array([0.875])
    """
    return rankings.per_query(
        lambda one: _expected(one, _utility(one.within(cutoff), continuation))
    )


def _expected(one: QueryStops, parts: Floats) -> float:
    return float(np.cumsum(parts)[-1]) if len(parts) else (0.0 if (one.pool > 0).any() else np.nan)


def _reciprocal(one: QueryStops) -> Floats:
    return np.where((one.pool > 0).any(), one.chance * one.reached / one.rank, np.nan)


def _utility(one: QueryStops, continuation: float) -> Floats:
    parts = one.chance * one.reached * continuation ** (one.rank - 1)
    return np.where((one.pool > 0).any(), parts, np.nan)


@click_err.trace
def click_err_trace(rankings: StoppingRankings, s: Settings) -> Columns:
    """Return each document with a known probability, and its part."""
    return _trace(rankings.records[0].within(s.cutoff), _reciprocal)


@click_utility.trace
def click_utility_trace(rankings: StoppingRankings, s: Settings) -> Columns:
    """Return each document with a known probability, and its part."""
    return _trace(rankings.records[0].within(s.cutoff), lambda one: _utility(one, s.continuation))


def _trace(one: QueryStops, parts: object) -> Columns:
    part = parts(one)  # type: ignore[operator]
    return {
        "rank": one.rank,
        "satisfies": one.chance,
        "is reached": one.reached,
        "part": part,
        "sum": np.cumsum(part),
    }
