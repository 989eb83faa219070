"""What is said of numbers whose resamples are all alike."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from assay.statistics.bootstrap import AT_BOUND, NO_WIDTH
from assay.tasks.comparison import Comparison

_SAID = {
    AT_BOUND: "all at a bound, so that no resample differs: Wilson's interval",
    NO_WIDTH: "no resample differs, so that there is no interval",
}


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
    return [
        note
        for table, who in ((comparison.systems, pl.col("system")), (comparison.pairs, apart))
        for note in width_notes(table.select("measure", who, "interval").iter_rows(), systems)
    ]
