"""Interpolated precision, the precision-recall curve, its area and its best point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from assay.core.arrays import Floats, Ints, exact_mean, ratio
from assay.core.curves import Columns, curve
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade, Level, Levels
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.rankings.precision_recall import highest_at_recall, precision_and_recall
from assay.measures.trace_tables import at_every_rank

NO_RELEVANT = "no relevant document is known"
ELEVEN = tuple(tenth / 10 for tenth in range(11))


def relevant_count_for(level: float, relevant: Floats, way: str) -> Ints:
    """Return the least number of relevant documents that makes up a share of all of them.

    ``exact`` takes the share as the decimal number that was written, so that 0.1 of 30 is 3.
    The others are those of trec_eval: ``truncated`` (9: add 0.9 and cut off) and ``rounded`` (10).
    """
    distinct, place = np.unique(relevant, return_inverse=True)
    return np.asarray([_count(level, R, way) for R in distinct.tolist()], np.int64)[place]


def _count(level: float, relevant: float, way: str) -> int:
    if way == "truncated":
        return int(level * relevant + 0.9)
    if way == "rounded":
        return math.floor(level * relevant + 0.5)
    return math.ceil(Fraction(repr(float(level))) * int(relevant))


def interpolate_precision(rankings: Rankings, rel: float, *levels: float) -> list[Floats]:
    """Return the largest precision at each recall or any higher one; 0 where not reached."""
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    best = np.append(found.highest_after(found.precision), 0.0)
    values = []
    for level in levels:
        needed = np.maximum(relevant_count_for(level, known, rankings.recall_levels), 1)
        enough = needed <= found.count
        place = np.where(enough, found.offsets[:-1] + needed - 1, len(best) - 1)
        values.append(np.where(known > 0, best[place], np.nan))
    return values


@define(
    "IPrec",
    aliases=["iprec_at_recall", "P_interp", "interpolated-precision"],
    undefined=NO_RELEVANT,
    variants=["IPrec@0.1", "IPrec@0", "IPrec@1", "IPrec(rel=2)@0.5"],
    facts=MONOTONE.but(ignores_pool=lambda s, grades: s.recall == 0),
)
def interpolated_precision(rankings: Rankings, recall: Level, rel: Grade = 1) -> Floats:
    """The largest precision at a recall or any higher one; 0 where that recall is not reached.

    A recall of 0.1 among 30 relevant documents is reached with the third. Versions 9 and 10 of
    trec_eval round in two other ways; their profiles do the same.

    >>> measure("IPrec@0.3")(rankings("-+--+--+--|+"))
    array([0.4])
    """
    return interpolate_precision(rankings, rel, recall)[0]


@interpolated_precision.trace
def interpolated_precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return precision and recall at each relevant document, and the best precision after it."""
    columns = precision_and_recall(rankings, s.rel)
    best = highest_at_recall(columns["precision"], columns["relevant so far"])
    known = rankings.relevant_count(s.rel)
    needed = relevant_count_for(s.recall, known, rankings.recall_levels)[0]
    reached = columns["relevant so far"] >= needed
    return columns | {
        "interpolated": best,
        "recall is reached": reached,
        "best since then": np.maximum.accumulate(np.where(reached, columns["precision"], 0)),
    }


@define(
    "11pt_avg",
    aliases=["11pt", "IAP", "AvgP_interp"],
    undefined=NO_RELEVANT,
    variants=["11pt_avg(rel=2)", "11pt_avg(levels={0.25,0.5,0.75})"],
    label="11-point average of interpolated precision",
    facts=MONOTONE,
)
def eleven_point_average(rankings: Rankings, rel: Grade = 1, levels: Levels = ELEVEN) -> Floats:
    """The mean of the interpolated precision at the recalls 0, 0.1 … 1, or at other ``levels``.

    >>> measure("11pt_avg")(rankings("-+--+--+--|+")).round(3)
    array([0.314])
    """
    total = sum(interpolate_precision(rankings, rel, *levels))
    return np.asarray(total / len(levels))


