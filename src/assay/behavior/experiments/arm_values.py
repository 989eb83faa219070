"""The value of a measure in each arm, as the mean of one linearized value for each user.

A mean is the mean of the users' sums. A ratio Σy/Σx is linearized: R + (y − R x)/x̄ has the mean R
and the variance of the delta method. A quantile is linearized by the share of rows below it. So all
kinds are compared in one way, with the user as the unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.behavior.experiments.outcome_expressions import Outcome
from assay.behavior.experiments.user_table import UserTable
from assay.core.arrays import Bools, Floats, exact_mean
from assay.core.errors import DataError
from assay.core.phrases import quantity


@dataclass(frozen=True)
class UserValues:
    """The linearized value of each user of all arms."""

    outcome: Outcome
    values: Floats
    notes: tuple[str, ...] = ()


def linearize_ratio(top: Floats, bottom: Floats) -> Floats:
    """Return values whose mean is the ratio of the sums, and whose variance that of the ratio."""
    total = math.fsum(bottom.tolist())
    if not total > 0:
        return np.full(len(top), math.nan)
    value = math.fsum(top.tolist()) / total
    return value + (top - value * bottom) / (total / len(bottom))


def _by_arm(table: UserTable, compute: Callable[[Bools], Floats]) -> Floats:
    """Return values that are computed within each arm."""
    values = np.empty(len(table))
    for arm in range(len(table.arms)):
        inside = table.arm == arm
        values[inside] = compute(inside)
    return values


def _mean_values(table: UserTable, outcome: Outcome) -> Floats:
    return table.sums(outcome.column)


def _share_values(table: UserTable, outcome: Outcome) -> Floats:
    return table.any_row(outcome.column).astype(np.float64)


def _ratio_values(table: UserTable, outcome: Outcome) -> Floats:
    top, bottom = table.sums(outcome.column), table.sums(outcome.denominator)
    return _by_arm(table, lambda inside: linearize_ratio(top[inside], bottom[inside]))


def _winsorized_values(table: UserTable, outcome: Outcome) -> Floats:
    sums = table.sums(outcome.column)
    return np.minimum(sums, np.quantile(sums, outcome.level or 1.0))


def _quantile_values(table: UserTable, outcome: Outcome) -> Floats:
    rows = table.values(outcome.column)
    level = outcome.level or 0.5
    values = np.empty(len(table))
    for arm in range(len(table.arms)):
        inside = table.arm == arm
        if not inside.any():  # an arm without users in this slice
            continue
        own = inside[table.row_user]
        number = np.cumsum(inside) - 1
        values[inside] = linearize_quantile(rows[own], number[table.row_user[own]], level)
    return values


def linearize_quantile(rows: Floats, user: np.ndarray, level: float) -> Floats:
    """Return values whose mean is the quantile of the rows, and whose variance that of it.

    The share of rows at or below the quantile is a ratio by user. Its interval, mapped through the
    quantiles of the rows, gives the density that turns shares into values (Woodruff's interval).
    """
    users = int(user.max()) + 1
    value = float(np.quantile(rows, level))
    counts = np.bincount(user, minlength=users).astype(np.float64)
    below = np.bincount(user, rows <= value, users).astype(np.float64)
    shares = linearize_ratio(below, counts)
    error = math.sqrt(max(float(shares.var(ddof=1)) / users, 0.0)) if users > 1 else math.nan
    reach = 1.96 * error
    if not reach > 0:
        return np.full(users, value)
    low, high = (float(np.quantile(rows, min(max(level + s * reach, 0), 1))) for s in (-1, 1))
    return value - (high - low) / (2 * reach) * (shares - shares.mean())


LINEARIZED: dict[str, Callable[[UserTable, Outcome], Floats]] = {
    "mean": _mean_values,
    "share": _share_values,
    "ratio": _ratio_values,
    "quantile": _quantile_values,
    "winsorized": _winsorized_values,
}
"""The values of users by kind of measure."""


def user_values(table: UserTable, outcome: Outcome) -> UserValues:
    """Return the values of the users, adjusted by their covariate if there is one (CUPED)."""
    values = LINEARIZED[outcome.kind](table, outcome)
    if outcome.covariate is None:
        return UserValues(outcome, values)
    return _adjust(table, outcome, values)


def _adjust(table: UserTable, outcome: Outcome, values: Floats) -> UserValues:
    """Return values minus what the time before the experiment predicts.

    The coefficient is that of all arms together, so that the difference stays unbiased. Users
    without a covariate get its mean: nothing is predicted for them.
    """
    column, denominator = outcome.covariate or ("", None)
    top, bottom, unknown = _covariate_means(table, column, denominator)
    pooled = linearize_ratio(top, bottom)
    if outcome.kind == "ratio":
        measured = linearize_ratio(table.sums(outcome.column), table.sums(outcome.denominator))
    else:
        measured = values
    spread = float(pooled.var(ddof=1)) if len(pooled) > 1 else 0.0
    theta = float(np.cov(measured, pooled)[0, 1]) / spread if spread > 0 else 0.0
    own = _by_arm(table, lambda inside: linearize_ratio(top[inside], bottom[inside]))
    adjusted = values - theta * (own - exact_mean(pooled.tolist()))
    kept = 1 - _squared_correlation(measured, pooled)
    notes = [f"{outcome.name}: adjusted by {column}, {kept:.0%} of the variance is left"]
    if unknown.any():
        notes.append(
            f"{outcome.name}: {quantity(int(unknown.sum()), 'user')} without a covariate, which are"
            " not adjusted"
        )
    notes += _changing_covariates(table, outcome)
    return UserValues(outcome, adjusted, tuple(notes))


def _changing_covariates(table: UserTable, outcome: Outcome) -> list[str]:
    """Return a note of users whose rows have different values of a covariate."""
    notes = []
    for column in outcome.covariate or ():
        if column is None:
            continue
        given = table.values(column)
        rows = np.flatnonzero(~np.isnan(given))
        order = rows[np.lexsort((rows, table.row_user[rows]))]
        user, value = table.row_user[order], given[order]
        changed = (user[1:] == user[:-1]) & (value[1:] != value[:-1])
        if changed.any():
            row = int(order[1:][changed].min())
            users = len(np.unique(user[1:][changed]))
            notes.append(
                f"{table.source.place(row)}: {quantity(users, 'user')} with more than one value of"
                f" {column}, the first '{table.users[table.row_user[row]]}': the mean of the rows"
                " counts; a covariate is one value from before the experiment"
            )
    return notes


def _squared_correlation(one: Floats, other: Floats) -> float:
    if one.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1]) ** 2


def _covariate_means(
    table: UserTable, column: str, denominator: str | None
) -> tuple[Floats, Floats, Bools]:
    """Return the covariate of each user: numerator, denominator, and who has none."""
    given = table.values(column)
    missing = np.isnan(given)
    rows = np.bincount(table.row_user, ~missing, len(table)).astype(np.float64)
    filled = np.where(missing, 0.0, given)
    unknown = rows == 0
    top = _row_means(table, filled, rows)
    if unknown.all():
        raise DataError(f"{table.source.name}: no user has a value of the covariate '{column}'")
    if denominator is None:
        top[unknown] = exact_mean(top[~unknown].tolist())
        return top, np.ones(len(table)), unknown
    below = np.nan_to_num(table.values(denominator))
    return top, _row_means(table, below, rows), unknown


def _row_means(table: UserTable, values: Floats, rows: Floats) -> Floats:
    """Return the mean over the rows of each user: a covariate is often repeated in every row."""
    order = np.lexsort((values, table.row_user))
    sums = np.bincount(table.row_user[order], values[order], len(table))
    return sums / np.maximum(rows, 1)
