"""A gate as text: for a terminal, a merge request, or a build server."""

from __future__ import annotations

import math
from dataclasses import asdict
from xml.etree import ElementTree

import polars as pl

from assay.core.phrases import escape_controls
from assay.engine.result import ALL
from assay.reports.text.result_text import Layout, ResultText, TextTable
from assay.reports.text.table_text import (
    Rows,
    align_columns,
    escape_markdown,
    markdown_table,
    number,
)
from assay.tasks.gates.gate import Gate


class GateText(ResultText):
    """A gate in all output formats."""

    result: Gate

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return a row for each check."""
        return {"checks": pl.DataFrame([asdict(check) for check in self.result.checks])}

    def tables(self) -> list[TextTable]:
        """Return a row for each check, what failed first."""
        return [TextTable(_rows(self.result, self.layout, "holds", "FAILS"), names=4)]

    def table(self) -> str:
        """Return the verdict, then a row for each check, then which slices were left out."""
        notes = self.warnings_and_notes() if self.layout.warnings else self.notes()
        table = align_columns(self.tables()[0].rows)
        return "\n\n".join([self.result.verdict, table, *(["\n".join(notes)] if notes else [])])

    def notes(self) -> list[str]:
        """Return which slices were not checked."""
        return self.result.left_out

    def markdown(self) -> str:
        """Return the verdict as a heading, then a row for each check."""
        rows = _rows(self.result, self.layout, "✅", "❌")
        notes = [escape_markdown(note) for note in self.notes()]
        verdict = f"### {escape_markdown(self.result.verdict)}"
        return "\n\n".join([verdict, markdown_table(rows), *notes])

    def latex(self) -> str:
        """Return a LaTeX table; comments above it say which slices were left out."""
        from assay.reports.text.latex import comment_lines

        return "\n".join([*comment_lines(self.notes()), super().latex()])

    def html(self) -> str:
        """Return an HTML table, and below it which slices were left out."""
        from assay.reports.markup import tag

        return "\n".join([super().html(), *(tag("p", note) for note in self.notes())])

    def junit(self) -> str:
        """Return JUnit XML: a test case for each check, as build servers read it.

        Slices that were left out are a test case that was skipped.
        """
        notes = self.notes()
        count = str(len(self.result.checks) + len(notes))
        counts = {"tests": count, "failures": str(len(self.result.failed))}
        skipped = {"skipped": str(len(notes))} if notes else {}
        root = ElementTree.Element("testsuites", counts)
        about = {"name": "assay gate", **counts, **skipped}
        suite = ElementTree.SubElement(root, "testsuite", about)
        for check in self.result.checks:
            place = "" if check.slice == ALL else f" in {check.slice}"
            name = escape_controls(f"{check.measure}{place}: {check.rule}")
            system = escape_controls(f"assay.{check.system}")
            case = ElementTree.SubElement(suite, "testcase", classname=system, name=name)
            if not check.holds:
                said = escape_controls(check.said)
                failure = ElementTree.SubElement(case, "failure", message=said)
                failure.text = f"found {check.found:.6g}, limit {check.limit:.6g}"
        for note in notes:
            case = ElementTree.SubElement(suite, "testcase", classname="assay", name="small slices")
            ElementTree.SubElement(case, "skipped", message=escape_controls(note))
        ElementTree.indent(root)
        return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _rows(gate: Gate, layout: Layout, good: str, bad: str) -> Rows:
    sliced = any(check.slice != ALL for check in gate.checks)
    rows: Rows = [["", "rule", "system", "measure", *(["slice"] if sliced else [])]]
    rows[0] += ["found", "limit", "short by", "what it says"]
    for check in (*gate.failed, *(check for check in gate.checks if check.holds)):
        head = [good if check.holds else bad, check.rule, check.system, check.measure]
        missing = math.nan if check.holds else abs(check.limit - check.found)
        short_by = "" if math.isnan(missing) else number(missing, layout.digits)
        numbers = [number(check.found, layout.digits), f"{check.limit:g}", short_by]
        rows.append([*head, *([check.slice] if sliced else []), *numbers, check.said])
    return rows
