"""B-cubed: precision and recall from each item's point of view."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import Settings
from assay.core.parameters import Weight
from assay.evidence.views.contingency import Contingency
from assay.measures.clusters.purity import NO_ITEMS
from assay.measures.trace_tables import running_mean, trace_lines


@define(
    "B3P",
    aggregate="whole",
    aliases=["bcubed_precision"],
    undefined=NO_ITEMS,
    label="B-cubed precision",
)
def bcubed_precision(table: Contingency) -> Floats:
    """The mean over items of the share of its cluster that is of its class, itself included.

    >>> measure("B3P")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.58])
    """
    return _mean_share(table, table.size_of_own_cluster)


@define(
    "B3R",
    aggregate="whole",
    aliases=["bcubed_recall"],
    undefined=NO_ITEMS,
    label="B-cubed recall",
)
def bcubed_recall(table: Contingency) -> Floats:
    """The mean over items of the share of its class that is in its cluster, itself included.

    >>> measure("B3R")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.57])
    """
    return _mean_share(table, table.size_of_own_class)


@define(
    "B3F",
    aggregate="whole",
    aliases=["bcubed", "bcubed_f"],
    undefined=NO_ITEMS,
    variants=["B3F(beta=2)"],
    label="B-cubed F",
    standard=True,
)
def bcubed_f(table: Contingency, beta: Weight = 1) -> Floats:
    """B-cubed precision and recall in one number; a beta above 1 weighs recall more.

    >>> measure("B3F")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.58])
    """
    precision, recall = bcubed_precision(table), bcubed_recall(table)
    return Ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall).values


@bcubed_precision.trace
def precision_trace(table: Contingency) -> Columns:
    """Cell by cell: how much of its cluster it is, for each of its items, and the mean so far."""
    return _cells(table, "share of the cluster", table.size_of_own_cluster)


@bcubed_recall.trace
def recall_trace(table: Contingency) -> Columns:
    """Cell by cell: how much of its class it is, for each of its items, and the mean so far."""
    return _cells(table, "share of the class", table.size_of_own_class)


def _cells(table: Contingency, name: str, whole: Floats) -> Columns:
    share = ratio(table.counts[0], whole[0])
    return {
        "cluster": [table.clusters[each] for each in table.row],
        "class": [table.classes[each] for each in table.column],
        "items": table.counts[0],
        name: share,
        "mean over items so far": running_mean(share, table.counts[0]),
    }


@bcubed_f.trace
def bcubed_f_trace(table: Contingency, s: Settings) -> Columns:
    """Precision, recall and their weighted harmonic mean."""
    return trace_lines(
        {
            "P: B3P, mean share of the cluster": bcubed_precision(table)[0],
            "R: B3R, mean share of the class": bcubed_recall(table)[0],
            "B3F: (1 + beta²) P R / (beta² P + R)": bcubed_f(table, beta=s.beta)[0],
        }
    )


def _mean_share(table: Contingency, whole: Floats) -> Floats:
    shares = np.divide(table.counts**2, whole, out=np.zeros_like(whole), where=whole > 0)
    return ratio(sorted_sum(shares), table.items)
