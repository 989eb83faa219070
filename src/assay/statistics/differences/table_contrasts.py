"""The differences of pairs of whole tables: how large, and how certain."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.core.arrays import Ints
from assay.statistics.differences.samples import TableSample
from assay.statistics.differences.table_distributions import (
    TABLE_TESTS,
    Distribution,
    TableDistributions,
)
from assay.statistics.differences.tested_differences import include_null
from assay.statistics.intervals.interval_settings import NO_WIDTH, TOO_FEW
from assay.statistics.significance_tests import ComparisonSettings


def contrast_tables(
    own: TableSample, which: Ints, first: Ints, second: Ints, settings: ComparisonSettings
) -> Iterator[tuple[Ints, dict[str, Any]]]:
    """Yield each of the pairs of tables, and the facts about it."""
    if len(own) < 2:
        yield which, {"units": np.full(len(which), float(len(own)))}
        return
    taking_part = sorted({*first[which].tolist(), *second[which].tolist()})
    spreads = TableDistributions(own, settings.interval, taking_part)
    for pair in which.tolist():
        spread = spreads.difference(int(first[pair]), int(second[pair]))
        yield np.asarray([pair]), _table_facts(own, int(first[pair]), spread, settings)
        settings.progress(pair + 1, len(first))


def _table_facts(
    own: TableSample, base: int, spread: Distribution, settings: ComparisonSettings
) -> dict[str, Any]:
    """Return the facts about one pair of tables."""
    before, difference = own.value(base), spread.estimate
    low, high, p = math.nan, math.nan, spread.p_value(settings.alternative)
    if not spread.certain:
        ends = spread.tested_ends(settings.interval.confidence, settings.alternative)
        lower, upper, chance = (np.asarray([each]) for each in (*ends, p))
        lower, upper = include_null(lower, upper, chance, settings.level)
        low, high = float(lower[0]), float(upper[0])
    method = NO_WIDTH if spread.certain else "" if math.isnan(low) else spread.test_interval
    if math.isinf(low) and math.isinf(high):
        low, high, method = math.nan, math.nan, TOO_FEW
    margin = settings.margin or 0.0
    better, worse = 1 - spread.p_value("greater", margin), 1 - spread.p_value("less", -margin)
    if own.better == "lower":
        better, worse = worse, better
    alike = float(np.clip(1 - worse - better, 0, 1))
    facts: dict[str, Any] = {
        "units": float(len(own)),
        "baseline_value": before,
        "value": before + difference,
        "difference": difference,
        "low": low,
        "high": high,
        "interval": method,
        "relative": difference / abs(before) if before else math.nan,
        "test": "" if math.isnan(p) else TABLE_TESTS.get(spread.method, ""),
        "statistic": spread.statistic,
        "p": p,
        "worse_chance": worse,
        "alike_chance": alike if margin or not difference else 0.0 * alike,
        "better_chance": better,
    }
    if settings.margin is not None:
        facts["equivalence_p"] = max(
            spread.p_value("greater", -margin), spread.p_value("less", margin)
        )
    return {name: np.asarray([value]) for name, value in facts.items()}
