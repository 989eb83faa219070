"""Figures of semi-supervised learning: quality by share labeled, and labeled points in a plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import shorten_name
from assay.reports.figures.series_figures import class_points, interval_lines
from assay.selection.learning_tasks.semi_supervised import SemiSupervised


def semi_supervised_figures(result: SemiSupervised) -> dict[str, Figure]:
    """Return the accuracy by share, the labeled points, and the predictions of each learner."""
    title = "Accuracy on unlabeled items by the share labeled"
    curve = interval_lines(result.curve, "share", title, ("share of items labeled", "accuracy"))
    places, axes = plane_of(result.features, result.names)
    names = np.array([*result.classes, None], dtype=object)
    marked = {
        name: places[result.labeled & (result.labels == number)]
        for number, name in enumerate(result.classes)
    }
    given = names[np.where(result.labeled, result.labels, len(result.classes))].tolist()
    figures = {
        "shares": curve,
        "labels": class_points(places, given, "Labeled and unlabeled items", axes, marked),
    }
    for name, own in result.predictions.items():
        said = f"Labels by {name}"
        figures[name] = class_points(places, names[own].tolist(), said, axes, marked)
    return figures


def plane_of(features: Floats, names: Sequence[str]) -> tuple[Floats, tuple[str, str]]:
    """Return two coordinates: the two features, or the two main components of more."""
    axes = [f"{shorten_name(name)}, standardized" for name in names]
    if features.shape[1] == 1:
        return np.column_stack([features[:, 0], np.zeros(len(features))]), (axes[0], "")
    if features.shape[1] == 2:
        return features, (axes[0], axes[1])
    centered = features - features.mean(axis=0)
    _, _, turn = np.linalg.svd(centered, full_matrices=False)
    signs = np.sign(turn[np.arange(2), np.abs(turn[:2]).argmax(axis=1)])
    return centered @ (turn[:2] * signs[:, None]).T, ("component 1", "component 2")
