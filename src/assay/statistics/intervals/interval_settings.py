"""How an interval is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.core.errors import UsageError, did_you_mean

CLOSED_FORM = "closed form"
AT_BOUND_METHOD = "wilson at a bound"
NO_WIDTH = "no width"
"""What is done where every resample gives the same number: Wilson's interval, or none."""
TOO_FEW = "too few units"
"""Why a test has no interval: with so few units it rejects nothing at the level."""
FEW_UNITS = "t of few units"
EXACT_SHARE = "Clopper-Pearson"
"""What replaces resamples of up to ten units: Student's t, or for shares an exact interval."""
DEFAULT = "bootstrap percentiles widened by Student's t"
METHODS = {
    "expanded": DEFAULT,
    "percentile": "bootstrap percentiles",
    "bca": "bootstrap percentiles, corrected for bias and acceleration (BCa)",
    "t": f"Student's t for means; else {DEFAULT}",
    "wilson": f"Wilson's interval for proportions; else {DEFAULT}",
}
"""How an interval may be made, and what is said of it."""
RESAMPLING_METHODS = ("expanded", "percentile", "bca")
"""The ways that draw resamples."""


class Interval(NamedTuple):
    """The two ends, and how they were really made: one of ``METHODS``, or a name of this file.

    ``NO_WIDTH`` and ``TOO_FEW`` say why there are none.
    """

    low: float
    high: float
    method: str


@dataclass(frozen=True)
class Bootstrap:
    """How an interval is made."""

    confidence: float = 0.95
    resamples: int = 1000
    seed: int = 1
    method: str = "expanded"
    clusters: Mapping[str, str] | None = None
    """The cluster of each unit, where units are nested and whole clusters must be drawn."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(
                f"there is no interval '{self.method}' (there are {', '.join(METHODS)})."
                + did_you_mean(self.method, METHODS)
            )
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence is between 0 and 1, not {self.confidence}")

    @property
    def closed_forms(self) -> bool:
        """Whether a measure that has an interval in closed form uses it."""
        return self.method not in ("percentile", "bca")

    def described(self) -> dict[str, Any]:
        """The settings, to travel with the numbers."""
        return {
            "name": self.method,
            "method": METHODS[self.method] + (" over clusters" if self.clusters else ""),
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
            "closed_forms": self.closed_forms,
        }