@eleven_point_average.trace
def eleven_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the interpolated precision at each of the recalls."""
    at = np.concatenate(interpolate_precision(rankings, s.rel, *s.levels))
    return {
        "recall": np.asarray(s.levels),
        "interpolated precision": at,
        "mean so far": np.cumsum(at) / np.arange(1, len(at) + 1),
    }


AreaForm = Literal["trapezoid", "interpolated", "steps"]


def heights(found: Hits, form: AreaForm) -> Floats:
    """Return the height of the curve over the share of recall that each relevant document adds."""
    if form != "trapezoid":
        return found.highest_after(found.precision) if form == "interpolated" else found.precision
    before = np.maximum(found.rank - 1, 1)
    # The curve begins at recall 0 with precision 1.
    earlier = np.where(found.rank == 1, 1.0, (found.place - 1) / before)
    return (earlier + found.precision) / 2


@define(
    "AUPRC",
    aliases=["pr_auc", "AUCPR"],
    undefined="no relevant document is known",
    variants=["AUPRC(form=interpolated)", "AUPRC(form=steps)", "AUPRC(rel=2)"],
    label="area under the precision-recall curve",
    facts=MONOTONE,
)
def curve_area(rankings: Rankings, rel: Grade = 1, form: AreaForm = "trapezoid") -> Floats:
    """The area under the curve of precision over recall, as far as the list goes.

    Points at neighboring ranks are joined by straight lines, beginning at recall 0 with
    precision 1 (as scikit-learn draws it); ``interpolated`` takes the best precision from each
    recall on, and ``steps`` is average precision.

    >>> measure("AUPRC")(rankings("+-+-")).round(4)
    array([0.7917])
    """
    found = rankings.relevant(rel)
    return ratio(found.sum(heights(found, form)), rankings.relevant_count(rel))


@curve_area.trace
def curve_area_trace(rankings: Rankings, s: Settings) -> Columns:
    """The points of the curve, and the strip of the area that each relevant document adds."""
    found, known = rankings.relevant(s.rel), rankings.relevant_count(s.rel)[0]
    columns = precision_and_recall(rankings, s.rel)
    height = at_every_rank(columns["rank"], found, heights(found, s.form))
    return columns | {
        "height": height,
        "area": np.cumsum(ratio(height, known)),
    }


Form = Literal["points", "curve"]


def efficiency(precision: Floats, recall: Floats) -> Floats:
    """Return 1 − d/√2, where d is the distance to precision 1 at recall 1."""
    return 1 - np.hypot(1 - precision, 1 - recall) / math.sqrt(2)


@define(
    "E",
    aliases=["system_efficiency"],
    undefined="no relevant document is known",
    variants=["E(form=curve)", "E(rel=2)"],
    facts=MONOTONE.but(falls_with_pool=lambda s, grades: s.form == "curve"),
)
def system_efficiency(rankings: Rankings, rel: Grade = 1, form: Form = "points") -> Floats:
    """1 − d/√2, where d is the least distance of the list to precision 1 at recall 1.

    The distance is that of the precision-recall ``points`` at every rank, or of the interpolated
    ``curve`` at its 11 standard recalls. (The whole interpolated curve comes no nearer than the
    points do.)

    >>> measure("E")(rankings("++-+-+------+-")).round(3)
    array([0.725])
    """
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    if form == "points":
        recall = ratio(found.place, known[found.query])
        best = found.highest(efficiency(found.precision, recall))
    else:
        at = interpolate_precision(rankings, rel, *ELEVEN)
        best = np.max(
            [efficiency(p, np.asarray(r)) for p, r in zip(at, ELEVEN, strict=True)], axis=0
        )
    # Without a hit the one point is (0, 0), whatever recall it would have been.
    return np.where(known > 0, np.where(found.count > 0, best, 0.0), np.nan)


@system_efficiency.trace
def system_efficiency_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the points, and the efficiency that each would give."""
    if s.form == "points":
        columns = precision_and_recall(rankings, s.rel)
    else:
        at = np.concatenate(interpolate_precision(rankings, s.rel, *ELEVEN))
        columns = {"precision": at, "recall": np.asarray(ELEVEN)}
    each = efficiency(columns["precision"], columns["recall"])
    if not rankings.relevant(s.rel).count[0]:
        each = 0 * each
    return columns | {"efficiency": each, "best so far": np.maximum.accumulate(each)}


RANKS = (5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)


def interpolate(
    precision: Sequence[float], recall: Sequence[float], at: Sequence[float] = ELEVEN
) -> Floats:
    """Return the largest precision of the points at each recall or any higher one; 0 beyond them.

    >>> interpolate([0.5, 0.4], [0.25, 0.5], at=[0, 0.25, 0.3, 0.6])
    array([0.5, 0.5, 0.4, 0. ])
    """
    height, place = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    reached = place[None, :] >= np.asarray(at, np.float64)[:, None]
    return np.where(reached, height[None, :], 0.0).max(axis=1, initial=0.0)


def _mean(values: Floats) -> float:
    return exact_mean(values[~np.isnan(values)].tolist())


@curve("precision-recall at recalls")
def precision_at_recalls(
    rankings: Rankings, rel: float = 1, levels: Sequence[float] = ELEVEN
) -> Columns:
    """The interpolated precision at fixed recalls, averaged over queries."""
    precision = [_mean(values) for values in interpolate_precision(rankings, rel, *levels)]
    return {"recall": np.asarray(levels, np.float64), "precision": np.asarray(precision)}


@curve("precision-recall at ranks")
def precision_at_ranks(rankings: Rankings, rel: float = 1, ranks: Sequence[int] = RANKS) -> Columns:
    """The precision and the recall at fixed ranks, each averaged over queries."""
    known = rankings.relevant_count(rel)
    found = [rankings.relevant(rel, rank).count for rank in ranks]
    return {
        "rank": np.asarray(ranks),
        "recall": np.asarray([_mean(ratio(count, known)) for count in found]),
        "precision": np.asarray(
            [_mean(count / rank) for count, rank in zip(found, ranks, strict=True)]
        ),
    }
