"""Mutual information, and its share of the mean entropy."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.evidence.views.contingency import Contingency
from assay.measures.clusters.information import Information, mutual_information_of
from assay.measures.trace_tables import trace_lines

Mean: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]
Base: TypeAlias = Literal["e", "2"]
ONE_OF_BOTH = "there is only one cluster and only one class"


@define(
    "MI",
    bounds=(0, np.inf),
    aggregate="whole",
    aliases=["mutual_info", "mutual_info_score"],
    undefined="there are no items",
    variants=["MI(base=2)"],
    label="mutual information",
)
def mutual_information(table: Contingency, base: Base = "e") -> Floats:
    """How much the cluster of an item tells of its class, in nats; in bits with ``base=2``.

    >>> measure("MI(base=2)")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.57])
    """
    return mutual_information_of(table) / (np.log(2) if base == "2" else 1)


@mutual_information.trace
def cell_trace(table: Contingency, s: Settings) -> Columns:
    """Cell by cell: its items, those expected by chance, and its part of the sum."""
    items, total = table.counts[0], table.items[0]
    chance = ratio(table.size_of_own_cluster[0] * table.size_of_own_class[0], total)
    quotient = ratio(items, chance)
    told = np.log(quotient, out=np.zeros(len(items)), where=items > 0)
    part = ratio(items, total) * told / (np.log(2) if s.base == "2" else 1)
    return {
        "cluster": [table.clusters[each] for each in table.row],
        "class": [table.classes[each] for each in table.column],
        "items": items,
        "by chance": chance,
        "share": ratio(items, total),
        "part: share · log(items / by chance)": part,
        "sum": np.cumsum(part),
    }


@define(
    "NMI",
    aggregate="whole",
    aliases=["normalized_mutual_info", "normalized_mutual_info_score"],
    undefined=ONE_OF_BOTH,
    variants=["NMI(mean=min)", "NMI(mean=max)", "NMI(mean=geometric)"],
    label="normalised mutual information",
    standard=True,
)
def normalized_mutual_information(table: Contingency, mean: Mean = "arithmetic") -> Floats:
    """What the clusters tell of the classes, as a share of the mean of both entropies.

    The geometric mean and the lesser of the two are 0 as soon as there is only one cluster or
    one class; the measure is undefined then.

    >>> measure("NMI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.36])
    """
    known = Information.of(table)
    return np.minimum(ratio(known.shared, mean_entropy(known, mean)), 1)


def mean_entropy(known: Information, mean: Mean) -> Floats:
    """The mean of the entropies of clusters and classes."""
    one, two = known.of_clusters, known.of_classes
    match mean:
        case "arithmetic":
            return (one + two) / 2
        case "geometric":
            return np.sqrt(one * two)
        case "min":
            return np.minimum(one, two)
        case "max":
            return np.maximum(one, two)


@normalized_mutual_information.trace
def normalized_mutual_information_trace(table: Contingency, s: Settings) -> Columns:
    """The quantities of the formula, line by line."""
    known = Information.of(table)
    return trace_lines(
        {
            "entropy of the clusters": known.of_clusters[0],
            "entropy of the classes": known.of_classes[0],
            "mutual information": known.shared[0],
            f"{s.mean} mean of the entropies": mean_entropy(known, s.mean)[0],
            "NMI: mutual information / mean": normalized_mutual_information(table, mean=s.mean)[0],
        }
    )
