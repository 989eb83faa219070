"""Rank-biased precision, and the part of it that is not known."""

from __future__ import annotations

import math
from typing import Annotated, Any, TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import WEIGHTED_SUM, Facts, Settings
from assay.core.parameters import Depth, Grade, Kind, Persistence, read_table
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import look_up_grades
from assay.measures.trace_tables import at_every_rank, list_ranks


def _read_worth(text: str) -> Any:
    if text == "topic":
        return text
    return read_table(text) if text.startswith("{") else float(text)


def _is_worth(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) > 0 and all(0 <= worth <= 1 for _, worth in value)
    return value == "topic" or (math.isfinite(value) and value > 0)


Worth: TypeAlias = Annotated[
    Any,
    Kind(
        "the highest grade, 'topic', or a table of shares such as {1:0.5,2:1}",
        _read_worth,
        _is_worth,
    ),
]


def document_worth(rankings: Rankings, found: Hits, rel: float, gmax: Worth | None) -> Floats:
    """Return what each document is worth, between 0 and 1."""
    if gmax is None:
        return (found.grade >= rel).astype(np.float64)
    if isinstance(gmax, tuple):
        return look_up_grades(found.grade, gmax)
    if gmax == "topic":
        pool = rankings.best()
        highest = np.maximum(pool.highest(pool.grade), 1)[found.query]
        return found.grade / highest
    return np.minimum(found.grade, gmax) / gmax


def worth_and_attention(
    rankings: Rankings, rel: float, p: float, gmax: Worth | None, cutoff: int | None
) -> tuple[Hits, Floats, Floats]:
    """Return the judged documents, what each is worth, and how likely it is to be looked at."""
    found = rankings.judged(cutoff)
    weight = (1 - p) * np.power(float(p), found.rank - 1)
    return found, document_worth(rankings, found, rel, gmax), weight


@define(
    "RBP",
    aliases=["rbp(p=0.9,gmax=topic)", "rbp.*(p=0.*)"],
    variants=["RBP(p=0.5)", "RBP(gmax=9)", "RBP(p=0.95)@5", "RBP(rel=2)"],
    label="rank-biased precision",
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def rank_biased_precision(
    rankings: Rankings,
    rel: Grade = 1,
    p: Persistence = 0.8,
    gmax: Worth | None = None,
    cutoff: Depth | None = None,
) -> Floats:
    """The gain per document of a user who goes on to the next one with probability p.

    A document is worth 1 if it is relevant; with ``gmax`` it is worth grade / gmax (or what a
    table says; ``gmax=topic``: the highest grade judged for the query, which with p = 0.9 is the
    ``rbp`` of trec_eval 10). The share at rank i is (1 − p)·p^(i − 1). ranx adds raw grades, which
    can go above 1. The user model is one of positions: going on does not depend on relevance.

    >>> measure("RBP(p=0.5)")(rankings("+-+"))
    array([0.625])
    """
    found, worth, weight = worth_and_attention(rankings, rel, p, gmax, cutoff)
    return found.sum(worth * weight)


@rank_biased_precision.trace
def rank_biased_precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, what its document is worth, and its weight."""
    found, judged, _ = worth_and_attention(rankings, s.rel, s.p, s.gmax, s.cutoff)
    rank = list_ranks(rankings, s.cutoff)
    worth, weight = at_every_rank(rank, found, judged), (1 - s.p) * np.power(float(s.p), rank - 1)
    return {
        "rank": rank,
        "worth": worth,
        "weight": weight,
        "part": worth * weight,
        "sum": np.cumsum(worth * weight),
    }


@define(
    "RBP_residual",
    better="lower",
    aliases=["rbp_resid(p=0.9)"],
    variants=["RBP_residual(p=0.5)", "RBP_residual(p=0.95)@5"],
    label="residual of rank-biased precision",
    facts=Facts(ignores_pool=True, rises_with_order=True),
)
def residual(rankings: Rankings, p: Persistence = 0.8, cutoff: Depth | None = None) -> Floats:
    """The increase of RBP if every unjudged document were worth 1.

    That is the weight of the unjudged documents and of all places below the list or the cutoff.
    trec_eval 10 gives 0 where every retrieved document is judged, although the list ends.

    >>> measure("RBP_residual(p=0.5)")(rankings("+?-"))
    array([0.375])
    """
    found = rankings.judged(cutoff)
    return 1 - found.sum((1 - p) * np.power(float(p), found.rank - 1))


@residual.trace
def residual_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, its weight, that of the judged ones, and what remains."""
    rank = list_ranks(rankings, s.cutoff)
    weight = (1 - s.p) * np.power(float(s.p), rank - 1)
    judged = weight * at_every_rank(rank, rankings.judged(s.cutoff), 1)
    return {"rank": rank, "weight": weight, "judged": judged, "remains": 1 - np.cumsum(judged)}
