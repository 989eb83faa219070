"""Tables that only the evidence behind scores can make, such as that of the classes."""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.core.errors import UsageError

MAKERS = {
    "per_class": ("of classifiers, sets of labels and spans", "have a table of classes"),
    "between_assessors": ("of agreement", "say who agrees with whom"),
    "confusion": ("of classifiers", "have confusion matrices"),
}
"""Which scores have each table, and what it is."""


def origin_table(origin: Any, name: str, *settings: Any) -> pl.DataFrame:
    """Return a table that the evidence makes; refused where the evidence is absent or of others."""
    table: pl.DataFrame = _maker(origin, name)(*settings)
    return table


def origin_matrices(origin: Any) -> dict[str, Any]:
    """Return the confusion matrices of the evidence, by system; refused as tables are."""
    return dict(_maker(origin, "confusion")())


def _maker(origin: Any, name: str) -> Any:
    make = getattr(origin, name, None)
    if make is None:
        whose, what = MAKERS[name]
        raise UsageError(f"only scores {whose} that were computed here, not loaded, {what}")
    return make
