"""R-precision, precision at multiples of R, and the break-even point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio, unit_numbers, unit_offsets, unit_ranks
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import MONOTONE, Range, Settings
from assay.core.parameters import Grade, Multiple, Share
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.precision_recall import precision_and_recall
from assay.measures.rankings.precision_recall_curves import relevant_count_for

NO_RELEVANT = "no relevant document is known"
Form = Literal["rank", "largest", "first"]


@define(
    "Rprec",
    aliases=["RPrec", "r-precision", "R-precision"],
    undefined=NO_RELEVANT,
    variants=["Rprec(rel=2)", "Rprec(form=largest)", "Rprec(form=first,recall=0.3)"],
    together={"recall": "form"},
    label="R-precision",
    facts=MONOTONE.but(
        sum_over_documents=lambda s, grades: s.form == "rank",
        falls_with_pool=lambda s, grades: s.form == "largest",
    ),
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
    needed = np.maximum(relevant_count_for(recall, known, rankings.recall_levels), 1)[found.query]
    reached = found.place >= needed if form == "largest" else found.place == needed
    best = found.highest(np.where(reached, found.precision, 0.0))
    return np.where(known > 0, best, np.nan)


@r_precision.extremes
def r_precision_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return the range: with m relevant unjudged documents the depth is known."""
    return _precision_extremes(rankings, s.rel, lambda known: known) if s.form == "rank" else None


def _precision_extremes(
    rankings: Rankings, rel: float, depth_of: Callable[[Floats], Floats]
) -> Range:
    """Return the range of the precision at a depth that depends on the number of relevant ones."""
    found, judged, known = rankings.relevant(rel), rankings.judged(), rankings.relevant_count(rel)
    holes = rankings.retrieved - judged.count.astype(np.int64)
    offsets = unit_offsets(holes + 1)
    query, more = unit_numbers(offsets), unit_ranks(offsets) - 1
    depth = depth_of(known[query] + more)
    here = found.at(found.place.astype(np.float64), query, depth)
    above = judged.at(judged.place.astype(np.float64), query, depth)
    seen = np.minimum(depth, rankings.retrieved[query]) - above
    low, high = np.full((2, len(holes)), np.nan)
    np.fmin.at(low, query, ratio(here + np.maximum(more - (holes[query] - seen), 0), depth))
    np.fmax.at(high, query, ratio(here + np.minimum(more, seen), depth))
    return low, high, True


@r_precision.trace
def r_precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return precision and recall at each relevant document: to rank R, or from the recall on."""
    known = int(rankings.relevant_count(s.rel)[0])
    if s.form == "rank":
        return precision_and_recall(rankings, s.rel, known or None)
    columns = precision_and_recall(rankings, s.rel)
    needed = max(
        relevant_count_for(s.recall, np.asarray([float(known)]), rankings.recall_levels)[0], 1
    )
    so_far = columns["relevant so far"]
    reached = so_far >= needed
    counts = reached if s.form == "largest" else reached & (np.cumsum(reached) == 1)
    return columns | {
        "recall is reached": reached,
        f"{s.form} since then": np.maximum.accumulate(np.where(counts, columns["precision"], 0.0)),
    }


@define(
    "Rprec_mult",
    undefined=NO_RELEVANT,
    variants=["Rprec_mult@0.5", "Rprec_mult@2", "Rprec_mult(rel=2)@0.2"],
    label="precision at a multiple of R",
    facts=MONOTONE.but(sum_over_documents=True, falls_with_pool=False),
)
def r_precision_multiple(rankings: Rankings, multiple: Multiple, rel: Grade = 1) -> Ratio:
    """The precision at a multiple of the number of relevant documents, such as half of it.

    The rank is rounded up. The profiles of trec_eval add 0.9 and cut off instead, as it does.

    >>> measure("Rprec_mult@0.5")(rankings("+--+|++"))
    array([0.5])
    """
    found, depth = rankings.relevant(rel), _depth(rankings, rankings.relevant_count(rel), multiple)
    return Ratio(found.sum(found.rank <= depth[found.query]), depth)


@r_precision_multiple.extremes
def multiple_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return the range of a precision whose depth depends on the number of relevant documents."""
    return _precision_extremes(rankings, s.rel, lambda known: _depth(rankings, known, s.multiple))


@r_precision_multiple.trace
def multiple_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return precision and recall at each relevant document down to the multiple of R."""
    depth = int(_depth(rankings, rankings.relevant_count(s.rel), s.multiple)[0])
    return precision_and_recall(rankings, s.rel, depth or None)


def _depth(rankings: Rankings, known: Floats, multiple: float) -> Floats:
    # trec_eval 10 rounds recall levels but has kept the older way here.
    way = "exact" if rankings.recall_levels == "exact" else "truncated"
    return relevant_count_for(multiple, known, way).astype(np.float64)


BreakEvenForm = Literal["rank", "curve"]


@define(
    "BEP",
    aliases=["break_even", "break-even", "break-even-point"],
    undefined="no relevant document is known",
    variants=["BEP(form=curve)", "BEP(rel=2)"],
    label="break-even point",
    facts=MONOTONE.but(
        sum_over_documents=lambda s, grades: s.form == "rank",
        falls_with_pool=lambda s, grades: s.form == "curve",
    ),
)
def break_even_point(rankings: Rankings, rel: Grade = 1, form: BreakEvenForm = "rank") -> Floats:
    """The value at which precision equals recall.

    In a list that is at rank R, where R documents are relevant, so it is the R-precision; a
    shorter list is filled up with documents that are not relevant. On the interpolated ``curve``
    it is where that meets the diagonal.

    >>> measure("BEP")(rankings("-++")), measure("BEP(form=curve)")(rankings("-++")).round(3)
    (array([0.5]), array([0.667]))
    """
    if form == "rank":
        return r_precision(rankings, rel=rel)
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    both = np.minimum(found.precision, ratio(found.place, known[found.query]))
    return np.where(known > 0, found.highest(both), np.nan)


break_even_point.extremes(r_precision_range)


@break_even_point.trace
def break_even_point_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return precision, recall and the smaller of the two at each relevant document."""
    known = int(rankings.relevant_count(s.rel)[0])
    depth = (known or None) if s.form == "rank" else None
    columns = precision_and_recall(rankings, s.rel, depth)
    return columns | {"smaller": np.minimum(columns["precision"], columns["recall"])}
