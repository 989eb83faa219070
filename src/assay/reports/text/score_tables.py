"""Scores as rows and as text: leaderboards, listings, units and robustness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial

import polars as pl

from assay.core.errors import UsageError
from assay.core.phrases import quantity
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.reports.text.result_text import (
    OUTPUT_FORMATS,
    Layout,
    ResultText,
    TextTable,
    notebook_figure,
    notebook_notes,
    notebook_table,
)
from assay.reports.text.score_cells import ranking_measure, score_cell, sorted_systems
from assay.reports.text.score_notes import score_notes
from assay.reports.text.table_text import Rows, align_columns, frame_rows, number, rank_text

NOTEBOOK_ROWS = 60
"""A notebook shows at most this many rows."""
NOTEBOOK_COLUMNS = 7
"""Tables with more columns than these are wider than most notebooks."""


def unsliced_results(scores: Scores) -> dict[tuple[str, str], Result]:
    """Return the results of all items, by system and measure; slices have their own table."""
    return {(each.system, each.measure): each for each in scores.results if each.slice == ALL}


Ranks = Mapping[str, str]
"""The interval of the rank of each system, as text."""


def leaderboard_rows(scores: Scores, layout: Layout, ranks: Ranks | None = None) -> Rows:
    """A row for each system: measures with intervals, ranks by the measure that sorts."""
    head = [scores.task if len(scores.systems) == 1 else "system", *scores.measures]
    by_key = unsliced_results(scores)
    rows = [
        [system, *(score_cell(by_key.get((system, each)), layout) for each in scores.measures)]
        for system in sorted_systems(scores, layout.sort)
    ]
    if not ranks:
        return [head, *rows]
    return [[*head, "ranks"], *([*row, ranks.get(row[0], "–")] for row in rows)]


def listing_rows(
    scores: Scores, layout: Layout, ranks: Ranks | None = None, named: bool = False
) -> Rows:
    """A row for each system and measure: the form that fits any number of measures.

    The only system is not named unless it is asked for.
    """
    by_key = unsliced_results(scores)
    several = named or len(scores.systems) > 1
    ranked = ranking_measure(scores, layout.sort) if ranks else ""
    head = ["measure", "value", "low", "high", "units", "undefined"]
    rows = [["system"] * several + head + ["ranks"] * bool(ranks)]
    systems = sorted_systems(scores, layout.sort) if several else scores.systems
    for measure in scores.measures:
        for system in systems:
            row = [system] * several + [measure, *_listed(by_key.get((system, measure)), layout)]
            if ranks:
                row.append(ranks.get(system, "–") if measure == ranked else "")
            rows.append(row)
    return rows


def _listed(result: Result | None, layout: Layout) -> list[str]:
    """The value, its interval, the units and how many are undefined; dashes if not measured."""
    if result is None:
        return ["–", "–", "–", "", ""]
    undefined = str(sum(result.undefined.values()))
    units = quantity(len(result.units), result.unit_kind)
    numbers = [number(each, layout.digits) for each in (result.value, result.low, result.high)]
    return [*numbers, units, undefined]


def per_unit_rows(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and unit, a column for each measure."""
    kind = scores.results[0].unit_kind if scores.results else "unit"
    rows: Rows = [["system", kind, *scores.measures]]
    for system in scores.systems:
        shown = {
            name: {
                unit: number(value, layout.digits)
                for unit, value in zip(each.listed.units, each.listed.values.tolist(), strict=True)
            }
            for (owner, name), each in unsliced_results(scores).items()
            if owner == system
        }
        for unit in dict.fromkeys(unit for cells in shown.values() for unit in cells):
            cells = (shown.get(name, {}).get(unit, "") for name in scores.measures)
            rows.append([system, unit, *cells])
    return rows


