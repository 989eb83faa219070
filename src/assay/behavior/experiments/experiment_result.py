"""The result of an A/B test, and its verdict in sentences."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from assay.behavior.experiments.sample_ratio import SHOW_ANYWAY
from assay.core.errors import DataError
from assay.core.json_rows import json_rows
from assay.core.printable import Printable

HIDDEN = (
    "No result: the sample ratio is broken, so the users of the arms are not comparable. Find out"
    " why users are missing."
)
TABLES = ("sample_ratio", "results", "guardrails", "trends", "days", "looks", "slices")
"""The tables of a result, in the order in which they are shown."""


@dataclass(frozen=True, repr=False, eq=False)
class ExperimentResult(Printable):
    """What an experiment shows; tables without content are empty."""

    conventions: dict[str, Any]
    sample_ratio: pl.DataFrame
    results: pl.DataFrame = field(default_factory=pl.DataFrame)
    guardrails: pl.DataFrame = field(default_factory=pl.DataFrame)
    slices: pl.DataFrame = field(default_factory=pl.DataFrame)
    days: pl.DataFrame = field(default_factory=pl.DataFrame)
    trends: pl.DataFrame = field(default_factory=pl.DataFrame)
    looks: pl.DataFrame = field(default_factory=pl.DataFrame)
    hidden: bool = False
    """Whether the results are hidden, because the sample ratio is broken."""
    warnings: tuple[str, ...] = ()

    @property
    def level(self) -> float:
        """The significance level."""
        return round(1 - float(self.conventions["confidence"]), 12)

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the tables that have content."""
        found = {name: getattr(self, name) for name in TABLES}
        return {name: frame for name, frame in found.items() if frame.height}

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the results as a Polars frame; those of guardrails if there are no others.

        Hidden results are refused: `sample_ratio` is a table of its own.
        """
        if table is not None or wide:
            return super().to_polars(table, wide=wide)
        if self.hidden:
            raise DataError(f"{HIDDEN} I{SHOW_ANYWAY[1:]}.")
        return self.results if self.results.height else self.guardrails

    def verdicts(self) -> list[str]:
        """Return a sentence for each measure, and for guardrails that do not hold."""
        if self.hidden:
            return [HIDDEN]
        said = [_verdict(row, self.level) for row in self.results.iter_rows(named=True)]
        for row in self.guardrails.iter_rows(named=True):
            if row["status"] in ("harmed", "undecided"):
                name = f"{row['measure']} of {row['arm']}"
                said.append(f"Guardrail {name}: {row['status']} ({_numbers(row)}).")
        for row in self.trends.iter_rows(named=True):
            if row["p"] < self.level:
                falls = "grows" if row["slope"] > 0 else "falls"
                said.append(
                    f"The difference of {row['measure']} of {row['arm']} {falls} by"
                    f" {abs(row['slope']):.4g} a day (p = {row['p']:.3g}): it may be a novelty."
                )
        return said

    def to_json(self) -> str:
        """Return all tables at full precision."""
        tables = {name: json_rows(getattr(self, name)) for name in TABLES}
        content: dict[str, Any] = {
            "verdicts": self.verdicts(),
            "hidden": self.hidden,
            **tables,
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def _numbers(row: dict[str, Any]) -> str:
    relative = "" if row["relative"] != row["relative"] else f", {row['relative']:+.2%}"
    return f"{row['difference']:+.4g}, {row['low']:+.4g} to {row['high']:+.4g}{relative}"


def _verdict(row: dict[str, Any], level: float) -> str:
    p = row["p_corrected"]
    if p != p:
        return f"{row['measure']}: the arms cannot be compared."
    numbers = f"{_numbers(row)}, p = {p:.3g}"
    if not p < level:
        same = "does not differ significantly from the control"
        return f"{row['measure']}: {row['arm']} {same} ({numbers})."
    better = (row["difference"] > 0) == (row["better"] == "higher")
    return (
        f"{row['measure']}: {row['arm']} is {'better' if better else 'worse'} than the control"
        f" ({numbers})."
    )
