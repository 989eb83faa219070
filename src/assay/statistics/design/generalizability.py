"""Generalizability: how much of what is seen is due to systems, to units, and to their mixture."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.core.arrays import Floats
from assay.statistics.variance import two_way_anova


@dataclass(frozen=True)
class Generalizability:
    """A G-study: the components of variance; and the D-study that follows from them."""

    systems: float
    units: float
    residual: float
    """The interaction of systems and units, and all else."""

    def relative(self, units: int) -> float:
        """Eρ²: how reliable the order of systems is with so many units."""
        return _share(self.systems, self.residual / units)

    def absolute(self, units: int) -> float:
        """Φ: how reliable the scores of systems themselves are with so many units."""
        return _share(self.systems, (self.units + self.residual) / units)

    def units_for(self, reliability: float, absolute: bool = False) -> int | None:
        """Units for which Eρ² (or Φ) reaches the reliability; None if none do."""
        noise = self.residual + (self.units if absolute else 0.0)
        if self.systems <= 0 or not 0 < reliability < 1:
            return None
        exact = noise * reliability / (self.systems * (1 - reliability))
        return max(1, math.ceil(exact - 1e-9))


def generalizability(table: Floats) -> Generalizability:
    """The components of variance of a table of units × systems; negative estimates count as 0."""
    analysis = two_way_anova(table)
    units, systems = table.shape
    return Generalizability(
        systems=max(0.0, (analysis.of_systems - analysis.residual) / units),
        units=max(0.0, (analysis.of_units - analysis.residual) / systems),
        residual=analysis.residual,
    )


def _share(signal: float, noise: float) -> float:
    return signal / (signal + noise) if signal + noise > 0 else math.nan
