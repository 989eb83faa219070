"""Counts of queries and documents, and shares of judged documents."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import WEIGHTED_SUM, Facts, Range, Settings
from assay.core.parameters import Depth, Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.precision_recall import relevant_steps, set_counts
from assay.measures.trace_tables import at_every_rank, list_ranks

COUNT = (0, math.inf)
define_count = partial(define, better="neither", bounds=COUNT, aggregate="sum")


@define(
    "NumQ",
    better="neither",
    aggregate="sum",
    aliases=["num_q"],
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
    """Return the one query."""
    return {"query": list(rankings.queries), "count": queries(rankings)}


@define_count(
    "NumRet",
    aliases=["num_ret"],
    facts=Facts(unjudged_as_zero=True, ignores_pool=True, rises_with_order=True),
)
def documents_retrieved(rankings: Rankings) -> Floats:
    """The number of documents retrieved.

    >>> measure("NumRet")(rankings("+-?", "-+"))
    array([3., 2.])
    """
    return rankings.depth()


@documents_retrieved.trace
def retrieved_trace(rankings: Rankings) -> Columns:
    """Return the length of the list, and how much of it is judged."""
    judged = float(rankings.judged().count[0])
    total = float(rankings.depth()[0])
    return set_counts(["judged", "unjudged", "retrieved"], [judged, total - judged, total])


@define_count(
    "NumRel",
    aliases=["num_rel"],
    variants=["NumRel(rel=2)"],
    facts=Facts(unjudged_as_zero=True, rises_with_order=True),
)
def relevant_documents(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The number of known relevant documents, including those of queries without a result.

    >>> measure("NumRel")(rankings("+-|+", "-"))
    array([2., 0.])
    """
    return rankings.relevant_count(rel)


@relevant_documents.extremes
def relevant_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return what is known, and all holes besides."""
    known = rankings.relevant_count(s.rel)
    return known, known + rankings.depth() - rankings.judged().count, True


@relevant_documents.trace
def relevant_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the relevant documents, retrieved and not."""
    known, found = (
        float(each[0]) for each in (rankings.relevant_count(s.rel), rankings.relevant(s.rel).count)
    )
    return set_counts(
        ["relevant, retrieved", "relevant, not retrieved", "relevant"],
        [found, known - found, known],
    )


@define(
    "NumRelRet",
    bounds=COUNT,
    aggregate="sum",
    aliases=["num_rel_ret", "NumRet[rel]"],
    variants=["NumRelRet(rel=2)", "NumRelRet@3"],
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def relevant_documents_retrieved(
    rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The number of relevant documents retrieved, within the cutoff if there is one.

    >>> measure("NumRelRet")(rankings("+-?+|+", "-"))
    array([2., 0.])
    """
    return rankings.relevant(rel, cutoff).count


@relevant_documents_retrieved.trace
def relevant_retrieved_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the relevant documents so far."""
    return relevant_steps(rankings, s.rel, s.cutoff)


@define(
    "Hits",
    bounds=COUNT,
    variants=["Hits(rel=2)", "Hits@3"],
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def relevant_documents_in_a_list(
    rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The number of relevant documents retrieved within the cutoff, as a mean over queries.

    NumRelRet is the same count summed up over the queries.

    >>> measure("Hits@2")(rankings("+-+", "++", "-+"))
    array([1., 2., 1.])
    """
    return rankings.relevant(rel, cutoff).count


relevant_documents_in_a_list.trace(relevant_retrieved_trace)


@define_count(
    "NumNonrelJudgedRet",
    aliases=["num_nonrel_judged_ret"],
    variants=["NumNonrelJudgedRet(rel=2)"],
    facts=Facts(
        ignores_pool=True,
        sum_over_documents=True,
        fixed_weights=lambda s, grades: bool(grades.max(initial=0) < s.rel),
        rises_with_order=True,
    ),
)
def documents_retrieved_and_judged_not_relevant(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The number of retrieved documents that are judged not relevant.

    >>> measure("NumNonrelJudgedRet")(rankings("+-?~-"))
    array([2.])
    """
    judged = rankings.judged()
    return judged.where(judged.grade < rel).count


@documents_retrieved_and_judged_not_relevant.trace
def judged_nonrelevant_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, and how many documents judged not relevant there are so far."""
    judged, rank = rankings.judged(), list_ranks(rankings)
    so_far = np.cumsum(at_every_rank(rank, judged, judged.grade < s.rel))
    return {"rank": rank, "not relevant so far": so_far}


def _none_negative(settings: Settings, grades: Floats) -> bool:
    """Return whether all grades are judgments under every policy for negative ones."""
    return bool((grades >= 0).all())


NOTHING = Undefined(answer="nothing was retrieved")


@define(
    "Judged",
    better="neither",
    aliases=["judged"],
    undefined=NOTHING,
    variants=["Judged@1", "Judged@10"],
    facts=Facts(
        ignores_pool=True,
        sum_over_documents=_none_negative,
        fixed_weights=_none_negative,
        rises_with_order=True,
    ),
)
def share_of_judged_documents(rankings: Rankings, cutoff: Depth | None = None) -> Ratio:
    """The share of the retrieved documents that are judged, within the cutoff if there is one.

    The denominator is the length of the list where that is below the cutoff (ir_measures). The
    policy ``negative_grades`` says whether a grade below 0 is a judgment.

    >>> measure("Judged@10")(rankings("+-?+"))
    array([0.75])
    """
    length = rankings.depth()
    seen = length if cutoff is None else np.minimum(length, cutoff)
    return Ratio(rankings.assessed(cutoff).count, seen)


@share_of_judged_documents.trace
def judged_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, and the share judged so far."""
    rank = list_ranks(rankings, s.cutoff)
    so_far = np.cumsum(at_every_rank(rank, rankings.assessed(s.cutoff), 1))
    return {"rank": rank, "judged so far": so_far, "share": ratio(so_far, rank)}


@define(
    "Unjudged",
    better="neither",
    aliases=["unj", "unjudged", "hole"],
    undefined=NOTHING,
    variants=["Unjudged@1", "Unjudged@10"],
    facts=Facts(ignores_pool=True, rises_with_order=True),
)
def share_of_unjudged_documents(rankings: Rankings, cutoff: Depth | None = None) -> Ratio:
    """The share of the ranks that have an unjudged document.

    The denominator is the cutoff, also for a shorter list (trec_eval 10): so this is not
    1 − Judged where a list is short.

    >>> measure("Unjudged@10")(rankings("+-?+"))
    array([0.1])
    """
    length = rankings.depth()
    seen = length if cutoff is None else np.minimum(length, cutoff)
    return Ratio(seen - rankings.assessed(cutoff).count, rankings.depth(cutoff))


@share_of_unjudged_documents.trace
def unjudged_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, and the documents without a judgment so far; also at the cutoff."""
    rank, end = list_ranks(rankings, s.cutoff), int(rankings.depth(s.cutoff)[0])
    missing = rank - np.cumsum(at_every_rank(rank, rankings.assessed(s.cutoff), 1))
    if end > len(rank):
        rank, missing = np.append(rank, end), np.append(missing, missing[-1:].sum())
    return {"rank": rank, "unjudged so far": missing, "share": ratio(missing, rank)}
