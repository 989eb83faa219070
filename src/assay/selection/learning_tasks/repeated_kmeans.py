"""k-means of many small sets of items at once."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints

MANY_ITEMS = 2000
"""Larger sets are clustered one by one by scikit-learn: alone they keep the processor busy."""
CELLS = 2_000_000
"""Numbers that are held at a time."""
STEPS = 100


def cluster_sets(sets: Floats, k: int, starts: int, seed: int) -> tuple[Ints, Floats]:
    """Return the cluster of each item of each set, and the sum of squares within clusters.

    ``sets`` are sets × items × features. Of several starts by k-means++ the best is kept.
    """
    count, size, width = sets.shape
    labels, within = np.empty((count, size), dtype=np.int64), np.empty(count)
    random = np.random.default_rng(seed)
    step = max(1, CELLS // (size * max(k, width)))
    for begin in range(0, count, step):
        part = slice(begin, begin + step)
        if size > MANY_ITEMS:
            labels[part], within[part] = _one_by_one(sets[part], k, starts, random)
            continue
        for start in range(starts):
            found, squares = lloyd(sets[part], _spread_centers(sets[part], k, random))
            better = np.full(len(squares), True) if start == 0 else squares < within[part]
            labels[part][better], within[part][better] = found[better], squares[better]
    return labels, within


def _one_by_one(
    sets: Floats, k: int, starts: int, random: np.random.Generator
) -> tuple[Ints, Floats]:
    from sklearn.cluster import KMeans

    fits = [
        KMeans(k, n_init=starts, random_state=int(random.integers(2**31))).fit(each)
        for each in sets
    ]
    return np.array([each.labels_ for each in fits]), np.array([each.inertia_ for each in fits])


def _spread_centers(sets: Floats, k: int, random: np.random.Generator) -> Floats:
    """Return items as centers, each drawn by its squared distance to those before (k-means++)."""
    count, size, width = sets.shape
    centers = np.empty((count, k, width))
    every = np.arange(count)
    centers[:, 0] = sets[every, random.integers(0, size, count)]
    away = np.full((count, size), np.inf)
    for place in range(1, k):
        new = ((sets - centers[:, place - 1, None]) ** 2).sum(axis=2)
        away = np.minimum(away, new)
        up_to = np.cumsum(away, axis=1)
        drawn = random.random(count) * up_to[:, -1]
        chosen = np.minimum((up_to <= drawn[:, None]).sum(axis=1), size - 1)
        centers[:, place] = sets[every, chosen]
    return centers


def lloyd(sets: Floats, centers: Floats) -> tuple[Ints, Floats]:
    """Move the centers of each set to the means of their items until no item changes its cluster.

    A center without items stays where it is.
    """
    labels = np.full(sets.shape[:2], -1, dtype=np.int64)
    centers, active = centers.copy(), np.arange(len(sets))
    for _ in range(STEPS):
        own = centers[active]
        away = (own**2).sum(axis=2)[:, None] - 2 * sets[active] @ own.transpose(0, 2, 1)
        new = away.argmin(axis=2)
        changed = (new != labels[active]).any(axis=1)
        labels[active] = new
        active, new = active[changed], new[changed]
        if not len(active):
            break
        member = (new[..., None] == np.arange(centers.shape[1])).astype(np.float64)
        counts = member.sum(axis=1)[..., None]
        sums = member.transpose(0, 2, 1) @ sets[active]
        centers[active] = np.where(counts > 0, sums / np.maximum(counts, 1), centers[active])
    every = np.arange(len(sets))[:, None]
    return labels, ((sets - centers[every, labels]) ** 2).sum(axis=(1, 2))
