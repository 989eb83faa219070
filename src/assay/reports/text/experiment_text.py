"""The result of an A/B test as text."""

from __future__ import annotations

import polars as pl

from assay.behavior.experiments.experiment_result import ExperimentResult
from assay.reports.text.result_text import ResultText, TextTable

TITLES = {
    "sample_ratio": "Sample ratio",
    "results": "Measures",
    "guardrails": "Guardrails",
    "trends": "Trends over days",
    "days": "Days",
    "looks": "Looks",
    "slices": "Slices",
}
SHOWN = {
    "results": "measure arm control value difference low high relative p p_corrected"
    " difference_all_users",
    "guardrails": "measure arm control value difference low high margin status",
    "slices": "measure arm slice users difference low high p_corrected shrunk shrunk_low"
    " shrunk_high",
}
"""The columns for a reader, where not all are shown."""
MOST_ROWS = 40


class ExperimentText(ResultText):
    """An A/B test in all output formats."""

    result: ExperimentResult
    unknown = "–"
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables that have content."""
        return self.result.tables()

    def tables(self) -> list[TextTable]:
        """Return the tables for a reader; long ones are cut."""
        shown = []
        for name, frame in self.frames().items():
            wanted = SHOWN.get(name, "").split() or frame.columns
            part = frame.select([each for each in wanted if each in frame.columns])
            made = self._text_table(part.head(MOST_ROWS))
            more = f", the first {MOST_ROWS} of {part.height}" if part.height > MOST_ROWS else ""
            shown.append(TextTable(made.rows, TITLES[name] + more, 2, made.columns))
        return shown

    def notes(self) -> list[str]:
        """Return the verdicts, and how to read the numbers."""
        conventions = self.result.conventions
        kind = "always-valid" if conventions["sequential"] else "fixed-sample"
        unit = "what is counted" if "counted" in conventions else "the user"
        read = (
            f"difference from {conventions['control']}, {100 * conventions['confidence']:g}% {kind}"
            f" interval; p_corrected by {conventions['correction']}; the unit is {unit}"
        )
        return [*self.result.verdicts(), *([] if self.result.hidden else [read])]
