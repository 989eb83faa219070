"""Power: differences that the units can detect, units needed, and discriminative units."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, NeedsInput, UsageError
from assay.core.json_rows import json_rows
from assay.core.printable import Printable
from assay.statistics.differences.paired_samples import Missing, pair_units
from assay.statistics.differences.samples import UnitSample
from assay.statistics.discrimination import (
    discriminative_power,
    stability,
    swap_rates,
    unit_discrimination,
)
from assay.statistics.sample_size import (
    smallest_effect,
    t_test_power,
    units_for_systems,
    units_for_width,
    units_needed,
)
from assay.statistics.variance import generalizability, two_way_anova
from assay.tasks.comparison.comparison_notes import left_out_notes
from assay.tasks.scores.compared_scores import pooled_items_notes
from assay.tasks.scores.read_scores import ScoreColumns, read_scores
from assay.version import VERSION

RELIABILITY = 0.95
ALIKE = 1e-9
"""A spread of systems on a unit below which it does not discriminate."""


@dataclass(frozen=True, repr=False, eq=False)
class Power(Printable):
    """What the units can detect, as tables that are computed on request."""

    samples: Mapping[str, UnitSample]
    detect: float | None
    power: float
    level: float
    seed: int
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()

    def design(self) -> pl.DataFrame:
        """Return for each measure the smallest detectable difference and the units needed."""
        return pl.DataFrame([self._design(each) for each in self.samples.values()])

    def reliability(self) -> pl.DataFrame:
        """Return for each measure the G-study (variances) and D-study (reliability)."""
        return pl.DataFrame([_reliability(each) for each in self.samples.values()])

    def measures(self) -> pl.DataFrame:
        """Return for each measure its discriminative power and the stability of its order."""
        rows = [_measure(each, self.level, self.seed) for each in self.samples.values()]
        return pl.DataFrame(rows).sort("discriminative_power", descending=True, nulls_last=True)

    def units(self) -> pl.DataFrame:
        """Return for each measure and unit the spread of systems and its agreement."""
        return pl.concat([_units(each) for each in self.samples.values()])

    def leaderboard(self) -> pl.DataFrame:
        """Return for each measure and system the range of its ranks over resampled units."""
        return pl.concat([_leaderboard(each, self.seed) for each in self.samples.values()])

    def to_json(self) -> str:
        """Return all tables, at full precision."""
        content: dict[str, Any] = {name: json_rows(make(self)) for name, make in TABLES.items()}
        content |= {"conventions": self.conventions, "warnings": list(self.warnings)}
        return json.dumps(content, indent=1, ensure_ascii=False)

    def _design(self, each: UnitSample) -> dict[str, Any]:
        table = each.weighted_values()
        units, systems = table.shape
        variance = two_way_anova(table).residual
        spread = math.sqrt(2 * variance)
        smallest = smallest_effect(units, self.power, self.level) * spread
        row: dict[str, Any] = {
            "measure": each.measure,
            "units": units,
            "systems": systems,
            "difference_sd": spread,
            "smallest_difference": smallest,
        }
        if self.detect is None:
            return row
        if spread == 0:
            return row | {"detect": self.detect, "power": math.nan, "units_needed": None}
        effect = self.detect / spread
        return row | {
            "detect": self.detect,
            "power": t_test_power(effect, units, self.level),
            "units_needed": units_needed(effect, self.power, self.level),
            "units_anova": units_for_systems(
                self.detect, systems, variance, self.power, self.level
            ),
            "units_width": units_for_width(2 * self.detect, variance, 1 - self.level),
        }


TABLES: dict[str, Callable[[Power], pl.DataFrame]] = {
    "design": Power.design,
    "reliability": Power.reliability,
    "measures": Power.measures,
    "units": Power.units,
    "leaderboard": Power.leaderboard,
}
"""The tables by name."""


def power(
    scores: Any,
    measures: Any = None,
    *,
    detect: float | None = None,
    power: float = 0.8,
    confidence: float = 0.95,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
    seed: int = 1,
    system_column: str | None = None,
    unit_column: str | None = None,
    decimal_comma: bool = False,
) -> Power:
    """Return which differences of systems the units of these scores can detect.

    ``detect`` is a difference that matters; ``power`` is the probability with which a paired t-test
    with this ``confidence`` finds it. The variance of differences is pooled over all pairs.
    ``system_column``, ``unit_column`` and ``decimal_comma`` are of tables, as in ``compare``.
    """
    found = read_scores(scores, ScoreColumns(system_column, unit_column, decimal_comma))
    if len(found.systems) < 2:
        raise NeedsInput("power is about differences: there must be two systems or more")
    if detect is not None and not detect > 0:
        raise UsageError(f"a difference to detect is above 0, not {detect:g}")
    level = round(1 - confidence, 12)
    if not 0 < level < power < 1:
        raise UsageError(
            f"`confidence` is between 0 and 1 and `power` above 1 - confidence; found"
            f" {confidence:g} and {power:g}"
        )
    samples, warnings = {}, [*found.warnings, *pooled_items_notes(found)]
    for name in found.find_measures(measures):
        samples[name], notes = _complete(pair_units(found, name, missing, weights))
        warnings += notes
    conventions = {
        "assay": VERSION,
        "test": "paired t, two-sided",
        "detect": detect,
        "power": power,
        "level": level,
        "seed": seed,
        "scores": found.conventions,
    }
    return Power(samples, detect, power, level, seed, conventions, tuple(warnings))


def _complete(whole: UnitSample) -> tuple[UnitSample, list[str]]:
    """Return the units for which every system has a value, and a note on the others."""
    own = whole.where(whole.complete)
    if len(own) < 2:
        raise DataError(
            f"{whole.measure}: {len(own)} of {len(whole)} units have a value for every system;"
            " at least two are needed to know their spread"
        )
    return own, left_out_notes(whole)


def _reliability(each: UnitSample) -> dict[str, Any]:
    found = generalizability(each.weighted_values())
    units = len(each)
    return {
        "measure": each.measure,
        "units": units,
        "systems": len(each.systems),
        "variance_systems": found.systems,
        "variance_units": found.units,
        "variance_residual": found.residual,
        "E_rho2": found.relative(units),
        "Phi": found.absolute(units),
        "units_E_rho2": found.units_for(RELIABILITY),
        "units_Phi": found.units_for(RELIABILITY, absolute=True),
    }


def _measure(each: UnitSample, level: float, seed: int) -> dict[str, Any]:
    table = np.asfortranarray(each.weighted_values())
    swapped = swap_rates(table, seed=seed)
    stable = stability(table, each.sign, seed=seed)
    return {
        "measure": each.measure,
        "discriminative_power": discriminative_power(table, level),
        "swap_rate": swapped.rate,
        "difference_5_swaps": swapped.difference_for(0.05),
        "tau": stable.tau,
        "tau_low": stable.tau_low,
        "tau_high": stable.tau_high,
    }


def _units(each: UnitSample) -> pl.DataFrame:
    spread, agreement = unit_discrimination(each.values)
    frame = pl.DataFrame(
        {
            "measure": pl.Series([each.measure] * len(each), dtype=pl.String),
            "unit": list(each.units),
            "mean": each.values.mean(axis=1),
            "spread": spread,
            "agreement": agreement,
            "alike": spread <= ALIKE,
        }
    )
    return frame.sort("spread", descending=True, maintain_order=True)


def _leaderboard(each: UnitSample, seed: int) -> pl.DataFrame:
    table = np.asfortranarray(each.weighted_values())
    found = stability(table, each.sign, seed=seed)
    frame = pl.DataFrame(
        {
            "measure": pl.Series([each.measure] * len(each.systems), dtype=pl.String),
            "system": list(each.systems),
            "mean": each.means(),
            "rank_low": found.rank_low,
            "rank_high": found.rank_high,
            "first": found.first,
        }
    )
    return frame.sort("mean", descending=each.sign > 0, maintain_order=True)
