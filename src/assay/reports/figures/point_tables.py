"""The points of a figure as tables."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.core.errors import unknown_name
from assay.core.printable import frame_to_pandas

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".svg", ".png", ".pdf", ".csv")
"""The extensions of files that a figure is written to; CSV has its points."""


class OmittedSeriesWarning(UserWarning):
    """A CSV file lacks series of a figure, which have other columns."""


class PointTables:
    """The points of a figure as Polars and pandas frames."""

    points: Mapping[str, Mapping[str, Any]]

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the points as tables, by the name of the series."""
        return point_tables(self.points)

    def to_polars(self, table: str | None = None) -> pl.DataFrame:
        """Return the points as one table, with the name of the series in the first column.

        Series with other columns than the first one are left to ``frames``; ``table`` names one.
        """
        if table is None:
            return stacked_points(self.points)
        frames = self.frames()
        if table not in frames:
            raise unknown_name("series", table, frames)
        return frames[table]

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """Return the points as a pandas frame, as ``to_polars`` does."""
        return frame_to_pandas(self.to_polars(table))

    def csv(self) -> str:
        """Return the points as ``to_polars`` has them, in lines of CSV."""
        return self.to_polars().write_csv().rstrip("\n")

    def warn_of_omitted_series(self) -> None:
        """Warn the caller of the caller where the CSV lacks series of the figure."""
        tables = self.frames()
        columns = _first_columns(tables)
        if omitted := [name for name, each in tables.items() if each.columns != columns]:
            warnings.warn(
                f"the CSV has the columns {', '.join(columns)}; series with other columns are left"
                f" out: {', '.join(omitted)} (in Python: figure.frames())",
                OmittedSeriesWarning,
                stacklevel=3,
            )


def point_tables(points: Mapping[str, Mapping[str, Any]]) -> dict[str, pl.DataFrame]:
    """Return a table for each series of a figure, with a column for each kind of number."""
    return {name: _table(columns) for name, columns in points.items()}


def stacked_points(points: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    """Return the tables of all series that have the columns of the first, below each other.

    Others, such as the line of a calibration beside its bins, are tables of their own.
    """
    tables = point_tables(points)
    columns = _first_columns(tables)
    alike = [
        each.select(pl.lit(name).alias("series"), pl.all())
        for name, each in tables.items()
        if each.columns == columns
    ]
    return pl.concat(alike, how="vertical_relaxed") if alike else pl.DataFrame()


def _first_columns(tables: Mapping[str, pl.DataFrame]) -> Sequence[str]:
    """Return the columns of the first series."""
    return next((each.columns for each in tables.values()), [])


def _table(columns: Mapping[str, Any]) -> pl.DataFrame:
    """Return the columns of a series; a single number holds for every row, and gaps are null."""
    lists = {name: np.atleast_1d(np.asarray(each)).tolist() for name, each in columns.items()}
    rows = max(map(len, lists.values()), default=0)
    return pl.DataFrame(
        {
            name: each * rows if len(each) == 1 else [*each, *[None] * (rows - len(each))]
            for name, each in lists.items()
        },
        strict=False,
    )
