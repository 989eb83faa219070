"""BPM: a user who stops at a total of gain or of effort."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Range, Settings
from assay.core.parameters import Depth, Flag, Number, Positive
from assay.evidence.views.rankings import Rankings
from assay.measures.usermodels.model import (
    USER_MODEL,
    attention_steps,
    expected_rate,
    no_gain_without_judgment,
    only_first_gain,
    stop_at_target,
    target_gain,
    truncate_at,
    unit_gains,
)


def _one_gain(s: Settings, grades: Floats) -> bool:
    """Return whether all documents with a gain have the same, and the value itself is asked for."""
    worth = np.clip((grades - s.min_rel) / (s.max_rel - s.min_rel), 0, 1)
    return no_gain_without_judgment(s, grades) and len(np.unique(worth[worth > 0])) <= 1


@define(
    "BPM",
    variants=["BPM(max_rel=1)@10", "BPM(max_rel=3)@10"],
    label="bejeweled player model",
    facts=USER_MODEL.but(
        sum_over_documents=only_first_gain,
        fixed_weights=only_first_gain,
        rises_with_order=lambda s, grades: _one_gain(s, grades) or only_first_gain(s, grades),
        rises_with_grades=_one_gain,
    ),
)
def bpm(
    rankings: Rankings,
    max_rel: Positive,
    cutoff: Depth,
    T: Positive = 1,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """The gain per document of a user who reads until an amount T of it is found, or to a depth.

    >>> measure("BPM(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.5])
    """
    return expected_rate(
        rankings, truncate_at(cutoff, stop_at_target(T)), max_rel, min_rel, residual, cutoff
    )


@bpm.extremes
def over_holes(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """At each rank where the user may stop, the gain so far is at least T, and what is known.

    It is at most what all holes bring, and below T without that rank. At the depth a user stops
    with any gain. Where each grade brings all or nothing, more is known.
    """
    worth = np.clip((np.append(0.0, grades) - s.min_rel) / (s.max_rel - s.min_rel), 0, 1)
    if s.residual or worth[0] > 0 or not np.any((worth > 0) & (worth < 1)):
        return None
    rank = np.arange(1, s.cutoff + 1)
    known = unit_gains(rankings, s.max_rel, s.min_rel, s.cutoff)
    most = unit_gains(rankings, s.max_rel, s.min_rel, s.cutoff, unjudged=float(worth[-1]))
    most = np.where(rank <= rankings.retrieved[:, None], most, 0.0)
    now, full = np.cumsum(known, axis=1), np.cumsum(most, axis=1)
    stops = now - known < target_gain(s.T)
    stops[:, :-1] &= full[:, :-1] >= target_gain(s.T)
    least = np.where(rank < s.cutoff, np.maximum(now, target_gain(s.T)), now) / rank
    greatest = np.minimum(full, s.T + most) / rank
    low = np.where(stops, least, np.inf).min(axis=1)
    return low, np.where(stops, greatest, 0.0).max(axis=1), False


@bpm.trace
def bpm_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings,
        truncate_at(s.cutoff, stop_at_target(s.T)),
        s.max_rel,
        s.min_rel,
        s.cutoff,
        s.residual,
    )
