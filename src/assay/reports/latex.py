"""Tables for a paper: LaTeX with the rules of booktabs, the best value of a column in bold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from assay.engine.scores import ALL, Scores
from assay.reports.text.comparison_text import comparison_notes
from assay.reports.text.line_wrapping import wrap_sentence
from assay.reports.text.score_tables import Layout, document_rows
from assay.reports.text.table_text import FrameLayout, Rows, number

if TYPE_CHECKING:
    from assay.tasks.comparison.comparison import Comparison

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "−": "$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\to$",
    "∞": r"$\infty$",
} | {letter: f"\\{letter}" for letter in "&%$#_{}"}
_TO_ESCAPE = re.compile("|".join(map(re.escape, _SPECIAL)))
MARKS = (r"\dagger", r"\ddagger", "*", r"\S", r"\P")
"""One for each baseline, in their order."""


def escape_latex(text: str) -> str:
    """The text as LaTeX prints it."""
    return _TO_ESCAPE.sub(lambda found: _SPECIAL[found[0]], text)


def latex_scores_table(scores: Scores, layout: Layout) -> str:
    """A row for each system; with ``per_unit`` one for each unit."""
    head, *rows = _escape_rows(document_rows(scores, replace(layout, intervals=False)))
    names = len(head) - len(scores.measures)
    if not layout.per_unit:
        for column, measure in enumerate(scores.measures, names):
            better = scores.of(measure)[0].better
            for part in dict.fromkeys(tuple(row[1:names]) for row in rows):
                _bold_best([row for row in rows if tuple(row[1:names]) == part], column, better)
    return _tabular([head, *rows], names)


def latex_frame_table(shown: FrameLayout) -> str:
    """Any small table; columns of numbers to the right."""
    rows = _escape_rows(shown.rows())
    numeric = [dtype.is_numeric() for dtype in shown.frame.dtypes]
    return _set_cell(rows, "".join("r" if right else "l" for right in numeric))


def latex_comparison_table(comparison: Comparison, layout: Layout) -> str:
    """A row for each system, with letters or with marks for what a test tells apart.

    Systems that share a letter are not told apart; a mark says that a system differs from the
    baseline that has it.
    """
    systems = comparison.systems
    measures = systems["measure"].unique(maintain_order=True).to_list()
    names = systems["system"].unique(maintain_order=True).to_list()
    marks = _marks(comparison)
    rows: Rows = []
    for name in names:
        row = [escape_latex(name) + _superscript(_mark_of(comparison, name))]
        for measure in measures:
            one = systems.filter((pl.col("measure") == measure) & (pl.col("system") == name))
            row.append(number(one["value"].item(), layout.digits) if len(one) else "--")
        rows.append(row)
    for column, measure in enumerate(measures, 1):
        better = systems.filter(pl.col("measure") == measure)["better"][0]
        _bold_best(rows, column, better)
        for row, name in zip(rows, names, strict=True):
            row[column] += _superscript(marks.get((measure, name), ""))
    told = [
        f"% {line}"
        for note in comparison_notes(comparison)
        for line in wrap_sentence(note).splitlines()
    ]
    return "\n".join([*told, _tabular([["system", *map(escape_latex, measures)], *rows])])


def _marks(comparison: Comparison) -> Mapping[tuple[str, str], str]:
    """What stands beside each value: letters, or the marks of the baselines it differs from."""
    if not comparison.baselines:
        rows = comparison.systems.select("measure", "system", "letters").iter_rows()
        return {(measure, system): rf"\mathrm{{{letters}}}" for measure, system, letters in rows}
    found: dict[tuple[str, str], str] = {}
    told = comparison.pairs.filter(pl.col("significant") & (pl.col("slice") == ALL))
    for measure, baseline, system in told.select("measure", "baseline", "system").iter_rows():
        found[measure, system] = found.get((measure, system), "") + _mark(comparison, baseline)
    return found


def _mark(comparison: Comparison, baseline: str) -> str:
    return MARKS[comparison.baselines.index(baseline) % len(MARKS)]


def _mark_of(comparison: Comparison, name: str) -> str:
    return _mark(comparison, name) if name in comparison.baselines else ""


def _superscript(mark: str) -> str:
    return f"$^{{{mark}}}$" if mark else ""


def _bold_best(rows: Rows, column: int, better: str) -> None:
    """The best value as it is printed, so that equal ones are all in bold."""
    shown = [row[column] for row in rows if row[column] not in ("--", "")]
    if better == "neither" or len(rows) < 2 or not shown:
        return
    best = (min if better == "lower" else max)(shown, key=float)
    for row in rows:
        if row[column] == best:
            row[column] = rf"\textbf{{{best}}}"


def _escape_rows(rows: Rows) -> Rows:
    return [[escape_latex(cell) for cell in row] for row in rows]


def _tabular(rows: Sequence[Sequence[str]], names: int = 1) -> str:
    return _set_cell(rows, "l" * names + "r" * (len(rows[0]) - names))


def _set_cell(rows: Sequence[Sequence[str]], columns: str) -> str:
    # After \\ a bracket or a star would be taken for its argument.
    starts = ["{}" if row[0].startswith(("[", "*")) else "" for row in rows]
    body = [begin + " & ".join(row) + r" \\" for begin, row in zip(starts, rows, strict=True)]
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", body[0], r"\midrule", *body[1:]]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
