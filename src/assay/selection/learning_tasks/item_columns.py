"""The columns of a table of items, or of arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError, missing_column
from assay.core.phrases import quantity
from assay.core.tables import Source
from assay.formats.arrays import to_series
from assay.formats.containers import to_frame

MISSING_WORDS = ("", "nan", "na", "n/a", "null")
"""Words for a missing number in a column of numbers; in other columns only the first two are."""


def _numbers_and_words(column: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return a text column as numbers, and which of its values are words that are not missing."""
    words = column.str.strip_chars().str.to_lowercase()
    numbers = words.set(words.is_in(MISSING_WORDS), None).cast(pl.Float64, strict=False)
    return numbers, numbers.is_null() & words.is_not_null() & ~words.is_in(MISSING_WORDS)


def _read_numbers(column: pl.Series) -> pl.Series:
    """Return a text column as numbers where it holds numbers and words for missing ones."""
    if column.dtype != pl.String:
        return column
    numbers, unread = _numbers_and_words(column)
    if numbers.is_not_null().any() and not unread.any():
        return numbers
    return column.set(column.str.strip_chars().str.to_lowercase().is_in(MISSING_WORDS[:2]), None)


def word_among_numbers(column: pl.Series, source: Source) -> str | None:
    """Return the place of the first word in a column that is mostly numbers; None without any."""
    if column.dtype != pl.String:
        return None
    numbers, unread = _numbers_and_words(column)
    if not 0 < unread.sum() < len(numbers) - numbers.null_count():
        return None
    row = int(unread.arg_true()[0])
    return (
        f"{source.place(row)}: {column[row]!r} in {column.name} is not a number"
        f" ({quantity(int(unread.sum()), 'word')} among"
        f" {quantity(len(numbers) - numbers.null_count(), 'number')})"
    )


def read_columns(
    data: Any, target: Any, by: Any
) -> tuple[pl.DataFrame, Source, str | None, list[str]]:
    """Return the table, its source, the column of the target and those of the slices.

    Target and slices are names of columns, or values beside the features.
    """
    if hasattr(data, "dtype") or _is_rows(data):
        matrix = _read_matrix(data)
        only = getattr(data, "name", None)  # a named series
        names = [only] if only else [f"x{n + 1}" for n in range(matrix.shape[1])]
        features = dict(zip(map(str, names), matrix.T, strict=True))
        frame, source = pl.DataFrame(features), to_frame(pl.DataFrame(), "the data")[1]
        values = len(by) > 0
    else:
        given, source = to_frame(data, "the data")
        frame = given.with_columns([_read_numbers(column) for column in given])
        values = hasattr(by, "dtype") or _are_values(by, frame)
    if isinstance(by, Mapping):
        pairs = by
    elif values:
        pairs = {getattr(by, "name", None) or "slice": by}
    else:
        pairs = {each: each for each in ([by] if isinstance(by, str) else by)}
    named = None
    if target is not None:
        frame, named = _add_column(frame, source, "target", target, "target")
    names = []
    for name, own in pairs.items():
        frame, added = _add_column(frame, source, str(name), own, "by")
        names.append(added)
    return frame, source, named, names


def _are_values(by: Any, frame: pl.DataFrame) -> bool:
    """Return whether a list has a value for each item, and is not a list of columns."""
    if isinstance(by, str | Mapping) or len(by) != frame.height:
        return False
    return not {str(each) for each in by} <= {*frame.columns}


def _add_column(
    frame: pl.DataFrame, source: Source, name: str, values: Any, purpose: str
) -> tuple[pl.DataFrame, str]:
    """Return the table with values beside it, and the name of their column.

    A name of a column stands for itself; a named series replaces the column of its name.
    """
    if isinstance(values, str) or not hasattr(values, "__len__"):
        if str(values) not in frame.columns:
            raise missing_column(source.name, str(values), frame.columns, f"for `{purpose}`")
        return frame, str(values)
    if len(values) != frame.height:
        many = quantity(frame.height, "item")
        raise UsageError(f"{name} has {len(values)} values, but there are {many}")
    own = getattr(values, "name", None)
    used = str(own) if own in frame.columns else name
    while used in frame.columns and used != own:
        used += "_"
    column = _read_numbers(to_series(values, name).alias(used))
    return frame.with_columns(column), used


def split_commas(patterns: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return patterns of columns; one such as ``a,b`` is two, unless a column is called so."""
    known = {*columns}
    parts = [[each] if each in known else each.split(",") for each in patterns]
    return [one.strip() for listed in parts for one in listed]


def _is_rows(data: Any) -> bool:
    """Return whether the data is a list of numbers or of rows, and not of records."""
    return isinstance(data, list) and not (data and isinstance(data[0], Mapping))


def _read_matrix(data: Any) -> Floats:
    """Return an array or a list as rows of numbers."""
    try:
        values = np.asarray(data, dtype=np.float64)
    except (ValueError, TypeError) as failure:
        raise UsageError(
            f"the features are not rows of equally many numbers ({failure}); give an array of"
            " numbers, or a table"
        ) from None
    if values.ndim not in (1, 2):
        raise UsageError(f"the features have the shape {values.shape}: rows of numbers are needed")
    return values[:, None] if values.ndim == 1 else values
