"""Measures of several classes: areas under ROC curves and top-k accuracy."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from assay.core.arrays import Bools, Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.parameters import Depth
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.probabilities.scoring_rules import weighted_mean_terms
from assay.measures.scores.areas import area_under_roc
from assay.measures.trace_tables import running_mean

ABSENT = "no pair of classes occurs in the truth"


@define(
    "AUC_OvR",
    aliases=["roc_auc_ovr"],
    undefined=ABSENT,
    label="area under the ROC curve, one against the rest",
)
def one_against_rest(forecasts: Probabilities) -> Floats:
    """The area under the ROC curve of each class against the rest, averaged over the classes.

    Classes that do not occur are left out.

    >>> measure("AUC_OvR")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]]))
    array([1.])
    """
    return _mean(_against_rest(forecasts))


def _against_rest(forecasts: Probabilities) -> Floats:
    """Return class × unit: the area of each class against the rest."""
    areas = [
        _area(forecasts.probability[:, place], forecasts.truth == place, forecasts.weight)
        for place in range(len(forecasts.classes))
    ]
    return np.asarray(areas)


@one_against_rest.trace
def one_against_rest_trace(forecasts: Probabilities) -> Columns:
    """Return each class: its items, its area against the rest, and the mean so far."""
    areas, weight = _against_rest(forecasts)[:, 0], forecasts.weight[0]
    items = np.bincount(forecasts.truth, weight, len(forecasts.classes))
    return {
        "class": list(forecasts.classes),
        "items": items,
        "AUC against the rest": areas,
        "mean so far": running_mean(areas, np.ones(len(areas))),
    }


@define(
    "HandTill",
    aliases=["roc_auc_ovo", "hand_till", "AUC_OvO"],
    undefined=ABSENT,
    label="Hand and Till's area over pairs of classes",
)
def hand_till(forecasts: Probabilities) -> Floats:
    """The area under the ROC curve for each pair of classes, averaged over all pairs.

    Each pair counts the mean of both directions; pairs of which one does not occur are left out.

    >>> measure("HandTill")(forecasts("abc", [[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.3, 0.3, 0.4]]))
    array([1.])
    """
    areas = []
    for one, other in combinations(range(len(forecasts.classes)), 2):
        inside = (forecasts.truth == one) | (forecasts.truth == other)
        weight, truth = forecasts.weight[:, inside], forecasts.truth[inside]
        given = forecasts.probability[inside]
        both = [_area(given[:, each], truth == each, weight) for each in (one, other)]
        areas.append((both[0] + both[1]) / 2)
    return _mean(np.asarray(areas))


def _area(score: Floats, positive: Bools, weight: Floats) -> Floats:
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
    return area_under_roc(table)


def _mean(areas: Floats) -> Floats:
    known = ~np.isnan(areas)
    return ratio(np.where(known, areas, 0).sum(axis=0), known.sum(axis=0))


@define(
    "top",
    unit="item",
    aggregate="micro",
    aliases=["top_k", "top_k_accuracy", "top_k_accuracy_score", "top1(k=1)"],
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
    own = forecasts.of_truth[:, None]
    likelier = (forecasts.probability > own).sum(axis=1)
    tied = (forecasts.probability == own).sum(axis=1)
    return weighted_mean_terms(np.clip((k - likelier) / tied, 0, 1), forecasts)
