"""Plans and results of laboratory experiments as text."""

from __future__ import annotations

import polars as pl

from assay.behavior.laboratory.lab_design import LabDesign
from assay.behavior.laboratory.lab_result import LabResult
from assay.reports.text.result_text import ResultText, TextTable

MOST_ROWS = 200


class LabDesignText(ResultText):
    """The plan of a laboratory experiment in all output formats."""

    result: LabDesign
    unknown = "–"
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the trials."""
        return {"plan": self.result.plan}

    def tables(self) -> list[TextTable]:
        """Return a row of trials for each participant, and the balance."""
        plan = self.result.plan
        trials = pl.concat_str("system", "task", separator=" ")
        wide = plan.with_columns(trial=trials).group_by("participant", maintain_order=True)
        rows = [["participant", *(str(n) for n in plan["order"].unique().sort().to_list())]]
        rows += [[name, *own] for name, own in wide.agg("trial").head(MOST_ROWS).iter_rows()]
        columns = "l" * len(rows[0])
        balance = self._text_table(self.result.balance)
        return [
            TextTable(rows, "Trials in order: system and task", 1, columns),
            TextTable(balance.rows, "Balance", 1, balance.columns),
        ]

    def notes(self) -> list[str]:
        """Return how to read the plan."""
        return [f"{self.result.kind} design, seed {self.result.seed}", *self.result.notes]


class LabResultText(ResultText):
    """The result of a laboratory experiment in all output formats."""

    result: LabResult
    unknown = "–"
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables that have content."""
        names = ("systems", "tests", "pairs", "variances")
        found = {name: getattr(self.result, name) for name in names}
        return {name: frame for name, frame in found.items() if frame.height}

    def tables(self) -> list[TextTable]:
        """Return the tables without columns that are empty."""
        shown = []
        for name, frame in self.frames().items():
            used = [each for each in frame.columns if frame[each].null_count() < frame.height]
            made = self._text_table(frame.select(used))
            shown.append(TextTable(made.rows, name.capitalize(), 2, made.columns))
        return shown

    def notes(self) -> list[str]:
        """Return the verdicts, and how the numbers were computed."""
        conventions = self.result.conventions
        interval = f"{100 * conventions['confidence']:g}% intervals"
        read = f"{conventions['model']}; {interval}; p_corrected by holm"
        logged = [f"{name}: differences of logarithms" for name in conventions["log_scale"]]
        return [*self.result.verdicts(), read, *logged]
