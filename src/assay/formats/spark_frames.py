"""Spark frames on one machine: collected as far as they fit."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import polars as pl

from assay.core.errors import UsageError

MOST_ROWS = 50_000_000
"""So many rows are collected to the driver at most."""


def is_spark_frame(data: Any) -> bool:
    """Return whether this is a frame of Spark, classic or Connect, which is not imported for it."""
    module = type(data).__module__
    return module.startswith("pyspark.sql.") and type(data).__name__ == "DataFrame"


def collect_frame(
    data: Any, what: str, columns: Collection[str] | None = None, most: int = MOST_ROWS
) -> pl.DataFrame:
    """Return the rows of a Spark frame; refuse more than one machine should take.

    Its rows have no order, so they are sorted: how Spark divided them never shows.
    """
    if columns is not None:
        kept = [f"`{name.replace('`', '``')}`" for name in data.columns if name in columns]
        data = data.select(*kept)
    rows = data.limit(most + 1).count()
    if rows > most:
        raise UsageError(
            f"{what}: the Spark frame has more than {most:,} rows, and this needs all of them on"
            " one machine; select the columns and rows that are needed, count equal rows first, or"
            " draw a sample"
        )
    frame = pl.DataFrame(data.toArrow())
    plain = [name for name, dtype in frame.schema.items() if not dtype.is_nested()]
    return frame.sort(plain) if plain else frame
