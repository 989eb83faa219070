"""The gaps of fairness between slices as text."""

from __future__ import annotations

import polars as pl

from assay.reports.text.result_text import ResultText, TextTable
from assay.reports.text.table_text import format_p_value, number
from assay.tasks.classification.fairness import EQUALIZED_ODDS, FairnessReport


class FairnessText(ResultText):
    """Gaps and worst slices in all output formats."""

    wrapped = True
    result: FairnessReport

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return both tables with all their columns."""
        return {"gaps": self.result.gaps, "worst": self.result.worst}

    def tables(self) -> list[TextTable]:
        """Return both tables; a slice stands beside its rate, and the only system is not named."""
        several = self.result.gaps["system"].n_unique() > 1
        digits = self.layout.digits
        names = ["system"] * several + ["by", "criterion"]
        gaps = [[*names, "gap", "low", "high", "p", "highest", "lowest"]]
        for each in self.result.gaps.iter_rows(named=True):
            numbers = [number(each[name], digits) for name in ("gap", "low", "high")]
            ends = [
                f"{each[name]} {number(each[value], digits)}"
                for name, value in (("highest", "high_rate"), ("lowest", "low_rate"))
            ]
            cells = [*numbers, format_p_value(each["p"]), *ends]
            gaps.append([*(each[name] for name in names), *cells])
        worst = self.result.worst if several else self.result.worst.drop("system")
        rows = self._text_table(worst).rows
        found = [TextTable(gaps, "gaps", len(names))]
        return [*found, TextTable(rows, "worst slices", 1 + several)] if worst.height else found

    def notes(self) -> list[str]:
        """Return the rate of each criterion, and how the gaps were tested."""
        rates = dict(self.result.gaps.select("criterion", "rate").iter_rows())
        if (odds := "equalized odds") in rates:  # Which of both is wider differs by row.
            rates[odds] = " and ".join(EQUALIZED_ODDS) + ", the wider gap of both"
        said = "; ".join(f"{name}: {rate}" for name, rate in rates.items())
        return [f"rates compared: {said}", *self.result.notes]
