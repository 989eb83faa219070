"""The Rand index, plain and adjusted for chance."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.evidence.views.contingency import Contingency
from assay.measures.clusters.pairs import TOO_FEW, PairCounts, pair_counts
from assay.measures.trace_tables import trace_lines


@define(
    "RI",
    aliases=["rand", "rand_score"],
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


@rand_index.trace
def rand_index_trace(table: Contingency) -> Columns:
    """Return the pairs that are together, in which way, and the share that is rightly so."""
    return trace_lines(pair_counts(table) | {"RI: (both + neither) / pairs": rand_index(table)[0]})


@adjusted_rand_index.trace
def adjusted_trace(table: Contingency) -> Columns:
    """Return the pairs that are together, those expected and the most, and the quotient."""
    every, _, clusters, classes, _ = pair_counts(table).values()
    chance = float(ratio(np.asarray(clusters * classes), np.asarray(every)))
    return trace_lines(
        pair_counts(table)
        | {
            "expected: clusters · classes / pairs": chance,
            "most: (clusters + classes) / 2": (clusters + classes) / 2,
            "ARI: (both − expected) / (most − expected)": adjusted_rand_index(table)[0],
        }
    )
