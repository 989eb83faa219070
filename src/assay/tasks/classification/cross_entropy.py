"""Cross-entropy between a true distribution and a forecast, item by item and class by class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.printable import Printable
from assay.core.tables import Source
from assay.formats.containers import to_frame
from assay.formats.decimal_commas import with_decimal_commas
from assay.measures.probabilities.scoring_rules import CLIP, clip_probabilities
from assay.tasks.classification.probability_columns import probability_columns, probability_matrix

SLACK = 1e-6
"""How far the probabilities of an item may be from 1 in sum."""


@dataclass(frozen=True, repr=False, eq=False)
class CrossEntropy(Printable):
    """How far forecasts are from the true distributions."""

    summary: pl.DataFrame
    """Means over the items: cross-entropy, entropy of the truth, divergence, and log-loss sum."""
    classes: pl.DataFrame
    """A row for each class: its part of the cross-entropy, and its own log-loss."""
    items: pl.DataFrame
    """A row for each item."""
    notes: tuple[str, ...] = ()


def entropy(
    data: Any,
    *,
    probabilities: Any,
    true: Any = None,
    truth: str | None = None,
    base: float = float(np.e),
    clip: float = CLIP,
    decimal_comma: bool = False,
) -> CrossEntropy:
    """Return the cross-entropy H(p, q) = −Σ p log q of each item, and the part of each class.

    ``probabilities`` names the columns of the forecast q, such as ``q_*``; ``true`` those of the
    true distribution p, such as ``p_*``. Where the true class is certain, ``truth`` names its
    column instead. The log-loss of a class is −p log q − (1 − p) log(1 − q), summed over the
    items. Forecasts are kept ``clip`` away from 0 and 1. ``decimal_comma`` reads numbers such as
    0,25.

    >>> import assay
    >>> data = {"p_a": [0.5], "p_b": [0.5], "q_a": [0.25], "q_b": [0.75]}
    >>> found = assay.entropy(data, probabilities="q_*", true="p_*", base=2)
    >>> round(found.summary["cross_entropy"][0], 3)
    1.208
    """
    if (true is None) == (truth is None):
        raise UsageError("name the true distribution with `true`, or the true class with `truth`")
    if not base > 0 or base == 1 or not 0 <= clip < 0.5:
        raise UsageError("`base` must be above 0 and not 1, and `clip` from 0 to below 0.5")
    frame, source = to_frame(with_decimal_commas(data, decimal_comma), "the probabilities")
    columns = probability_columns(frame, source, probabilities)
    forecast = _distribution(frame, source, columns)
    if truth is not None:
        actual = _certain(frame, source, truth, list(columns))
    else:
        known = probability_columns(frame, source, true)
        if stranger := sorted(set(known) ^ set(columns)):
            raise UsageError(
                f"{source.name}: '{stranger[0]}' has a true probability or a forecast, not both"
            )
        actual = _distribution(frame, source, {label: known[label] for label in columns})
    return _cross_entropy(actual, forecast, list(columns), base, clip)


def _cross_entropy(
    actual: Floats, forecast: Floats, labels: list[str], base: float, clip: float
) -> CrossEntropy:
    from scipy.special import xlog1py, xlogy

    unit = np.log(base)
    kept = clip_probabilities(forecast, clip)
    parts = -xlogy(actual, kept) / unit
    own = -xlogy(actual, actual) / unit
    sides = parts - xlog1py(1 - actual, -kept) / unit
    cross, certain = parts.sum(axis=1), own.sum(axis=1)
    numbers = list(range(1, len(actual) + 1))
    items = {"item": numbers, "cross_entropy": cross, "entropy": certain}
    return CrossEntropy(
        pl.DataFrame(
            {
                "cross_entropy": [cross.mean()],
                "entropy": [certain.mean()],
                "divergence": [(cross - certain).mean()],
                "log_loss_sum": [sides.sum()],
            }
        ),
        pl.DataFrame(
            {
                "class": labels,
                "prevalence": actual.mean(axis=0),
                "cross_entropy": parts.mean(axis=0),
                "log_loss_sum": sides.sum(axis=0),
            }
        ),
        pl.DataFrame(items | {"divergence": cross - certain}),
        ("cross_entropy of the classes sums to that of the items; divergence is H(p, q) − H(p)",),
    )


def _distribution(frame: pl.DataFrame, source: Source, columns: dict[str, str]) -> Floats:
    matrix = probability_matrix(frame, source, columns)
    if not len(matrix):
        raise DataError(f"{source.name}: there are no rows")
    bad = np.flatnonzero(~((matrix >= 0).all(axis=1) & (np.abs(matrix.sum(axis=1) - 1) <= SLACK)))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{source.place(row)}: the probabilities {', '.join(f'{p:g}' for p in matrix[row])} do"
            f" not sum to 1, or one is below 0; they are in {', '.join(columns.values())}"
        )
    return matrix


def _certain(frame: pl.DataFrame, source: Source, truth: str, labels: list[str]) -> Floats:
    if truth not in frame.columns:
        raise missing_column(source.name, truth, frame.columns)
    given = frame[truth].cast(pl.String).to_list()
    for row, label in enumerate(given):
        if label not in labels:
            raise DataError(
                f"{source.place(row)}: the true class '{label}' has no forecast; there are"
                f" {', '.join(labels)}"
            )
    return np.asarray([[float(label == each) for each in labels] for label in given])
