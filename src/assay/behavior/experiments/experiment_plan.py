"""How many users an experiment needs."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from assay.behavior.experiments.sequential import mixture_scale, sequential_reach
from assay.core.errors import UsageError


def plan_experiment(
    detect: float,
    *,
    baseline: float | None = None,
    deviation: float | None = None,
    relative: bool = False,
    share: float = 0.5,
    correlation: float = 0.0,
    arms: int = 2,
    power: float = 0.8,
    confidence: float = 0.95,
    sequential: bool = False,
    users_per_day: float | None = None,
) -> pl.DataFrame:
    """Return the users needed in the arm and in the control to detect a difference.

    ``baseline`` is the share of users that convert, or the mean of a measure whose standard
    ``deviation`` over users is given. ``relative`` takes the difference as a share of the baseline.
    ``share`` is the share of the users in the new arm; the control has the rest. ``correlation``
    with a covariate reduces the variance (CUPED); with ``arms`` above 2 the level is divided by the
    comparisons; a ``sequential`` test needs more users.

    >>> plan_experiment(0.01, baseline=0.19).select("users_arm", "users").row(0)
    (24641, 49282)
    """
    wanted = _absolute(detect, baseline, relative)
    variances = _variances(wanted, baseline, deviation, correlation)
    _check(share, power, confidence, arms)
    level = (1 - confidence) / (arms - 1)
    part = share / (arms - 1)
    rest = 1 - share
    unit = variances[1] / part + variances[0] / rest
    """The squared error of the difference, times the users of all arms."""
    total = _users(wanted, unit, power, level, sequential)
    row: dict[str, Any] = {
        "detect": wanted,
        "share": share,
        "users_arm": math.ceil(total * part),
        "users_control": math.ceil(total * rest),
        "users": math.ceil(total * part) * (arms - 1) + math.ceil(total * rest),
        "power": power,
        "confidence": confidence,
        "sequential": sequential,
    }
    if users_per_day is not None:
        if not row["users"] / 1e6 < users_per_day < math.inf:
            raise UsageError(f"`users_per_day` is {users_per_day:g}: too few, or not a number")
        row["days"] = math.ceil(row["users"] / users_per_day)
    return pl.DataFrame([row])


def _absolute(detect: float, baseline: float | None, relative: bool) -> float:
    if relative and not baseline:
        raise UsageError("a `relative` difference needs a `baseline` that is not 0")
    wanted = detect * abs(baseline or 0.0) if relative else detect
    if not abs(wanted) > 0:
        raise UsageError(f"`detect` is {detect:g}: a difference that is not 0 is expected")
    return wanted


def _variances(
    wanted: float, baseline: float | None, deviation: float | None, correlation: float
) -> tuple[float, float]:
    """Return the variance of users in the control and in the new arm."""
    if not -1 < correlation < 1:
        raise UsageError(f"`correlation` is {correlation:g}: between −1 and 1 is expected")
    left = 1 - correlation**2
    if deviation is not None:
        if not deviation > 0:
            raise UsageError(f"`deviation` is {deviation:g}: a number above 0 is expected")
        return deviation**2 * left, deviation**2 * left
    if baseline is None or not 0 < baseline < 1 or not 0 < baseline + wanted < 1:
        raise UsageError(
            "without a `deviation` the `baseline` is a share between 0 and 1, also with the"
            " difference"
        )
    moved = baseline + wanted
    return baseline * (1 - baseline) * left, moved * (1 - moved) * left


def _check(share: float, power: float, confidence: float, arms: int) -> None:
    if not 0 < share < 1:
        raise UsageError(f"`share` is {share:g}: between 0 and 1 is expected")
    if not 0 < 1 - confidence < power < 1:
        raise UsageError(
            f"`confidence` is between 0 and 1 and `power` above 1 - confidence; found"
            f" {confidence:g} and {power:g}"
        )
    if arms < 2:
        raise UsageError(f"`arms` is {arms}: an experiment has at least 2")


def _users(wanted: float, unit: float, power: float, level: float, sequential: bool) -> float:
    """Return the users of all arms."""
    from scipy.special import ndtri

    beyond = float(ndtri(power))
    fixed = (float(ndtri(1 - level / 2)) + beyond) ** 2 * unit / wanted**2
    if not sequential:
        return fixed
    total = fixed
    for _ in range(100):  # The reach depends on the users, so this is a fixed point.
        reach = sequential_reach(1.0, round(total), mixture_scale(round(total), level), level)
        total = (reach + beyond) ** 2 * unit / wanted**2
    return total
