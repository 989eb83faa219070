"""Power of the paired t-test and sample sizes: units needed, and the smallest detectable effect."""

from __future__ import annotations

import math
from collections.abc import Callable

from assay.core.errors import UsageError
from assay.statistics.studentized_range import spread_points

MOST_UNITS = 10_000_000


def t_test_power(effect: float, units: float, level: float = 0.05) -> float:
    """Return the power of a two-sided paired t-test for a difference of this Cohen's d."""
    from scipy.special import ndtr, stdtrit

    if units < 2:
        return math.nan
    freedom = units - 1
    critical = float(stdtrit(freedom, 1 - level / 2))
    shift = abs(effect) * math.sqrt(units)
    # Over all estimates of the spread; scipy's noncentral t is NaN for large shifts.
    spread, weight = spread_points(freedom)
    missed = ndtr(critical * spread - shift) - ndtr(-critical * spread - shift)
    return min(1.0, max(0.0, 1 - float(weight @ missed)))


def units_needed(effect: float, power: float = 0.8, level: float = 0.05) -> int | None:
    """Return the fewest units with at least this power; None if even ten million are too few."""
    _check_shares(power, level)
    if not effect:
        return None
    return smallest_sufficient(lambda units: t_test_power(effect, units, level) >= power)


def smallest_effect(units: int, power: float = 0.8, level: float = 0.05) -> float:
    """Return the smallest Cohen's d that the units detect with this power; NaN below two units."""
    from scipy.optimize import brentq

    _check_shares(power, level)
    if units < 2:
        return math.nan
    high = 1.0
    while t_test_power(high, units, level) < power:
        high *= 2
    return float(brentq(lambda d: t_test_power(d, units, level) - power, 0, high, xtol=1e-12))


def smallest_sufficient(enough: Callable[[int], bool], least: int = 2) -> int | None:
    """Return the smallest number from ``least`` that is enough, where more is never worse."""
    high = least
    while not enough(high):
        if high >= MOST_UNITS:
            return None
        high = min(2 * high, MOST_UNITS)
    low = least - 1 if high == least else high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check_shares(power: float, level: float) -> None:
    if not level < power < 1 or not 0 < level < 1:
        raise UsageError(
            f"a level is between 0 and 1 and a power between the level and 1;"
            f" not {level:g} and {power:g}"
        )


def units_for_systems(
    span: float, systems: int, variance: float, power: float = 0.8, level: float = 0.05
) -> int | None:
    """Return the topics for an analysis of variance that detects a range of means of ``span``.

    The hardest case is taken: all systems between them are in the middle.
    """
    from scipy.special import fdtri
    from scipy.stats import ncf

    def enough(units: int) -> bool:
        """Return whether so many topics are enough."""
        above, below = systems - 1, systems * (units - 1)
        critical = float(fdtri(above, below, 1 - level))
        shift = units * span**2 / (2 * variance)
        found = float(ncf.sf(critical, above, below, shift))
        return math.isnan(found) or found >= power

    return smallest_sufficient(enough)


def units_for_width(width: float, variance: float, confidence: float = 0.95) -> int | None:
    """Return the topics for which the interval of a difference is expected to be no wider."""
    from scipy.special import stdtrit

    def enough(units: int) -> bool:
        """Return whether so many topics are enough."""
        reach = float(stdtrit(units - 1, (1 + confidence) / 2))
        return 2 * reach * math.sqrt(2 * variance / units) <= width

    return smallest_sufficient(enough)
