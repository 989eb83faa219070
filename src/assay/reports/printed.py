"""What ``print`` and a prompt show of each result: the table of the command line."""

from __future__ import annotations

from functools import singledispatch

from assay.core.printed import Printed
from assay.engine.scores import Scores
from assay.reports import comparison, explanations, gates, power, tables, thresholds
from assay.reports.frames import Shown, terminal
from assay.reports.tables import Layout
from assay.selection.thresholds import Thresholds
from assay.tasks.comparison import Comparison
from assay.tasks.explanation import Explanation
from assay.tasks.gates import Gate
from assay.tasks.holes import HolesReport
from assay.tasks.power import Power
from assay.tasks.ties import TiesReport

LAYOUT = Layout()


@singledispatch
def printed(result: Printed) -> str:
    """The result as a table, with the notes below."""
    raise NotImplementedError(f"nothing says how {type(result).__name__} is shown")


@printed.register
def _scores(result: Scores) -> str:
    return tables.terminal(result, LAYOUT)


@printed.register
def _comparison(result: Comparison) -> str:
    return comparison.terminal(result, LAYOUT)


@printed.register
def _gate(result: Gate) -> str:
    return gates.terminal(result, LAYOUT)


@printed.register
def _power(result: Power) -> str:
    return power.written(result, "design", "table", LAYOUT.digits, LAYOUT.width)


@printed.register
def _thresholds(result: Thresholds) -> str:
    return thresholds.terminal(result, False, LAYOUT)


@printed.register
def _explanation(result: Explanation) -> str:
    return explanations.terminal(result, LAYOUT.digits)


@printed.register
def _holes(result: HolesReport) -> str:
    shown = [Shown(each, width=LAYOUT.width) for each in (result.judged, result.measures)]
    return "\n\n".join([*map(terminal, shown), *result.notes])


@printed.register
def _ties(result: TiesReport) -> str:
    shown = [Shown(each, width=LAYOUT.width) for each in (result.ties, result.measures)]
    return "\n\n".join([*map(terminal, shown), *result.notes])
