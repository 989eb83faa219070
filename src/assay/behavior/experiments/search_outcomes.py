"""Search outcomes from click logs: a row for each result list, to be compared by user."""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.behavior.logs.click_log import read_clicks
from assay.behavior.logs.click_table import Clicks

WITHIN = 60.0
"""A different query of the same user within so many seconds is a reformulation."""
SEARCH_MEASURES = (
    "clicks/queries",
    "clicked/queries",
    "clicked_first/queries",
    "reciprocal_rank/queries",
    "abandoned/queries",
    "reformulated/queries",
)
"""Clicks per query, queries with a click, clicks on the first result, the reciprocal rank of the
first click, queries without a click, and queries that are followed by another one."""
LOWER_MEASURES = ("abandoned/queries", "reformulated/queries")


def search_outcomes(log: Any, *, within: float = WITHIN, **settings: Any) -> pl.DataFrame:
    """Return the outcomes of each result list of a click log.

    ``log`` is what `assay.read_clicks` takes, or its result; ``settings`` are passed on to it. A
    list is reformulated if the user's next list in the session is of another query, and begins
    within so many seconds where times are known. Without users, sessions take their place.
    """
    table = log if isinstance(log, Clicks) else read_clicks(log, **settings)
    frame = table.frame
    if "user" not in frame.columns:
        frame = frame.with_columns(user=pl.col("session"))
    if "time" not in frame.columns:
        frame = frame.with_columns(time=pl.lit(None, dtype=pl.Float64))
    clicked = pl.col("click") > 0
    lists = (
        frame.group_by("list")
        .agg(
            pl.col("user").first(),
            pl.col("session").first(),
            pl.col("query").first(),
            pl.col("time").first(),
            clicks=clicked.sum().cast(pl.Int64),
            clicked_first=(clicked & (pl.col("rank") == 1)).any().cast(pl.Int64),
            first_rank=pl.col("rank").filter(clicked).min(),
        )
        .sort("user", "session", "time", "list")
    )
    following = pl.col("query").shift(-1).over("user", "session") != pl.col("query")
    waited = pl.col("time").shift(-1).over("user", "session") - pl.col("time")
    soon = (waited.fill_nan(None) <= within).fill_null(True)
    return lists.with_columns(
        queries=pl.lit(1, dtype=pl.Int64),
        clicked=(pl.col("clicks") > 0).cast(pl.Int64),
        abandoned=(pl.col("clicks") == 0).cast(pl.Int64),
        reciprocal_rank=(1 / pl.col("first_rank")).fill_null(0.0),
        reformulated=(following.fill_null(False) & soon).cast(pl.Int64),
    ).drop("first_rank")
