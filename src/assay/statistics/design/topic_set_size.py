"""Topic-set-size design: how many topics a new collection needs, before any system is compared."""

from __future__ import annotations

import math

from assay.statistics.design.t_test_power import smallest_sufficient


def units_for_systems(
    span: float, systems: int, variance: float, power: float = 0.8, level: float = 0.05
) -> int | None:
    """Topics for an analysis of variance that finds the best and the worst ``span`` apart.

    The hardest case is taken: all systems between them are in the middle.
    """
    from scipy.special import fdtri
    from scipy.stats import ncf

    def enough(units: int) -> bool:
        above, below = systems - 1, systems * (units - 1)
        critical = float(fdtri(above, below, 1 - level))
        shift = units * span**2 / (2 * variance)
        found = float(ncf.sf(critical, above, below, shift))
        return math.isnan(found) or found >= power

    return smallest_sufficient(enough)


def units_for_width(width: float, variance: float, confidence: float = 0.95) -> int | None:
    """Topics for which an interval of the difference of two systems is expected no wider."""
    from scipy.special import stdtrit

    def enough(units: int) -> bool:
        reach = float(stdtrit(units - 1, (1 + confidence) / 2))
        return 2 * reach * math.sqrt(2 * variance / units) <= width

    return smallest_sufficient(enough)
