"""The difference of two arms: estimates, intervals and tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, exact_mean
from assay.core.closed_form_intervals import difference_reach


@dataclass(frozen=True)
class ArmSummary:
    """The mean and the variance of the users' values in one arm."""

    users: int
    mean: float
    variance: float

    @classmethod
    def of(cls, values: Floats) -> ArmSummary:
        """Return the summary of values, the same bits in any order."""
        mean = exact_mean(values.tolist())
        if len(values) < 2:
            return cls(len(values), mean, math.nan)
        total = math.fsum(((values - mean) ** 2).tolist())
        return cls(len(values), mean, total / (len(values) - 1))

    @property
    def squared_error(self) -> float:
        """The variance of the mean."""
        return self.variance / self.users if self.users else math.nan


@dataclass(frozen=True)
class Difference:
    """The difference of an arm from the control, absolute and relative."""

    value: float
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    relative: float = math.nan
    relative_low: float = math.nan
    relative_high: float = math.nan
    error: float = math.nan
    """The standard error of the difference."""
    effect_size: float = math.nan
    """The difference over the standard deviation of users."""
    reason: str = ""
    """Why there is no p-value, if there is none."""


def compare_means(control: ArmSummary, arm: ArmSummary, confidence: float) -> Difference:
    """Return the difference of means by Welch's t-test."""
    from scipy.special import stdtr, stdtrit

    squared = control.squared_error + arm.squared_error
    value = arm.mean - control.mean
    if not squared > 0:
        few = min(control.users, arm.users) < 2
        return undefined_difference(value, "fewer than two users" if few else "no variation")
    freedom = welch_freedom(control, arm)
    error = math.sqrt(squared)
    reach = float(stdtrit(freedom, (1 + confidence) / 2))
    p = 2 * float(stdtr(freedom, -abs(value) / error))
    return complete_difference(
        (control, arm), (value - reach * error, value + reach * error), p, reach
    )


def welch_freedom(control: ArmSummary, arm: ArmSummary) -> float:
    """Return the degrees of freedom of Welch and Satterthwaite."""
    parts = [(each.squared_error, each.users - 1) for each in (control, arm)]
    return sum(part for part, _ in parts) ** 2 / sum(part**2 / free for part, free in parts)


def compare_shares(control: ArmSummary, arm: ArmSummary, confidence: float) -> Difference:
    """Return the difference of shares: a pooled z-test, and Newcombe's interval."""
    from scipy.special import ndtr, ndtri

    if not control.users or not arm.users:
        return undefined_difference(math.nan, "the denominator of an arm is 0")
    users = control.users + arm.users
    pooled = (control.mean * control.users + arm.mean * arm.users) / users
    squared = pooled * (1 - pooled) * (1 / control.users + 1 / arm.users)
    value = arm.mean - control.mean
    if not squared > 0:
        return undefined_difference(value, "no variation")
    reach = float(ndtri((1 + confidence) / 2))
    p = 2 * float(ndtr(-abs(value) / math.sqrt(squared)))
    ends = newcombe_interval((control.mean, control.users), (arm.mean, arm.users), reach)
    return complete_difference((control, arm), ends, p, reach)


def wilson_interval(share: float, users: int, reach: float) -> tuple[float, float]:
    """Return the Wilson interval of a share."""
    middle = share + reach**2 / (2 * users)
    width = reach * math.sqrt(share * (1 - share) / users + reach**2 / (4 * users**2))
    scale = 1 + reach**2 / users
    return (middle - width) / scale, (middle + width) / scale


def newcombe_interval(
    control: tuple[float, int], arm: tuple[float, int], reach: float
) -> tuple[float, float]:
    """Return Newcombe's interval of a difference of shares, from two Wilson intervals."""
    own, others = (
        (share, *wilson_interval(share, users, reach)) for share, users in (arm, control)
    )
    below, above = difference_reach(own, others)
    value = arm[0] - control[0]
    return value - below, value + above


def complete_difference(
    arms: tuple[ArmSummary, ArmSummary], ends: tuple[float, float], p: float, reach: float
) -> Difference:
    """Return a difference with its relative size; the delta method gives its interval."""
    control, arm = arms
    value = arm.mean - control.mean
    relative = low = high = math.nan
    if control.mean != 0:
        relative = value / abs(control.mean)
        squared = arm.squared_error / control.mean**2
        squared += arm.mean**2 * control.squared_error / control.mean**4
        low, high = (relative + sign * reach * math.sqrt(squared) for sign in (-1, 1))
    spread = math.sqrt((control.variance + arm.variance) / 2)
    return Difference(
        value,
        *ends,
        p,
        relative,
        low,
        high,
        math.sqrt(control.squared_error + arm.squared_error),
        value / spread if spread > 0 else math.nan,
    )


def undefined_difference(value: float, reason: str) -> Difference:
    """Return a difference that has neither interval nor test."""
    return Difference(value, reason=reason)


def arm_summaries(values: Floats, arm: np.ndarray, arms: int) -> list[ArmSummary]:
    """Return the summary of each arm."""
    return [ArmSummary.of(values[arm == number]) for number in range(arms)]
