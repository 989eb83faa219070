"""Leaderboards: systems and a number for each, from a table or from scores."""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.core.errors import UsageError, missing_column, no_rows
from assay.core.tables import Source
from assay.engine.scores import Scores
from assay.evidence.order_rows import Leaderboard
from assay.formats import containers


def leaderboard(given: Any, item: str | None, value: str | None) -> Leaderboard:
    """Systems and a number for each, from a table."""
    frame, source = containers.to_frame(given, "the leaderboard")
    if not frame.columns:
        raise no_rows(source.name)
    for column in (item, value):
        if column is not None and column not in frame.columns:
            raise missing_column(source.name, column, frame.columns)
    key = item or frame.columns[0]
    numeric = [n for n, dtype in frame.schema.items() if n != key and dtype.is_numeric()]
    chosen_value = value or next(iter(numeric), None)
    if chosen_value is None:
        raise UsageError(
            f"{source.name}: no column holds numbers among {', '.join(frame.columns)}; a"
            " leaderboard has a system and its score in each row"
        )
    return Leaderboard.of(frame.select(item=key, value=chosen_value), source)


def scores_leaderboard(scores: Scores, measure: str, which: str) -> Leaderboard:
    """Return the systems by a measure; turned round where less is better."""
    results = scores.of(measure)
    sign = -1 if results[0].better == "lower" else 1
    frame = pl.DataFrame(
        {"item": [each.system for each in results], "value": [sign * e.value for e in results]}
    )
    return Leaderboard.of(frame, Source(f"the {which} scores ({measure})"))
