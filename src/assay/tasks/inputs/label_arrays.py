"""Clusters, sets of labels and ratings as arrays, put into tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.core.phrases import quantity
from assay.core.tables import ids_as_text
from assay.formats.arrays import (
    dimensions,
    is_array,
    is_frame,
    numpy_column,
    text_of,
    to_matrix,
    to_series,
)
from assay.formats.containers import to_frame
from assay.tasks.inputs.array_columns import TRUTH, ArrayTable, require_length
from assay.tasks.inputs.rating_columns import SYNONYMS
from assay.tasks.inputs.system_arrays import frame_systems


def cluster_arrays(data: Any, clusters: Any, features: Any) -> tuple[Any, dict[str, Any]]:
    """Return a table of clusters beside classes or points, and its columns; no array, no columns.

    ``data`` has the true class of each item, or its coordinates if it is a matrix. The clusters may
    be alone with the features.
    """
    if clusters is None and _are_points(features) and not is_frame(data):
        by_name = isinstance(data, Mapping) and all(map(is_array, data.values()))
        if by_name or (is_array(data) and dimensions(data) == 1):
            data, clusters, features = features, data, None
    if clusters is None or not (is_array(data) or is_frame(data)):
        return data, {}
    clusters = frame_systems(clusters, "labels_pred")
    several = clusters if isinstance(clusters, Mapping) else {"clusters": clusters}
    points, classes = (data, None) if is_frame(data) or dimensions(data) == 2 else (features, data)
    first = next(iter(several.values())) if classes is None else classes
    table = ArrayTable(to_series(first, "the classes"))
    found: dict[str, Any] = {"classes": None if classes is None else TRUTH}
    found["cluster"] = [table.add(str(name), each) for name, each in several.items()]
    if points is not None:
        matrix, names = to_matrix(points, "`features`")
        names = names or tuple(f"x{at}" for at in range(matrix.shape[1]))
        found["features"] = [table.add(name, matrix[:, n]) for n, name in enumerate(names)]
    return table.frame(), found


def _are_points(given: Any) -> bool:
    """Return whether this is a matrix or a frame of coordinates, and not names of columns."""
    return is_frame(given) or (is_array(given) and dimensions(given) == 2)


class LabelArrays(NamedTuple):
    """A table of label sets and scores, and its columns; several systems have one each."""

    columns: dict[str, list[Any]]
    predicted: Any
    score: Any


def label_set_arrays(
    truth: Any, predicted: Any, scores: Any, classes: Sequence[Any] | None
) -> LabelArrays:
    """Return columns of true and predicted sets of labels, from indicators or lists of labels.

    ``scores`` are matrices with a column for each label.
    """
    truth = _list_rows(truth)
    columns: dict[str, list[Any]] = {TRUTH: _label_sets(truth, "the true labels", classes)}
    width = None if classes is not None else _unnamed_width(truth)
    named: list[Any] = []
    for kind, given in (("predicted", predicted), ("score", scores)):
        several = given if isinstance(given, Mapping) else {kind: given}
        found = {}
        for name, each in several.items() if given is not None else ():
            each = _stack_outputs(_list_rows(each))
            column = f"{kind} {name}" if isinstance(given, Mapping) and kind == "score" else name
            read = _label_sets if kind == "predicted" else _label_scores
            _require_width(_unnamed_width(each), width, str(name))
            columns[str(column)] = read(each, f"`{name}`", classes)
            require_length(len(columns[str(column)]), len(columns[TRUTH]), str(name))
            found[str(name)] = str(column)
        named.append(found if isinstance(given, Mapping) else next(iter(found.values()), None))
    return LabelArrays(columns, *named)


def _list_rows(given: Any) -> Any:
    """Return a column whose cells are labels or texts of them, such as a Series, as a list."""
    if isinstance(given, pl.Series) and isinstance(given.dtype, pl.List | pl.Array | pl.String):
        return given.to_list()
    if is_frame(given) or getattr(given, "ndim", 0) != 1 or not hasattr(given, "tolist"):
        return given
    cells = given.tolist()
    kinds = (str, list, tuple, set, frozenset, np.ndarray)
    if not all(isinstance(each, kinds) for each in cells):
        return given
    return [each if isinstance(each, str) else list(each) for each in cells]


def _stack_outputs(given: Any) -> Any:
    """Return the second column of each label's matrix, as ``predict_proba`` of scikit-learn has it.

    Estimators with several outputs give a list: for each label the probabilities that it is absent
    and that it is present.
    """
    if not (isinstance(given, list) and given):
        return given
    if not all(isinstance(each, np.ndarray) and each.ndim == 2 for each in given):
        return given
    if any(each.shape != (len(given[0]), 2) for each in given):
        raise UsageError(
            "`y_score` is a list of matrices, which do not all have two columns: give one matrix"
            " with a column for each label"
        )
    return np.stack([each[:, 1] for each in given], axis=1)


def _unnamed_width(given: Any) -> int | None:
    """Return the number of columns of a matrix whose columns have no names; None of all else."""
    if is_frame(given):
        return None
    if isinstance(given, list | tuple):
        return len(given[0]) if given and _are_indicators(given) else None
    shape: tuple[int, ...] = getattr(given, "shape", ())
    return int(shape[1]) if len(shape) == 2 else None


def _require_width(width: int | None, expected: int | None, what: str) -> None:
    """Refuse a matrix with more or fewer labels than the true one, where nothing names them."""
    if None not in (width, expected) and width != expected:
        raise UsageError(
            f"`{what}` has {quantity(width or 0, 'column')} and the true labels {expected}; give a"
            " column for each label in the same order, or frames that name them"
        )


def _label_scores(given: Any, what: str, classes: Sequence[Any] | None) -> list[dict[str, float]]:
    """Return the score of each label, row by row."""
    matrix, names = _named_matrix(given, what, classes)
    return [dict(zip(names, row, strict=True)) for row in matrix.tolist()]


def _named_matrix(
    given: Any, what: str, classes: Sequence[Any] | None
) -> tuple[Any, tuple[str, ...]]:
    """Return a matrix, and the label of each column: of the classes, its own, or its number."""
    matrix, names = to_matrix(given, what)
    if classes is not None:
        names = tuple(str(text_of(each)) for each in classes)
    names = names or tuple(map(str, range(matrix.shape[1])))
    if len(names) != matrix.shape[1]:
        raise UsageError(
            f"{what}: {quantity(matrix.shape[1], 'column')} for {len(names)} `classes`; name the"
            " label of each column"
        )
    return matrix, names


def _label_sets(given: Any, what: str, classes: Sequence[Any] | None) -> list[Any]:
    listed = isinstance(given, list | tuple) and not _are_indicators(given)
    if listed and (classes is None or _are_lists_of_labels(given)):
        return [
            each if isinstance(each, str) else [str(text_of(one)) for one in each] for each in given
        ]
    matrix, names = _named_matrix(given, what, classes)
    if not (fine := (matrix == 0) | (matrix == 1)).all():
        row, place = np.argwhere(~fine)[0].tolist()
        raise UsageError(
            f"{what}: a cell is 1 where the item has the label, else 0; in row {row + 1} label"
            f" {names[place]} is {matrix[row, place]}. Scores of labels are given as `y_score`;"
            " of several classes for each item evaluate each column alone"
        )
    return [[names[at] for at in row.nonzero()[0]] for row in matrix != 0]


def _are_lists_of_labels(given: Sequence[Any]) -> bool:
    """Return whether rows have words, or are of different lengths."""
    rows = [list(each) for each in given]
    return len({len(each) for each in rows}) > 1 or any(
        isinstance(cell, str) for row in rows for cell in row
    )


def _are_indicators(given: Sequence[Any]) -> bool:
    """Return whether rows are as long as each other and hold only 0 and 1."""
    rows = [list(each) for each in given]
    alike = {len(each) for each in rows}
    return (
        len(alike) == 1
        and min(alike) > 1
        and all(not isinstance(cell, str) and cell in (0, 1) for row in rows for cell in row)
    )


def rating_arrays(data: Any, other: Any, names: Any) -> tuple[Any, Any]:
    """Return a table with a column for each assessor, and the names of these columns.

    ``data`` is a matrix with a row for each item, a frame of the same, a dict of such by group, or
    the labels of one assessor beside ``other``, those of another.
    """
    if isinstance(data, Mapping) and data and all(_has_assessors(each) for each in data.values()):
        tables = {str(group): rating_arrays(each, None, names) for group, each in data.items()}
        every = {name for _, found in tables.values() for name in found}
        return {group: table for group, (table, _) in tables.items()}, sorted(every)
    if not is_array(data):
        return data, names or _assessor_columns(data)
    if other is not None:
        listed = [data, *(other.values() if isinstance(other, Mapping) else [other])]
        called = ["first", *(other if isinstance(other, Mapping) else ["second"])]
    else:
        matrix, _ = to_matrix(data, "the ratings")
        listed = [numpy_column(column) for column in matrix.T]
        called = [f"assessor {at + 1}" for at in range(len(listed))]
    used = list(names or called)
    columns = [to_series(each, "the ratings") for each in listed]
    if len(used) != len(columns):
        raise UsageError(
            f"there are {len(used)} names of assessors for {quantity(len(columns), 'column')};"
            " name each in `assessors`"
        )
    for each in columns:
        require_length(len(each), len(columns[0]), "the labels of an assessor")
    return pl.DataFrame([each.alias(n) for n, each in zip(used, columns, strict=True)]), used


def _assessor_columns(data: Any) -> list[str] | None:
    """Return the columns of a frame if each has the labels of an assessor; None if that is open.

    None may have a usual name of items, assessors or labels, and all share labels with the first.
    """
    if not is_frame(data) or not hasattr(data, "columns") or isinstance(data, pl.LazyFrame):
        return None
    frame, _ = to_frame(data, "the ratings")
    usual = {name for names in SYNONYMS.values() for name in names}
    if frame.width < 2 or usual.intersection(map(str.casefold, frame.columns)):
        return None
    filled = [each.fill_nan(None) if each.dtype.is_float() else each for each in frame]
    seen = [set(ids_as_text(each).drop_nulls()) for each in filled]
    return frame.columns if all(each & seen[0] for each in seen) else None


def _has_assessors(given: Any) -> bool:
    """Return whether this is a matrix or a frame with a column for each assessor."""
    if is_array(given):
        return dimensions(given) == 2
    return _assessor_columns(given) is not None
