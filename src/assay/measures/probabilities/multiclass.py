"""Measures of several classes: areas under ROC curves and top-k accuracy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Bools, Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import Settings
from assay.core.parameters import Depth
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.areas import area_under_roc, average_precision
from assay.measures.trace_tables import running_mean

Mean: TypeAlias = Literal["macro", "weighted", "micro"]
"""How classes are averaged."""
Area: TypeAlias = Callable[[ThresholdTable], Floats]
ABSENT = "no pair of classes occurs in the truth"


@define(
    "AUC_OvR",
    aliases=[
        *("roc_auc_ovr", "roc_auc_ovr_weighted(mean=weighted)"),
        *("AUC[average]", "AUC[mean]", "AUC[multi_class=ovr]"),
    ],
    synonyms={"multi_class=ovr": ""},
    undefined=ABSENT,
    variants=["AUC_OvR(mean=weighted)", "AUC_OvR(mean=micro)"],
    label="area under the ROC curve, one against the rest",
    replaces="AUC",
)
def one_against_rest(forecasts: Probabilities, mean: Mean = "macro") -> Floats:
    """The area under the ROC curve of each class against the rest, averaged over the classes.

    Classes that do not occur are left out. The mean is ``macro`` (all classes alike), ``weighted``
    by their items, or ``micro``: one curve over all pairs of an item and a class.

    >>> measure("AUC_OvR")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]]))
    array([1.])
    """
    return _average(forecasts, area_under_roc, mean)


@define(
    "AP_OvR",
    aliases=["average_precision_ovr", "AP[average]", "AP[mean]"],
    undefined="no item has a class",
    variants=["AP_OvR(mean=weighted)", "AP_OvR(mean=micro)"],
    label="average precision, one against the rest",
)
def average_precision_against_rest(forecasts: Probabilities, mean: Mean = "macro") -> Floats:
    """The average precision of each class against the rest, averaged over the classes.

    Classes that do not occur are left out. The mean is ``macro`` (all classes alike), ``weighted``
    by their items, or ``micro``: one ranking of all pairs of an item and a class.

    >>> measure("AP_OvR")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]]))
    array([1.])
    """
    return _average(forecasts, average_precision, mean)


def _average(forecasts: Probabilities, area: Area, mean: Mean) -> Floats:
    """Return the mean of an area over the classes, or over all pairs of an item and a class."""
    if mean == "micro":
        count = len(forecasts.classes)
        own = forecasts.truth[:, None] == np.arange(count)
        weight = np.repeat(forecasts.weight, count, axis=1)
        return weighted_area(forecasts.probability.ravel(), own.ravel(), weight, area)
    areas = _against_rest(forecasts, area)
    return mean_area(areas, _class_weights(forecasts) if mean == "weighted" else None)


def _class_weights(forecasts: Probabilities) -> Floats:
    """Return class × unit: the weight of the items of each class."""
    own = forecasts.truth[:, None] == np.arange(len(forecasts.classes))
    return np.asarray(forecasts.weight @ own).T


def _against_rest(forecasts: Probabilities, area: Area) -> Floats:
    """Return class × unit: the area of each class against the rest."""
    areas = [
        weighted_area(
            forecasts.probability[:, place], forecasts.truth == place, forecasts.weight, area
        )
        for place in range(len(forecasts.classes))
    ]
    return np.asarray(areas)


@one_against_rest.trace
def one_against_rest_trace(forecasts: Probabilities, s: Settings) -> Columns:
    """Return each class: its items, its area against the rest, and the mean so far."""
    items = _class_weights(forecasts)[:, 0]
    if s.mean == "micro":
        value = one_against_rest(forecasts, mean="micro")
        return {"class": ["all pairs"], "items": items.sum(keepdims=True), "mean so far": value}
    areas = _against_rest(forecasts, area_under_roc)[:, 0]
    return {
        "class": list(forecasts.classes),
        "items": items,
        "AUC against the rest": areas,
        "mean so far": running_mean(areas, np.ones(len(areas)) if s.mean == "macro" else items),
    }


@define(
    "HandTill",
    aliases=[
        *("roc_auc_ovo", "hand_till", "AUC_OvO", "roc_auc_ovo_weighted(mean=weighted)"),
        "AUC[multi_class=ovo]",
    ],
    undefined=ABSENT,
    variants=["HandTill(mean=weighted)"],
    label="Hand and Till's area over pairs of classes",
)
def hand_till(forecasts: Probabilities, mean: Literal["macro", "weighted"] = "macro") -> Floats:
    """The area under the ROC curve for each pair of classes, averaged over all pairs.

    Each pair counts the mean of both directions; pairs of which one does not occur are left out.
    The mean is ``macro`` (all pairs alike) or ``weighted`` by the items of both classes.

    >>> measure("HandTill")(forecasts("abc", [[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.3, 0.3, 0.4]]))
    array([1.])
    """
    areas, items, pairs = [], _class_weights(forecasts), []
    for one, other in combinations(range(len(forecasts.classes)), 2):
        inside = (forecasts.truth == one) | (forecasts.truth == other)
        weight, truth = forecasts.weight[:, inside], forecasts.truth[inside]
        given = forecasts.probability[inside]
        both = [weighted_area(given[:, each], truth == each, weight) for each in (one, other)]
        areas.append((both[0] + both[1]) / 2)
        pairs.append(items[one] + items[other])
    return mean_area(np.asarray(areas), np.asarray(pairs) if mean == "weighted" else None)


def weighted_area(
    score: Floats, positive: Bools, weight: Floats, area: Area = area_under_roc
) -> Floats:
    """Return the area for each row of weights, all over the same scores."""
    if not len(score):
        return np.full(len(weight), np.nan)
    distinct, place = np.unique(-score, return_inverse=True)
    order = np.lexsort((weight[0], place))
    at, sizes, is_positive = place[order], weight[:, order], positive[order]
    starts = np.flatnonzero(np.diff(at, prepend=-1))
    table = ThresholdTable(
        tuple(map(str, range(len(weight)))),
        -distinct,
        np.add.reduceat(sizes * is_positive, starts, axis=1),
        np.add.reduceat(sizes * ~is_positive, starts, axis=1),
    )
    return area(table)


def mean_area(areas: Floats, weights: Floats | None = None) -> Floats:
    """Return the mean of the areas that are defined, by weight."""
    used = np.where(np.isnan(areas), 0, 1 if weights is None else weights)
    return ratio((np.nan_to_num(areas) * used).sum(axis=0), used.sum(axis=0))


@define(
    "top",
    unit="item",
    aggregate="micro",
    aliases=[
        "top_k",
        "top_k_accuracy(k=2)",
        "top_k_accuracy_score(k=2)",
        "top1(k=1)",
        "top5(k=5)",
    ],
    undefined="the item has no weight",
    variants=["top@2"],
    label="top-k accuracy",
)
def top(forecasts: Probabilities, k: Depth = 1) -> Ratio:
    """1 if the actual class is among the k most probable; top@1 is the accuracy.

    Classes tied with the true one share the places that are left: three classes tied for one
    place count one third each.

    >>> measure("top")(forecasts("ab", [[0.8, 0.2], [0.5, 0.5]]).by("item"))
    array([1. , 0.5])
    """
    own = forecasts.of_truth()[:, None]
    likelier = (forecasts.probability > own).sum(axis=1)
    tied = (forecasts.probability == own).sum(axis=1)
    return forecasts.average(np.clip((k - likelier) / tied, 0, 1))
