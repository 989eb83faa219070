"""Compatibility: how near a ranking comes to an ideal one that favours it."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, places, ratio
from assay.core.catalogue import define
from assay.core.parameters import Depth, Flag, Grade, Share
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
    depth = np.arange(1, cutoff + 1)
    weight = p ** (depth - 1.0)
    left = np.append(np.cumsum((weight / depth)[::-1])[::-1], 0.0)
    found = rankings.relevant(rel)
    pool = rankings.pool.where(rankings.pool.grade >= rel)
    met = np.maximum(found.rank, _ideal_rank(found, pool))
    overlap = found.sum(left[np.minimum(met, cutoff + 1) - 1])
    best = pool.sum(left[np.minimum(pool.place, cutoff + 1) - 1])
    most = best if normalize else np.where(best > 0, weight.sum(), 0.0)
    return ratio(overlap, most)


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
