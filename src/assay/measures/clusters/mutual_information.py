"""Entropy, mutual information and V-measure of clusters and classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import NO_SETTINGS, Settings
from assay.core.parameters import Weight
from assay.evidence.views.contingency import Contingency
from assay.measures.trace_tables import Lines, show_formula


@dataclass(frozen=True)
class Information:
    """The entropies of clusters and classes, and their mutual information; NaN for no items."""

    of_clusters: Floats
    of_classes: Floats
    shared: Floats

    @classmethod
    def of(cls, table: Contingency) -> Information:
        """Return the quantities of each table."""
        return cls(
            entropy(table.cluster_sizes), entropy(table.class_sizes), mutual_information_of(table)
        )


def entropy(counts: Floats) -> Floats:
    """Return the entropy of each row of counts."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0)
    return np.abs(sorted_sum(share * _log(share)))


def mutual_information_of(table: Contingency) -> Floats:
    """Return the mutual information of each table, cell by cell; never below 0."""
    counts, total = table.counts, table.items[:, None]
    expected = table.size_of_own_cluster * table.size_of_own_class
    share = np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0)
    surprise = _log(counts) + _log(total) - _log(expected)
    return np.maximum(sorted_sum(share * surprise), 0)


def _log(values: Floats) -> Floats:
    """Return the logarithm, and 0 where there is nothing."""
    return np.log(values, out=np.zeros_like(values), where=values > 0)


Mean: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]
Base: TypeAlias = Literal["e", "2"]
OF_SHARES, OF_ENTROPIES = 5, 6
"""With fewer items for each pair of cluster and class no interval is honest: of NMI and
other shares of entropies, and of entropies themselves (MI, VI)."""
ONE_OF_BOTH = "there is only one cluster and only one class"


@define(
    "MI",
    bounds=(0, np.inf),
    aliases=["mutual_info", "mutual_info_score"],
    undefined="there are no items",
    variants=["MI(base=2)"],
)
def mutual_information(table: Contingency, base: Base = "e") -> Floats:
    """The information that clusters give about classes, in nats (``base=2``: bits).

    >>> measure("MI(base=2)")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.57])
    """
    return mutual_information_of(table) / (np.log(2) if base == "2" else 1)


@mutual_information.trace
def cell_trace(table: Contingency, s: Settings) -> Columns:
    """Return for each cell its items, those expected by chance, and its part of the sum."""
    items, total = table.counts[0], table.items[0]
    chance = ratio(table.size_of_own_cluster[0] * table.size_of_own_class[0], total)
    quotient = ratio(items, chance)
    surprise = np.log(quotient, out=np.zeros(len(items)), where=items > 0)
    part = ratio(items, total) * surprise / (np.log(2) if s.base == "2" else 1)
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
    aliases=[
        "normalized_mutual_info",
        "normalized_mutual_info_score",
        "normalized-mutual-information",
    ],
    undefined=ONE_OF_BOTH,
    variants=["NMI(mean=min)", "NMI(mean=max)", "NMI(mean=geometric)"],
    standard=True,
)
def normalized_mutual_information(table: Contingency, mean: Mean = "arithmetic") -> Floats:
    """The mutual information of clusters and classes, divided by the mean of their entropies.

    The geometric mean and the lesser of the two are 0 as soon as there is only one cluster or
    one class; the measure is undefined then.

    >>> measure("NMI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.36])
    """
    known = Information.of(table)
    return np.minimum(ratio(known.shared, mean_entropy(known, mean)), 1)


def mean_entropy(known: Information, mean: Mean) -> Floats:
    """Return the mean of the entropies of clusters and classes."""
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


@show_formula(normalized_mutual_information, "mutual information / mean")
def normalized_mutual_information_trace(table: Contingency, s: Settings) -> Lines:
    """Return the quantities of the formula, line by line."""
    known = Information.of(table)
    return {
        "entropy of the clusters": known.of_clusters[0],
        "entropy of the classes": known.of_classes[0],
        "mutual information": known.shared[0],
        f"{s.mean} mean of the entropies": mean_entropy(known, s.mean)[0],
    }


