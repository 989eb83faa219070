"""Simulated users of an A/B test: visits, clicks, and the time before the experiment."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.behavior.experiments.arm_differences import (
    Difference,
    arm_summaries,
    compare_means,
    compare_shares,
)
from assay.behavior.experiments.arm_values import user_values
from assay.behavior.experiments.outcome_expressions import Outcome
from assay.behavior.experiments.sequential import compare_sequentially
from assay.behavior.experiments.user_table import UserTable
from assay.core.tables import Source

OUTCOMES = {
    "welch": Outcome("spent", "mean", "spent"),
    "share": Outcome("bought", "share", "bought"),
    "delta": Outcome("clicks/queries", "ratio", "clicks", "queries"),
    "cuped": Outcome("spent", "mean", "spent", covariate=("spent_before", None)),
    "cuped-ratio": Outcome(
        "clicks/queries",
        "ratio",
        "clicks",
        "queries",
        covariate=("clicks_before", "queries_before"),
    ),
    "quantile": Outcome("quantile(spent, 0.5)", "quantile", "spent", level=0.5),
    "winsorized": Outcome("winsorized(spent, 0.95)", "winsorized", "spent", level=0.95),
}


def simulate_users(generator: np.random.Generator, users: int, lift: float = 0.0) -> UserTable:
    """Users with habits that last: how often they search, click and spend, before and during."""
    arm = (generator.random(users) < 0.5).astype(np.int64)
    activity = generator.gamma(2.0, 2.0, users)
    appeal = generator.beta(4, 6, users)
    queries = 1 + generator.poisson(activity)
    queries_before = 1 + generator.poisson(activity)
    frame = pl.DataFrame(
        {
            "queries": queries,
            "clicks": generator.binomial(queries, np.clip(appeal + lift * arm, 0, 1)),
            "queries_before": queries_before,
            "clicks_before": generator.binomial(queries_before, appeal),
            "spent": activity + generator.normal(0, 2, users) + lift * arm,
            "spent_before": activity + generator.normal(0, 2, users),
            "bought": (generator.random(users) < 0.3 + lift * arm).astype(np.float64),
        }
    ).cast(pl.Float64)
    names = tuple(map(str, range(users)))
    return UserTable(frame, Source("users"), names, ("a", "b"), arm, np.arange(users))


def compare(table: UserTable, kind: str) -> Difference:
    """The difference of the two arms by one method."""
    outcome = OUTCOMES[kind]
    control, arm = arm_summaries(user_values(table, outcome).values, table.arm, 2)
    return (compare_shares if kind == "share" else compare_means)(control, arm, 0.95)


def looks_significant(
    generator: np.random.Generator, looks: int, users_per_look: int, sequential: bool
) -> bool:
    """Whether any of so many looks at an experiment without an effect is significant."""
    total = looks * users_per_look
    values = generator.gamma(2.0, 2.0, total)
    arm = (generator.random(total) < 0.5).astype(np.int64)
    for look in range(1, looks + 1):
        end = look * users_per_look
        control, other = arm_summaries(values[:end], arm[:end], 2)
        test = compare_sequentially if sequential else compare_means
        if test(control, other, 0.95).p < 0.05:
            return True
    return False
