"""The order of the categories of pandas and Arrow columns, which Polars keeps only in an Enum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from assay.core.tables import ids_as_text


def with_category_order(frame: pl.DataFrame, given: Any) -> pl.DataFrame:
    """Return the frame with ordered categorical columns of what was given as Enum columns."""
    orders = {name: _categories(given, name) for name in frame.columns}
    return frame.with_columns(
        ids_as_text(frame[name]).cast(pl.Enum(ids_as_text(pl.Series(order)).to_list()))
        for name, order in orders.items()
        if order
    )


def _categories(given: Any, name: str) -> Sequence[Any]:
    """Return the categories of a column in their order; nothing if they have none."""
    if hasattr(given, "dtypes"):
        dtype = given.dtypes.get(name)
        return list(dtype.categories) if getattr(dtype, "ordered", False) else ()
    if hasattr(given, "schema") and hasattr(given, "column"):
        column = given.column(name)
        if getattr(column.type, "ordered", False) and column.num_chunks:
            categories: list[Any] = column.unify_dictionaries().chunk(0).dictionary.to_pylist()
            return categories
    return ()