@define("homogeneity", aliases=["homogeneity_score"], undefined="there is only one class")
def homogeneity(table: Contingency) -> Floats:
    """1 − H(classes | clusters) / H(classes): whether each cluster has one class.

    It is 1 when every cluster holds one class only.

    >>> measure("homogeneity")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.37])
    """
    known = Information.of(table)
    return np.minimum(Ratio(known.shared, known.of_classes).values, 1)


@define(
    "completeness",
    aliases=["completeness_score"],
    undefined=Undefined(answer="there is only one cluster"),
)
def completeness(table: Contingency) -> Floats:
    """1 − H(clusters | classes) / H(clusters): whether each class is in one cluster.

    It is 1 when every class lies in one cluster.

    >>> measure("completeness")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.36])
    """
    known = Information.of(table)
    return np.minimum(Ratio(known.shared, known.of_clusters).values, 1)


@define(
    "V",
    aliases=["v_measure", "v_measure_score"],
    undefined=ONE_OF_BOTH,
    variants=["V(beta=0.5)", "V(beta=2)"],
    label="V-measure",
)
def v_measure(table: Contingency, beta: Weight = 1) -> Floats:
    """The weighted harmonic mean of homogeneity and completeness.

    With a beta above 1 completeness weighs more. With beta 1 it equals NMI with the arithmetic
    mean.

    >>> measure("V")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.36])
    """
    known = Information.of(table)
    mean = (beta * known.of_clusters + known.of_classes) / (1 + beta)
    return np.minimum(Ratio(known.shared, mean).values, 1)


@define(
    "VI",
    better="lower",
    bounds=(0, np.inf),
    aliases=["variation_of_information"],
    undefined="there are no items",
    variants=["VI(base=2)"],
)
def variation_of_information(table: Contingency, base: Base = "e") -> Floats:
    """H(classes | clusters) + H(clusters | classes): a distance between two groupings.

    In nats; in bits with ``base=2``. It is 0 for equal groupings and at most the logarithm of
    the number of items.

    >>> measure("VI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([1.37])
    """
    known = Information.of(table)
    apart = np.maximum(known.of_clusters + known.of_classes - 2 * known.shared, 0)
    return apart / (np.log(2) if base == "2" else 1)


@show_formula(homogeneity, "shared / classes")
@show_formula(completeness, "shared / clusters")
@show_formula(v_measure, "(1 + beta) shared / (beta clusters + classes)")
@show_formula(variation_of_information, "clusters + classes − 2 shared")
def entropies(table: Contingency, s: Settings = NO_SETTINGS) -> Lines:
    """Return the entropies and what they share."""
    known = Information.of(table)
    return {
        "clusters: their entropy": known.of_clusters[0],
        "classes: their entropy": known.of_classes[0],
        "shared: mutual information": known.shared[0],
    }


@normalized_mutual_information.interval
@homogeneity.interval
@completeness.interval
@v_measure.interval
def no_interval_of_sparse_tables(
    table: Contingency, confidence: float, s: Settings = ()
) -> tuple[float, float] | None:
    """Return no interval where there are few items per cell; elsewhere there is no closed form.

    Entropies of sparse tables are biased by more than the jackknife can correct.
    """
    return None if _items_per_cell(table) >= OF_SHARES else (np.nan, np.nan)


@mutual_information.interval
@variation_of_information.interval
def no_interval_of_few_per_cell(
    table: Contingency, confidence: float, s: Settings = ()
) -> tuple[float, float] | None:
    """Return no interval where there are few items per cell, as of shares; these need more."""
    return None if _items_per_cell(table) >= OF_ENTROPIES else (np.nan, np.nan)


def _items_per_cell(table: Contingency) -> float:
    """Return the items for each pair of a cluster and a class that have any."""
    sizes = table.cluster_sizes[0], table.class_sizes[0]
    pairs = np.prod([np.count_nonzero(each) for each in sizes], dtype=float)
    return float(table.items[0]) / max(pairs, 1.0)
