"""The result of a laboratory experiment, and its verdict in sentences."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.json_rows import json_rows
from assay.core.printable import Printable


@dataclass(frozen=True, repr=False, eq=False)
class LabResult(Printable):
    """How systems differ in each outcome."""

    systems: pl.DataFrame
    """outcome, system, trials, mean, sd, and the geometric mean of outcomes on a log scale."""
    tests: pl.DataFrame
    """For each outcome: F of all systems, its degrees of freedom and p-value."""
    pairs: pl.DataFrame
    """outcome, system, baseline, difference, low, high, df, p, p_corrected, effect_size, ratio."""
    variances: pl.DataFrame
    """outcome, effect, variance, share of the total."""
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def level(self) -> float:
        """The significance level."""
        return round(1 - float(self.conventions["confidence"]), 12)

    def verdicts(self) -> list[str]:
        """Return a sentence for each outcome."""
        return [_verdict(name, self) for name in self.pairs["outcome"].unique(maintain_order=True)]

    def to_json(self) -> str:
        """Return all tables at full precision."""
        names = ("systems", "tests", "pairs", "variances")
        content: dict[str, Any] = {"verdicts": self.verdicts()}
        content |= {name: json_rows(getattr(self, name)) for name in names}
        content |= {"conventions": self.conventions, "warnings": list(self.warnings)}
        return json.dumps(content, indent=1, ensure_ascii=False)


def _verdict(name: str, result: LabResult) -> str:
    rows = result.pairs.filter(pl.col("outcome") == name).iter_rows(named=True)
    test = result.tests.filter(pl.col("outcome") == name).row(0, named=True)
    overall = f"F({test['df']}, {test['df_error']:.0f}) = {test['F']:.2f}, p = {test['p']:.3g}"
    clear = [row for row in rows if row["p_corrected"] < result.level]
    if not clear:
        return f"{name}: no two systems differ significantly ({overall})."
    said = [
        f"{row['system']} is {'above' if row['difference'] > 0 else 'below'} {row['baseline']}"
        f" (p = {row['p_corrected']:.3g})"
        for row in clear
    ]
    return f"{name}: {'; '.join(said)} ({overall})."
