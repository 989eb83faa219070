"""Rows of coordinates, or of distances, to points in clusters."""

from __future__ import annotations

from fnmatch import fnmatchcase

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, UsageError, did_you_mean
from assay.core.tables import Source, Table, ids_as_text
from assay.evidence.column_values import label_codes, refuse_duplicate_keys
from assay.evidence.label_order import column_order, label_order
from assay.evidence.views.points import Points, Progress


def matching_columns(names: list[str], patterns: list[str], source: Source) -> list[str]:
    """The columns that patterns such as ``x*`` name, in the order of the table."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UsageError(
                f"{source.name}: no column is called '{pattern}' among {', '.join(names[:20])}."
                + did_you_mean(pattern, names)
            )
    return [name for name in names if any(fnmatchcase(name, each) for each in patterns)]


def read_coordinates(frame: pl.DataFrame, columns: list[str], source: Source) -> Floats:
    """The numbers of the columns, of which none may be missing, NaN or infinite."""
    if len(columns) == 1 and isinstance(frame[columns[0]].dtype, pl.List | pl.Array):
        return _list_column(frame[columns[0]], source)
    for name in columns:
        column = frame[name]
        if not column.dtype.is_numeric():
            _refuse_text(column, source)
        bad = (column.is_null() | ~column.cast(pl.Float64).is_finite()).arg_true()
        if len(bad):
            row = int(bad[0])
            found = "missing" if column[row] is None else str(column[row])
            raise DataError(
                f"{source.place(row)}: the feature {name} is {found}; a finite number is expected"
            )
    return frame.select(pl.col(columns).cast(pl.Float64)).to_numpy()


def _refuse_text(column: pl.Series, source: Source) -> None:
    numbers = column.cast(pl.Float64, strict=False)
    row = int(numbers.is_null().arg_true()[0]) if numbers.null_count() else 0
    raise DataError(
        f"{source.place(row)}: the feature {column.name} is '{column[row]}', but numbers are"
        " expected; choose the numeric columns with `features`"
    )


def _list_column(column: pl.Series, source: Source) -> Floats:
    """A column whose entries are lists of numbers, all of one length."""
    lengths = column.cast(pl.List(pl.Float64), strict=False).list.len()
    odd = (lengths.is_null() | (lengths != lengths[0])).arg_true()
    if len(odd):
        row = int(odd[0])
        raise DataError(
            f"{source.place(row)}: {column.name} has {lengths[row]} numbers, the first row"
            f" {lengths[0]}; all must have as many"
        )
    table = np.asarray(column.to_list(), dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(table).all(axis=1))
    if len(wrong):
        raise DataError(
            f"{source.place(int(wrong[0]))}: {column.name} holds a number that is not finite"
        )
    return table


def build_points(
    table: Floats,
    cluster: pl.Series,
    items: pl.Series | None,
    source: Source,
    *,
    precomputed: bool = False,
    progress: Progress = lambda share: None,
) -> Points:
    """Points by cluster and coordinates: the order of the lines plays no part.

    ``table`` holds coordinates, or with ``precomputed`` the distances of all rows to all rows.
    """
    if cluster.null_count():
        row = int(cluster.is_null().arg_true()[0])
        raise DataError(f"{source.place(row)}: the {cluster.name} is missing")
    if items is not None:
        refuse_duplicate_keys(Table(items.to_frame("item"), source), "item")
    if precomputed:
        _refuse_odd_matrix(table, source)
    labels = ids_as_text(cluster)
    clusters = label_order(labels.unique().to_list(), column_order(cluster))
    codes = label_codes(labels, clusters)
    names = _names(items, len(codes))
    order = np.arange(len(codes)) if precomputed else _canonical_order(table, codes)
    return Points.of(
        clusters,
        codes[order],
        features=None if precomputed else table[order],
        matrix=table if precomputed else None,
        items=tuple(names[place] for place in order.tolist()),
        progress=progress,
    )


def _names(items: pl.Series | None, size: int) -> list[str]:
    return [str(n) for n in range(1, size + 1)] if items is None else ids_as_text(items).to_list()


def _canonical_order(table: Floats, codes: Ints) -> Ints:
    """By cluster, then by coordinates: a canonical order, so that sums come out bit by bit."""
    columns = pl.DataFrame(table, schema=[f"x{n}" for n in range(table.shape[1])])
    order = columns.with_columns(own_cluster=codes).select(
        pl.arg_sort_by("own_cluster", *columns.columns)
    )
    return order.to_series().cast(pl.Int64).to_numpy()


def _refuse_odd_matrix(table: Floats, source: Source) -> None:
    """A matrix of distances is square and symmetric, never negative, and 0 on the diagonal."""
    rows, columns = table.shape
    if rows != columns:
        raise DataError(
            f"{source.name}: a matrix of distances is square; this one has {rows} rows and"
            f" {columns} columns"
        )
    checks = {
        "is negative": table < 0,
        "differs from its mirror image": ~np.isclose(table, table.T, rtol=1e-9, atol=1e-12),
        "stands on the diagonal, where 0 is expected": np.diag(np.diag(table) != 0),
    }
    for what, wrong in checks.items():
        if wrong.any():
            row, column = (int(place[0]) for place in np.nonzero(wrong))
            raise DataError(
                f"{source.place(row)}: the distance {table[row, column]:g} in column {column + 1}"
                f" of the matrix {what}"
            )
