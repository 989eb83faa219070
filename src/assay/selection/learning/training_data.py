"""Features and targets of items, from a table or from arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, missing_column, no_rows, unknown_name
from assay.core.phrases import quantity
from assay.core.tables import ids_as_text
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
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The columns of the table that are features, and the categories of those that are text."""

    def __len__(self) -> int:
        return len(self.target)

    def rows(self, rows: Rows) -> TrainingData:
        """Return some of the items."""
        return replace(self, features=self.features[rows], target=self.target[rows])


def from_arrays(
    features: Any, target: Any, task: str | None = None, *, like: TrainingData | None = None
) -> TrainingData:
    """Return features and target that are held as arrays; test data is ``like`` training data."""
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
    if like is not None and matrix.shape[1] != like.features.shape[1]:
        raise UsageError(
            f"the test data has {quantity(matrix.shape[1], 'feature')}, the training data"
            f" {like.features.shape[1]}: give the same features in the same order"
        )
    column = pl.Series("target", truth)
    kind = choose_task(column, task if like is None else like.task)
    if like is not None and kind == "classification" and like.columns:
        truth = ids_as_text(column).to_numpy()
    return TrainingData(matrix, truth, kind)


def read_training_data(
    data: Any,
    target: str,
    features: Sequence[str] | str | None = None,
    task: str | None = None,
    *,
    like: TrainingData | None = None,
) -> TrainingData:
    """Read the target and the features of a table; ``features`` are columns or patterns.

    Without ``features`` all columns but the target are. Text columns become one column of 0 and 1
    for each value. Test data has the features, categories and task of the training data that it is
    ``like``.
    """
    frame, source = to_frame(data, "the training data" if like is None else "the test data")
    if not frame.height:
        raise no_rows(source.name)
    if target not in frame.columns:
        raise missing_column(source.name, target, frame.columns, "for `target`")
    others = frame.drop(target)
    chosen = (
        others.select(_matching(others.columns, features, source.name))
        if like is None
        else _select_columns(others, like, source.name)
    )
    truth = frame[target]
    for column in (truth, *chosen):
        empty = column.is_null().arg_true()
        if len(empty):
            raise DataError(
                f"{source.name}: row {empty[0] + 1} has no {column.name}; remove the row or fill"
                " the value"
            )
    columns = {each.name: _categories(each) for each in chosen} if like is None else like.columns
    encoded = [new for each in chosen for new in _encode(each, columns[each.name], source.name)]
    names = tuple(name for name, _ in encoded)
    matrix = np.column_stack([values for _, values in encoded] or [np.empty((len(truth), 0))])
    _check_finite(matrix, names, source.name)
    kind = choose_task(truth, task if like is None else like.task)
    values = truth.to_numpy() if kind == "regression" else ids_as_text(truth).to_numpy()
    if kind == "regression":
        _check_finite(values[:, None], [target], source.name)
    return TrainingData(matrix, values, kind, names, source.name, columns)


def _select_columns(frame: pl.DataFrame, like: TrainingData, where: str) -> pl.DataFrame:
    """Return the columns of the training data, in their order."""
    if not like.columns:
        raise UsageError("the training data is an array, the test data a table: give one kind")
    for name in like.columns:
        if name not in frame.columns:
            raise missing_column(where, name, frame.columns, "of the training data")
    return frame.select(list(like.columns))


def _categories(column: pl.Series) -> tuple[str, ...]:
    """Return the values of a text column; none for numbers."""
    if column.dtype.is_numeric():
        return ()
    return tuple(column.cast(pl.String).unique().sort().to_list())


def _encode(
    column: pl.Series, categories: Sequence[str], where: str
) -> Iterator[tuple[str, Floats]]:
    """Yield the names and values of a feature: a number, or 0 and 1 for each category."""
    if not categories:
        if not column.dtype.is_numeric():
            raise DataError(f"{where}: {column.name} is text, but a number in the training data")
        yield column.name, column.cast(pl.Float64).to_numpy()
        return
    text = ids_as_text(column)
    unknown = (~text.is_in(categories)).arg_true()
    if len(unknown):
        row = int(unknown[0])
        raise DataError(
            f"{where}: row {row + 1} has {column.name} '{text[row]}', which is not in the training"
            " data"
        )
    for value in categories:
        yield f"{column.name}_{value}", (text == value).cast(pl.Float64).to_numpy()


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
            raise UsageError(f"the target {target.name} is not a number: name a column of numbers")
        return task
    whole = target.dtype.is_integer() and target.n_unique() <= MOST_CLASSES
    return "regression" if target.dtype.is_numeric() and not whole else "classification"
