"""Mutual information, adjusted for what chance gives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.definition import define
from assay.core.facts import Settings
from assay.evidence.views.contingency import Contingency
from assay.measures.clusters.mutual_information import (
    ONE_OF_BOTH,
    Information,
    Mean,
    mean_entropy,
    no_interval_of_sparse_tables,
)
from assay.measures.trace_tables import Lines, show_formula

TERMS_AT_ONCE = 1_000_000
MOST_TERMS = 200_000_000
"""Beyond this cost, resamples are left undefined: the measure then has no interval."""


@define(
    "AMI",
    bounds=(-1, 1),
    aliases=["adjusted_mutual_info", "adjusted_mutual_info_score"],
    undefined=f"{ONE_OF_BOTH}, or every item is both a cluster and a class of its own",
    variants=["AMI(mean=max)"],
)
def adjusted_mutual_information(table: Contingency, mean: Mean = "arithmetic") -> Floats:
    """Mutual information beyond chance, scaled so that 0 is chance and 1 is perfect.

    Chance is the mean over all groupings with clusters and classes of the same sizes. Many small
    clusters raise NMI even when they mean nothing; they do not raise this measure.

    >>> measure("AMI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.26])
    """
    known = Information.of(table)
    chance = _expected(table)
    left = mean_entropy(known, mean) - chance
    nothing_left = np.abs(left) < 1e-12
    return np.clip(ratio(known.shared - chance, np.where(nothing_left, 0, left)), -1, 1)


adjusted_mutual_information.interval(no_interval_of_sparse_tables)


@show_formula(adjusted_mutual_information, "(shared − chance) / (most − chance)")
def adjusted_mutual_information_trace(table: Contingency, s: Settings) -> Lines:
    """Return the quantities of the formula, line by line."""
    known = Information.of(table)
    return {
        "shared: mutual information": known.shared[0],
        "chance: mean over groupings of the same sizes": _expected(table)[0],
        f"most: {s.mean} mean of the entropies": mean_entropy(known, s.mean)[0],
    }


def _expected(table: Contingency) -> Floats:
    """Return the mutual information that chance gives, for each unit."""
    margins = [
        _Margins(clusters, classes)
        for clusters, classes in zip(table.cluster_sizes, table.class_sizes, strict=True)
    ]
    if len(margins) > 1 and margins[0].terms * len(margins) > MOST_TERMS:
        return np.full(len(margins), np.nan)
    return np.asarray([each.expected() for each in margins])


class _Margins:
    """The distinct sizes of clusters and classes, paired, with how often each pair occurs."""

    def __init__(self, clusters: Floats, classes: Floats) -> None:
        self.items = float(clusters.sum())
        rows, row_counts = np.unique(clusters[clusters > 0], return_counts=True)
        columns, column_counts = np.unique(classes[classes > 0], return_counts=True)
        self.one = np.repeat(rows, len(columns))
        self.two = np.tile(columns, len(rows))
        self.times = np.outer(row_counts, column_counts).ravel()
        self.low, self.width = self._windows()

    @property
    def terms(self) -> int:
        """How many probabilities must be added."""
        return int(self.width.sum())

    def _windows(self) -> tuple[Floats, Ints]:
        """Return the first count of a cell with a probability above 1e-20, and how many follow."""
        n = max(self.items, 2)
        mean = self.one * self.two / n
        spread = np.sqrt(mean * (1 - self.one / n) * (1 - self.two / n) * n / (n - 1))
        reach = 10 * spread + 40
        low = np.maximum(np.maximum(0, self.one + self.two - self.items), np.floor(mean - reach))
        high = np.minimum(np.minimum(self.one, self.two), np.ceil(mean + reach))
        return low, (high - low + 1).astype(np.int64)

    def expected(self) -> float:
        """Return the sum over all pairs of sizes."""
        if not self.items:
            return float("nan")
        return sum(float(part) for part in self._parts())

    def _parts(self) -> Iterator[float]:
        order = np.argsort(self.width, kind="stable")
        start = 0
        while start < len(order):
            stop = start + 1
            while stop < len(order) and (stop - start) * self.width[order[stop]] < TERMS_AT_ONCE:
                stop = min(len(order), start + 2 * (stop - start))
            yield self._part(order[start:stop])
            start = stop

    def _part(self, pairs: Ints) -> float:
        """Return hypergeometric probabilities of some pairs, a row each, from neighbor ratios."""
        a, b = self.one[pairs, None], self.two[pairs, None]
        cell = self.low[pairs, None] + np.arange(int(self.width[pairs].max()))
        inside = np.arange(cell.shape[1]) < self.width[pairs, None]
        above = (a - cell + 1) * (b - cell + 1)
        below = cell * (self.items - a - b + cell)
        step = np.log(np.divide(above, below, out=np.ones_like(cell), where=inside & (below > 0)))
        step[:, 0] = 0
        weight = np.where(inside, np.cumsum(step, axis=1), -np.inf)
        chance = np.exp(weight - weight.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        surprise = np.log(cell * self.items / (a * b), out=np.zeros_like(cell), where=cell > 0)
        terms = np.where(inside, chance * cell * surprise, 0).sum(axis=1) / self.items
        return float((terms * self.times[pairs]).sum())
