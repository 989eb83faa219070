"""What ``print`` and a prompt show of each result: the table of the command line."""

from __future__ import annotations

from functools import singledispatch

from assay.core.printable import Printable
from assay.engine.scores import Scores
from assay.reports.text import (
    comparison_text,
    explanation_text,
    gate_text,
    power_text,
    score_tables,
    threshold_text,
)
from assay.reports.text.score_tables import Layout
from assay.reports.text.table_text import FrameLayout, frame_terminal
from assay.selection.thresholds import Thresholds
from assay.tasks.comparison.comparison import Comparison
from assay.tasks.explanation.ranking_explanations import Explanation
from assay.tasks.gates.gate import Gate
from assay.tasks.power import Power
from assay.tasks.retrieval.holes import HolesReport
from assay.tasks.retrieval.ties import TiesReport

DEFAULT_LAYOUT = Layout()


@singledispatch
def result_text(result: Printable) -> str:
    """The result as a table, with the notes below."""
    raise NotImplementedError(f"nothing says how {type(result).__name__} is shown")


@result_text.register
def _scores(result: Scores) -> str:
    return score_tables.scores_terminal(result, DEFAULT_LAYOUT)


@result_text.register
def _comparison(result: Comparison) -> str:
    return comparison_text.comparison_terminal(result, DEFAULT_LAYOUT)


@result_text.register
def _gate(result: Gate) -> str:
    return gate_text.gate_terminal(result, DEFAULT_LAYOUT)


@result_text.register
def _power(result: Power) -> str:
    return power_text.write_power_table(
        result, "design", "table", DEFAULT_LAYOUT.digits, DEFAULT_LAYOUT.width
    )


@result_text.register
def _thresholds(result: Thresholds) -> str:
    return threshold_text.thresholds_terminal(result, False, DEFAULT_LAYOUT)


@result_text.register
def _explanation(result: Explanation) -> str:
    return explanation_text.explanation_terminal(result, DEFAULT_LAYOUT.digits)


@result_text.register
def _holes(result: HolesReport) -> str:
    shown = [
        FrameLayout(each, width=DEFAULT_LAYOUT.width) for each in (result.judged, result.measures)
    ]
    return "\n\n".join([*map(frame_terminal, shown), *result.notes])


@result_text.register
def _ties(result: TiesReport) -> str:
    shown = [
        FrameLayout(each, width=DEFAULT_LAYOUT.width) for each in (result.ties, result.measures)
    ]
    return "\n\n".join([*map(frame_terminal, shown), *result.notes])
