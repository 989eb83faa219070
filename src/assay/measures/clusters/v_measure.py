"""Homogeneity, completeness and their weighted mean, and the variation of information."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import Definition, Ratio, Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Weight
from assay.evidence.views.contingency import Contingency
from assay.measures.clusters.information import Information
from assay.measures.clusters.mutual_information import ONE_OF_BOTH, Base
from assay.measures.trace_tables import trace_lines


@define(
    "homogeneity",
    aggregate="whole",
    aliases=["homogeneity_score"],
    undefined="there is only one class",
    label="homogeneity",
)
def homogeneity(table: Contingency) -> Floats:
    """What the clusters tell of the classes, as a share of all there is to tell.

    It is 1 when every cluster holds one class only.

    >>> measure("homogeneity")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.37])
    """
    known = Information.of(table)
    return np.minimum(Ratio(known.shared, known.of_classes).values, 1)


@define(
    "completeness",
    aggregate="whole",
    aliases=["completeness_score"],
    undefined=Undefined(answer="there is only one cluster"),
    label="completeness",
)
def completeness(table: Contingency) -> Floats:
    """What the classes tell of the clusters, as a share of all there is to tell.

    It is 1 when every class lies in one cluster.

    >>> measure("completeness")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.36])
    """
    known = Information.of(table)
    return np.minimum(Ratio(known.shared, known.of_clusters).values, 1)


@define(
    "V",
    aggregate="whole",
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
    aggregate="whole",
    aliases=["variation_of_information"],
    undefined="there are no items",
    variants=["VI(base=2)"],
    label="variation of information",
)
def variation_of_information(table: Contingency, base: Base = "e") -> Floats:
    """What clusters and classes do not tell of each other: a distance between two groupings.

    In nats; in bits with ``base=2``. It is 0 for equal groupings and at most the logarithm of
    the number of items.

    >>> measure("VI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([1.37])
    """
    known = Information.of(table)
    apart = np.maximum(known.of_clusters + known.of_classes - 2 * known.shared, 0)
    return apart / (np.log(2) if base == "2" else 1)


def _from_information(definition: Definition, formula: str) -> None:
    """Declare that a measure shows the entropies, and then its formula."""

    @definition.trace
    def trace(table: Contingency, s: Settings = ()) -> Columns:
        known = Information.of(table)
        return trace_lines(
            {
                "clusters: their entropy": known.of_clusters[0],
                "classes: their entropy": known.of_classes[0],
                "shared: mutual information": known.shared[0],
                f"{definition.name}: {formula}": definition(table, *s)[0],
            }
        )


_from_information(homogeneity, "shared / classes")
_from_information(completeness, "shared / clusters")
_from_information(v_measure, "(1 + beta) shared / (beta clusters + classes)")
_from_information(variation_of_information, "clusters + classes − 2 shared")
