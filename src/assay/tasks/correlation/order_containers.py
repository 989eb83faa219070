"""Two leaderboards as users have them: dicts, Series indexed by item, or frames."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.tables import Source
from assay.evidence.order_rows import Leaderboard
from assay.formats.arrays import is_frame, pandas_column


def are_files(one: Any, two: Any) -> bool:
    """Return whether two files are given; a text that is not a file may name a measure."""
    return all(isinstance(each, str | Path) and Path(each).is_file() for each in (one, two))


def names_items(given: Any) -> bool:
    """Return whether numbers have names: a dict, a frame, or a Series that is not only numbered."""
    if isinstance(given, Mapping):
        return bool(given) and all(isinstance(each, Real) for each in given.values())
    if is_frame(given):
        return len(getattr(given, "column_names", None) or given.columns) > 1
    index = getattr(given, "index", None)
    return hasattr(given, "to_frame") and hasattr(index, "names") and not _is_numbering(index)


def _is_numbering(index: Any) -> bool:
    """Return whether the index of pandas only numbers the rows."""
    return all(hasattr(index, name) for name in ("start", "stop", "step"))


def named_numbers(given: Any, which: str) -> Any:
    """Return a dict or a Series as a leaderboard; a frame or a file as it is."""
    if isinstance(given, str | Path) or is_frame(given):
        return given
    if isinstance(given, Mapping):
        names, values = list(given), pl.Series(list(given.values()), dtype=pl.Float64, strict=False)
    else:
        names, values = list(given.index), pandas_column(given)
    frame = pl.DataFrame({"item": [str(each) for each in names], "value": values})
    return Leaderboard.of(frame, Source(f"the {which} order"))
