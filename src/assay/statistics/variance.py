"""Two-way analysis of variance of units × systems, and the generalizability that follows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats


@dataclass(frozen=True)
class TwoWayAnova:
    """The mean squares of units, systems and what is left, with their degrees of freedom."""

    units: int
    systems: int
    of_units: float
    of_systems: float
    residual: float

    @property
    def freedom(self) -> int:
        """The degrees of freedom of the residual."""
        return (self.units - 1) * (self.systems - 1)

    @property
    def f_systems(self) -> float:
        """F of the systems; infinite where nothing is left over."""
        return _ratio(self.of_systems, self.residual)

    @property
    def p_systems(self) -> float:
        """Whether any system differs."""
        return _upper_tail(self.f_systems, self.systems - 1, self.freedom)


def two_way_anova(table: Floats) -> TwoWayAnova:
    """Return the analysis of a table of units × systems."""
    units, systems = table.shape
    grand = table.mean()
    by_unit = table.mean(axis=1, keepdims=True)
    by_system = table.mean(axis=0, keepdims=True)
    left = table - by_unit - by_system + grand
    freedom = (units - 1) * (systems - 1)
    residual = float((left**2).sum()) / freedom if freedom else math.nan
    # What is left of equal columns is rounding, not variance.
    if residual < (1e-14 * float(np.abs(table).max(initial=0))) ** 2:
        residual = 0.0
    return TwoWayAnova(
        units,
        systems,
        float(((by_unit - grand) ** 2).sum()) * systems / (units - 1) if units > 1 else math.nan,
        float(((by_system - grand) ** 2).sum()) * units / (systems - 1),
        residual,
    )


def _ratio(top: float, bottom: float) -> float:
    if bottom > 0 or math.isnan(bottom):
        return top / bottom
    return math.inf if top > 1e-24 else 0.0


def _upper_tail(f: float, above: int, below: int) -> float:
    from scipy.special import fdtrc

    if math.isnan(f):
        return math.nan
    return 0.0 if math.isinf(f) else float(fdtrc(above, below, f))


@dataclass(frozen=True)
class Generalizability:
    """A G-study: the components of variance; and the D-study that follows from them."""

    systems: float
    units: float
    residual: float
    """The interaction of systems and units, and all else."""

    def relative(self, units: int) -> float:
        """Return Eρ²: the reliability of the order of systems with so many units."""
        return _share(self.systems, self.residual / units)

    def absolute(self, units: int) -> float:
        """Return Φ: the reliability of the scores of systems with so many units."""
        return _share(self.systems, (self.units + self.residual) / units)

    def units_for(self, reliability: float, absolute: bool = False) -> int | None:
        """Return the units for which Eρ² (or Φ) reaches the reliability; None if none do."""
        noise = self.residual + (self.units if absolute else 0.0)
        if self.systems <= 0 or not 0 < reliability < 1:
            return None
        exact = noise * reliability / (self.systems * (1 - reliability))
        return max(1, math.ceil(exact - 1e-9))


def generalizability(table: Floats) -> Generalizability:
    """Return the components of variance of units × systems; negative estimates count as 0."""
    analysis = two_way_anova(table)
    units, systems = table.shape
    return Generalizability(
        systems=max(0.0, (analysis.of_systems - analysis.residual) / units),
        units=max(0.0, (analysis.of_units - analysis.residual) / systems),
        residual=analysis.residual,
    )


def _share(signal: float, noise: float) -> float:
    return signal / (signal + noise) if signal + noise > 0 else math.nan
