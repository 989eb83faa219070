"""Notes on intervals that are not made as the legend says, or are missing, and on few units."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from assay.core.phrases import quantity
from assay.statistics.intervals.few_units import MOST
from assay.statistics.intervals.interval_settings import (
    AT_BOUND_METHOD,
    EXACT_SHARE,
    FEW_UNITS,
    NO_WIDTH,
    TOO_FEW,
)
from assay.tasks.comparison.comparison import Comparison

_SAID = {
    AT_BOUND_METHOD: "all at a bound, so that no resample differs: Wilson's interval",
    NO_WIDTH: "no resample differs, so that there is no interval",
    FEW_UNITS: f"at most {MOST} units: Student's t at half the probability of error",
    EXACT_SHARE: f"0-1 values of at most {MOST} units: Clopper and Pearson's exact interval",
    TOO_FEW: "the test rejects nothing with so few units, so that there is no interval",
}
REMARKS = frozenset(_SAID)
"""The methods that have a remark of their own."""
VERY_FEW = 5
"""With fewer units a note says so."""


def width_notes(made: Iterable[tuple[str, str, str]], systems: int) -> list[str]:
    """A line for each way out, from the measure, the system and the method of each interval.

    The systems are named where there are several.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for measure, system, method in made:
        if method in _SAID:
            found.setdefault(method, {}).setdefault(measure, []).append(system)
    return [
        f"{', '.join(_about(each, found[method], systems) for each in found[method])}: {said}"
        for method, said in _SAID.items()
        if method in found
    ]


def _about(measure: str, by_measure: dict[str, list[str]], systems: int) -> str:
    first, *others = dict.fromkeys(by_measure[measure])
    more = f" and {len(others)} more" if others else ""
    return measure if systems == 1 else f"{measure} of {first}{more}"


def width_notes_of(comparison: Comparison) -> list[str]:
    """The same of the systems of a comparison, and of their differences."""
    systems = comparison.systems["system"].n_unique()
    apart = pl.format("{} − {}", "system", "baseline")
    tables = ((comparison.systems, pl.col("system")), (comparison.pairs, apart))
    counts = comparison.systems.select("measure", "units").iter_rows()
    return [
        *very_few_notes((measure, units, "unit") for measure, units in counts),
        *(
            note
            for table, who in tables
            for note in width_notes(table.select("measure", who, "interval").iter_rows(), systems)
        ),
    ]


def very_few_notes(counts: Iterable[tuple[str, int, str]]) -> list[str]:
    """A line for each number of units below five, from the measure, the units and their kind."""
    found: dict[str, list[str]] = {}
    for measure, units, kind in counts:
        if 0 < units < VERY_FEW:
            found.setdefault(quantity(units, kind), []).append(measure)
    return [
        f"{', '.join(dict.fromkeys(measures))}: only {units}; with fewer than {VERY_FEW} intervals"
        " and tests can show little"
        for units, measures in found.items()
    ]
