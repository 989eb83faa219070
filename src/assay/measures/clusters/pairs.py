"""Pairs of items, together or apart in the clusters and in the classes, and the Rand index."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import NO_SETTINGS, Settings
from assay.core.parameters import Weight
from assay.evidence.views.contingency import Contingency
from assay.measures.trace_tables import Lines, show_formula

TOO_FEW = "there are fewer than two items"
NO_CLASS_PAIR = "no two items are of one class"
NO_CLUSTER_PAIR = "no two items are in one cluster"
NO_PAIR = Undefined(truth=NO_CLASS_PAIR, answer=NO_CLUSTER_PAIR)


@dataclass(frozen=True)
class PairCounts:
    """How many pairs of items are together in a cluster (positive), rightly (true) or not."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def of(cls, table: Contingency) -> PairCounts:
        """Return the pairs of each table."""
        both = _pairs_within(table.counts)
        clusters, classes = _pairs_within(table.cluster_sizes), _pairs_within(table.class_sizes)
        every = _pairs_within(table.items[:, None])
        return cls(both, clusters - both, classes - both, every - clusters - classes + both)


def _pairs_within(counts: Floats) -> Floats:
    """Return the number of pairs within groups of these sizes; 0 where nothing is left."""
    return np.maximum(counts * (counts - 1) / 2, 0).sum(axis=1)


@define("pairTP", aliases=["TP"], bounds=(0, np.inf))
def pairs_correctly_together(table: Contingency) -> Floats:
    """The number of pairs of items with the same class and the same cluster.

    >>> measure("pairTP")(clusters("xxxxxo", "xooood", "xxddd"))
    array([20.])
    """
    return PairCounts.of(table).tp


@define("pairFP", aliases=["FP"], better="lower", bounds=(0, np.inf))
def pairs_wrongly_together(table: Contingency) -> Floats:
    """How many pairs of items are in one cluster although their classes differ.

    >>> measure("pairFP")(clusters("xxxxxo", "xooood", "xxddd"))
    array([20.])
    """
    return PairCounts.of(table).fp


@define("pairFN", aliases=["FN"], better="lower", bounds=(0, np.inf))
def pairs_wrongly_separated(table: Contingency) -> Floats:
    """The number of pairs of items with the same class in different clusters.

    >>> measure("pairFN")(clusters("xxxxxo", "xooood", "xxddd"))
    array([24.])
    """
    return PairCounts.of(table).fn


@define("pairTN", aliases=["TN"], bounds=(0, np.inf))
def pairs_correctly_separated(table: Contingency) -> Floats:
    """The number of pairs of items with different classes and different clusters.

    >>> measure("pairTN")(clusters("xxxxxo", "xooood", "xxddd"))
    array([72.])
    """
    return PairCounts.of(table).tn


@define("pairP", aliases=["P", "precision"], undefined=Undefined(answer=NO_CLUSTER_PAIR))
def precision_of_pairs(table: Contingency) -> Ratio:
    """The share of the pairs within a cluster that is of one class.

    >>> measure("pairP")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.5])
    """
    pairs = PairCounts.of(table)
    return Ratio(pairs.tp, pairs.tp + pairs.fp)


@define("pairR", aliases=["R", "recall", "sensitivity"], undefined=NO_CLASS_PAIR)
def recall_of_pairs(table: Contingency) -> Ratio:
    """The share of the pairs of one class that are in one cluster.

    >>> measure("pairR")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.45])
    """
    pairs = PairCounts.of(table)
    return Ratio(pairs.tp, pairs.tp + pairs.fn)


@define(
    "pairTNR",
    aliases=["specificity", "TNR"],
    undefined="no two items are of different classes",
    label="specificity of pairs",
)
def specificity_of_pairs(table: Contingency) -> Ratio:
    """The share of the pairs of different classes that are in different clusters.

    >>> measure("pairTNR")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.78])
    """
    pairs = PairCounts.of(table)
    return Ratio(pairs.tn, pairs.tn + pairs.fp)


@define(
    "pairF",
    undefined=Undefined(
        truth="no two items are of one class, nor in one cluster", answer=NO_CLUSTER_PAIR
    ),
    aliases=[
        "F",
        "F1",
        "F_beta",
        "F_measure",
        "F_score",
        "F_*(beta=*)",
        "F_0.*(beta=0.*)",
        "F0.5(beta=0.5)",
        "F2(beta=2)",
        "F5(beta=5)",
    ],
    variants=["pairF(beta=5)", "pairF(beta=0.5)"],
    label="F of pairs",
)
def pair_f(table: Contingency, beta: Weight = 1) -> Ratio:
    """The harmonic mean of pair precision and recall; beta above 1 weights recall more.

    >>> measure("pairF(beta=5)")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.46])
    """
    pairs, square = PairCounts.of(table), beta**2
    right = (1 + square) * pairs.tp
    return Ratio(right, right + square * pairs.fn + pairs.fp)


