"""Interpolated precision at a recall, and its average over standard recalls."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade, Level, Levels
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.recall_levels import relevant_count_for
from assay.measures.rankings.relevant_steps import precision_and_recall

NO_RELEVANT = "no relevant document is known"
ELEVEN = tuple(tenth / 10 for tenth in range(11))


def interpolate_precision(rankings: Rankings, rel: float, *levels: float) -> list[Floats]:
    """For each recall the largest precision there or at any higher one; 0 where not reached."""
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    best = np.append(found.highest_after(found.place / found.rank), 0.0)
    values = []
    for level in levels:
        needed = np.maximum(relevant_count_for(level, known, rankings.recall_levels), 1)
        enough = needed <= found.count
        place = np.where(enough, found.offsets[:-1] + needed - 1, len(best) - 1)
        values.append(np.where(known > 0, best[place], np.nan))
    return values


@define(
    "IPrec",
    aliases=["iprec_at_recall", "P_interp"],
    undefined=NO_RELEVANT,
    variants=["IPrec@0.1", "IPrec@0", "IPrec@1", "IPrec(rel=2)@0.5"],
    label="interpolated precision",
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
    """Precision and recall at each relevant document, and the best precision from there on."""
    columns = precision_and_recall(rankings, s.rel)
    best = np.maximum.accumulate(columns["precision"][::-1])[::-1]
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
    aliases=["11pt", "IAP"],
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
    """The interpolated precision at each of the recalls."""
    at = np.concatenate(interpolate_precision(rankings, s.rel, *s.levels))
    return {
        "recall": np.asarray(s.levels),
        "interpolated precision": at,
        "mean so far": np.cumsum(at) / np.arange(1, len(at) + 1),
    }
