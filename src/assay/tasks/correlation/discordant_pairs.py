"""The pairs that two orders put in opposite order."""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.evidence.views.order_pairs import (
    OrderPairs,
    common_item_pairs,
    join_leaderboards,
    join_runs,
)
from assay.formats import containers
from assay.tasks.correlation.correlation_evidence import leaderboard


def leaderboard_inversions(
    one: Any, two: Any, *, item: str | None = None, value: str | None = None
) -> pl.DataFrame:
    """Every pair of systems that two leaderboards put in opposite order, widest apart first."""
    boards = [leaderboard(each, item, value) for each in (one, two)]
    return _list_inversions(common_item_pairs(join_leaderboards(*boards)))


def run_inversions(one: Any, two: Any) -> pl.DataFrame:
    """Every pair of documents that two runs put in opposite order, query by query."""
    pairs = common_item_pairs(join_runs(containers.to_run(one), containers.to_run(two)))
    return _list_inversions(pairs)


def _list_inversions(pairs: OrderPairs) -> pl.DataFrame:
    parts = []
    for number, name in enumerate(pairs.groups):
        table = pl.DataFrame(pairs.only(number).inversions())
        parts.append(table.insert_column(0, pl.Series("group", [name] * table.height, pl.String)))
    listed = pl.concat([part for part in parts if part.height] or parts[:1])
    return listed.drop("group") if len(pairs.groups) == 1 else listed
