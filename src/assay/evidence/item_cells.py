"""In which cell of its view each item is counted, so that the items of two systems are drawn alike.

A view counts items in cells and forgets which they were. Two systems are compared item by item:
beside the view stand the names of its items and the cell of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints
from assay.core.tables import Assignments, Decisions, Table, ids_as_text
from assay.evidence.column_values import item_names, label_codes, row_weights
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_pairs import ValuePairs


@dataclass(frozen=True)
class ItemCells:
    """A view of one unit, with the name, the cell, the truth and the weight of each item."""

    view: Any
    items: tuple[str, ...]
    cells: Ints
    """Places among the ``cells`` of the view, unthinned."""
    truth: NDArray[Any]
    """What is true of each item, which all systems must agree on."""
    weight: Floats
    left_out: bool = False
    """Whether items are left out one by one, and not drawn again: resamples would mislead."""

    def __len__(self) -> int:
        return len(self.items)


def confusion_cells(decisions: Decisions, view: Confusion) -> ItemCells:
    """The cells of a confusion matrix: the true class and the predicted one."""
    frame = decisions.frame
    true, said = (label_codes(frame[name], view.labels) for name in ("truth", "predicted"))
    return _count_items(decisions, view, true * len(view.labels) + said)


def threshold_cells(decisions: Decisions, positive: str, view: ThresholdTable) -> ItemCells:
    """The cells of an unthinned threshold table: the scores of the positives, then the rest."""
    place = np.searchsorted(-view.score, -decisions.frame["score"].to_numpy(), side="left")
    negative = (decisions.frame["truth"] != positive).to_numpy()
    return _count_items(decisions, view, place + len(view.score) * negative)


def contingency_cells(assignments: Assignments, view: Contingency) -> ItemCells:
    """The cells of a contingency table: the cluster and the class."""
    frame = assignments.frame
    row = label_codes(ids_as_text(frame["cluster"]), view.clusters)
    column = label_codes(ids_as_text(frame["class"]), view.classes)
    known = view.row * len(view.classes) + view.column
    place = np.searchsorted(known, row * len(view.classes) + column)
    truth = ids_as_text(frame["class"]).to_numpy()
    return ItemCells(
        view, _item_names(assignments), place, truth, np.ones(len(place)), left_out=True
    )


def value_cells(pairs: ValuePairs, view: Any) -> ItemCells:
    """Pairs of numbers, or a view that draws them: each item is a cell."""
    return ItemCells(view, pairs.items, np.arange(len(pairs.items)), pairs.truth, pairs.weight[0])


def probability_cells(view: Probabilities) -> ItemCells:
    """Probabilities: each item is a cell."""
    truth = np.asarray(view.classes)[view.truth]
    items = view.by("item").units
    return ItemCells(view, items, np.arange(len(items)), truth, view.weight[0])


def _count_items(decisions: Decisions, view: Any, place: Ints) -> ItemCells:
    weight = row_weights(decisions.frame)
    weight = np.ones(len(place)) if weight is None else weight.astype(np.float64)
    truth = decisions.frame["truth"].to_numpy()
    return ItemCells(view, _item_names(decisions), place.astype(np.int64), truth, weight)


def _item_names(table: Table) -> tuple[str, ...]:
    """The names of the items, or their numbers from 1."""
    return item_names(table) or tuple(map(str, range(1, len(table) + 1)))
