"""Recall, and success."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import MONOTONE, WEIGHTED_SUM, Range, Settings, only_first_rank
from assay.core.parameters import Depth, Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.relevant_steps import precision_and_recall, relevant_steps

NO_RELEVANT = "no relevant document is known"


@define(
    "R",
    aliases=["recall", "set_recall", "SetR", "Recall"],
    undefined=NO_RELEVANT,
    variants=["R@1", "R@5", "R(rel=2)@3"],
    label="recall",
    facts=WEIGHTED_SUM,
)
def recall(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the relevant documents that is retrieved, within the cutoff if there is one.

    >>> measure("R@3")(rankings("++-+-+|+")).round(3)
    array([0.4])
    """
    return Ratio(rankings.relevant(rel, cutoff).count, rankings.relevant_count(rel))


@recall.extremes
def recall_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """At least with the holes below the cutoff relevant, at most with those above it.

    A relevant hole that is seen adds 1 to both sides of the ratio, which is never above 1.
    """
    found, known = rankings.relevant(s.rel, s.cutoff).count, rankings.relevant_count(s.rel)
    holes = rankings.depth() - rankings.judged().count
    seen = np.minimum(rankings.depth(), rankings.depth(s.cutoff)) - rankings.judged(s.cutoff).count
    return ratio(found, known + holes - seen), ratio(found + seen, known + seen), True


@recall.trace
def recall_trace(rankings: Rankings, s: Settings) -> Columns:
    """Recall (and precision) at each relevant document and at the end."""
    return precision_and_recall(rankings, s.rel, s.cutoff)


@define(
    "Success",
    aliases=["success", "hit_rate", "Hit"],
    undefined=NO_RELEVANT,
    variants=["Success@1", "Success@5", "Success(rel=2)@3"],
    label="success",
    facts=MONOTONE.but(
        ignores_pool=True, sum_over_documents=only_first_rank, fixed_weights=only_first_rank
    ),
)
def success(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """1 where at least one relevant document is retrieved, within the cutoff if there is one.

    Work on question answering often calls this recall at k.

    >>> measure("Success@3")(rankings("--+", "---+")).round(3)
    array([1., 0.])
    """
    found = rankings.relevant(rel, cutoff).count > 0
    return np.where(rankings.relevant_count(rel) > 0, found.astype(np.float64), np.nan)


@success.trace
def success_trace(rankings: Rankings, s: Settings) -> Columns:
    """The relevant documents so far, and whether that is a success."""
    columns = relevant_steps(rankings, s.rel, s.cutoff)
    return columns | {"success": (columns["relevant so far"] > 0).astype(np.float64)}
