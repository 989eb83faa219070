"""One column or a matrix from whatever a caller has: lists, arrays, Series, tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.tables import Table, ids_as_text
from assay.formats.spark_frames import is_spark_frame

_ARROW = ("__arrow_c_array__", "__arrow_c_stream__")
_SCALARS = (str, int, float, np.generic, type(None))
_SEEN = 65
"""So many objects at the beginning of a column show whether equal objects are in a row."""
_FILE_ENDINGS = (
    *(".csv", ".tsv", ".tab", ".txt", ".json", ".jsonl", ".ndjson"),
    *(".parquet", ".feather", ".xlsx", ".conll", ".gz"),
)


def is_frame(given: Any) -> bool:
    """Return whether this is a table with named columns."""
    if isinstance(given, pl.DataFrame | pl.LazyFrame | Table):
        return True
    if is_spark_frame(given):
        return True
    return hasattr(given, "shape") and (hasattr(given, "columns") or hasattr(given, "column_names"))


def is_array(given: Any) -> bool:
    """Return whether this is a column or a matrix without names, rather than a table or a path."""
    if isinstance(given, str | Path | Mapping | Table) or is_frame(given):
        return False
    if isinstance(given, list | tuple | range):
        return not _are_files(given) and all(_is_cell(each) for each in given[:100])
    return isinstance(given, pl.Series) or any(
        hasattr(given, name)
        for name in ("__array__", "__array_interface__", "__dlpack__", "todense", *_ARROW)
    )


def _is_cell(given: Any) -> bool:
    """Return whether a member of a list is a value, or a row of values."""
    if isinstance(given, list | tuple | set | frozenset):
        return all(isinstance(one, (*_SCALARS, list, tuple, Mapping)) for one in list(given)[:9])
    return isinstance(given, _SCALARS) or np.ndim(given) == 0 or isinstance(given, np.ndarray)


def _are_files(given: Sequence[Any]) -> bool:
    """Return whether a list holds paths: names of existing files, or with endings of tables."""
    if not given or not all(isinstance(each, str | Path) for each in given):
        return False
    return any(
        isinstance(each, Path) or each.casefold().endswith(_FILE_ENDINGS) or each == "-"
        for each in given
    ) or all(len(each) < 250 and Path(each).is_file() for each in given)


def plain_column(given: Any) -> Any:
    """Return a column of a dict as Polars takes it; pandas and tensors are converted."""
    if isinstance(given, list | tuple) and given and hasattr(given[0], "_fields"):
        raise TypeError("a column holds rows, neither numbers nor text")  # Polars panics
    if isinstance(given, list | tuple | pl.Series | np.ndarray) or not hasattr(given, "__array__"):
        return given
    return to_series(given, "a column")


def to_series(given: Any, what: str) -> pl.Series:
    """Return one column; a missing value is null, and ordered categories are an Enum."""
    try:
        found = _series(given)
    except (TypeError, ValueError, RuntimeError, pl.exceptions.PolarsError) as failure:
        reason = str(failure).splitlines()[0]
        raise DataError(f"{what}: a {type(given).__name__} is not a column: {reason}") from failure
    if found.dtype == pl.Object or found.dtype.is_nested():
        raise DataError(f"{what}: expected one number or text for each item")
    return found


def _series(given: Any) -> pl.Series:
    if isinstance(given, pl.Series):
        return given
    if hasattr(given, "column_names"):
        given = pl.DataFrame(given)  # a table of Arrow
    if isinstance(given, pl.DataFrame):
        return given.to_series() if given.width == 1 else pl.Series(given.rows())
    if is_pandas(given):
        return pandas_column(given.iloc[:, 0] if hasattr(given, "columns") else given)
    if any(hasattr(given, name) for name in _ARROW):
        return pl.Series(given)
    if isinstance(given, list | tuple | range):
        return pl.Series([_scalar(each) for each in given], strict=False)
    values = _array(given)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"it has {values.ndim} dimensions, and 1 is expected")
    return numpy_column(values)


def _array(given: Any) -> np.ndarray[Any, Any]:
    """Return an array of NumPy, from whatever shares its memory."""
    if hasattr(given, "__dlpack__") and not hasattr(given, "__array__"):
        return np.from_dlpack(given)
    return np.asarray(given)


def _scalar(value: Any) -> Any:
    """Return a member of a list as Python has it: NumPy numbers and tensors of one number too.

    Ranges and periods of pandas are texts, such as (0, 40].
    """
    if type(value).__name__ in ("Interval", "Period") and is_pandas(value):
        return str(value)
    item = getattr(value, "item", None)
    return item() if callable(item) and np.ndim(value) == 0 else value


def numpy_column(values: Any) -> pl.Series:
    """Return a column from an array of numbers, texts or objects."""
    if values.dtype.kind in "OSU":
        return pl.Series([none_if_missing(each) for each in values.tolist()], strict=False)
    return pl.Series(np.ascontiguousarray(values))


def is_pandas(given: Any) -> bool:
    """Return whether this is an object of pandas."""
    return type(given).__module__.partition(".")[0] == "pandas"


def pandas_column(column: Any) -> pl.Series:
    """Return a pandas Series as a column, with or without pyarrow."""
    dtype = column.dtype
    if getattr(dtype, "ordered", None) is not None and hasattr(dtype, "categories"):
        names = ids_as_text(pandas_column(dtype.categories))
        codes = np.asarray(getattr(column, "cat", column).codes)
        places = pl.Series([None if code < 0 else int(code) for code in codes], dtype=pl.Int64)
        picked = names.gather(places)
        return picked.cast(pl.Enum(names.to_list())) if dtype.ordered else picked
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return numpy_column(column.to_numpy())
    return pl.Series([none_if_missing(each) for each in column.tolist()], strict=False)


def pandas_frame(data: Any) -> pl.DataFrame:
    """Return a pandas frame, column by column."""
    return pl.DataFrame({str(n): pandas_column(data.iloc[:, at]) for at, n in enumerate(data)})


def plain_pandas_frame(data: Any) -> pl.DataFrame | None:
    """Return a pandas frame of numbers and objects that are all text; None for any other.

    Polars looks for missing values among the objects first, which takes as long as the conversion.
    """
    if not (is_pandas(data) and len(data) and all(_is_plain(each) for each in data.dtypes)):
        return None
    columns = {str(name): data.iloc[:, at].to_numpy() for at, name in enumerate(data)}
    objects = [name for name, each in columns.items() if each.dtype.kind == "O"]
    if len(columns) < data.shape[1] or not all(isinstance(columns[n][0], str) for n in objects):
        return None
    try:
        texts = {name: _texts(columns[name]) for name in objects}
        frame = pl.DataFrame({**columns, **texts})
    except (TypeError, ValueError):  # something else than text, or text that is not Unicode
        return None
    return None if any(frame[name].null_count() for name in objects) else frame


def _texts(values: Any) -> pl.Series:
    """Return objects that are all text; of equal objects in a row, as queries are, the first."""
    first = values[:_SEEN]
    if np.count_nonzero(first[1:] != first[:-1]) * 2 > len(first):
        return pl.Series(values)
    starts = np.append(0, np.flatnonzero(values[1:] != values[:-1]) + 1)
    sizes = np.diff(np.append(starts, len(values)))
    return pl.Series(values[starts])[np.repeat(np.arange(len(starts), dtype=np.uint32), sizes)]


def with_category_order(frame: pl.DataFrame, data: Any) -> pl.DataFrame:
    """Return the frame with ordered categorical columns of pandas or Arrow as Enum columns."""
    orders = {name: _categories(data, name) for name in frame.columns}
    return frame.with_columns(
        ids_as_text(frame[name]).cast(pl.Enum(ids_as_text(pl.Series(order)).to_list()))
        for name, order in orders.items()
        if order
    )


def _categories(data: Any, name: str) -> Sequence[Any]:
    """Return the categories of a column in their order; nothing if they have none."""
    if hasattr(data, "dtypes"):
        dtype = data.dtypes.get(name)
        return list(dtype.categories) if getattr(dtype, "ordered", False) else ()
    if hasattr(data, "schema") and hasattr(data, "column"):
        column = data.column(name)
        if getattr(column.type, "ordered", False) and column.num_chunks:
            categories: list[Any] = column.unify_dictionaries().chunk(0).dictionary.to_pylist()
            return categories
    return ()


def _is_plain(dtype: Any) -> bool:
    """Return whether a type of pandas is an object, a truth value or a number of usual size."""
    if not isinstance(dtype, np.dtype):
        return False
    return dtype.kind in "Obiu" or (dtype.kind == "f" and dtype.itemsize in (4, 8))


def none_if_missing(value: Any) -> Any:
    """Return None in place of pandas' NA and of NaN among objects; numbers of NumPy are plain."""
    if type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, float) and value != value
    ):
        return None
    return _scalar(value)


