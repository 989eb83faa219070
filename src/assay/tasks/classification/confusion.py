"""Confusion matrices: from a matrix that exists already, or from decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.tables import Decisions, Source
from assay.evidence.label_order import (
    Labels,
    column_order,
    label_order,
    label_values,
    listed_labels,
    refuse_unlisted,
)
from assay.evidence.views.confusion import Confusion, Rows, build_confusion
from assay.formats.containers import to_frame
from assay.tasks.inputs.missing_values import Policy, handle_missing
from assay.tasks.inputs.named_columns import select_columns


def confusion(
    data: Any,
    *,
    rows: Rows | None = None,
    labels: Labels = None,
    truth: str | None = None,
    predicted: str | None = None,
    weight: str | None = None,
    positive: str | None = None,
    missing: Policy = "error",
) -> Confusion:
    """A confusion matrix, from decisions or from a matrix that exists already.

    With ``truth`` and ``predicted`` (and perhaps ``weight``), ``data`` has a row for each item and
    they name its columns; ``missing`` says what becomes of items that lack a class. With ``rows``,
    it is a matrix: ``actual`` or ``predicted`` says which classes stand in its rows; a table has
    the labels of the rows in its first column.

    ``labels`` lists all classes in their order, or names the rows of an array. By default decisions
    have the order of an Enum or ordered Categorical column, a matrix that of its rows; classes that
    are numbers are ordered by value.
    """
    if truth is not None and predicted is not None:
        return count_decisions(data, truth, predicted, weight, positive, missing, labels)[0]
    if rows not in ("actual", "predicted"):
        raise UsageError(
            "say which classes stand in the rows of the matrix, `rows=actual` or `rows=predicted`;"
            " or name the columns of decisions with `truth` and `predicted`"
        )
    if isinstance(data, np.ndarray) or (isinstance(data, Sequence) and not isinstance(data, str)):
        counts = _check_matrix(np.asarray(data, dtype=np.float64), Source("the matrix"))
        names = listed_labels(labels) or tuple(str(n) for n in range(len(counts)))
        return Confusion.of(counts if rows == "actual" else counts.T, names, positive)
    counts, names = _matrix(data)
    matrix = Confusion.of(counts if rows == "actual" else counts.T, names, positive)
    if labels is not None:
        return matrix.listed(labels)
    return matrix if label_values(names) is None else matrix.reorder(label_order(names))


def count_decisions(
    data: Any,
    truth: str,
    predicted: str,
    weight: str | None = None,
    positive: str | None = None,
    missing: Policy = "error",
    labels: Labels = None,
) -> tuple[Confusion, tuple[str, ...]]:
    """The matrix of decisions, and notes on those that lack a class."""
    columns = {"truth": truth, "predicted": predicted, "weight": weight}
    needed = {"truth": ["truth"], "prediction": ["predicted"]}
    frame, source = select_columns(data, columns, "the decisions")
    order = listed_labels(labels) or column_order(frame["truth"], frame["predicted"])
    whole = handle_missing(frame, source, needed, missing)
    decisions = Decisions.of(whole.frame, whole.source)
    if labels is not None:
        refuse_unlisted(decisions, ["truth", "predicted"], order)
    return build_confusion(decisions, positive, order), whole.notes


def _matrix(data: Any) -> tuple[Any, tuple[str, ...]]:
    """Return the counts of a table whose first column names the rows, and these names."""
    frame, source = to_frame(data, "the matrix")
    names = tuple(map(str, frame[frame.columns[0]].to_list()))
    if sorted(names) != sorted(frame.columns[1:]):
        raise DataError(
            f"{source.name}: the labels of the rows ({', '.join(names)}) and of the columns"
            f" ({', '.join(frame.columns[1:])}) are not the same; the first column names the rows"
        )
    if not names:
        raise DataError(f"{source.name}: the matrix has no rows; was it written to the end?")
    body = frame.select(names).cast(pl.Float64, strict=False)
    for column in body:
        if column.null_count():
            row = int(column.is_null().arg_true()[0])
            raise DataError(
                f"{source.place(row)}: the count of '{column.name}' is"
                f" '{frame[column.name][row]}'; a number is expected"
            )
    return _check_matrix(body.to_numpy(), source), names


def _check_matrix(counts: Any, source: Source) -> Any:
    bad = np.argwhere(~np.isfinite(counts) | (counts < 0))
    if len(bad):
        row, column = bad[0].tolist()
        raise DataError(
            f"{source.place(row)}: the count in column {column + 1} is {counts[row, column]:g};"
            " a finite number of at least 0 is expected"
        )
    return counts
