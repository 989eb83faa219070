"""The columns that a caller names, under the names that a table declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from assay.core.errors import UsageError, did_you_mean
from assay.core.tables import Source
from assay.formats.containers import to_frame


def select_columns(
    data: Any, names: Mapping[str, str | None], what: str
) -> tuple[pl.DataFrame, Source]:
    """The named columns of the data, each under its declared name; those not named are left out."""
    frame, source = to_frame(data, what)
    return named_columns(frame, source, names), source


def named_columns(
    frame: pl.DataFrame, source: Source, names: Mapping[str, str | None]
) -> pl.DataFrame:
    """The named columns of a frame, each under its declared name."""
    chosen = {}
    for declared, given in names.items():
        if given is None:
            continue
        if not isinstance(given, str):
            raise UsageError(
                f"`{declared}` is the name of one column, not a {type(given).__name__}"
            )
        if given not in frame.columns:
            raise missing_column_error(given, frame, source, f" for `{declared}`")
        chosen[declared] = frame[given].alias(declared)
    return pl.DataFrame(list(chosen.values()))


def missing_column_error(
    name: str, frame: pl.DataFrame, source: Source, what: str = ""
) -> UsageError:
    """A complaint on a column that is not there; one column alone was cut at the wrong places."""
    if frame.width == 1:
        return UsageError(
            f"{source.name}: there is no column '{name}'{what}: the whole table is one column,"
            f" '{frame.columns[0]}'; part columns by a comma, a tab, a semicolon or a bar"
        )
    return UsageError(
        f"{source.name}: there is no column '{name}'{what} among {', '.join(frame.columns)}."
        + did_you_mean(name, frame.columns)
    )
