"""Features and targets of items, from a table or from arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, missing_column, no_rows, unknown_name
from assay.formats.containers import to_frame

TASKS = ("classification", "regression")
MOST_CLASSES = 20
"""A target of whole numbers with more different values than these is a number, not a class."""
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TrainingData:
    """Features and target of items, as numbers; classes are numbered in their order."""

    features: Floats
    """A row for each item."""
    target: npt.NDArray[Any]
    task: str
    names: tuple[str, ...] = ()
    """The names of the features."""
    source: str = "the data"

    def __len__(self) -> int:
        return len(self.target)

    def rows(self, rows: Rows) -> TrainingData:
        """Return some of the items."""
        return TrainingData(
            self.features[rows], self.target[rows], self.task, self.names, self.source
        )


def from_arrays(features: Any, target: Any, task: str | None = None) -> TrainingData:
    """Return features and target that are held as arrays or columns."""
    values = np.asarray(features, dtype=np.float64)
    matrix = values[:, None] if values.ndim == 1 else values
    truth = np.asarray(target)
    if matrix.ndim != 2 or len(matrix) != len(truth):
        raise UsageError(
            f"the features have the shape {values.shape}, the target {truth.shape}: a row of"
            " features is needed for each item"
        )
    if not len(truth):
        raise no_rows()
    _check_finite(matrix, [f"feature {n + 1}" for n in range(matrix.shape[1])], "the data")
    column = pl.Series("target", truth)
    return TrainingData(matrix, truth, choose_task(column, task))


def read_training_data(
    data: Any,
    target: str,
    features: Sequence[str] | str | None = None,
    task: str | None = None,
) -> TrainingData:
    """Read the target and the features of a table; ``features`` are columns or patterns.

    Without ``features`` all columns but the target are. Text columns become one column of 0 and 1
    for each value.
    """
    frame, source = to_frame(data, "the training data")
    if not frame.height:
        raise no_rows(source.name)
    if target not in frame.columns:
        raise missing_column(source.name, target, frame.columns, "for `target`")
    others = frame.drop(target)
    chosen = others.select(_matching(others.columns, features, source.name))
    truth = frame[target]
    for column in (truth, *chosen):
        empty = column.is_null().arg_true()
        if len(empty):
            raise DataError(
                f"{source.name}: row {empty[0] + 1} has no {column.name}; remove the row or fill"
                " the value"
            )
    words = [column.name for column in chosen if not column.dtype.is_numeric()]
    numbers = chosen.to_dummies(words) if words else chosen
    matrix = numbers.cast(pl.Float64).to_numpy()
    _check_finite(matrix, numbers.columns, source.name)
    kind = choose_task(truth, task)
    values = truth.to_numpy() if kind == "regression" else truth.cast(pl.String).to_numpy()
    if kind == "regression":
        _check_finite(values[:, None], [target], source.name)
    return TrainingData(matrix, values, kind, tuple(numbers.columns), source.name)


def _matching(columns: list[str], patterns: Sequence[str] | str | None, where: str) -> list[str]:
    if patterns is None:
        return columns
    listed = [patterns] if isinstance(patterns, str) else list(patterns)
    for pattern in listed:
        if not any(fnmatchcase(name, pattern) for name in columns):
            raise missing_column(where, pattern, columns, "for `features`")
    return [name for name in columns if any(fnmatchcase(name, each) for each in listed)]


def _check_finite(matrix: Floats, names: Sequence[str], where: str) -> None:
    rows, columns = np.nonzero(~np.isfinite(matrix.astype(np.float64)))
    if len(rows):
        raise DataError(f"{where}: row {rows[0] + 1} has no finite number for {names[columns[0]]}")


def choose_task(target: pl.Series, task: str | None) -> str:
    """Return whether the target is a class or a number."""
    if task is not None:
        if task not in TASKS:
            raise unknown_name("task", task, TASKS)
        if task == "regression" and not target.dtype.is_numeric():
            raise UsageError(f"the target {target.name} is not a number: it is a class")
        return task
    whole = target.dtype.is_integer() and target.n_unique() <= MOST_CLASSES
    return "regression" if target.dtype.is_numeric() and not whole else "classification"
