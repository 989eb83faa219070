"""Learning tasks as text: the learners, what the task adds, their differences, notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from assay.engine.result import ALL
from assay.reports.text.result_text import (
    ResultText,
    TextTable,
    notebook_figure,
    notebook_notes,
    notebook_table,
)
from assay.selection.learning_tasks.task_result import SHOWN, TaskResult
from assay.statistics.intervals.interval_settings import TOO_FEW
from assay.tasks.comparison.comparison_result import Comparison

LEARNERS = "learners"
UNDEFINED = "undefined for one of the two"
DIFFERENCES = ["baseline", "system", "measure", "difference", "low", "high", "p"]


class LearningTaskText(ResultText):
    """The learners with intervals, the tables of the task, slices and differences."""

    result: TaskResult
    wrapped = True
    unknown = ""

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables by name; the learners come first, with all measures of one together."""
        rows = _by_first_rows(self.result.scores.summary(), ["system", "slice", "measure"])
        found = {LEARNERS: rows.filter(slice=ALL).select(SHOWN)}
        found |= self.result.tables
        within = rows.filter(pl.col("slice") != ALL)
        if within.height:
            found["slices"] = within.select("slice", *SHOWN)
        if self.result.comparison is not None:
            pairs = self.result.comparison.pairs
            undefined = pl.col("difference").is_nan() | pl.col("difference").is_null()
            shown: list[Any] = [
                *DIFFERENCES,
                pl.col("p_corrected").alias("corrected"),
                pl.when(undefined & (pl.col("units") == 1))
                .then(pl.lit(TOO_FEW))
                .when(undefined)
                .then(pl.lit(UNDEFINED))
                .otherwise("interval")
                .alias("interval"),
            ]
            found["differences"] = pairs.filter(slice=ALL).select(shown)
            apart = pairs.filter(pl.col("slice") != ALL)
            if apart.height:
                found["differences by slice"] = apart.select("slice", *shown)
        return found

    def tables(self) -> list[TextTable]:
        """Return the tables with their titles; columns without content are left out."""
        titles = {LEARNERS: self.result.systems}
        return [
            TextTable(table.rows, titles.get(name, name).capitalize(), table.names, table.columns)
            for name, frame in self.frames().items()
            for table in [self._text_table(_without_empty(frame))]
        ]

    def notebook(self) -> str:
        """Return the first table with the figure below it, then the other tables and the notes."""
        from assay.reports.markup import Markup, join_markup

        first, *others = map(notebook_table, self.tables())
        rest = Markup("\n\n".join(others))
        notes = notebook_notes(self.warnings_and_notes())
        return join_markup(Markup(first), notebook_figure(self.result), rest, notes)

    def notes(self) -> list[str]:
        """Return what to know about the numbers."""
        compared = self.result.comparison
        tests = [] if compared is None else _describe_test(compared)
        return [*self.result.notes, *tests, *self.result.scores.warnings]


def _by_first_rows(frame: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Sort by columns, each in the order in which its values first occur."""
    orders = [frame[name].unique(maintain_order=True).to_list() for name in names]
    return frame.sort(
        pl.col(name).replace_strict(order, range(len(order)), return_dtype=pl.Int64)
        for name, order in zip(names, orders, strict=True)
    )


def _describe_test(compared: Comparison) -> list[str]:
    """Say how differences were tested; nothing where no test could be done."""
    test, correction = compared.pairs["test"][0], compared.conventions["correct"]
    words = "" if correction in (None, "none") else f", p-values corrected by {correction}"
    return [f"differences tested by {test}{words}"] if test else []


def _without_empty(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the table without columns that only say that nothing is undefined."""
    plain: dict[str, Callable[[pl.Series], bool]] = {
        "units": lambda column: True,
        "undefined": lambda column: column.max() == 0,
        "reasons": lambda column: column.is_null().all(),
        "interval": lambda column: _explained(frame).all(),
    }
    kept = frame.drop([n for n, empty in plain.items() if n in frame.columns and empty(frame[n])])
    if "interval" not in kept.columns:
        return kept
    why = pl.when(~_explained(frame)).then(pl.col("interval"))
    return kept.with_columns(why.alias("interval"))


def _explained(frame: pl.DataFrame) -> pl.Series:
    """Return the rows that have an interval, or whose value has a reason not to be there."""
    found = frame["low"].is_finite().fill_null(False)
    return found | frame["reasons"].is_not_null() if "reasons" in frame.columns else found
