"""The gain of a grade, the discount of a rank, and the ideal list."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError
from assay.core.facts import Settings
from assay.core.parameters import Gain, Scale
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.trace_tables import at_every_rank, list_ranks

Discount = Literal["standard", "older"]
Ideal = Literal["judged", "retrieved"]
IdealDepth = Literal["cut", "whole"]
LARGEST_POWER = 1024
"""Two to this power is beyond the largest number."""


def grade_gain(grades: Floats, gain: Gain) -> Floats:
    """Return the gain of each grade: itself, 2^grade − 1, 1 for any, or by a table.

    A grade that the table does not have is worth itself, as in trec_eval and ir_measures.
    """
    positive = np.maximum(grades, 0)
    if isinstance(gain, tuple):
        return look_up_grades(grades, gain, otherwise=positive)
    if gain == "exp":
        refuse_large_exponent(float(positive.max(initial=0)), "the grade")
        return np.exp2(positive) - 1
    if gain == "binary":
        return (positive > 0).astype(np.float64)
    return positive


def refuse_large_exponent(power: float, what: str) -> None:
    """Refuse a grade whose power of two no number can hold."""
    if power >= LARGEST_POWER:
        raise DataError(
            f"{what} {power:g} is too large for gains of 2^grade: no number is above 1.8e308; use"
            " gain=grade or a table such as gain={1:0.5,2:3}, or correct the grades"
        )


def look_up_grades(
    grades: Floats, table: tuple[tuple[float, float], ...], otherwise: Floats | float = 0.0
) -> Floats:
    """Return the entry of each grade in a table, or a default for grades not in it."""
    known, worth = np.asarray(table).T
    place = np.minimum(np.searchsorted(known, grades), len(known) - 1)
    return np.where(known[place] == grades, worth[place], otherwise)


def satisfaction_chance(grades: Floats, gmax: Scale) -> Floats:
    """Return how likely a user is satisfied by a grade: (2^grade − 1) / 2^gmax, or by a table."""
    if isinstance(gmax, tuple):
        return look_up_grades(grades, gmax)
    refuse_large_exponent(float(gmax), "gmax =")
    return (np.exp2(np.clip(grades, 0, gmax)) - 1) / np.exp2(float(gmax))


def one_gain(s: Settings, grades: Floats) -> bool:
    """Return whether all grades with a gain have the same one."""
    worth = grade_gain(grades, s.gain)
    return len(np.unique(worth[worth > 0])) <= 1


def rank_discount(
    rank: NDArray[np.generic], discount: Discount = "standard", base: float = 2
) -> Floats:
    """Return the share of its gain that a document keeps at a rank.

    ``standard``: 1 / log(rank + 1). ``older``: nothing is taken off before the rank that is the
    base of the logarithm, and 1 / log(rank) is kept from there on.
    """
    place = rank.astype(np.float64)
    if discount == "standard":
        return np.log2(base) / np.log2(place + 1)
    return 1 / np.maximum(np.log2(place) / np.log2(base), 1)


def with_gains(found: Hits, gain: Gain) -> Hits:
    """Return documents with their gains in place of their grades."""
    return Hits(found.offsets, found.rank, grade_gain(found.grade, gain))


def gain_at_ranks(rankings: Rankings, gain: Gain, cutoff: int | None) -> Hits:
    """Return every rank of the one list, within the cutoff, with its gain: 0 if it is unjudged."""
    found, rank = with_gains(rankings.judged(cutoff), gain), list_ranks(rankings, cutoff)
    return Hits(np.asarray([0, len(rank)]), rank, at_every_rank(rank, found, found.grade))


def ideal_gains(rankings: Rankings, gain: Gain, cutoff: int | None = None) -> Hits:
    """Return the ideal list, with gains (largest first) instead of grades."""
    if isinstance(gain, tuple):
        return sort_by_gain(rankings.best(), gain, cutoff)
    # The pool is sorted by falling grade, and the other gains never fall with the grade.
    return with_gains(rankings.best(cutoff), gain)


def ideal_list(
    rankings: Rankings, gain: Gain, ideal: Ideal, ideal_depth: IdealDepth, cutoff: int | None
) -> Hits:
    """Return the list with which the given one is compared."""
    depth = cutoff if ideal_depth == "cut" else None
    if ideal == "judged":
        return ideal_gains(rankings, gain, depth)
    return sort_by_gain(rankings.judged(), gain, depth)


def sort_by_gain(known: Hits, gain: Gain, cutoff: int | None = None) -> Hits:
    """Return documents sorted by gain, with gains instead of grades."""
    worth = np.maximum(grade_gain(known.grade, gain), 0)
    falling = worth[np.lexsort((-worth, known.query))]
    best = Hits(known.offsets, known.place, falling)
    return best if cutoff is None else best.where(best.rank <= cutoff)


def discounted_gain(listed: Hits, discount: Discount, base: float) -> Floats:
    """Return the discounted sum of the gains of each list."""
    return listed.sum(listed.grade * _discounts(listed.rank, discount, base))


def _discounts(rank: Ints, discount: Discount, base: float) -> Floats:
    """Return the discount at each rank, computed once for each distinct rank."""
    depth = rank.max(initial=0)
    if depth > len(rank):
        return rank_discount(rank, discount, base)
    return rank_discount(np.arange(1, depth + 1), discount, base)[rank - 1]
