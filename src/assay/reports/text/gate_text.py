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
        """Return the verdict, then a row for each check."""
        return f"{self.result.verdict}\n\n{align_columns(self.tables()[0].rows)}"

    def markdown(self) -> str:
        """Return the verdict as a heading, then a row for each check."""
        rows = _rows(self.result, self.layout, "✅", "❌")
        return f"### {escape_markdown(self.result.verdict)}\n\n{markdown_table(rows)}"

    def junit(self) -> str:
        """Return JUnit XML: a test case for each check, as build servers read it."""
        count, failed = str(len(self.result.checks)), str(len(self.result.failed))
        root = ElementTree.Element("testsuites", tests=count, failures=failed)
        suite = ElementTree.SubElement(
            root, "testsuite", name="assay gate", tests=count, failures=failed
        )
        for check in self.result.checks:
            place = "" if check.slice == ALL else f" in {check.slice}"
            name = escape_controls(f"{check.measure}{place}: {check.rule}")
            system = escape_controls(f"assay.{check.system}")
            case = ElementTree.SubElement(suite, "testcase", classname=system, name=name)
            if not check.holds:
                said = escape_controls(check.said)
                failure = ElementTree.SubElement(case, "failure", message=said)
                failure.text = f"found {check.found:.6g}, limit {check.limit:.6g}"
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
