"""Settings and methods of intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.core.errors import UsageError, unknown_name
from assay.core.frozen_dataclass import dataclass, field

UNBOUNDED = (-math.inf, math.inf)
CLOSED_FORM = "closed form"
JACKKNIFE = "jackknife"
AT_BOUND_METHOD = "wilson at a bound"
NO_WIDTH = "no width"
"""Methods where every resample gives the same number: Wilson's interval, or none."""
TOO_FEW = "too few units"
NO_SPREAD = "no spread in the test"
ALL_REJECTED = "all shifts rejected"
OF_RANKS = "test of ranks"
UNTESTED = "too few units for the test"
"""Why a difference has no interval: its test rejects nothing with so few units, finds no spread
(most differences are equal), rejects every shift, compares ranks, or is not done."""
SHIFTED = "inverted bootstrap test"
"""The interval of the bootstrap test of a measure of whole tables."""
FEW_PER_CELL = "few items per cell"
"""Why an entropy of a sparse table has no interval."""
ALL_POINTS = "all points"
"""Why a number that comes from all points at once has no interval."""
RARE_OUTCOMES = "wilson of few outcomes"
"""Wilson's interval of a share with few successes or failures."""
BIASED = "biased"
"""Why a measure that declares it has no interval."""
FEW_UNITS = "t of few units"
EXACT_SHARE = "Clopper-Pearson"
"""Methods for up to ten units: Student's t, or for shares an exact interval."""
DEFAULT = "bootstrap percentiles widened by Student's t"
METHODS = {
    "expanded": DEFAULT,
    "percentile": "bootstrap percentiles",
    "bca": "bootstrap percentiles, corrected for bias and acceleration (BCa)",
    "t": f"Student's t for means; else {DEFAULT}",
    "wilson": f"Wilson's interval for proportions; else {DEFAULT}",
}
"""Methods that can be chosen, with their descriptions."""
OVER_CLUSTERS = " over clusters"
"""What the method says where whole clusters are drawn."""
RESAMPLES = 1000
"""The default number of bootstrap resamples."""
MOST_RESAMPLES = 10_000_000
"""More resamples would take hours, and change no digit that is shown."""
RESAMPLING_METHODS = ("expanded", "percentile", "bca")
"""Methods that draw resamples."""


class Interval(NamedTuple):
    """The two ends and the method that was used: one of ``METHODS``, or a name of this module.

    Some names are reasons why there are no ends: ``NO_WIDTH``, ``TOO_FEW``, ``BIASED``.
    """

    low: float
    high: float
    method: str


NO_INTERVAL = Interval(math.nan, math.nan, NO_WIDTH)


MOST_CONFIDENCE = 1 - 1e-9
"""Above it the quantiles of heavy tails are infinite in double precision."""


@dataclass(frozen=True)
class Bootstrap:
    """Settings of an interval."""

    confidence: float = 0.95
    resamples: int = RESAMPLES
    seed: int = 1
    method: str = "expanded"
    clusters: Mapping[str, str] | None = None
    """The cluster of each unit, where units are nested: whole clusters are drawn."""
    closed_forms: bool = field(init=False, compare=False)
    """Whether intervals in closed form are used: of measures, and for few units."""
    description: dict[str, Any] = field(init=False, compare=False, repr=False)
    """The settings for the conventions of a result."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown_name("interval", self.method, METHODS)
        if self.resamples < 0:
            raise UsageError(f"resamples must be at least 0, found {self.resamples}")
        if self.resamples > MOST_RESAMPLES:
            raise UsageError(
                f"resamples must be at most {MOST_RESAMPLES:,}, found {self.resamples:,}; 10,000"
                " give stable ends"
            )
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence is between 0 and 1, not {self.confidence}")
        if self.confidence > MOST_CONFIDENCE:
            raise UsageError(f"a confidence is at most {MOST_CONFIDENCE}, not {self.confidence}")
        closed_forms = self.method not in ("percentile", "bca")
        description = {
            "name": self.method,
            "method": METHODS[self.method] + (OVER_CLUSTERS if self.clusters else ""),
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
            "closed_forms": closed_forms,
        }
        self.__dict__.update(closed_forms=closed_forms, description=description)


NO_INTERVAL_METHOD = "none"


def read_interval(given: Any) -> Bootstrap | None:
    """Return the settings of intervals: given, named by method or level, or none (None, False)."""
    if given is None or given is False or given == NO_INTERVAL_METHOD:
        return None
    if isinstance(given, Bootstrap):
        return given
    if isinstance(given, str):
        return Bootstrap(method=given)
    if given is True:
        return Bootstrap()
    if isinstance(given, float) and 0 < given < 1:
        return Bootstrap(confidence=given)
    raise UsageError(
        f"`interval` is a method ({', '.join(METHODS)}), a confidence level such as 0.9,"
        f" Bootstrap(…) or None, not {given!r}"
    )
