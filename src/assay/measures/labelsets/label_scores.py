"""Areas under the curves of labels that an item may have several of."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.evidence.views.label_scores import LabelScores
from assay.measures.probabilities.multiclass import Area, Mean, mean_area, weighted_area
from assay.measures.scores.areas import area_under_roc, average_precision
from assay.measures.trace_tables import running_mean


@define(
    "label_AUC",
    standard=True,
    aliases=["AUC"],
    undefined="no label has items with and without it",
    variants=["label_AUC(mean=weighted)", "label_AUC(mean=micro)"],
    label="area under the ROC curve of the labels",
    chance=0.5,
)
def label_area(scores: LabelScores, mean: Mean = "macro") -> Floats:
    """The area under the ROC curve of each label, averaged over the labels.

    Labels that all items or no items have are left out. The mean is ``macro`` (all labels alike),
    ``weighted`` by their items, or ``micro``: one curve over all pairs of an item and a label.

    >>> measure("label_AUC")(label_scores("a ab", [[0.8, 0.2], [0.4, 0.6]]))
    array([1.])
    """
    return _average(scores, area_under_roc, mean)


@define(
    "label_AP",
    standard=True,
    aliases=["AP"],
    undefined="no item has a label",
    variants=["label_AP(mean=weighted)", "label_AP(mean=micro)"],
    label="average precision of the labels",
)
def label_precision(scores: LabelScores, mean: Mean = "macro") -> Floats:
    """The average precision of each label over the items, averaged over the labels.

    Labels that no item has are left out. The mean is ``macro`` (all labels alike), ``weighted`` by
    their items, or ``micro``: one ranking of all pairs of an item and a label.

    >>> measure("label_AP")(label_scores("a b", [[0.8, 0.6], [0.4, 0.5]])).round(2)
    array([0.75])
    """
    return _average(scores, average_precision, mean)


def _average(scores: LabelScores, area: Area, mean: Mean) -> Floats:
    """Return the mean of an area over the labels, or over all pairs of an item and a label."""
    if mean == "micro":
        weight = np.repeat(scores.weight, len(scores.labels), axis=1)
        return weighted_area(scores.score.ravel(), scores.truth.ravel(), weight, area)
    return mean_area(_areas(scores, area), _items(scores) if mean == "weighted" else None)


def label_areas(scores: LabelScores) -> dict[str, Floats]:
    """Return the area under the ROC curve (AUC) and the average precision (AP) of each label."""
    areas: dict[str, Area] = {"AUC": area_under_roc, "AP": average_precision}
    return {name: _areas(scores, area)[:, 0] for name, area in areas.items()}


def _areas(scores: LabelScores, area: Area) -> Floats:
    """Return label × unit: the area of each label."""
    columns = zip(scores.score.T, scores.truth.T, strict=True)
    found = [weighted_area(score, truth, scores.weight, area) for score, truth in columns]
    return np.asarray(found).reshape(len(scores.labels), len(scores.weight))


def _items(scores: LabelScores) -> Floats:
    """Return label × unit: the weight of the items that have the label."""
    return np.asarray(scores.weight @ scores.truth).T


def _trace(scores: LabelScores, area: Area, name: str, mean: Mean) -> Columns:
    items = _items(scores)[:, 0]
    if mean == "micro":
        value = _average(scores, area, mean)
        return {"label": ["all pairs"], "items": items.sum(keepdims=True), "mean so far": value}
    areas = _areas(scores, area)[:, 0]
    return {
        "label": list(scores.labels),
        "items": items,
        name: areas,
        "mean so far": running_mean(areas, np.ones(len(areas)) if mean == "macro" else items),
    }


@label_area.trace
def label_area_trace(scores: LabelScores, s: Settings) -> Columns:
    """Return each label: its items, its area, and the mean so far."""
    return _trace(scores, area_under_roc, "AUC", s.mean)


@label_precision.trace
def label_precision_trace(scores: LabelScores, s: Settings) -> Columns:
    """Return each label: its items, its average precision, and the mean so far."""
    return _trace(scores, average_precision, "AP", s.mean)
