"""The course of an experiment: the effect of each day, its trend, and what each look showed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.experiments.arm_differences import (
    ArmSummary,
    Difference,
    arm_summaries,
    compare_means,
)
from assay.behavior.experiments.arm_values import LINEARIZED, user_values
from assay.behavior.experiments.outcome_expressions import Outcome
from assay.behavior.experiments.sequential import compare_sequentially
from assay.behavior.experiments.user_table import UserTable
from assay.core.arrays import Floats


@dataclass(frozen=True)
class Course:
    """The tables of days, trends and looks."""

    days: pl.DataFrame = field(default_factory=pl.DataFrame)
    trends: pl.DataFrame = field(default_factory=pl.DataFrame)
    looks: pl.DataFrame = field(default_factory=pl.DataFrame)


def day_names(table: UserTable) -> list[str]:
    """Return the days of the experiment in order."""
    return [] if table.row_day is None else table.row_day.unique().sort().to_list()


def daily_effects(
    table: UserTable, outcome: Outcome, arm: int, confidence: float
) -> tuple[pl.DataFrame, dict[str, float]]:
    """Return the difference of each day among the users of that day, and its trend.

    The trend is the slope of the differences over the days, weighted by users; its standard error
    takes the user as the unit, for a user may be there on several days.
    """
    days = day_names(table)
    rows, slopes = [], []
    for place, day in enumerate(days):
        inside = (table.row_day == day).to_numpy()  # type: ignore[union-attr]
        part = table.only_rows(inside)
        values = LINEARIZED[outcome.kind](part, outcome)
        arms = arm_summaries(values, part.arm, len(table.arms))
        found = compare_means(arms[0], arms[arm], confidence)
        rows.append(_day_row(part, outcome, arm, day, found))
        slopes.append((place, part, values, arms))
    return pl.DataFrame(rows), _trend(table, slopes, arm)


def _day_row(
    part: UserTable, outcome: Outcome, arm: int, day: str, found: Difference
) -> dict[str, Any]:
    return {
        "measure": outcome.name,
        "arm": part.arms[arm],
        "day": day,
        "users": len(part),
        "difference": found.value,
        "low": found.low,
        "high": found.high,
        "p": found.p,
    }


def _trend(
    table: UserTable,
    slopes: list[tuple[int, UserTable, Floats, list[ArmSummary]]],
    arm: int,
) -> dict[str, float]:
    """Return the slope per day of the differences, its standard error and its p-value."""
    from scipy.special import stdtr

    usable = [each for each in slopes if min(each[3][0].users, each[3][arm].users) > 1]
    if len(usable) < 3:
        return {"slope": math.nan, "error": math.nan, "p": math.nan}
    places = np.array([each[0] for each in usable], dtype=np.float64)
    weights = np.array([1 / (1 / a[0].users + 1 / a[arm].users) for _, _, _, a in usable])
    center = float((weights * places).sum() / weights.sum())
    factors = weights * (places - center) / float((weights * (places - center) ** 2).sum())
    differences = np.array([a[arm].mean - a[0].mean for _, _, _, a in usable])
    number = {name: n for n, name in enumerate(table.users)}
    influence = np.zeros(len(table))
    for factor, (_, part, values, arms) in zip(factors, usable, strict=True):
        where = np.array([number[name] for name in part.users], dtype=np.int64)
        for side, sign in ((0, -1.0), (arm, 1.0)):
            own = part.arm == side
            centered = values[own] - arms[side].mean
            influence[where[own]] += sign * factor * centered / arms[side].users
    squared, freedom = 0.0, 0
    for side in (0, arm):
        own = influence[table.arm == side]
        squared += float((own**2).sum()) * len(own) / max(len(own) - 1, 1)
        freedom += len(own) - 1
    slope, error = float((factors * differences).sum()), math.sqrt(squared)
    p = 2 * float(stdtr(freedom, -abs(slope) / error)) if error > 0 else math.nan
    return {"slope": slope, "error": error, "p": p}


def sequential_looks(
    table: UserTable, outcome: Outcome, arm: int, confidence: float, tuned: int
) -> pl.DataFrame:
    """Return what a look at the end of each day shows; the p-value is the smallest so far."""
    rows, smallest = [], 1.0
    days = day_names(table)
    for day in days:
        part = table.only_rows((table.row_day <= day).to_numpy())  # type: ignore[operator, union-attr]
        values = user_values(part, outcome).values
        arms = arm_summaries(values, part.arm, len(table.arms))
        found = compare_sequentially(arms[0], arms[arm], confidence, tuned)
        smallest = min(smallest, 1.0 if math.isnan(found.p) else found.p)
        rows.append(_day_row(part, outcome, arm, day, found) | {"p": smallest})
    return pl.DataFrame(rows)