def document_rows(scores: Scores, layout: Layout, ranks: Ranks | None = None) -> Rows:
    """The rows for a page or a paper: those of slices too, named in a column of their own."""
    make: Callable[..., Rows] = per_unit_rows if layout.per_unit else leaderboard_rows
    if layout.wide is False and not layout.per_unit:
        make = partial(listing_rows, named=True)
    if not scores.slices and not layout.per_unit:
        return make(scores, layout, ranks)
    if not scores.slices:
        return per_unit_rows(scores, layout)
    rows: Rows = []
    for name in (ALL, *scores.slices):
        own = tuple(replace(each, slice=ALL) for each in scores.results if each.slice == name)
        head, *body = make(replace(scores, results=own), layout)
        rows = rows or [[head[0], "slice", *head[1:]]]
        rows += [[system, name, *cells] for system, *cells in body]
    return rows


class ScoresText(ResultText):
    """Scores in all output formats."""

    result: Scores
    layouts = True
    interval_formats = OUTPUT_FORMATS

    @cached_property
    def ranks(self) -> Ranks:
        """The ranks of the systems by the measure that sorts them; none of one system."""
        scores = self.result
        if len(scores.systems) < 2 or not scores.measures or self.layout.intervals is False:
            return {}
        from assay.tasks.comparison.comparison_tables import rank_ranges

        found = rank_ranges(scores, ranking_measure(scores, self.layout.sort))
        return {system: rank_text(*ends) for system, ends in found.items()}

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return all fields of the summary, or of the units."""
        scores = self.result
        return {"scores": scores.per_unit() if self.layout.per_unit else scores.summary()}

    def all_frames(self) -> dict[str, pl.DataFrame]:
        """Return the summary, the units, the classes, and the gaps and the worst of slices."""
        found = {**self.frames(), "per_unit": self.result.per_unit()}
        if hasattr(self.result.origin, "per_class"):
            with suppress(UsageError):
                found["per_class"] = self.result.per_class()
        if not self.result.slices:
            return found
        from assay.statistics.slice_gaps import slice_gaps, worst_slices

        gaps, worst = slice_gaps(self.result), worst_slices(self.result)
        return found | {"largest gaps": gaps, "worst slices": worst}

    def tables(self) -> list[TextTable]:
        """Return the rows for a page or a paper."""
        rows = document_rows(self.result, self.layout, self.ranks)
        names = 1 + bool(self.layout.per_unit or self.result.slices)
        return [TextTable(rows, names=names + (self.layout.wide is False))]

    def notes(self) -> list[str]:
        """Return the notes on intervals, ranks and undefined values."""
        said = score_notes(self.result)
        if not self.ranks:
            return said
        measure = ranking_measure(self.result, self.layout.sort)
        level = self.result.conventions["interval"]["confidence"]
        return [*said, f"ranks: {100 * level:g}% interval of the rank by {measure}"]

    def table(self) -> str:
        """Return the table that fits the terminal, and the notes below it."""
        scores, layout = self.result, self.layout
        if layout.per_unit:
            return align_columns(per_unit_rows(scores, layout), width=layout.width, names=2)
        several = len(scores.systems) > 1
        table = align_columns(leaderboard_rows(scores, layout, self.ranks)) if several else ""
        if not several or max(map(len, table.splitlines())) > layout.width:
            table = align_columns(listing_rows(scores, layout, self.ranks))
        if not layout.notes:
            return table
        parts = [table]
        if classes := _class_rows(scores, layout.digits):
            parts.append(f"by {classes[0][0]}\n" + align_columns(classes, "  ", layout.width))
        parts.append("\n".join(self.warnings_and_notes() if layout.warnings else self.notes()))
        if scores.slices:
            from assay.reports.text.slice_tables import slices_text

            parts.append(slices_text(scores, layout))
        return "\n\n".join(filter(None, parts))

    def latex(self) -> str:
        """Return a row for each system, the best values in bold; or a row for each unit.

        With intervals, comments before the table say how they were computed.
        """
        from assay.reports.text.latex import bold_best, comment_lines, escape_latex, latex_tabular

        scores, shown = self.result, bool(self.layout.intervals)
        (table,) = ScoresText(scores, replace(self.layout, intervals=shown)).tables()
        head, *rows = [[escape_latex(cell) for cell in row] for row in table.rows]
        if not self.layout.per_unit and self.layout.wide is not False:
            for column, measure in enumerate(scores.measures, table.names):
                better = scores.of(measure)[0].better
                for part in dict.fromkeys(tuple(row[1 : table.names]) for row in rows):
                    own = [row for row in rows if tuple(row[1 : table.names]) == part]
                    bold_best(own, column, better)
        notes = comment_lines(self.notes()) if shown else []
        return "\n".join([*notes, latex_tabular([head, *rows], table.alignment)])

    def notebook(self) -> str:
        """Return the leaderboard, best first, with warnings and notes below it."""
        from assay.reports.markup import html_table, join_markup

        scores = self.result
        head, *body = leaderboard_rows(scores, Layout(), self.ranks)
        # An interval stays in one line.
        rows = [
            head,
            *([row[0], *(c.replace(", ", ",\N{NO-BREAK SPACE}") for c in row[1:])] for row in body),
        ]
        notes = self.warnings_and_notes()
        if len(rows) - 1 > NOTEBOOK_ROWS:
            notes.append(f"{NOTEBOOK_ROWS} of {len(rows) - 1} systems")
        shown = html_table(_fit_notebook(rows[: NOTEBOOK_ROWS + 1]))
        sliced = []
        if scores.slices:
            from assay.reports.text.slice_tables import slice_tables

            tables = slice_tables(scores, Layout())
            sliced = [notebook_table(each) for each in tables]
        figure, said = notebook_figure(scores), notebook_notes(notes)
        classes = _class_rows(scores, 4)
        by_class = html_table(classes, f"by {classes[0][0]}") if classes else None
        return join_markup(shown, by_class, figure, said, sliced)

    def trec(self) -> str:
        """Return lines of measure, unit and value between tabs, as trec_eval prints them.

        A slice has its name in place of ``all``.
        """
        lines, digits = [], self.layout.digits
        for system in self.result.systems:
            own = [each for each in self.result.results if each.system == system]
            if self.layout.per_unit:
                lines += [
                    f"{each.measure:<22}\t{unit}\t{number(float(value), digits)}"
                    for each in own
                    if each.slice == ALL
                    for unit, value in zip(each.units, each.values, strict=True)
                ]
            lines.append(f"{'runid':<22}\t{ALL}\t{system}")
            lines += [
                f"{each.measure:<22}\t{each.slice}\t{number(each.value, digits)}" for each in own
            ]
        return "\n".join(lines)


def _fit_notebook(rows: Rows) -> Rows:
    """Return the leaderboard; many measures of few systems are rows, so that no cell is cut off."""
    if len(rows[0]) <= NOTEBOOK_COLUMNS or len(rows) > NOTEBOOK_COLUMNS:
        return rows
    (_, *systems), *measures = map(list, zip(*rows, strict=True))
    return [["measure", *systems], *measures]


def _class_rows(scores: Scores, digits: int) -> Rows:
    """Return the rates and the support of each class, label or type, for one system."""
    if len(scores.systems) > 1 or not hasattr(scores.origin, "per_class"):
        return []
    with suppress(UsageError):
        table = scores.per_class().drop("system")
        if table.height <= NOTEBOOK_ROWS:
            return frame_rows(table.columns, table.iter_rows(), digits, aligned=True)
    return []


def robustness_rows(scores: Scores, digits: int) -> Rows:
    """A row for each degree; beside each value its difference from the first degree."""
    rows = [["missing", *(cell for name in scores.measures for cell in (name, "lost"))]]
    values = {name: scores[name] for name in scores.measures}
    start = scores.systems[0]
    for degree in scores.systems:
        cells = []
        for name in scores.measures:
            value, first = values[name][degree], values[name][start]
            cells += [number(value, digits), number(first - value, digits)]
        rows.append([degree, *cells])
    return rows


def robustness_text(scores: Scores, digits: int) -> str:
    """The table, for a terminal."""
    return align_columns(robustness_rows(scores, digits))
