"""Slices: the rows that share a value of one column, or of several."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from assay.core.errors import UsageError, missing_column
from assay.core.tables import Source

MOST = 1000
"""More slices than this are a mistake: the column holds names, not groups."""


def row_slices(frame: pl.DataFrame, source: Source, by: Sequence[str]) -> dict[str, pl.Series]:
    """Return the rows of each slice, by its name such as ``segment=A``.

    Each entry of ``by`` is a column, or several separated by commas whose values are crossed.
    """
    found: dict[str, pl.Series] = {}
    for entry in [by] if isinstance(by, str) else by:
        columns = [name.strip() for name in entry.split(",")]
        for name in columns:
            if name not in frame.columns:
                raise missing_column(source.name, name, frame.columns, "to slice by")
        found |= _slices_of_column(frame.select(columns), source, entry)
    return found


def _slices_of_column(values: pl.DataFrame, source: Source, entry: str) -> dict[str, pl.Series]:
    named = pl.concat_str(
        [
            pl.lit(f"{name}=") + pl.col(name).cast(pl.String).fill_null("(none)")
            for name in values.columns
        ],
        separator=", ",
    )
    names = values.select(slice=named)["slice"]
    distinct = names.unique().sort().to_list()
    if len(distinct) > MOST:
        raise UsageError(
            f"{source.name}: {entry} has {len(distinct)} different values; slices are made by a"
            f" column with at most {MOST}"
        )
    return {one: names == one for one in distinct}
