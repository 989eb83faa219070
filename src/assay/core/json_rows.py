"""Tables as JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import polars as pl


def json_rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Return a dict for each row; undefined values are null, and infinity is text."""
    return [json_row(row) for row in frame.iter_rows(named=True)]


def json_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return one row as JSON values."""
    return {name: _plain_value(value) for name, value in row.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain_value(each) for each in value]
    if isinstance(value, Mapping):
        return json_row(value)
    if not isinstance(value, float) or math.isfinite(value):
        return value
    if math.isnan(value):
        return None
    return "inf" if value > 0 else "-inf"
