"""A gate as text: for a terminal, a merge request, or a build server."""

from __future__ import annotations

import math
from xml.etree import ElementTree

from assay.engine.scores import ALL
from assay.reports.text.score_tables import Layout
from assay.reports.text.table_text import Rows, align_columns, markdown_table, number
from assay.tasks.gates.gate import Gate
from assay.tasks.gates.gate_checks import GateCheck


def gate_verdict(gate: Gate) -> str:
    """One line: whether the gate holds."""
    checks = "1 check" if len(gate.checks) == 1 else f"{len(gate.checks)} checks"
    if gate.holds:
        return f"The gate holds: {checks}."
    return f"The gate does not hold: {len(gate.failed)} of {checks} failed."


def gate_terminal(gate: Gate, layout: Layout) -> str:
    """The verdict, then a row for each check, what failed first."""
    return f"{gate_verdict(gate)}\n\n{align_columns(_rows(gate, layout, 'holds', 'FAILS'))}"


def gate_markdown(gate: Gate, layout: Layout) -> str:
    """The same as Markdown."""
    return f"### {gate_verdict(gate)}\n\n{markdown_table(_rows(gate, layout, '✅', '❌'))}"


def _rows(gate: Gate, layout: Layout, good: str, bad: str) -> Rows:
    sliced = any(check.slice != ALL for check in gate.checks)
    rows: Rows = [["", "rule", "system", "measure", *(["slice"] if sliced else [])]]
    rows[0] += ["found", "limit", "short by", "what it says"]
    for check in (*gate.failed, *(check for check in gate.checks if check.holds)):
        head = [good if check.holds else bad, check.rule, check.system, check.measure]
        numbers = [number(check.found, layout.digits), f"{check.limit:g}", _shorten(check, layout)]
        rows.append([*head, *([check.slice] if sliced else []), *numbers, check.said])
    return rows


def _shorten(check: GateCheck, layout: Layout) -> str:
    if check.holds or math.isnan(check.found):
        return ""
    return number(abs(check.limit - check.found), layout.digits)


def gate_junit(gate: Gate, layout: Layout) -> str:
    """JUnit XML: a test case for each check, as build servers read it."""
    failed = str(len(gate.failed))
    root = ElementTree.Element("testsuites", tests=str(len(gate.checks)), failures=failed)
    suite = ElementTree.SubElement(
        root, "testsuite", name="assay gate", tests=str(len(gate.checks)), failures=failed
    )
    for check in gate.checks:
        place = "" if check.slice == ALL else f" in {check.slice}"
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"assay.{check.system}",
            name=f"{check.measure}{place}: {check.rule}",
        )
        if not check.holds:
            failure = ElementTree.SubElement(case, "failure", message=check.said)
            failure.text = f"found {check.found:.6g}, limit {check.limit:.6g}"
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def gate_json(gate: Gate, layout: Layout) -> str:
    """Everything, at full precision."""
    return gate.to_json()
