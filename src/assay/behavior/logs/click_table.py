"""The table of a click log: one row for each result that was shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from assay.core.tables import Table

PIECE = {
    "list": pl.Int64(),
    "session": pl.String(),
    "query": pl.String(),
    "rank": pl.Int64(),
    "doc": pl.String(),
    "click": pl.Int64(),
    "time": pl.Float64(),
    "click_time": pl.Float64(),
    "user": pl.String(),
}
"""The columns of a piece of a log; the last three are null where they are not known."""
LINE = "line"
"""The column of a piece, while it is read, with the line or row of each impression."""


@dataclass(frozen=True)
class Clicks(Table):
    """Impressions: the results that users were shown, and how often each was clicked.

    ``list`` numbers the result lists of the log, each of one query; a session may have several.
    ``rank`` counts from 1 and ``click`` is the number of clicks. ``time`` is when the list was
    shown and ``click_time`` when the result was first clicked, in seconds (NaN if not known).
    """

    columns: ClassVar[dict[str, pl.DataType]] = {
        name: dtype for name, dtype in PIECE.items() if name not in ("time", "click_time", "user")
    }
    optional: ClassVar[dict[str, pl.DataType]] = {
        name: PIECE[name] for name in ("time", "click_time", "user")
    }

    @property
    def lists(self) -> int:
        """The number of result lists."""
        return self.frame["list"].n_unique()

    @property
    def sessions(self) -> int:
        """The number of sessions."""
        return self.frame["session"].n_unique()


def known_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of pieces as the table has them: columns without any value are left out."""
    kept = [name for name in PIECE if name in frame.columns and not _is_unknown(frame[name])]
    numbers = [pl.col(name).fill_null(float("nan")) for name in ("time", "click_time")]
    chosen = frame.select(kept)
    fills = [each for each in numbers if each.meta.output_name() in kept]
    if "user" in kept:
        fills.append(pl.col("user").fill_null(""))
    return chosen.with_columns(fills)


def _is_unknown(column: pl.Series) -> bool:
    return column.name in Clicks.optional and column.null_count() == len(column)
