"""The page of a result that has no page of its own: its figure, its tables and its notes."""

from __future__ import annotations

import re
from typing import Any

from assay.reports.figures.result_figures import small_figure
from assay.reports.markup import tag
from assay.reports.pages.page import (
    Section,
    code_markup,
    figure_block,
    page_table,
    render_page,
    section,
)
from assay.reports.text.result_text import ResultText, load
from assay.reports.text.result_types import RESULTS


def result_page(result: Any, title: str | None = None) -> str:
    """Return a page with the figure that belongs to the result, its tables and its notes."""
    kind = next(each.__name__ for each in type(result).__mro__ if each.__name__ in RESULTS)
    text = load(RESULTS[kind].text)(result)
    figure = small_figure(result)
    parts = [] if figure is None else [section("figure", "Figure", figure_block(figure))]
    parts += table_sections(text)
    if notes := [*getattr(result, "warnings", ()), *text.notes()]:
        parts.append(
            section("notes", "Notes", tag("ul", [tag("li", code_markup(each)) for each in notes]))
        )
    return render_page(title or _title(kind), "", parts)


def table_sections(text: ResultText) -> list[Section]:
    """Return a section for each table, under its title or the name of its frame."""
    tables, frames = text.tables(), list(text.frames())
    names = frames if len(frames) == len(tables) else ["table"] * len(tables)
    sections = []
    for place, (table, name) in enumerate(zip(tables, names, strict=True)):
        title = _capitalize(table.title or name)
        content = page_table(table.rows[0], table.rows[1:], title)
        sections.append(section(f"table-{place}", title, content))
    return sections


def _title(kind: str) -> str:
    """Return the name of a type as a title: Fairness of FairnessReport."""
    return _capitalize(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.removesuffix("Report")).lower())


def _capitalize(text: str) -> str:
    """Return a text that begins with a capital letter; a name such as nDCG@10 stays as it is."""
    first = text.partition(" ")[0].rstrip(":")
    return text[:1].upper() + text[1:] if first.islower() else text
