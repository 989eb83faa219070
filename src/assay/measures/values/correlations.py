"""How far truth and prediction go together."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Flag
from assay.evidence.views.value_pairs import ValueMoments, ValuePairs
from assay.measures.trace_tables import trace_lines

CONSTANT = Undefined(truth="the true values do not vary", answer="the predictions do not vary")


@define(
    "Pearson",
    bounds=(-1, 1),
    aggregate="whole",
    aliases=["pearson", "pearsonr", "r"],
    undefined=CONSTANT,
    label="Pearson's correlation",
)
def pearson(values: ValueMoments) -> Floats:
    """The correlation of values and predictions; 1 if they lie on any rising line.

    >>> measure("Pearson")(values([1, 2, 3], [2, 4, 6]))
    array([1.])
    """
    return _correlation(values.moments)


@define(
    "Spearman",
    bounds=(-1, 1),
    aggregate="whole",
    aliases=["spearman", "spearmanr"],
    undefined=CONSTANT,
    label="Spearman's correlation",
)
def spearman(pairs: ValuePairs) -> Floats:
    """The correlation of the ranks; tied values share the mean of their ranks.

    >>> measure("Spearman")(values([1, 2, 3, 4, 5], [2, 1, 3, 5, 4])).round(2)
    array([0.8])
    """
    truth, predicted, weight = pairs.arranged
    moments = [
        ValueMoments.of((str(unit),), *ranks, weight[unit : unit + 1])
        for unit, ranks in enumerate(
            zip(_ranks(truth, weight), _ranks(predicted, weight), strict=True)
        )
    ]
    return np.concatenate([_correlation(each) for each in moments])


@define(
    "CCC",
    bounds=(-1, 1),
    aggregate="whole",
    aliases=["ccc", "concordance"],
    undefined="neither the true values nor the predictions vary",
    variants=["CCC(unbiased=true)"],
    label="Lin's concordance correlation",
)
def concordance(values: ValueMoments, unbiased: Flag = False) -> Floats:
    """Lin's concordance: a correlation that also penalizes distance from the diagonal.

    Variances divide by n, as in Lin's paper, or by n − 1 with ``unbiased``.

    >>> measure("CCC")(values([1, 2, 3], [2, 3, 4])).round(3)
    array([0.571])
    """
    moments = values.moments
    size = moments.weight - 1 if unbiased else moments.weight
    one, two = (scale / moments.error_scale for scale in moments.scales[:2])
    return ratio(
        2 * moments.of_both * one * two,
        moments.of_truth * one * one + moments.of_predicted * two * two + size * moments.shift**2,
    )


def _correlation(moments: ValueMoments) -> Floats:
    spread = np.sqrt(moments.of_truth) * np.sqrt(moments.of_predicted)
    return np.clip(ratio(moments.of_both, spread), -1, 1)


def _ranks(values: Floats, weight: Floats) -> Floats:
    """Return the middle rank of each value among the items as they are weighted, units × item."""
    _, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    sizes = np.add.reduceat(weight[:, order], starts, axis=1)
    return (np.cumsum(sizes, axis=1) - sizes / 2)[:, place]


@pearson.trace
def pearson_trace(values: ValueMoments) -> Columns:
    """Return the quantities of the formula, line by line."""
    return trace_lines(
        _spreads(values) | {"Pearson: product / √(truth · prediction)": pearson(values)[0]}
    )


@concordance.trace
def concordance_trace(values: ValueMoments, s: Settings) -> Columns:
    """Return the quantities of the formula, line by line."""
    moments = values.moments.in_units_of_values()
    size = moments.weight[0] - 1 if s.unbiased else moments.weight[0]
    return trace_lines(
        _spreads(values)
        | {
            "shift: items · (mean error)²": size * moments.shift[0] ** 2,
            "CCC: 2 product / (truth + prediction + shift)": concordance(
                values, unbiased=s.unbiased
            )[0],
        }
    )


def _spreads(values: ValueMoments) -> dict[str, float]:
    moments = values.moments.in_units_of_values()
    return {
        "truth: Σ (truth − mean)²": moments.of_truth[0],
        "prediction: Σ (prediction − mean)²": moments.of_predicted[0],
        "product: Σ (truth − mean) (prediction − mean)": moments.of_both[0],
    }


@spearman.trace
def spearman_trace(pairs: ValuePairs) -> Columns:
    """Return the ranks of each item, how far they are from their means, and the products."""
    truth, predicted, weight = pairs.arranged
    one, two = (_ranks(side, weight)[0] for side in (truth, predicted))
    size = weight[0]
    one, two = (each - (size * each).sum() / size.sum() for each in (one, two))
    products = np.cumsum(size * one * two)
    spread = np.sqrt((size * one**2).sum()) * np.sqrt((size * two**2).sum())
    return {
        "truth": truth,
        "predicted": predicted,
        "rank from the mean": one,
        "other rank from the mean": two,
        "sum of products": products,
        "√Σ² · √Σ²": np.full(len(one), spread),
        "Spearman": ratio(products, spread),
    }
