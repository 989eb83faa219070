"""One number and the table behind it, as text."""

from __future__ import annotations

from dataclasses import asdict, fields

import polars as pl

from assay.core.phrases import quantity
from assay.evidence.data_findings import DataFinding
from assay.reports.text.result_text import ResultText
from assay.reports.text.table_text import align_columns, frame_rows, number
from assay.tasks.check_files import CheckReport
from assay.tasks.explanation.ranking_explanations import Explanation
from assay.tasks.retrieval.holes import HolesReport
from assay.tasks.retrieval.ties import TiesReport

UNJUDGED = "? : unjudged, or no document at this rank"


def explanation_headline(explanation: Explanation, digits: int) -> str:
    """The measure and its value."""
    return f"{explanation.measure} = {number(explanation.value, digits)}"


def explanation_table(explanation: Explanation, digits: int) -> str:
    """The table behind the number."""
    frame = explanation.table
    return align_columns(frame_rows(frame.columns, list(frame.iter_rows()), digits))


def has_unjudged(explanation: Explanation) -> bool:
    """Whether some document of the table has no grade."""
    frame = explanation.table
    return "grade" in frame.columns and frame["grade"].null_count() > 0


def explanation_details(explanation: Explanation, digits: int) -> str:
    """What the number is, the table behind it, and what the table does not show."""
    notes = [*explanation.notes, *([UNJUDGED] if has_unjudged(explanation) else [])]
    lines = [explanation.about, explanation.formula, "", explanation_table(explanation, digits)]
    return "\n".join([*lines, *(["", *notes] if notes else [])])


class ExplanationText(ResultText):
    """An explanation in all output formats."""

    result: Explanation

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the table behind the number."""
        return {self.result.measure: self.result.table}

    def notes(self) -> list[str]:
        """Return what the number is."""
        return [self.result.about, self.result.formula, *self.result.notes]

    def table(self) -> str:
        """Return the number, and the table behind it."""
        found, digits = self.result, self.layout.digits
        return f"{explanation_headline(found, digits)}\n{explanation_details(found, digits)}"


class FindingsText(ResultText):
    """The findings of checked files in all output formats."""

    result: CheckReport

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return a row for each finding."""
        rows = [asdict(each) for each in self.result.findings]
        names = [each.name for each in fields(DataFinding)]
        return {"findings": pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String))}

    def notes(self) -> list[str]:
        """Return how many findings of each severity there are."""
        counts = {kind: self.result.count(kind) for kind in ("error", "warning", "note")}
        return [", ".join(quantity(count, kind) for kind, count in counts.items())]


class ReportText(ResultText):
    """A report on unjudged documents or on ties in all output formats."""

    result: HolesReport | TiesReport

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables of the report."""
        values = {each.name: getattr(self.result, each.name) for each in fields(self.result)}
        return {name: each for name, each in values.items() if isinstance(each, pl.DataFrame)}

    def notes(self) -> list[str]:
        """Return the notes of the report."""
        return list(self.result.notes)
