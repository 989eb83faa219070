"""One number and the table behind it, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from itertools import zip_longest

import polars as pl

from assay.core.phrases import quantity
from assay.evidence.data_findings import DataFinding
from assay.reports.text.result_text import ResultText, TextTable
from assay.reports.text.table_text import (
    Rows,
    align_columns,
    frame_rows,
    number,
    signed_number,
)
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


def systems_headline(explanation: Explanation) -> str:
    """The measure of several systems, and the query."""
    return ", ".join(filter(None, (explanation.measure, explanation.about)))


def _systems_rows(explanation: Explanation, digits: int) -> Rows:
    """The value of each system, and its difference from the first."""
    rows = [
        [name, number(value, digits), "" if apart is None else signed_number(apart, digits)]
        for name, value, apart in explanation.table.iter_rows()
    ]
    return [explanation.table.columns, *rows]


def systems_details(explanation: Explanation, digits: int, width: int) -> str:
    """What the number of several systems is, their values, and their tables side by side."""
    blocks = [
        [
            f"{name}: {explanation_headline(each, digits)}",
            *explanation_table(each, digits).split("\n"),
        ]
        for name, each in explanation.systems.items()
    ]
    shown = "\n".join(side_by_side(blocks, width))
    unjudged = any(map(has_unjudged, explanation.systems.values()))
    notes = [*explanation.notes, *[UNJUDGED] * unjudged]
    parts = [explanation.formula, "", align_columns(_systems_rows(explanation, digits)), "", shown]
    return "\n".join([*parts, *(["", *notes] if notes else [])])


GAP = "    "
"""Between two tables side by side."""


def side_by_side(blocks: Sequence[list[str]], room: int) -> list[str]:
    """Return tables side by side as far as there is room, and one below the other elsewhere."""
    lines: list[str] = []
    placed: list[list[str]] = []
    for block in blocks:
        if placed and sum(map(_width, [*placed, block])) + len(GAP) * len(placed) > room:
            lines += [*_join_lines(placed), ""]
            placed = []
        placed.append(block)
    return [*lines, *_join_lines(placed)]


def _join_lines(blocks: list[list[str]]) -> list[str]:
    rows = zip_longest(*blocks, fillvalue="")
    widths = [_width(block) for block in blocks]
    return [
        GAP.join(line.ljust(width) for line, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _width(block: list[str]) -> int:
    return max(map(len, block))


class ExplanationText(ResultText):
    """An explanation in all output formats."""

    result: Explanation

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the table behind the number; of several systems their values come first."""
        found = self.result
        return {found.measure: found.table} | {k: e.table for k, e in found.systems.items()}

    def tables(self) -> list[TextTable]:
        """Return the tables, each with its number."""
        found, digits = self.result, self.layout.digits
        first, *others = super().tables()
        if not others:
            return [replace(first, title=f"{found.about}: {explanation_headline(found, digits)}")]
        titles = (f"{n}: {explanation_headline(e, digits)}" for n, e in found.systems.items())
        named = [replace(one, title=title) for one, title in zip(others, titles, strict=True)]
        values = _systems_rows(found, digits)
        return [TextTable(values, systems_headline(found), columns="lrr"), *named]

    def notes(self) -> list[str]:
        """Return what the number is."""
        return [self.result.formula, *self.result.notes]

    def table(self) -> str:
        """Return the number, and the table behind it."""
        found, digits = self.result, self.layout.digits
        if found.systems:
            details = systems_details(found, digits, self.layout.width)
            return f"{systems_headline(found)}\n{details}"
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
