"""Arrays as scikit-learn users hold them, put into a table with the names of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import AssayError, UsageError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.phrases import quantity
from assay.evidence.labels import label_order
from assay.formats.arrays import (
    dimensions,
    is_array,
    is_frame,
    text_of,
    to_matrix,
    to_series,
)
from assay.tasks.inputs.index_order import warn_of_other_order
from assay.tasks.inputs.system_arrays import (
    class_systems,
    column_names,
    column_numbers,
    frame_systems,
    refuse_decision_values,
    refuse_scores,
    split_scores,
)

TRUTH = "truth"
ANSWERS = ("predicted", "score", "probabilities", "density")
"""What each system has a column of, or several."""
SINGLE = ("item", "weight")
_ARGUMENTS = {"predicted": "y_pred", "score": "y_score", "probabilities": "y_score"}
"""What callers call arrays of these."""
ColumnsOf = TypeVar("ColumnsOf")


def split_arguments(data: Any, second: Any, measures: Any) -> tuple[Any, Any]:
    """Return the predictions and the measures: the second argument may be either.

    After a table or a path it names measures; after an array of true values it is predictions.
    """
    if isinstance(measures, Mapping) or (is_array(measures) and not _are_names(measures)):
        raise UsageError(
            "the third argument names measures; give scores and probabilities as `y_score`"
        )
    if isinstance(second, Iterator | Set):
        second = list(second)
    if is_one_measure(second):
        return None, second if measures is None else measures
    if second is None or measures is not None:
        return second, measures
    if is_array(data):
        names = _are_texts(second) and (dimensions(data) == 2 or _are_measures(second, len(data)))
        return (None, second) if names else (second, measures)
    if is_frame(data) and not (_are_texts(second) or _are_names(second)):
        return second, measures
    return None, second


def _are_names(given: Any) -> bool:
    """Return whether these are measures or their names, rather than values of items."""
    listed = isinstance(given, list | tuple)
    return listed and all(map(is_one_measure, given))


def _are_texts(given: Any) -> bool:
    return isinstance(given, list | tuple | set) and all(isinstance(each, str) for each in given)


def _are_measures(given: Sequence[str], length: int) -> bool:
    """Return whether these are no classes of so many items, but names of measures."""
    return len(given) != length and all(map(is_measure, given))


def is_measure(name: str) -> bool:
    """Return whether a measure of any task has that name."""
    for task in catalogue().tasks:
        with suppress(AssayError):
            return bool(measure_named(name, task))
    return False


def is_one_measure(given: Any) -> bool:
    """Return whether this is one measure or its name, rather than several, values or a table.

    Objects of other libraries are, if they print as the name of a measure.
    """
    if isinstance(given, str | Measure | Definition):
        return True
    return not isinstance(given, Iterable | Path | None) and is_measure(str(given))


def read_arrays(
    data: Any, columns: ColumnsOf, classes: Sequence[Any] | None = None
) -> tuple[Any, ColumnsOf]:
    """Return a table and its columns; tables and paths stay as they are, with their columns.

    ``data`` has the true values; ``predicted``, ``score``, ``probabilities`` and ``density`` of the
    columns are arrays, or dicts of the name of a system to its array; ``item``, ``weight`` and
    ``by`` are arrays too.
    """
    given = {each.name: getattr(columns, each.name) for each in fields(columns)}  # type: ignore[arg-type]
    if not is_array(data):
        arrays = [kind for kind in ANSWERS if _holds_arrays(given.get(kind))]
        if not arrays:
            return data, columns
        data = _only_column(data, arrays[0])
    if dimensions(data) == 2:
        classes_too = "; sets of labels go to assay.labelsets" if hasattr(columns, "score") else ""
        raise UsageError(
            "the true values have several columns: evaluate each target alone" + classes_too
        )
    names = _ARGUMENTS | {"weight": "sample_weight"}
    warn_of_other_order(
        data, [(names.get(kind, kind), given.get(kind)) for kind in (*ANSWERS, *SINGLE)]
    )
    table = ArrayTable(to_series(data, "the true values"))
    named: dict[str, Any] = {TRUTH: TRUTH}
    matrices, vectors = split_scores(given.get("score"), table.columns[TRUTH])
    given["score"] = vectors
    if matrices is not None:
        given["probabilities"] = matrices
    for kind in ANSWERS:
        if kind in given and given[kind] is not None:
            if kind == "predicted" and hasattr(columns, "score"):
                given[kind] = class_systems(given[kind], table.columns[TRUTH])
                refuse_scores(given[kind], table.columns[TRUTH])
            elif kind == "predicted":
                given[kind] = frame_systems(given[kind], "y_pred")
            named[kind] = table.add_systems(kind, given[kind], classes)
    for kind in SINGLE:
        if given.get(kind) is not None:
            named[kind] = table.add(kind, given[kind])
    if "by" in given:
        named["by"] = tuple(_add_slices(table, given["by"]))
    known = {each.name for each in fields(columns)}  # type: ignore[arg-type]
    found = {kind: value for kind, value in named.items() if kind in known}
    blank = {k: None for k in ("score", "probabilities") if k in known and k not in found}
    return table.frame(), replace(columns, **blank, **found)  # type: ignore[type-var]


def _holds_arrays(given: Any) -> bool:
    """Return whether this holds values rather than names of columns."""
    several = list(given.values()) if isinstance(given, Mapping) else [given]
    return any(is_frame(each) or (is_array(each) and not _are_texts(each)) for each in several)


def _only_column(data: Any, kind: str) -> Any:
    """Return the only column of a frame of true values, which stands beside an array."""
    if is_frame(data) and getattr(data, "shape", (0, 0))[1:] == (1,):
        return to_series(data, "the true values")
    raise UsageError(
        f"`{kind}` is an array, but the true values are in a table: give one column of it, or name"
        " the columns of both"
    )


class ArrayTable:
    """Columns of the same items, collected one by one."""

    def __init__(self, truth: pl.Series) -> None:
        self.columns = {TRUTH: truth}

    def frame(self) -> pl.DataFrame:
        """Return the table."""
        return pl.DataFrame([each.alias(name) for name, each in self.columns.items()])

    def add(self, name: str, given: Any, what: str = "") -> str:
        """Add a column, and return its name."""
        if isinstance(given, str):
            raise UsageError(
                f"`{what or name}={given}` names a column, but the true values are an array: give"
                " an array here too, or a frame and the names of its columns"
            )
        column = to_series(given, f"`{what or name}`")
        self._check_length(len(column), what or name)
        while name in self.columns:
            name += "'"
        self.columns[name] = column
        return name

    def add_systems(self, kind: str, given: Any, classes: Sequence[Any] | None) -> Any:
        """Add the columns of one system or of several, and return their names."""
        if not isinstance(given, Mapping):
            return self._add_system(kind, "", given, classes)
        return {
            str(name): self._add_system(kind, str(name), g, classes) for name, g in given.items()
        }

    def _add_system(self, kind: str, name: str, given: Any, classes: Sequence[Any] | None) -> Any:
        label = f"{kind} {name}".strip()
        if kind == "probabilities":
            return self._add_matrix(label, given, classes)
        if not isinstance(given, str) and dimensions(given) == 2:
            raise UsageError(
                f"`{label}` has several columns; probabilities of classes are given as `y_score`,"
                " several systems as a dict, sets of labels to assay.labelsets"
            )
        return self.add(label, given)

    def _add_matrix(self, label: str, given: Any, classes: Sequence[Any] | None) -> dict[str, str]:
        """Add a column for each class, and return the column of each class."""
        matrix, names = to_matrix(given, f"`{label}`")
        self._check_length(len(matrix), label)
        refuse_decision_values(matrix)
        if classes is not None:
            names = tuple(str(text_of(each)) for each in classes)
        elif not names or len(names) != matrix.shape[1] or names == column_numbers(len(names)):
            names = label_order(map(str, map(text_of, self.columns[TRUTH].unique().drop_nulls())))
        if len(names) != matrix.shape[1]:
            raise UsageError(
                f"`{label}` has {quantity(matrix.shape[1], 'column')} for {len(names)} classes"
                f" ({', '.join(names[:10])}); name the class of each column with `classes`"
            )
        return {name: self.add(f"{label} {name}", matrix[:, at]) for at, name in enumerate(names)}

    def _check_length(self, length: int, what: str) -> None:
        kind, _, system = what.partition(" ")
        called = " ".join([_ARGUMENTS.get(kind, kind), system]).strip()
        require_length(length, len(self.columns[TRUTH]), called)


def slice_arrays(given: Any, length: int) -> dict[str, list[Any]]:
    """Return the columns of slices that are given as arrays of this length, by their names."""
    table = ArrayTable(pl.Series(range(length)))
    names = _add_slices(table, given)
    frame = table.frame()
    return {name: frame[name].to_list() for name in names}


def _add_slices(table: ArrayTable, given: Any) -> list[str]:
    """Add the columns whose values are slices: a dict, a frame, a Series, an array or several."""
    if given is None or (isinstance(given, list | tuple) and not given):
        return []
    if isinstance(given, Mapping):
        return [table.add(str(name), each, "by") for name, each in given.items()]
    if is_frame(given):
        return [table.add(str(name), given[name], "by") for name in column_names(given)]
    if isinstance(given, list | tuple) and not isinstance(given[0], str) and is_array(given[0]):
        return [name for each in given for name in _add_slices(table, each)]
    if _are_texts(given) and len(given) != len(table.columns[TRUTH]):
        return [table.add("by", each) for each in given]  # names of columns, which it refuses
    name = getattr(given, "name", None)
    return [table.add(str(name) if name else "group", given, "by")]


def require_length(length: int, expected: int, what: str) -> None:
    """Refuse an array that is not as long as the true values."""
    if length != expected:
        raise UsageError(
            f"`{what}` has {quantity(length, 'value')} for {quantity(expected, 'true value')};"
            " give the same items in the same order"
        )
