"""A comparison as LaTeX: a row for each system, significant differences as letters or marks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import polars as pl

from assay.engine.result import ALL
from assay.reports.text.latex import (
    MARKS,
    bold_best,
    comment_lines,
    escape_latex,
    latex_tabular,
    superscript,
)
from assay.reports.text.result_text import Layout, TextTable
from assay.reports.text.table_text import Rows, number
from assay.tasks.comparison.comparison_result import Comparison

_ENDS = ("value", "low", "high")


def comparison_latex(comparison: Comparison, layout: Layout, notes: Sequence[str]) -> str:
    """Return a row for each system, with letters or marks for significant differences.

    Systems that share a letter do not differ significantly; a mark says that a system differs
    from the baseline that has it.
    """
    systems = comparison.systems
    measures = systems["measure"].unique(maintain_order=True).to_list()
    names = systems["system"].unique(maintain_order=True).to_list()
    marks = _marks(comparison)
    rows: Rows = []
    for name in names:
        mark = superscript(_mark(comparison, name)) if name in comparison.baselines else ""
        row = [escape_latex(name) + (mark and f" (baseline{mark})")]
        for measure in measures:
            one = systems.filter((pl.col("measure") == measure) & (pl.col("system") == name))
            row.append(escape_latex(_value(one, layout)))
        rows.append(row)
    for column, measure in enumerate(measures, 1):
        bold_best(rows, column, systems.filter(pl.col("measure") == measure)["better"][0])
        for row, name in zip(rows, names, strict=True):
            row[column] += superscript(marks.get((measure, name), ""))
    said = [note.replace("; * below", "; significant below") for note in notes]
    table = TextTable([["system", *map(escape_latex, measures)], *rows])
    lines = comment_lines([*said, *_mark_notes(comparison)])
    return "\n".join([*lines, latex_tabular(table.rows, table.alignment)])


def _value(one: pl.DataFrame, layout: Layout) -> str:
    """Return the value of a system, with its interval if that is asked for."""
    if not len(one):
        return number(math.nan, layout.digits)
    value, low, high = (
        number(one[name].item(), layout.digits) for name in ("value", "low", "high")
    )
    return f"{value} [{low}, {high}]" if layout.intervals else value


def _marks(comparison: Comparison) -> Mapping[tuple[str, str], str]:
    """Return the letters of each value, or the marks of baselines it differs from."""
    if not comparison.baselines:
        rows = comparison.systems.filter(pl.col("letters") != "").iter_rows(named=True)
        return {(r["measure"], r["system"]): rf"\mathrm{{{r['letters']}}}" for r in rows}
    marks: dict[tuple[str, str], str] = {}
    different = comparison.pairs.filter(pl.col("significant") & (pl.col("slice") == ALL))
    for measure, baseline, system in different.select("measure", "baseline", "system").iter_rows():
        marks[measure, system] = marks.get((measure, system), "") + _mark(comparison, baseline)
    return marks


def _mark_notes(comparison: Comparison) -> list[str]:
    """Return what the mark of each baseline says."""
    level = 1 - comparison.conventions["confidence"]
    return [
        f"{_mark(comparison, name)}: differs significantly from {name} (corrected p below"
        f" {level:.3g})"
        for name in comparison.baselines
    ]


def _mark(comparison: Comparison, baseline: str) -> str:
    return MARKS[comparison.baselines.index(baseline) % len(MARKS)]
