"""The Rand index, plain and adjusted for chance."""

from __future__ import annotations

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, Ratio, define
from assay.evidence.contingency import Contingency
from assay.measures.clusters.pairs import TOO_FEW, Pairs, trace


@define(
    "RI",
    better="higher",
    bounds=(0, 1),
    aggregate="whole",
    aliases=["rand", "rand_score"],
    undefined=TOO_FEW,
    label="Rand index",
    standard=True,
)
def rand_index(table: Contingency) -> Ratio:
    """The share of all pairs of items that is rightly together or rightly apart.

    With many clusters most pairs are apart in any grouping, so it is high even by chance.

    >>> measure("RI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.68])
    """
    pairs = Pairs.of(table)
    return Ratio(pairs.tp + pairs.tn, pairs.tp + pairs.fp + pairs.fn + pairs.tn)


@define(
    "ARI",
    better="higher",
    bounds=(-1, 1),
    aggregate="whole",
    aliases=["adjusted_rand", "adjusted_rand_score"],
    undefined="clusters and classes are both one group, or both single items",
    label="adjusted Rand index",
    standard=True,
)
def adjusted_rand_index(table: Contingency) -> Floats:
    """The Rand index beyond chance, as a share of what there was to gain: 0 by chance, 1 perfect.

    >>> measure("ARI")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.24])
    """
    pairs = Pairs.of(table)
    gained = 2 * (pairs.tp * pairs.tn - pairs.fn * pairs.fp)
    one = (pairs.tp + pairs.fn) * (pairs.fn + pairs.tn)
    two = (pairs.tp + pairs.fp) * (pairs.fp + pairs.tn)
    return ratio(gained, one + two)


@adjusted_rand_index.trace
def trace_of_pairs(table: Contingency) -> Columns:
    """The four counts of pairs."""
    return trace(table)


rand_index.trace(trace_of_pairs)
