"""Counts of queries and documents: summed up over queries as trec_eval does, or their mean."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import WEIGHTED_SUM, Facts, Settings
from assay.core.parameters import Depth, Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.relevant_steps import relevant_steps, set_counts

COUNT = (0, math.inf)


@define(
    "NumQ",
    better="neither",
    bounds=(0, 1),
    aggregate="sum",
    aliases=["num_q"],
    label="queries",
    facts=Facts(unjudged_as_zero=True, ignores_pool=True, rises_with_order=True),
)
def queries(rankings: Rankings) -> Floats:
    """The number of queries that are evaluated.

    >>> measure("NumQ")(rankings("+-", "-+"))
    array([1., 1.])
    """
    return np.ones(len(rankings.queries))


@queries.trace
def queries_trace(rankings: Rankings) -> Columns:
    """The one query."""
    return {"query": list(rankings.queries), "count": queries(rankings)}


@define(
    "NumRet",
    better="neither",
    bounds=COUNT,
    aggregate="sum",
    aliases=["num_ret"],
    label="documents retrieved",
    facts=Facts(unjudged_as_zero=True, ignores_pool=True, rises_with_order=True),
)
def retrieved(rankings: Rankings) -> Floats:
    """The number of documents retrieved.

    >>> measure("NumRet")(rankings("+-?", "-+"))
    array([3., 2.])
    """
    return rankings.depth()


@retrieved.trace
def retrieved_trace(rankings: Rankings) -> Columns:
    """The length of the list, and how much of it is judged."""
    judged = float(rankings.judged().count[0])
    total = float(rankings.depth()[0])
    return set_counts(["judged", "not judged", "retrieved"], [judged, total - judged, total])


@define(
    "NumRel",
    better="neither",
    bounds=COUNT,
    aggregate="sum",
    aliases=["num_rel"],
    variants=["NumRel(rel=2)"],
    label="relevant documents",
    facts=Facts(unjudged_as_zero=True, rises_with_order=True),
)
def relevant(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The number of relevant documents that are known, also of queries without an answer.

    >>> measure("NumRel")(rankings("+-|+", "-"))
    array([2., 0.])
    """
    return rankings.relevant_count(rel)


@relevant.extremes
def relevant_over_holes(
    rankings: Rankings, grades: Floats, s: Settings
) -> tuple[Floats, Floats, bool]:
    """What is known, and all holes besides."""
    known = rankings.relevant_count(s.rel)
    return known, known + rankings.depth() - rankings.judged().count, True


@relevant.trace
def relevant_trace(rankings: Rankings, s: Settings) -> Columns:
    """The relevant documents, retrieved and not."""
    known, found = (
        float(rankings.relevant_count(s.rel)[0]),
        float(rankings.relevant(s.rel).count[0]),
    )
    return set_counts(
        ["relevant, retrieved", "relevant, not retrieved", "relevant"],
        [found, known - found, known],
    )


@define(
    "NumRelRet",
    better="higher",
    bounds=COUNT,
    aggregate="sum",
    aliases=["num_rel_ret", "NumRet[rel]"],
    variants=["NumRelRet(rel=2)", "NumRelRet@3"],
    label="relevant documents retrieved",
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def relevant_retrieved(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """The number of relevant documents retrieved, within the cutoff if there is one.

    >>> measure("NumRelRet")(rankings("+-?+|+", "-"))
    array([2., 0.])
    """
    return rankings.relevant(rel, cutoff).count


@relevant_retrieved.trace
def relevant_retrieved_trace(rankings: Rankings, s: Settings) -> Columns:
    """The relevant documents so far."""
    return relevant_steps(rankings, s.rel, s.cutoff)


@define(
    "Hits",
    better="higher",
    bounds=COUNT,
    variants=["Hits(rel=2)", "Hits@3"],
    label="relevant documents in a list",
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def hits(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """How many relevant documents a list has within the cutoff, as a mean over queries.

    NumRelRet is the same count summed up over the queries.

    >>> measure("Hits@2")(rankings("+-+", "++", "-+"))
    array([1., 2., 1.])
    """
    return rankings.relevant(rel, cutoff).count


@hits.trace
def hit_trace(rankings: Rankings, s: Settings) -> Columns:
    """The relevant documents so far."""
    return relevant_steps(rankings, s.rel, s.cutoff)


@define(
    "NumNonrelJudgedRet",
    better="neither",
    bounds=COUNT,
    aggregate="sum",
    aliases=["num_nonrel_judged_ret"],
    variants=["NumNonrelJudgedRet(rel=2)"],
    label="documents retrieved and judged not relevant",
    facts=Facts(
        ignores_pool=True,
        sum_over_documents=True,
        fixed_weights=lambda s, grades: bool(grades.max(initial=0) < s.rel),
        rises_with_order=True,
    ),
)
def judged_nonrelevant_retrieved(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The number of documents retrieved that were judged and are not relevant.

    >>> measure("NumNonrelJudgedRet")(rankings("+-?~-"))
    array([2.])
    """
    judged = rankings.judged()
    return judged.where(judged.grade < rel).count


@judged_nonrelevant_retrieved.trace
def judged_nonrelevant_trace(rankings: Rankings, s: Settings) -> Columns:
    """Each judged document that is not relevant, and how many there are so far."""
    judged = rankings.judged()
    found = judged.where(judged.grade < s.rel)
    return {"rank": found.rank, "not relevant so far": found.place}
