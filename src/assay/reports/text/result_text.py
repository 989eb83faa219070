"""How results are written: the output formats, and the registry entry of each type of result.

Command-line options list their choices from here, so this imports neither Polars nor the modules of
the result types.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from assay.core.errors import UsageError
from assay.core.frozen_dataclass import dataclass
from assay.core.phrases import escape_controls, escape_json_controls, wrap_sentence
from assay.core.printable import REGISTRY
from assay.reports.text.result_types import RESULTS, Entry
from assay.reports.text.table_text import (
    Rows,
    align_columns,
    escape_markdown,
    frame_rows,
    is_number,
    markdown_table,
    neutralize_formulas,
    separated_values,
)

if TYPE_CHECKING:
    import polars as pl

    from assay.reports.markup import Markup

NOTEBOOK = "notebook"
"""The format of a notebook, which is not listed."""


@dataclass(frozen=True)
class Layout:
    """How a result is written."""

    digits: int = 4
    width: int = 100
    """How long a line may be on a terminal."""
    sort: str | None = None
    per_unit: bool = False
    intervals: bool | None = None
    """Whether values have their intervals; None: in every format but LaTeX."""
    wide: bool | None = None
    """Whether measures are columns; None: as is usual for the result."""
    notes: bool = True
    """Whether the notes follow below."""
    warnings: bool = False
    """Whether warnings come before the notes; a command prints them on standard error instead."""
    signs: bool = False
    """Whether numbers have a sign, as differences do."""
    show: str = ""
    """Which table of the result is written, where there are several to choose from."""


@dataclass(frozen=True)
class TextTable:
    """A table for a reader: the first row is the head, the first columns name the rows."""

    rows: Rows
    title: str = ""
    names: int = 1
    columns: str = ""
    """The alignment of each column, l or r; by default names left and all else right."""

    @property
    def alignment(self) -> str:
        """The alignment of each column."""
        return self.columns or "l" * self.names + "r" * (len(self.rows[0]) - self.names)


def notebook_table(table: TextTable) -> Markup:
    """Return a table as a notebook shows it: texts to the left, numbers to the right."""
    from assay.reports.markup import html_table

    columns = zip(*table.rows[1:], strict=True)
    alignment = "".join("r" if all(map(is_number, cells)) else "l" for cells in columns)
    return html_table(table.rows, table.title, alignment)


OUTPUT_FORMATS: list[str] = []
"""The formats of all results, in the order of their declaration."""


def output_format(method: Callable[..., str]) -> Callable[..., str]:
    """Offer a method of `ResultText` as an output format under its name.

    Control characters are escaped for a reader; a format that programs read is named in `write`.
    """
    OUTPUT_FORMATS.append(method.__name__)
    return method


@dataclasses.dataclass(eq=False)
class ResultText:
    """A result in all output formats.

    A subclass states which tables its results have and what differs. A frame has one table, a dict
    of frames several.
    """

    result: Any
    layout: Layout = Layout()  # noqa: RUF009 (frozen)
    unknown: ClassVar[str] = "?"
    """What is shown for a cell without a value."""
    layouts: ClassVar[bool] = False
    """Whether measures may be columns or rows, as `wide` says."""
    interval_formats: ClassVar[Collection[str]] = ()
    """The formats whose values have intervals or not, as `intervals` says."""
    wrapped: ClassVar[bool] = False
    """Whether notes are wrapped at the width of the terminal."""

    def frames(self) -> Mapping[str, pl.DataFrame]:
        """Return the tables by name, at full precision."""
        return self.result if isinstance(self.result, dict) else {"table": self.result}

    def all_frames(self) -> Mapping[str, pl.DataFrame]:
        """Return the tables that Python offers: those, and what is only shown below them."""
        return self.frames()

    def tables(self) -> list[TextTable]:
        """Return the tables for a reader, by default the frames."""
        return [self._text_table(frame) for frame in self.frames().values()]

    def notes(self) -> list[str]:
        """Return the sentences below the tables."""
        return []

    def warnings_and_notes(self) -> list[str]:
        """Return the warnings of the result, and the sentences below the tables."""
        return list(dict.fromkeys([*getattr(self.result, "warnings", ()), *self.notes()]))

    @output_format
    def table(self) -> str:
        """Return aligned columns for a terminal, with the notes below."""
        notes = self.notes() if self.layout.notes else []
        if self.layout.warnings:
            notes = self.warnings_and_notes()
        blocks = []
        for each in self.tables():
            indent = "  " if each.title else ""
            text = align_columns(each.rows, indent, self.layout.width, each.names)
            blocks.append(f"{each.title}\n{text}" if each.title else text)
        if self.wrapped:
            notes = [wrap_sentence(note, self.layout.width) for note in notes]
        return "\n\n".join([*blocks, *(["\n".join(notes)] if notes else [])])

    @output_format
    def json(self) -> str:
        """Return everything at full precision."""
        if hasattr(self.result, "to_json"):
            return str(self.result.to_json())
        from assay.core.json_rows import json_rows

        content: Any = {name: json_rows(frame) for name, frame in self.frames().items()}
        if not isinstance(self.result, dict) and len(content) == 1:
            (content,) = content.values()
        return json.dumps(content, indent=1, ensure_ascii=False)

    @output_format
    def csv(self) -> str:
        """Return comma-separated values at full precision."""
        return "\n\n".join(separated_values(each, ",") for each in self.frames().values())

    @output_format
    def tsv(self) -> str:
        """Return tab-separated values at full precision."""
        return "\n\n".join(separated_values(each, "\t") for each in self.frames().values())

    @output_format
    def spreadsheet(self) -> str:
        """Return comma-separated values in which no text is a formula of a spreadsheet."""
        frames = self.frames().values()
        return "\n\n".join(separated_values(neutralize_formulas(each), ",") for each in frames)

    @output_format
    def markdown(self) -> str:
        """Return Markdown tables."""
        return "\n\n".join(
            f"**{escape_markdown(each.title)}**\n\n{markdown_table(each.rows)}"
            if each.title
            else markdown_table(each.rows)
            for each in self.tables()
        )

    @output_format
    def latex(self) -> str:
        """Return LaTeX tables with the rules of booktabs."""
        from assay.reports.text.latex import latex_table

        return "\n\n".join(latex_table(each.rows, each.alignment) for each in self.tables())

    @output_format
    def html(self) -> str:
        """Return HTML tables to put into a page."""
        from assay.reports.markup import html_table

        return "\n\n".join(html_table(each.rows, each.title) for each in self.tables())

    def notebook(self) -> str:
        """Return what a notebook shows: the tables, the figure that belongs to them, the notes."""
        from assay.reports.markup import Markup, join_markup

        shown = Markup("\n\n".join(map(notebook_table, self.tables())))
        notes = notebook_notes(self.warnings_and_notes())
        return join_markup(shown, notebook_figure(self.result), notes)

    def _text_table(self, frame: pl.DataFrame) -> TextTable:
        digits, signs = self.layout.digits, self.layout.signs
        rows = frame_rows(frame.columns, frame.iter_rows(), digits, signs, self.unknown)
        return TextTable(rows, columns="".join("lr"[each.is_numeric()] for each in frame.dtypes))


def notebook_notes(notes: Sequence[str]) -> list[Markup]:
    """Return the notes below a table in a notebook."""
    from assay.reports.markup import NOTE_STYLE, tag

    return [tag("div", note, style=NOTE_STYLE) for note in notes]


def notebook_figure(result: Any) -> Markup | None:
    """Return the figure that belongs to a result, for a notebook."""
    from assay.reports.markup import Markup, tag

    figure = load("assay.reports.figures.result_figures:small_figure")(result)
    return None if figure is None else tag("div", Markup(figure._repr_svg_()))


def write(result: Any, form: str = "table", layout: Layout | None = None) -> str:
    """Return a result in an output format."""
    kind = next((each.__name__ for each in type(result).__mro__ if _has_text(each)), "")
    known = format_names(kind) if kind else []
    if form not in (*known, NOTEBOOK) or not kind:
        raise UsageError(
            f"{type(result).__name__} cannot be written as {form}; it can as {', '.join(known)}"
        )
    shown = load(RESULTS[kind].text)(result, layout or Layout())
    if shown.layout.wide is not None and not shown.layouts:
        raise UsageError(f"a {type(result).__name__} has one layout; leave `wide` out")
    if shown.layout.intervals is not None and form not in shown.interval_formats:
        what = f"a {type(result).__name__} as {form}"
        raise UsageError(f"the intervals of {what} cannot be chosen; leave `intervals` out")
    text = str(getattr(shown, form)())
    if form == NOTEBOOK:  # A table wider than the page scrolls by itself.
        text = text.replace("<table>", '<div style="overflow-x: auto; margin: 0.6em 0"><table>')
        text = text.replace("</table>", "</table></div>")
    if form in ("csv", "tsv"):
        return text  # Other programs read it back: ids keep their control characters.
    return escape_json_controls(text) if form == "json" else escape_controls(text)


def format_names(kind: str) -> list[str]:
    """Return the output formats of a type of result, for ``--format``."""
    return [*OUTPUT_FORMATS, *RESULTS[kind].formats]


def find_page(result: object) -> Callable[..., str] | None:
    """Return the function that writes the page of evidence or scores; None if there is none."""
    kinds = (RESULTS.get(each.__name__, Entry()) for each in type(result).__mro__)
    return next((load(entry.page) for entry in kinds if entry.page), None)


def load(place: str) -> Any:
    """Import what a result is written with, from its place as module:name."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def _has_text(kind: type) -> bool:
    return kind.__name__ in RESULTS and bool(RESULTS[kind.__name__].text)


def write_from_options(result: Any, form: str = "table", **options: Any) -> str:
    """Return a result in an output format, with the fields of `Layout` as options."""
    return write(result, form, Layout(**options))


def result_frames(result: Any) -> Mapping[str, pl.DataFrame]:
    """Return the tables of a result by name, at full precision."""
    kind = next(each.__name__ for each in type(result).__mro__ if _has_text(each))
    found: Mapping[str, pl.DataFrame] = load(RESULTS[kind].text)(result).all_frames()
    return found


REGISTRY.write = write_from_options
REGISTRY.frames = result_frames
REGISTRY.draw = lambda *given, **options: load("assay.reports.figures.result_figures:draw_result")(
    *given, **options
)
REGISTRY.page = lambda *given, **options: load("assay.reports.pages.report:report")(
    *given, **options
)
