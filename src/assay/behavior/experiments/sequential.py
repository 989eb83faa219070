"""Always-valid tests: p-values and intervals that hold however often one looks at them.

A normal mixture over the possible effects (Robbins) turns the estimate after N users into an
e-value; 1/e is a p-value at every look, and the values that are not rejected form a confidence
sequence. ``tuned`` is the number of users at which the intervals are narrowest; it is fixed before
the experiment.
"""

from __future__ import annotations

import math
from dataclasses import replace

from assay.behavior.experiments.arm_differences import (
    ArmSummary,
    Difference,
    complete_difference,
    undefined_difference,
)

LEAST_USERS = 50
"""Before each arm has so many users, nothing is concluded: variances are not known well enough."""
TUNED = 5000


def mixture_scale(tuned: int, level: float) -> float:
    """Return the variance of the mixture, in units of the variance of one user's estimate."""
    logged = -2 * math.log(level)
    return (logged + math.log(1 + logged)) / tuned


def sequential_p(value: float, squared_error: float, users: int, scale: float) -> float:
    """Return the always-valid p-value of a difference."""
    grown = users * scale
    exponent = grown * value**2 / squared_error / (2 * (grown + 1))
    logged = 0.5 * math.log(grown + 1) - exponent
    return min(1.0, math.exp(min(logged, 0.0)))


def sequential_reach(squared_error: float, users: int, scale: float, level: float) -> float:
    """Return half of the width of the always-valid interval."""
    grown = users * scale
    spread = 2 * (grown + 1) / grown * math.log(math.sqrt(grown + 1) / level)
    return math.sqrt(squared_error * spread)


def compare_sequentially(
    control: ArmSummary, arm: ArmSummary, confidence: float, tuned: int = TUNED
) -> Difference:
    """Return the difference of means, valid at every look."""
    squared = control.squared_error + arm.squared_error
    value = arm.mean - control.mean
    if min(control.users, arm.users) < LEAST_USERS:
        reason = f"fewer than {LEAST_USERS} users in an arm"
        return replace(undefined_difference(value, reason), p=1.0, low=-math.inf, high=math.inf)
    if not squared > 0:
        return undefined_difference(value, "no variation")
    level = 1 - confidence
    scale = mixture_scale(tuned, level)
    users = control.users + arm.users
    reach = sequential_reach(squared, users, scale, level)
    p = sequential_p(value, squared, users, scale)
    ends = (value - reach, value + reach)
    return complete_difference((control, arm), ends, p, reach / math.sqrt(squared))
