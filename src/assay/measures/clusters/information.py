"""What a contingency table holds in the words of information theory, in nats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, sorted_sum
from assay.evidence.views.contingency import Contingency


@dataclass(frozen=True)
class Information:
    """The entropies of clusters and classes, and what each tells of the other; NaN for no items."""

    of_clusters: Floats
    of_classes: Floats
    shared: Floats

    @classmethod
    def of(cls, table: Contingency) -> Information:
        """The quantities of each table."""
        return cls(
            entropy(table.cluster_sizes), entropy(table.class_sizes), mutual_information_of(table)
        )


def entropy(counts: Floats) -> Floats:
    """The entropy of each row of counts."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0)
    return np.abs(sorted_sum(share * _log(share)))


def mutual_information_of(table: Contingency) -> Floats:
    """The mutual information of each table, cell by cell; never below 0."""
    counts, total = table.counts, table.items[:, None]
    expected = table.size_of_own_cluster * table.size_of_own_class
    share = np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0)
    surprise = _log(counts) + _log(total) - _log(expected)
    return np.maximum(sorted_sum(share * surprise), 0)


def _log(values: Floats) -> Floats:
    """The logarithm, and 0 where there is nothing."""
    return np.log(values, out=np.zeros_like(values), where=values > 0)