@define(
    "pairJaccard",
    undefined="no two items are of one class, nor in one cluster",
    label="Jaccard index of pairs",
)
def pair_jaccard(table: Contingency) -> Ratio:
    """The pairs correctly together, as a share of those together in clusters, classes or both.

    >>> measure("pairJaccard")(clusters("xxxxxo", "xooood", "xxddd")).round(3)
    array([0.312])
    """
    pairs = PairCounts.of(table)
    return Ratio(pairs.tp, pairs.tp + pairs.fp + pairs.fn)


@define(
    "FM",
    aliases=["FMI", "fowlkes_mallows", "fowlkes_mallows_score"],
    undefined=NO_PAIR,
    label="Fowlkes-Mallows index",
)
def fowlkes_mallows(table: Contingency) -> Floats:
    """The geometric mean of precision and recall of pairs.

    >>> measure("FM")(clusters("xxxxxo", "xooood", "xxddd")).round(3)
    array([0.477])
    """
    pairs = PairCounts.of(table)
    in_clusters, of_classes = pairs.tp + pairs.fp, pairs.tp + pairs.fn
    return np.minimum(ratio(pairs.tp, np.sqrt(in_clusters) * np.sqrt(of_classes)), 1)


@show_formula(fowlkes_mallows, "both / √(clusters · classes)")
@show_formula(precision_of_pairs, "both / clusters")
@show_formula(recall_of_pairs, "both / classes")
@show_formula(specificity_of_pairs, "neither / (neither + clusters − both)")
@show_formula(pair_f, "(1 + beta²) both / (beta² classes + clusters)")
@show_formula(pair_jaccard, "both / (clusters + classes − both)")
@show_formula(pairs_correctly_together, "both")
@show_formula(pairs_wrongly_together, "clusters − both")
@show_formula(pairs_wrongly_separated, "classes − both")
@show_formula(pairs_correctly_separated, "neither")
def pair_counts(table: Contingency, s: Settings = NO_SETTINGS) -> Lines:
    """Return the counts of pairs from which the indices of pairs are made."""
    pairs = PairCounts.of(table)
    return {
        "pairs of items": (pairs.tp + pairs.fp + pairs.fn + pairs.tn)[0],
        "both: together in a cluster and a class": pairs.tp[0],
        "clusters: together in a cluster": (pairs.tp + pairs.fp)[0],
        "classes: together in a class": (pairs.tp + pairs.fn)[0],
        "neither: apart in both": pairs.tn[0],
    }


@define(
    "RI",
    aliases=["rand", "rand_score", "rand_index", "rand-index"],
    undefined=TOO_FEW,
    label="Rand index",
    standard=True,
)
def rand_index(table: Contingency) -> Ratio:
    """The share of all pairs of items that are correctly together or correctly apart.

    With many clusters most pairs are apart in any grouping, so it is high even by chance.

    >>> measure("RI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.68])
    """
    pairs = PairCounts.of(table)
    return Ratio(pairs.tp + pairs.tn, pairs.tp + pairs.fp + pairs.fn + pairs.tn)


@define(
    "ARI",
    bounds=(-1, 1),
    aliases=["adjusted_rand", "adjusted_rand_score"],
    undefined="clusters and classes are both one group, or both single items",
    label="adjusted Rand index",
    standard=True,
)
def adjusted_rand_index(table: Contingency) -> Floats:
    """The Rand index beyond chance, scaled so that 0 is chance and 1 is perfect.

    >>> measure("ARI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.24])
    """
    pairs = PairCounts.of(table)
    gained = 2 * (pairs.tp * pairs.tn - pairs.fn * pairs.fp)
    one = (pairs.tp + pairs.fn) * (pairs.fn + pairs.tn)
    two = (pairs.tp + pairs.fp) * (pairs.fp + pairs.tn)
    return ratio(gained, one + two)


show_formula(rand_index, "(both + neither) / pairs")(pair_counts)


@show_formula(adjusted_rand_index, "(both − expected) / (most − expected)")
def adjusted_trace(table: Contingency) -> Lines:
    """Return the pairs that are together, those expected and the most, and the quotient."""
    every, _, clusters, classes, _ = pair_counts(table).values()
    chance = float(ratio(np.asarray(clusters * classes), np.asarray(every)))
    return pair_counts(table) | {
        "expected: clusters · classes / pairs": chance,
        "most: (clusters + classes) / 2": (clusters + classes) / 2,
    }