def to_matrix(given: Any, what: str) -> tuple[np.ndarray[Any, Any], tuple[str, ...]]:
    """Return a matrix with a row for each item, and the names of its columns if it has them."""
    names: tuple[str, ...] = ()
    if isinstance(given, pl.DataFrame):
        return given.to_numpy(), tuple(given.columns)
    if hasattr(given, "columns") and is_pandas(given):
        names = tuple(ids_as_text(pandas_column(given.columns)).to_list())
    elif hasattr(given, "column_names"):
        return pl.DataFrame(given).to_numpy(), tuple(map(str, given.column_names))
    elif hasattr(given, "todense"):
        given = given.toarray()
    try:
        matrix = _array(given)
    except (TypeError, ValueError, RuntimeError) as failure:
        raise DataError(f"{what}: not a matrix: {str(failure).splitlines()[0]}") from failure
    if matrix.ndim != 2:
        raise UsageError(f"{what}: expected a row for each item, found {matrix.ndim} dimension(s)")
    return matrix, names


def dimensions(given: Any) -> int:
    """Return 2 for a matrix or rows of values, 1 for a column."""
    if isinstance(given, pl.Series) or hasattr(given, "__arrow_c_array__"):
        return 1
    shape = getattr(given, "shape", None)
    if shape is None and not hasattr(given, "__len__"):
        shape = _array(given).shape
    if shape is None:
        return 2 if len(given) and isinstance(given[0], list | tuple | np.ndarray) else 1
    return 1 if len(shape) == 1 or (len(shape) == 2 and shape[1] == 1) else len(shape)


def text_of(value: Any) -> str | None:
    """Return a label as the columns have it: 1 and 1.0 are both written 1."""
    if value is None or isinstance(value, str):
        return value
    return str(ids_as_text(pl.Series([_scalar(value)]))[0])
