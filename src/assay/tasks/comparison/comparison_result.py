"""The result of a comparison: tables of systems and of pairs, and what they rest on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from assay.core.errors import UnknownMeasure, unknown_name
from assay.core.json_rows import json_rows
from assay.core.names import measure_text
from assay.core.printable import Printable
from assay.engine.measured_names import find_measured
from assay.statistics.differences.samples import UnitSample

EFFECTS = ("relative", "d", "cliff", "wins", "ties", "losses")
WIDE = ("value", "difference", "low", "high", *EFFECTS, "p", "p_corrected", "significant")
"""What a wide table has for each measure."""


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Printable):
    """The differences of systems, with intervals and tests."""

    task: str
    baselines: tuple[str, ...]
    systems: pl.DataFrame
    """For each measure and system: mean, interval, units, letters where all pairs were tested."""
    pairs: pl.DataFrame
    """For each measure, slice and pair: the difference, its interval, its size and its p-values."""
    joint: pl.DataFrame
    """For each measure: the joint test of all systems, if there is one."""
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()
    samples: Mapping[str, UnitSample] = field(default_factory=dict)
    correction: str = ""
    """Over what, and how, p-values are corrected."""

    def __getitem__(self, measure: Any) -> pl.DataFrame:
        """Return the pairs of one measure."""
        return self.pairs.filter(pl.col("measure") == self.find_measure(measure))

    def find_measure(self, name: Any) -> str:
        """Return the name of a measure as the comparison has it, from any way of writing it."""
        known = self.systems["measure"].unique(maintain_order=True).to_list()
        with suppress(UnknownMeasure):
            return find_measured(name, known, self.task, self.conventions.get("scores") or {})
        raise unknown_name("measure", measure_text(name), known)

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the pairs: a row for each measure, slice and pair; or the ``table`` of systems.

        ``wide`` has a row for each slice and pair, and columns for each measure.
        """
        if wide and table in (None, "pairs"):
            return widen_pairs(self.pairs)
        return super().to_polars(table, wide=wide)

    def to_json(self) -> str:
        """Return everything, at full precision."""
        content = {
            "task": self.task,
            "baselines": list(self.baselines),
            "systems": json_rows(self.systems),
            "pairs": json_rows(self.pairs),
            "joint": json_rows(self.joint),
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def widen_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each slice and pair, and columns for each measure."""
    index = ["baseline", "system", *["slice"] * (pairs["slice"].n_unique() > 1)]
    first, *others = [
        part.select(*index, *(pl.col(name).alias(f"{measure} {name}") for name in WIDE))
        for (measure,), part in pairs.group_by("measure", maintain_order=True)
    ] or [pairs]
    for each in others:
        first = first.join(each, on=index, how="full", coalesce=True, maintain_order="left_right")
    return first
