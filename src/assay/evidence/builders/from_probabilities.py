"""Decisions with probabilities, to the view of them."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, did_you_mean
from assay.core.tables import Decisions
from assay.evidence.builders.from_decisions import check_weights
from assay.evidence.column_values import (
    canonical_order,
    finite_numbers,
    item_names,
    label_codes,
    refuse_empty,
)
from assay.evidence.views.probabilities import Probabilities

SLACK = 1e-6
"""How far the probabilities of an item may be from 1 in sum: what single precision costs."""


def build_probabilities(
    decisions: Decisions, matrix: Floats, classes: tuple[str, ...], positive: str | None = None
) -> Probabilities:
    """Return the probabilities of the classes in their order; of two, the positive comes second."""
    refuse_empty(decisions)
    _refuse_invalid_probabilities(decisions, matrix, classes)
    truth = decisions.frame["truth"]
    unseen = (~truth.is_in(list(classes))).arg_true()
    if len(unseen):
        row = int(unseen[0])
        raise DataError(
            f"{decisions.source.place(row)}: the true class '{truth[row]}' has no column of"
            f" probabilities; there are {', '.join(classes[:10])}."
            + did_you_mean(truth[row], classes)
        )
    codes, weights = label_codes(truth, classes), check_weights(decisions)
    items = item_names(decisions)
    if len(classes) == 2 and classes[0] == positive:
        return _canonical_items(classes[::-1], 1 - codes, matrix[:, ::-1], weights, items)
    return _canonical_items(classes, codes, matrix, weights, items)


def build_binary_probabilities(
    decisions: Decisions, positive: str, labels: tuple[str, ...]
) -> Probabilities:
    """A score between 0 and 1 as the probability of the positive class, which comes second."""
    refuse_empty(decisions)
    score = finite_numbers(decisions, "score")
    others = [label for label in labels if label != positive]
    rest = others[0] if len(others) == 1 else f"not {positive}"
    truth = (decisions.frame["truth"] == positive).to_numpy().astype(np.int64)
    matrix = np.stack((1 - score, score), axis=1)
    weights, items = check_weights(decisions), item_names(decisions)
    return _canonical_items((rest, positive), truth, matrix, weights, items)


def _canonical_items(
    classes: tuple[str, ...],
    truth: Ints,
    matrix: Floats,
    weights: Floats | None,
    items: tuple[str, ...],
) -> Probabilities:
    """The items in an order of their own: what is drawn from them must not hang on the lines."""
    keys = [*matrix.T[::-1], truth, *([] if weights is None else [weights])]
    order = canonical_order(*([*keys, np.asarray(items)] if items else keys))
    return Probabilities.of(
        classes,
        truth[order],
        matrix[order],
        None if weights is None else weights[order],
        row=order + 1,
        items=tuple(items[n] for n in order.tolist()) if items else (),
    )


def _refuse_invalid_probabilities(
    decisions: Decisions, matrix: Floats, classes: tuple[str, ...]
) -> None:
    # One pass each without a copy of the matrix; NaN fails every comparison.
    if matrix.size and not (matrix.min() >= 0 and matrix.max() <= 1 + SLACK):
        row, place = np.argwhere(~((matrix >= 0) & (matrix <= 1 + SLACK)))[0].tolist()
        raise DataError(
            f"{decisions.source.place(row)}: the probability of {classes[place]} is"
            f" {matrix[row, place]:g}; a number between 0 and 1 is expected"
        )
    total = matrix.sum(axis=1)
    off = np.flatnonzero(np.abs(total - 1) > SLACK)
    if len(off):
        row = int(off[0])
        raise DataError(
            f"{decisions.source.place(row)}: the probabilities of the {len(classes)} classes sum"
            f" to {total[row]:.9g}, not to 1 ({len(off)} of {len(matrix)} rows do not);"
            " divide each row by its sum, or give a score instead"
        )
