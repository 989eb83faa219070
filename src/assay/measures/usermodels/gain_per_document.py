"""Measures of the gain per document that a user sees, who stops by one of several models."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.facts import Range, Settings
from assay.core.parameters import Depth, Flag, Number, Persistence, Positive, Table
from assay.evidence.views.rankings import Rankings
from assay.measures.usermodels.model import (
    USER_MODEL,
    WEIGHTED_USER_MODEL,
    Reader,
    constant_continuation,
    continuation_table,
    define_reader,
    discounting,
    harmonic,
    insq_continuation,
    inst_continuation,
    no_gain_without_judgment,
    only_first_gain,
    stop_at_target,
    stop_when_satisfied,
    target_gain,
    truncate_at,
    unit_gains,
)


def _one_gain(s: Settings, grades: Floats) -> bool:
    """Return whether all documents with a gain have the same, and the value itself is asked for."""
    worth = np.clip((grades - s.min_rel) / (s.max_rel - s.min_rel), 0, 1)
    return no_gain_without_judgment(s, grades) and len(np.unique(worth[worth > 0])) <= 1


@define_reader(
    "BPM",
    variants=["BPM(max_rel=1)@10", "BPM(max_rel=3)@10"],
    facts=USER_MODEL.but(
        sum_over_documents=only_first_gain,
        fixed_weights=only_first_gain,
        rises_with_order=lambda s, grades: _one_gain(s, grades) or only_first_gain(s, grades),
        rises_with_grades=_one_gain,
    ),
)
def bejeweled_player_model(
    _: Rankings,
    max_rel: Positive,
    cutoff: Depth,
    T: Positive = 1,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Reader:
    """The gain per document of a user who reads until a gain of T is reached, or to a cutoff.

    >>> measure("BPM(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.5])
    """
    return Reader(truncate_at(cutoff, stop_at_target(T)), max_rel, min_rel, residual, cutoff)


@bejeweled_player_model.extremes
def bpm_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return outer bounds from the gain at each rank where the user may stop.

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


@define_reader(
    "SDCG",
    variants=["SDCG(max_rel=1)@10", "SDCG(max_rel=3)@10"],
    synonyms={"dcg=log2": ""},
    facts=WEIGHTED_USER_MODEL,
)
def scaled_discounted_cumulative_gain(
    _: Rankings, max_rel: Positive, cutoff: Depth, min_rel: Number = 0, residual: Flag = False
) -> Reader:
    """The discounted gain, as a share of that of a list of documents with the highest grade.

    The attention at rank i is 1 / log2(i + 1), scaled to add up to 1 at the cutoff; there is no
    ideal list.

    >>> measure("SDCG(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.234])
    """
    return Reader(truncate_at(cutoff, discounting), max_rel, min_rel, residual, cutoff)


@define_reader("INSQ", variants=["INSQ(max_rel=1)", "INSQ(max_rel=3)"], facts=WEIGHTED_USER_MODEL)
def insq(
    _: Rankings, max_rel: Positive, T: Positive = 1, min_rel: Number = 0, residual: Flag = False
) -> Reader:
    """The gain per document of a user who looks for a gain of T, regardless of what is found.

    The chance of going on at rank i is ((i + 2T − 1) / (i + 2T))²: patience grows with depth.

    >>> measure("INSQ(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.235])
    """
    return Reader(insq_continuation(T), max_rel, min_rel, residual)


@define_reader("INST", variants=["INST(max_rel=1)", "INST(max_rel=3)"], facts=USER_MODEL)
def inst(
    _: Rankings, max_rel: Positive, T: Positive = 1, min_rel: Number = 0, residual: Flag = False
) -> Reader:
    """The gain per document of a user who looks for a gain of T and adapts to what is found.

    The chance of going on at rank i is ((i + T + t − 1) / (i + T + t))², where t is what is still
    missing of T: finding something makes the user less patient.

    >>> measure("INST(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.273])
    """
    return Reader(inst_continuation(T), max_rel, min_rel, residual)


@define_reader("CWL", variants=["CWL(max_rel=1,table={1:0.9,2:0.5})"], facts=WEIGHTED_USER_MODEL)
def gain_under_a_given_user(
    _: Rankings, max_rel: Positive, table: Table, min_rel: Number = 0, residual: Flag = False
) -> Reader:
    """The gain per document of a user with given probabilities of going on after each rank.

    The user stops after the last rank of the table.

    >>> measure("CWL(max_rel=1,table={1:1,2:0.5})")(rankings("+-+")).round(3)
    array([0.6])
    """
    depth = int(max(rank for rank, _ in table)) + 1
    return Reader(continuation_table(table), max_rel, min_rel, residual, depth)


@define_reader(
    "NERR8",
    variants=["NERR8(max_rel=1)@10", "NERR8(max_rel=3)@10"],
    facts=USER_MODEL.but(sum_over_documents=only_first_gain, fixed_weights=only_first_gain),
)
def nerr8(
    _: Rankings, max_rel: Positive, cutoff: Depth, min_rel: Number = 0, residual: Flag = False
) -> Reader:
    """The gain per document of a user who stops when satisfied, or at the cutoff.

    At each document the user leaves with the chance that its gain says.

    >>> measure("NERR8(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.5])
    """
    model = truncate_at(cutoff, stop_when_satisfied(constant_continuation(1.0)))
    return Reader(model, max_rel, min_rel, residual, cutoff)


@define_reader(
    "NERR9",
    variants=["NERR9(max_rel=1)@10", "NERR9(max_rel=3)@10"],
    facts=USER_MODEL.but(sum_over_documents=only_first_gain, fixed_weights=only_first_gain),
)
def nerr9(
    _: Rankings, max_rel: Positive, cutoff: Depth, min_rel: Number = 0, residual: Flag = False
) -> Reader:
    """NERR8 with attention that also falls as 1 / rank.

    >>> measure("NERR9(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.333])
    """
    model = truncate_at(cutoff, stop_when_satisfied(harmonic))
    return Reader(model, max_rel, min_rel, residual, cutoff)


@define_reader("NERR10", variants=["NERR10(max_rel=1)", "NERR10(max_rel=3)"], facts=USER_MODEL)
def nerr10(
    _: Rankings,
    max_rel: Positive,
    p: Persistence = 0.9,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Reader:
    """NERR8 with a probability p of going on at each rank instead of a cutoff.

    >>> measure("NERR10(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.474])
    """
    return Reader(stop_when_satisfied(constant_continuation(p)), max_rel, min_rel, residual)


@define_reader("NERR11", variants=["NERR11(max_rel=1)", "NERR11(max_rel=3)"], facts=USER_MODEL)
def nerr11(
    _: Rankings, max_rel: Positive, T: Positive = 1, min_rel: Number = 0, residual: Flag = False
) -> Reader:
    """NERR8 with the patience of INSQ instead of a cutoff.

    >>> measure("NERR11(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.308])
    """
    return Reader(stop_when_satisfied(insq_continuation(T)), max_rel, min_rel, residual)
