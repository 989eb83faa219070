"""How well predictions fit: the spread that they explain, and correlations."""

from __future__ import annotations

from functools import partial

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.closed_form_intervals import MANY_ITEMS, influence_error, normal_margin
from assay.core.curves import Columns
from assay.core.definition import Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Flag
from assay.evidence.views.value_pairs import ValueMoments, ValuePairs
from assay.measures.trace_tables import Lines, show_formula

CONSTANT = "the true values do not vary"


@define(
    "R2",
    bounds=(-np.inf, 1),
    aliases=["r2", "r2_score", "rsq_trad"],
    undefined=CONSTANT,
    variants=["R2(finite=true)"],
    standard=True,
)
def coefficient_of_determination(values: ValueMoments, finite: Flag = False) -> Floats:
    """1 − squared error / squared error of always predicting the mean.

    1 is perfect, 0 no better than the mean, below 0 worse. It is undefined where the true values
    do not vary; with ``finite`` it is then 1 if they are met, and otherwise 0.

    >>> measure("R2")(values([1, 2, 3, 4], [1, 2, 3, 5]))
    array([0.8])
    """
    moments = values.moments
    value = 1 - relative_error(moments, moments.squared_error)
    return finite_values(value, moments.squared_error) if finite else value


@coefficient_of_determination.interval
def determination_interval(
    values: ValueMoments, confidence: float, s: Settings
) -> tuple[float, float] | None:
    """Return the interval from the influence of each item, if there are many items."""
    if values.pairs is None or len(values.pairs.truth) <= MANY_ITEMS:
        return None
    if not values.of_truth[0]:
        return np.nan, np.nan
    truth, predicted, weight = values.pairs.settled_columns
    scale, unit = values.error_scale, values.truth_scale
    left, spread = relative_error(values, values.squared_error)[0], values.of_truth[0]
    from_mean = (truth / unit - values.truth[0]) ** 2
    squares = ((truth / scale - predicted / scale) * (scale / unit)) ** 2
    moved = weight[0] * (left * from_mean - squares) / spread
    value = float(coefficient_of_determination(values)[0])
    far = normal_margin(influence_error(values.pairs.sorted_items(moved)), confidence)
    return value - far, min(value + far, 1.0)


@show_formula(coefficient_of_determination, "1 − their quotient")
def determination_trace(values: ValueMoments, s: Settings) -> Lines:
    """Return the quantities of the formula, line by line."""
    moments = values.moments.in_units_of_values()
    return {
        "mean of the truth": moments.truth[0] + moments.truth_rest[0],
        "Σ (truth − mean)²": moments.of_truth[0],
        "Σ (truth − prediction)²": moments.squared_error[0],
    }


@define(
    "EV",
    bounds=(-np.inf, 1),
    aliases=["explained_variance", "explained_variance_score"],
    undefined=CONSTANT,
    variants=["EV(finite=true)"],
)
def explained_variance(values: ValueMoments, finite: Flag = False) -> Floats:
    """1 − variance of the errors / variance of the true values: R2 without a constant error.

    >>> measure("EV")(values([1, 2, 3, 4], [2, 3, 4, 5]))
    array([1.])
    """
    moments = values.moments
    left = np.maximum(moments.squared_error - moments.weight * moments.shift**2, 0)
    value = 1 - relative_error(moments, left)
    return finite_values(value, left) if finite else value


@show_formula(explained_variance, "1 − (error without that) / Σ (truth − mean)²")
def explained_trace(values: ValueMoments, s: Settings) -> Lines:
    """Return the quantities of the formula, line by line."""
    moments = values.moments.in_units_of_values()
    return {
        "Σ (truth − mean)²": moments.of_truth[0],
        "Σ (truth − prediction)²": moments.squared_error[0],
        "of it by the mean error: items · (mean error)²": moments.weight[0] * moments.shift[0] ** 2,
    }


def relative_error(moments: ValueMoments, left: Floats) -> Floats:
    """Return a sum of squared errors over that of the true values around their mean."""
    unit = moments.error_scale / moments.truth_scale
    return ratio(left, moments.of_truth) * unit * unit


def finite_values(value: Floats, left: Floats) -> Floats:
    """Return the values; where the truth does not vary 1 if no error is left, otherwise 0."""
    return np.where(np.isnan(value), np.where(left == 0, 1.0, 0.0), value)


NO_SPREAD = Undefined(truth=CONSTANT, answer="the predictions do not vary")
define_correlation = partial(define, bounds=(-1, 1), undefined=NO_SPREAD)


@define_correlation("Pearson", aliases=["pearson", "pearsonr", "r"], label="Pearson's correlation")
def pearson(values: ValueMoments) -> Floats:
    """The correlation of values and predictions; 1 if they lie on any rising line.

    >>> measure("Pearson")(values([1, 2, 3], [2, 4, 6]))
    array([1.])
    """
    return _correlation(values.moments)


@define_correlation("Spearman", aliases=["spearman", "spearmanr"], label="Spearman's correlation")
def spearman(pairs: ValuePairs) -> Floats:
    """The correlation of the ranks; tied values share the mean of their ranks.

    >>> measure("Spearman")(values([1, 2, 3, 4, 5], [2, 1, 3, 5, 4])).round(2)
    array([0.8])
    """
    truth, predicted, weight = pairs.sorted_columns
    moments = [
        ValueMoments.of((str(unit),), *ranks, weight[unit : unit + 1])
        for unit, ranks in enumerate(
            zip(_ranks(truth, weight), _ranks(predicted, weight), strict=True)
        )
    ]
    return np.concatenate([_correlation(each) for each in moments])


@define_correlation(
    "CCC",
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


@show_formula(pearson, "product / √(truth · prediction)")
def pearson_trace(values: ValueMoments) -> Lines:
    """Return the quantities of the formula, line by line."""
    return _spreads(values)


@show_formula(concordance, "2 product / (truth + prediction + shift)")
def concordance_trace(values: ValueMoments, s: Settings) -> Lines:
    """Return the quantities of the formula, line by line."""
    moments = values.moments.in_units_of_values()
    size = moments.weight[0] - 1 if s.unbiased else moments.weight[0]
    return _spreads(values) | {"shift: items · (mean error)²": size * moments.shift[0] ** 2}


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
    truth, predicted, weight = pairs.sorted_columns
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
