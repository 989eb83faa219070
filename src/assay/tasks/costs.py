"""Cost beside quality: what each run costs per query, and which runs no other beats on both."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats
from assay.core.conventions import Conventions
from assay.core.errors import DataError, did_you_mean
from assay.formats import containers
from assay.tasks.retrieval import retrieval


def pareto_front(quality: Floats, cost: Floats) -> Bools:
    """Which are on the front: no other is at least as good and as cheap, and better in one."""
    better = (quality[:, None] >= quality[None, :]) & (cost[:, None] <= cost[None, :])
    strictly = (quality[:, None] > quality[None, :]) | (cost[:, None] < cost[None, :])
    beaten: Bools = np.any(better & strictly, axis=0)
    return ~beaten


def cost_beside_quality(
    qrels: Any,
    runs: Any,
    costs: Any,
    measure: str = "nDCG@10",
    *,
    rel: float | None = None,
    profile: str | Conventions = "assay",
) -> pl.DataFrame:
    """A row for each run: its quality, its mean cost, and whether it is on the Pareto front.

    ``costs`` has the columns system and cost, and perhaps query; the unit (seconds, bytes, money)
    is the user's. A cost per query is averaged over the queries of the table.
    """
    means, source = _mean_costs(costs)
    scores = retrieval(qrels, runs, [measure], rel=rel, profile=profile, bootstrap=None)
    for system in scores.systems:
        if system not in means:
            raise DataError(
                f"{source}: there is no cost for {system}." + did_you_mean(system, means)
            )
    quality = np.asarray([result.value for result in scores.results])
    cost = np.asarray([means[system] for system in scores.systems])
    better = -quality if scores.results[0].better == "lower" else quality
    shown = {
        "system": scores.systems,
        scores.measures[0]: quality,
        "cost": cost,
        "front": pareto_front(better, cost),
    }
    return pl.DataFrame(shown).sort("cost", "system")


def _mean_costs(costs: Any) -> tuple[dict[str, float], str]:
    """The mean cost of each system, and the name of the table."""
    table, source = containers.frame_of(costs, "costs")
    for column in ("system", "cost"):
        if column not in table.columns:
            raise DataError(
                f"{source.name}: there is no column '{column}' among {', '.join(table.columns)};"
                " costs are: system, cost, and perhaps query." + did_you_mean(column, table.columns)
            )
    numbers = table["cost"].cast(pl.Float64, strict=False)
    bad = (numbers.is_null() | ~numbers.is_finite() | (numbers < 0)).arg_true()
    if len(bad):
        row = int(bad[0])
        given = table["cost"][row]
        raise DataError(
            f"{source.place(row)}: the cost is '{given}', but a number from 0 is expected"
        )
    named = table.select(pl.col("system").cast(pl.String), cost=numbers)
    return dict(named.group_by("system").agg(pl.col("cost").mean()).iter_rows()), source.name
