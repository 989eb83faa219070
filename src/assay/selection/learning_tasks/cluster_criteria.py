"""What says how many clusters there are, for one number of clusters, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.evidence.views.points import Points
from assay.measures.points.cluster_separation import silhouette
from assay.selection.learning_tasks.repeated_kmeans import CELLS, cluster_sets
from assay.selection.learning_tasks.subsampling import DRAWS, HALF, Subsamples, draw_subsamples
from assay.selection.scaling import standardize

DRAWN = 0.8
"""The share of items in each of two samples whose clusterings are compared."""
LEAST = 10
STARTS = 3
REFERENCE_STARTS = 2
PAIR = 2
"""Reference sets of each sample: two show how far the number moves by their draw alone."""
TINY = 1e-300


def cluster_items(features: Floats, k: int, seed: int, starts: int = 10) -> Ints:
    """Return the cluster of each item by k-means."""
    from sklearn.cluster import KMeans

    labels: Ints = KMeans(k, n_init=starts, random_state=seed).fit_predict(features)
    return labels.astype(np.int64)


def within_squares(features: Floats, labels: Ints) -> float:
    """Return the sum of the squared distances of items to the mean of their cluster."""
    sums = np.zeros((int(labels.max()) + 1, features.shape[1]))
    np.add.at(sums, labels, features)
    means = sums / np.bincount(labels)[:, None]
    return float(((features - means[labels]) ** 2).sum())


def item_silhouettes(features: Floats, labels: Ints) -> Floats:
    """Return the silhouette of each item, in the order of the items."""
    names = tuple(map(str, range(int(labels.max()) + 1)))
    points = Points.of(names, labels, features=features)
    values = np.empty(len(labels))
    values[[int(each) - 1 for each in points.items]] = silhouette(points)
    return values


def reference_sets(features: Floats, count: int, random: np.random.Generator) -> Floats:
    """Return sets of items without structure: uniform in the box along the main components."""
    centered = features - features.mean(axis=0)
    _, _, axes = np.linalg.svd(centered, full_matrices=False)
    turned = centered @ axes.T
    return random.uniform(turned.min(axis=0), turned.max(axis=0), (count, *turned.shape))


def _log(squares: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(squares, TINY)))


def gap_statistic(
    features: Floats, within: float, k: int, rounds: int, seed: int
) -> tuple[float, float]:
    """Return the gap statistic and its error s of references (Tibshirani and others 2001).

    It is the mean logarithm of the sum of squares within clusters of items without structure, less
    that of the data.
    """
    random = np.random.default_rng(seed)
    step = max(1, CELLS // features.size)
    parts = [min(step, rounds - begin) for begin in range(0, rounds, step)]
    squares = [
        cluster_sets(reference_sets(features, count, random), k, REFERENCE_STARTS, seed)[1]
        for count in parts
    ]
    logs = _log(np.concatenate(squares))
    error = float(np.std(logs)) * np.sqrt(1 + 1 / rounds)
    return float(np.mean(logs) - np.log(max(within, TINY))), error


def stability(features: Floats, k: int, rounds: int, seed: int) -> Floats:
    """Return the adjusted Rand index of two clusterings for each pair of samples of the items.

    Each sample has 80 % of the items; the clusterings are compared on the items of both.
    """
    from sklearn.metrics import adjusted_rand_score

    random = np.random.default_rng(seed)
    size = len(features)
    rows = np.array(
        [np.sort(random.permutation(size)[: int(DRAWN * size)]) for _ in range(2 * rounds)]
    )
    step = max(1, CELLS // (rows.shape[1] * features.shape[1]))
    found = [
        cluster_sets(features[rows[begin : begin + step]], k, STARTS, seed + begin)[0]
        for begin in range(0, len(rows), step)
    ]
    labels = np.full((len(rows), size), -1, dtype=np.int64)
    np.put_along_axis(labels, rows, np.concatenate(found), axis=1)
    values = []
    for first, second in zip(labels[::2], labels[1::2], strict=True):
        shared = (first >= 0) & (second >= 0)
        values.append(adjusted_rand_score(first[shared], second[shared]))
    return np.array(values)


@dataclass(frozen=True)
class SampledCriteria:
    """The criteria in samples of half the items, each standardized and clustered on its own."""

    samples: Subsamples
    squares: dict[int, Floats] = field(default_factory=dict)
    """By the number of clusters: the mean square within clusters in each sample."""
    gaps: dict[int, Floats] = field(default_factory=dict)
    """Samples × 2: the gap with two sets of references."""
    widths: dict[int, Floats] = field(default_factory=dict)
    """Samples × items: the silhouettes."""

    def gap_error(self, k: int) -> float:
        """Return the standard error of the gap, less what the few references of a sample add."""
        pairs = self.gaps[k]
        chance = float(pairs.var(axis=1, ddof=1).mean()) / PAIR
        means = pairs.mean(axis=1)
        total = float(means.var(ddof=1))
        # The box of the references ends at the most extreme items.
        whole = self.samples.error(means, extremes=True)
        return whole * float(np.sqrt(max(1 - chance / total, 0.0))) if total > 0 else 0.0


def sample_criteria(matrix: Floats, counts: Sequence[int], seed: int) -> SampledCriteria | None:
    """Return the criteria in samples of the items; None where there are too few items."""
    samples = draw_subsamples(matrix.shape, HALF, max(LEAST, max(counts) + 1), seed)
    if samples is None:
        return None
    found = SampledCriteria(samples)
    sets = np.stack([standardize(matrix[rows]) for rows in samples.rows])
    random = np.random.default_rng(seed)
    references = np.concatenate([reference_sets(each, PAIR, random) for each in sets])
    labels = {}
    for k in counts:
        labels[k], within = cluster_sets(sets, k, STARTS, seed)
        found.squares[k] = within / sets.shape[1]
        logs = _log(cluster_sets(references, k, REFERENCE_STARTS, seed)[1]).reshape(-1, PAIR)
        found.gaps[k] = logs - _log(within)[:, None]
        found.widths[k] = np.empty(samples.rows.shape)
    for place in range(DRAWS):
        away = _distances(sets[place])
        for k in counts:
            found.widths[k][place] = _silhouettes(away, labels[k][place], k)
    return found


def _distances(points: Floats) -> Floats:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(points, points))


def _silhouettes(away: Floats, labels: Ints, k: int) -> Floats:
    """Return the silhouettes of items with these distances; NaN in one cluster alone."""
    member = (labels[:, None] == np.arange(k)).astype(np.float64)
    sizes, sums = member.sum(axis=0), away @ member
    every = np.arange(len(labels))
    own = sums[every, labels] / np.maximum(sizes[labels] - 1, 1)
    means = np.divide(sums, sizes, out=np.full(sums.shape, np.inf), where=sizes > 0)
    means[every, labels] = np.inf
    other = means.min(axis=1)
    if np.isinf(other).all():
        return np.full(len(labels), np.nan)
    larger = np.maximum(own, other)
    widths = np.divide(other - own, larger, out=np.zeros(len(labels)), where=larger > 0)
    return np.where(sizes[labels] == 1, 0.0, widths)
