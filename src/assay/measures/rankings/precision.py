"""Precision, and precision relative to what could have been reached."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import WEIGHTED_SUM, Settings, only_first_rank
from assay.core.parameters import Depth, Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.relevant_steps import precision_and_recall, relevant_steps


@define(
    "P",
    better="higher",
    bounds=(0, 1),
    aliases=["precision", "set_P", "SetP", "Precision", "SetP[relative=false]"],
    undefined=Undefined(answer="nothing was retrieved"),
    variants=["P@1", "P@5", "P(rel=2)@3"],
    label="precision",
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def precision(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the retrieved documents that is relevant.

    With a cutoff k the first k places count, and a shorter list is filled up with documents that
    are not relevant; without one the whole list is taken as a set.

    >>> measure("P@3")(rankings("++-+-+")).round(3)
    array([0.667])
    """
    return Ratio(rankings.relevant(rel, cutoff).count, rankings.depth(cutoff))


@precision.trace
def precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """Precision (and recall) at each relevant document and at the end."""
    return precision_and_recall(rankings, s.rel, s.cutoff)


@define(
    "relP",
    better="higher",
    bounds=(0, 1),
    aliases=[
        "relative_P",
        "set_relative_P",
        "SetRelP",
        "SetP[relative=true]",
        "recall_cap",
        "R_cap",
    ],
    undefined=Undefined(truth="no relevant document is known", answer="nothing was retrieved"),
    variants=["relP@1", "relP@5", "relP(rel=2)@3"],
    label="relative precision",
    facts=WEIGHTED_SUM.but(ignores_pool=only_first_rank),
)
def relative_precision(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The relevant documents found, as a share of those that so many places could have held.

    The denominator is the smaller of the places looked at and the relevant documents that are
    known, so that 1 can always be reached.

    >>> measure("relP@5")(rankings("+-+--")).round(3)
    array([1.])
    """
    reachable = np.minimum(rankings.depth(cutoff), rankings.relevant_count(rel))
    return Ratio(rankings.relevant(rel, cutoff).count, reachable)


@relative_precision.trace
def relative_trace(rankings: Rankings, s: Settings) -> Columns:
    """The relevant documents so far, and how many there could have been."""
    columns = relevant_steps(rankings, s.rel, s.cutoff)
    reachable = np.minimum(columns["rank"], rankings.relevant_count(s.rel)[0])
    return columns | {
        "reachable": reachable,
        "relative precision": ratio(columns["relevant so far"], reachable),
    }
