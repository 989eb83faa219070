"""Which labels the learners see: drawn at random for several shares, or named in the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Ints
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.phrases import quantity
from assay.core.tables import ids_as_text
from assay.formats.arrays import to_series
from assay.formats.containers import to_frame
from assay.selection.learning_tasks.item_table import ItemTable

SHOWN = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
"""The words for a label that learners see, or not."""


class LabelDraw(NamedTuple):
    """The items whose label the learners see in a round."""

    about: str
    share: float
    labeled: Bools


def read_labeled(data: Any, labeled: Any, table: ItemTable, known: Ints) -> Bools:
    """Return which items have a label to learn from, by a column of yes and no or by values."""
    source = table.source
    if isinstance(labeled, str):
        frame = to_frame(data, "the data")[0]
        if labeled not in frame.columns:
            raise missing_column(source.name, labeled, frame.columns, "for `labeled`")
        column = frame[labeled]
    else:
        column = to_series(labeled, "`labeled`").alias("labeled")
        if len(column) != len(table):
            many = quantity(len(table), "item")
            raise UsageError(f"`labeled` has {len(column)} values, but there are {many}")
    text = ids_as_text(column).str.strip_chars().str.to_lowercase()
    shown = text.replace_strict(SHOWN, default=None, return_dtype=pl.Boolean)
    wrong = shown.is_null().arg_true()
    if len(wrong):
        found = "missing" if column[wrong[0]] is None else f"'{column[wrong[0]]}'"
        raise DataError(
            f"{source.place(int(wrong[0]))}: {column.name} is {found}; yes or no, true or false,"
            " 1 or 0 is expected"
        )
    chosen = shown.to_numpy().astype(np.bool_)
    without = np.setdiff1d(np.flatnonzero(chosen), known)
    if len(without):
        raise DataError(
            f"{source.place(int(without[0]))}: {column.name} says that learners see the label, but"
            " there is none"
        )
    if not chosen.any() or chosen[known].all():
        raise DataError(
            f"{source.name}: {column.name} shows the label of {int(chosen.sum())} of"
            f" {quantity(len(known), 'item')} with a label: one to learn from and one to predict"
            " are needed"
        )
    return chosen


def draw_labels(
    labels: Ints, shares: Sequence[float], rounds: int, seed: int
) -> Iterator[LabelDraw]:
    """Return the draws of labeled items, for each round by share; -1 is no label.

    Every class has at least one labeled item.
    """
    draw = np.random.default_rng(seed)
    known = np.flatnonzero(labels >= 0)
    classes = int(labels.max()) + 1
    for number in range(rounds):
        order = _label_order(labels, known, draw)
        for share in shares:
            count = labeled_count(share, len(known), classes)
            if count >= len(order):
                raise UsageError(
                    f"`shares` has {share:g}: of {quantity(len(known), 'labeled item')} no"
                    " item is left to predict; choose smaller shares"
                )
            labeled = np.zeros(len(labels), dtype=np.bool_)
            labeled[order[:count]] = True
            yield LabelDraw(f"round {number + 1} of {rounds}, {share:.0%} labeled", share, labeled)


def labeled_count(share: float, items: int, classes: int) -> int:
    """Return how many items are labeled: at least one of each class."""
    return max(classes, round(share * items))


def _label_order(labels: Ints, known: Ints, draw: np.random.Generator) -> Ints:
    """Return the items in the order in which they are labeled: one of each class, then any."""
    order = draw.permutation(known)
    ahead = [order[labels[order] == number][0] for number in range(int(labels.max()) + 1)]
    return np.concatenate([ahead, order[~np.isin(order, ahead)]])


def unlabeled_class_note(classes: Sequence[str], labels: Ints) -> list[str]:
    """Say that -1, scikit-learn's mark of items without a label, was taken as a class."""
    if "-1" not in classes or len(classes) < 3:
        return []
    count = int((labels == classes.index("-1")).sum())
    return [
        f"-1 is taken as a class ({quantity(count, 'item')}); if it means no label, as in"
        " scikit-learn, leave these labels empty (None)"
    ]
