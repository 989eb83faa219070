"""Compatibility: how near a ranking comes to an ideal one that favours it."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, places, ratio
from assay.core.catalogue import define
from assay.core.parameters import Depth, Flag, Grade, Share
from assay.evidence.grid import Grid
from assay.evidence.rankings import Hits, Rankings


@define(
    "Compat",
    better="higher",
    bounds=(0, 1),
    aliases=["compatibility"],
    undefined="no relevant document is known",
    variants=["Compat(p=0.8)", "Compat(normalize=false)", "Compat@3"],
    label="compatibility",
)
def compatibility(
    rankings: Rankings,
    p: Share = 0.95,
    rel: Grade = 1,
    normalize: Flag = True,
    cutoff: Depth = 1000,
) -> Floats:
    """The rank-biased overlap of the ranking with the ideal ranking that is most like it.

    The ideal has the documents by falling grade; where grades are equal they stand in the order of
    the ranking. The overlap at depth i weighs p^(i−1), down to the cutoff, and the sum is divided
    by that of the ideal with itself (``normalize=false``: by the weights).

    >>> measure("Compat(p=0.8)")(rankings("1-3|2")).round(3)
    array([0.337])
    """
    left = _weight_from(p, cutoff)
    found = rankings.relevant(rel)
    overlap = _overlap(rankings, found, left, 0 * rankings.retrieved)
    return ratio(overlap, _most(rankings.relevant_count(rel), left, p, normalize))


def _weight_from(p: float, cutoff: int) -> Floats:
    """What a document brings that both lists have from each depth on; 0 below the cutoff."""
    depth = np.arange(1, cutoff + 1)
    return np.append(np.cumsum((p ** (depth - 1.0) / depth)[::-1])[::-1], 0.0)


def _overlap(rankings: Rankings, found: Hits, left: Floats, shift: Ints) -> Floats:
    """What the relevant documents bring, where the ideal list has so many others before them."""
    least = found.grade.min(initial=np.inf)
    pool = rankings.pool.where(rankings.pool.grade >= least)
    met = np.maximum(found.rank, _ideal_rank(found, pool) + shift[found.query])
    return found.sum(left[np.minimum(met, len(left)) - 1])


def _most(known: Floats, left: Floats, p: float, normalize: bool) -> Floats:
    """By what the overlap is divided, if so many documents are relevant."""
    if not normalize:
        weights = float((p ** np.arange(len(left) - 1.0)).sum())
        return np.where(known > 0, weights, 0.0)
    best = np.append(0.0, np.cumsum(left))
    return best[np.minimum(known, len(left)).astype(np.int64)]


@compatibility.extremes
def over_holes(
    rankings: Rankings,
    grades: Floats,
    p: Share = 0.95,
    rel: Grade = 1,
    normalize: Flag = True,
    cutoff: Depth = 1000,
) -> tuple[Floats, Floats, bool]:
    """At most what is known and the topmost holes, each as if the ideal had it at its rank.

    At least what is known, with all holes before it in the ideal: more of them move a document
    down there, and add to the divisor.
    """
    left, found, known = (
        _weight_from(p, cutoff),
        rankings.relevant(rel),
        rankings.relevant_count(rel),
    )
    count = rankings.retrieved - rankings.judged().count.astype(np.int64)
    low = ratio(_overlap(rankings, found, left, count), _most(known + count, left, p, normalize))
    overlap, high = _overlap(rankings, found, left, 0 * count), np.full(len(known), np.nan)
    for grid in Grid.blocks(rankings, rel, cutoff):
        own, width = grid.queries, grid.holes.shape[1]
        filled = np.cumsum(grid.holes, axis=1)
        more = overlap[own, None] + np.cumsum(grid.holes * left[:width], axis=1)
        reached = ratio(more, _most(known[own, None] + filled, left, p, normalize))
        high[own] = np.nanmax(reached, axis=1, initial=0.0)
    return low, np.minimum(high, 1.0), False


def _ideal_rank(found: Hits, pool: Hits) -> Ints:
    """Where each hit stands in the ideal: after better ones, among equals as in the ranking."""
    grades = np.unique(pool.grade)
    found_key = found.query * len(grades) - np.searchsorted(grades, found.grade)
    pool_key = pool.query * len(grades) - np.searchsorted(grades, pool.grade)
    better = np.searchsorted(pool_key, found_key) - pool.offsets[found.query]
    order = np.argsort(found_key, kind="stable")
    _, counts = np.unique(found_key, return_counts=True)
    among = np.empty(len(order), dtype=np.int64)
    among[order] = places(np.concatenate(([0], np.cumsum(counts))))
    return better + among
