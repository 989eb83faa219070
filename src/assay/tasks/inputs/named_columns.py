"""The columns that a caller names, under their declared names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from assay.core.errors import UsageError, missing_column
from assay.core.tables import Source
from assay.formats.containers import to_frame


def select_columns(
    data: Any, names: Mapping[str, str | None], what: str
) -> tuple[pl.DataFrame, Source]:
    """Return the named columns of the data and their source, under their declared names."""
    frame, source = to_frame(data, what)
    return named_columns(frame, source, names), source


def named_columns(
    frame: pl.DataFrame, source: Source, names: Mapping[str, str | None]
) -> pl.DataFrame:
    """Return the named columns of a frame, under their declared names."""
    chosen = {}
    for declared, given in names.items():
        if given is None:
            continue
        if not isinstance(given, str):
            raise UsageError(
                f"`{declared}` is the name of one column, not a {type(given).__name__}"
            )
        if given not in frame.columns:
            raise missing_column(source.name, given, frame.columns, f"for `{declared}`")
        chosen[declared] = frame[given].alias(declared)
    return pl.DataFrame(list(chosen.values()))
