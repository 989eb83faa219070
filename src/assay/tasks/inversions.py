"""The pairs that two orders put in opposite order."""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.evidence.from_orders import joined_leaderboards, joined_runs, pairs_in_both
from assay.evidence.orders import OrderPairs
from assay.formats import containers
from assay.tasks.correlation_evidence import leaderboard


def inversions_of_leaderboards(
    one: Any, two: Any, *, item: str | None = None, value: str | None = None
) -> pl.DataFrame:
    """Every pair of systems that two leaderboards put in opposite order, widest apart first."""
    boards = [leaderboard(each, item, value) for each in (one, two)]
    return _listed(pairs_in_both(joined_leaderboards(*boards)))


def inversions_of_runs(one: Any, two: Any) -> pl.DataFrame:
    """Every pair of documents that two runs put in opposite order, query by query."""
    pairs = pairs_in_both(joined_runs(containers.run(one), containers.run(two)))
    return _listed(pairs)


def _listed(pairs: OrderPairs) -> pl.DataFrame:
    parts = []
    for number, name in enumerate(pairs.groups):
        table = pl.DataFrame(pairs.only(number).inversions())
        parts.append(table.insert_column(0, pl.Series("group", [name] * table.height, pl.String)))
    listed = pl.concat([part for part in parts if part.height] or parts[:1])
    return listed.drop("group") if len(pairs.groups) == 1 else listed
