"""Normalised mutual information."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.catalogue import define
from assay.evidence.contingency import Contingency


@define(
    "NMI",
    better="higher",
    bounds=(0, 1),
    aggregate="whole",
    aliases=["normalized_mutual_info"],
    undefined="there is only one cluster and only one class",
    variants=["NMI(mean=min)", "NMI(mean=max)", "NMI(mean=geometric)"],
    label="normalised mutual information",
    standard=True,
)
def normalised_mutual_information(
    table: Contingency, mean: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic"
) -> Floats:
    """What the clusters tell of the classes, as a share of the mean of both entropies.

    >>> measure("NMI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.36])
    """
    of_clusters = _entropy(table.counts.sum(axis=2))
    of_classes = _entropy(table.counts.sum(axis=1))
    both = _entropy(table.counts.reshape(len(table.counts), -1))
    shared = np.maximum(of_clusters + of_classes - both, 0)
    means = {
        "arithmetic": (of_clusters + of_classes) / 2,
        "geometric": np.sqrt(of_clusters * of_classes),
        "min": np.minimum(of_clusters, of_classes),
        "max": np.maximum(of_clusters, of_classes),
    }
    return np.minimum(ratio(shared, means[mean]), 1)


def _entropy(counts: Floats) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    logs = np.log(share, out=np.zeros_like(share), where=share > 0)
    return -sorted_sum(share * logs)
