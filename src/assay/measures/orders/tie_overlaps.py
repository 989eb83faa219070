"""The overlap of two rankings with ties, without a table of every depth and thing.

At each depth at most one tie of a ranking is only partly above it; all others are above or below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.evidence.views.order_pairs import Ranking


@dataclass(frozen=True)
class _Cut:
    """The tie of one ranking that holds the rank of each depth."""

    top: Ints
    """Its first rank; 0 below the end of the ranking."""
    share: Floats
    """The chance of its members to stand so high."""


def _cut_ties(ranking: Ranking, depths: Ints) -> _Cut:
    own = ranking.top > 0
    top, bottom = np.sort(ranking.top[own]), np.sort(ranking.bottom[own])
    at = np.minimum(depths, len(top)) - 1
    inside = depths <= len(top)
    share = (depths - top[at] + 1) / (bottom[at] - top[at] + 1)
    return _Cut(np.where(inside, top[at], 0), np.where(inside, share, 0.0))


def _counts(keys: Ints, values: Ints, wanted: Ints, below: Ints) -> Ints:
    """Return how many things have the wanted key and a value below a limit."""
    size = int(max(values.max(initial=0), below.max(initial=0))) + 1
    known = np.sort(keys * size + values)
    first = np.searchsorted(known, wanted * size)
    return np.asarray(np.searchsorted(known, wanted * size + below) - first, dtype=np.int64)


def shared_by_depth(one: Ranking, two: Ranking, whole: tuple[Ranking, Ranking]) -> Floats:
    """Return the expected number of common things at the depths 1, 2, … of the longer ranking.

    ``one`` and ``two`` are the common things in each of the ``whole`` rankings.
    """
    depths = np.arange(1, max(each.length for each in whole) + 1)
    cut, other = (_cut_ties(each, depths) for each in whole)
    ends = np.maximum(one.bottom, two.bottom)
    both = np.searchsorted(np.sort(ends), depths)
    first = _counts(one.top, two.bottom, cut.top, depths)
    second = _counts(two.top, one.bottom, other.top, depths)
    size = len(depths) + 1
    pairs = np.sort(one.top * size + two.top)
    key = cut.top * size + other.top
    partly = np.searchsorted(pairs, key, "right") - np.searchsorted(pairs, key)
    return both + first * cut.share + second * other.share + partly * cut.share * other.share


def unseen_by_depth(
    only: Ranking, whole: Ranking, depths: Ints, short: int
) -> tuple[Floats, Floats]:
    """Return what things of the longer ranking alone may share, and their mean chance."""
    cut = _cut_ties(whole, depths)
    above = np.searchsorted(np.sort(only.bottom), depths)
    tops = np.sort(only.top)
    partly = np.searchsorted(tops, cut.top, "right") - np.searchsorted(tops, cut.top)
    room = depths - short
    early = np.minimum(room, above) + np.clip(room - above, 0, partly) * cut.share
    some = above + partly
    return early, (above + partly * cut.share) / np.where(some, some, 1)
