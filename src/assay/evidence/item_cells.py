"""The cell of its view in which each item is counted, so that systems are resampled together.

A view counts items in cells without their names. To compare two systems item by item, the names of
the items and the cell of each are kept beside the view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints
from assay.core.tables import Assignments, Decisions, Table, Values, ids_as_text
from assay.evidence.column_values import item_names, label_codes
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency, build_contingency
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_pairs import ValueMoments, ValuePairs, build_value_pairs
from assay.evidence.views.view import Views
from assay.evidence.views.weighted_items import ItemNumbers


@dataclass(frozen=True)
class ItemCells:
    """A view of one unit, with the name, the cell, the truth and the weight of each item."""

    view: Any
    items: Sequence[str]
    cells: Ints
    """Places among the ``cells`` of the view, unthinned."""
    truth: NDArray[Any]
    """What is true of each item, which all systems must agree on."""
    weight: Floats
    left_out: bool = False
    """Whether the jackknife is used instead of resamples, which would mislead."""

    def __len__(self) -> int:
        return len(self.items)


def confusion_cells(decisions: Decisions, view: Confusion) -> ItemCells:
    """Return the cells of a confusion matrix: the true class and the predicted one."""
    frame = decisions.frame
    true, predicted = (label_codes(frame[name], view.labels) for name in ("truth", "predicted"))
    return _decision_cells(decisions, view, true * len(view.labels) + predicted)


def threshold_cells(decisions: Decisions, positive: str, view: ThresholdTable) -> ItemCells:
    """Return the cells of an unthinned threshold table: scores of positives, then of the rest."""
    place = np.searchsorted(-view.score, -decisions.frame["score"].to_numpy(), side="left")
    negative = (decisions.frame["truth"] != positive).to_numpy()
    return _decision_cells(decisions, view, place + len(view.score) * negative)


def _decision_cells(decisions: Decisions, view: Any, place: Ints) -> ItemCells:
    frame = decisions.frame
    weight = frame["weight"].to_numpy() if "weight" in frame.columns else np.ones(len(place))
    names, truth = _item_names(decisions), frame["truth"].to_numpy()
    return ItemCells(view, names, place.astype(np.int64), truth, weight.astype(np.float64))


def _contingency_cells(assignments: Assignments) -> ItemCells:
    """Return the cells of a contingency table: the cluster and the class."""
    view, frame = build_contingency(assignments), assignments.frame
    row = label_codes(ids_as_text(frame["cluster"]), view.clusters)
    column = label_codes(ids_as_text(frame["class"]), view.classes)
    known = view.row * len(view.classes) + view.column
    place = np.searchsorted(known, row * len(view.classes) + column)
    names, truth = _item_names(assignments), ids_as_text(frame["class"]).to_numpy()
    return ItemCells(view, names, place, truth, np.ones(len(place)), left_out=True)


def probability_cells(view: Probabilities) -> ItemCells:
    """Return the cells of probabilities: each item is one."""
    truth = np.asarray(view.classes)[view.truth]
    return _single_cells(view, view.by("item").units, truth, view.weight[0])


def _single_cells(
    view: Any, items: Sequence[str], truth: NDArray[Any], weight: Floats
) -> ItemCells:
    """Return the cells of a view in which each item is a cell."""
    return ItemCells(view, items, np.arange(len(items)), truth, weight)


def _item_names(table: Table) -> Sequence[str]:
    """Return the names of the items, or their numbers from 1."""
    return item_names(table) or ItemNumbers.counted(table.frame.height)


def slice_items(table: Table, slices: Mapping[str, pl.Series]) -> dict[str, frozenset[str]]:
    """Return the names of the items of each slice, whose rows are given."""
    names = _item_names(table) if slices else ()
    return {part: frozenset(names[row] for row in rows.arg_true()) for part, rows in slices.items()}


def predicted_items(values: Values) -> Views:
    """Return how to find the items of a predictor in each view that its columns allow."""
    if "predicted" not in values.frame.columns:
        return {}

    def cells(moments: bool) -> ItemCells:
        """Return the items behind the moments or the pairs."""
        pairs = build_value_pairs(values)
        return _single_cells(
            pairs.moments if moments else pairs, pairs.items, pairs.truth, pairs.weight[0]
        )

    return {ValuePairs: lambda: cells(False), ValueMoments: lambda: cells(True)}


def clustered_items(read: Callable[[], Assignments]) -> Views:
    """Return how to find the items of a clustering in its table."""
    return {Contingency: lambda: _contingency_cells(read())}
