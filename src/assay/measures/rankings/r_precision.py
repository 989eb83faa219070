"""R-precision in its three meanings, and precision at multiples of R."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, Ratio, define
from assay.core.parameters import Grade, Multiple, Share
from assay.evidence.rankings import Rankings
from assay.measures.rankings.recall_levels import count_for
from assay.measures.rankings.steps import precision_and_recall

NO_RELEVANT = "no relevant document is known"
Form = Literal["rank", "largest", "first"]


@define(
    "Rprec",
    better="higher",
    bounds=(0, 1),
    aliases=["RPrec", "r-precision", "R-precision"],
    undefined=NO_RELEVANT,
    variants=["Rprec(rel=2)", "Rprec(form=largest)", "Rprec(form=first,recall=0.3)"],
    label="R-precision",
)
def r_precision(
    rankings: Rankings, rel: Grade = 1, form: Form = "rank", recall: Share = 0.5
) -> Floats:
    """The precision at rank R, where R is the number of relevant documents.

    Two other meanings go by a ``recall`` that is to be reached: the ``largest`` precision at that
    recall or any higher one, and the precision where that recall is ``first`` reached.

    >>> [measure(f"Rprec(form={form})")(rankings("-++")).round(2) for form in ("rank", "largest")]
    [array([0.5]), array([0.67])]
    >>> measure("Rprec(form=first,recall=0.5)")(rankings("-++"))
    array([0.5])
    """
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    if form == "rank":
        return ratio(found.sum(found.rank <= known[found.query]), known)
    needed = np.maximum(count_for(recall, known, rankings.recall_levels), 1)[found.query]
    reached = found.place >= needed if form == "largest" else found.place == needed
    best = found.highest(np.where(reached, found.place / found.rank, 0.0))
    return np.where(known > 0, best, np.nan)


@r_precision.trace
def trace(rankings: Rankings, rel: Grade = 1, form: Form = "rank", recall: Share = 0.5) -> Columns:
    """Precision and recall at each relevant document: up to rank R, or from the recall on."""
    known = int(rankings.relevant_count(rel)[0])
    if form == "rank":
        return precision_and_recall(rankings, rel, known or None)
    columns = precision_and_recall(rankings, rel)
    needed = max(count_for(recall, np.asarray([float(known)]), rankings.recall_levels)[0], 1)
    so_far = columns["relevant so far"]
    reached = so_far >= needed
    counts = reached if form == "largest" else reached & (np.cumsum(reached) == 1)
    return columns | {
        "recall is reached": reached,
        f"{form} since then": np.maximum.accumulate(np.where(counts, columns["precision"], 0.0)),
    }


@define(
    "Rprec_mult",
    better="higher",
    bounds=(0, 1),
    undefined=NO_RELEVANT,
    variants=["Rprec_mult@0.5", "Rprec_mult@2", "Rprec_mult(rel=2)@0.2"],
    label="precision at a multiple of R",
)
def r_precision_multiple(rankings: Rankings, multiple: Multiple, rel: Grade = 1) -> Ratio:
    """The precision at a multiple of the number of relevant documents, such as half of it.

    The rank is rounded up. The profiles of trec_eval add 0.9 and cut off instead, as it does.

    >>> measure("Rprec_mult@0.5")(rankings("+--+|++"))
    array([0.5])
    """
    found, depth = rankings.relevant(rel), _depth(rankings, rel, multiple)
    return Ratio(found.sum(found.rank <= depth[found.query]), depth)


@r_precision_multiple.trace
def multiple_trace(rankings: Rankings, multiple: Multiple, rel: Grade = 1) -> Columns:
    """Precision and recall at each relevant document down to the multiple of R."""
    depth = int(_depth(rankings, rel, multiple)[0])
    return precision_and_recall(rankings, rel, depth or None)


def _depth(rankings: Rankings, rel: float, multiple: float) -> Floats:
    # trec_eval 10 rounds recall levels but has kept the older way here.
    way = "exact" if rankings.recall_levels == "exact" else "truncated"
    return count_for(multiple, rankings.relevant_count(rel), way).astype(np.float64)
