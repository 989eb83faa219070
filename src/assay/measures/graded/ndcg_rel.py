"""Normalised discounted cumulative gain averaged over relevant documents (trec_eval)."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Gain
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import gains_within, ideal_gains, rank_discount
from assay.measures.trace_tables import running_mean


def running_dcg(listed: Hits) -> Floats:
    """The discounted gain up to and with each document."""
    return listed.total(listed.grade * rank_discount(listed.rank))


def ndcg_at(found: Hits, best: Hits, query: Ints, rank: Ints) -> Floats:
    """The nDCG at a rank, for pairs of a query and a rank; 0 where there is no gain to reach."""
    reached = found.at(running_dcg(found), query, rank)
    possible = best.at(running_dcg(best), query, rank)
    return np.nan_to_num(ratio(reached, possible))


@define(
    "ndcg_rel",
    undefined="no document with a gain is known",
    variants=["ndcg_rel(gain=exp)"],
    label="nDCG averaged over relevant documents",
    facts=MONOTONE.but(falls_with_pool=False),
)
def ndcg_rel(rankings: Rankings, gain: Gain = "grade") -> Floats:
    """The mean of the nDCG at the rank of each document with a gain.

    For a document that was not retrieved the nDCG at the end of the list counts, over the whole
    ideal list. An experimental measure of trec_eval.

    >>> measure("ndcg_rel")(rankings("-+|+")).round(4)
    array([0.3869])
    """
    listed, ideal = gains_within(rankings, gain), ideal_gains(rankings, gain)
    found, best = listed.where(listed.grade > 0), ideal.where(ideal.grade > 0)
    at_each = found.sum(ndcg_at(listed, best, found.query, found.rank))
    at_end = ratio(
        listed.sum(listed.grade * rank_discount(listed.rank)),
        best.sum(best.grade * rank_discount(best.rank)),
    )
    return ratio(at_each + (best.count - found.count) * at_end, best.count)


@ndcg_rel.trace
def ndcg_rel_trace(rankings: Rankings, s: Settings) -> Columns:
    """The nDCG at each retrieved document with a gain, and at the end for those not retrieved."""
    listed, best = gains_within(rankings, s.gain), ideal_gains(rankings, s.gain)
    found = listed.where(listed.grade > 0)
    missed = float((best.grade > 0).sum() - len(found.rank))
    at_end = ratio(running_dcg(listed)[-1:].sum(), running_dcg(best)[-1:].sum())
    value = np.append(ndcg_at(listed, best, found.query, found.rank), at_end)
    documents = np.append(np.ones(len(found.rank)), missed)
    shown = documents > 0
    return {
        "rank": np.append(found.rank, rankings.retrieved[0])[shown],
        "documents": documents[shown],
        "nDCG": value[shown],
        "mean so far": running_mean(value, documents)[shown],
    }
