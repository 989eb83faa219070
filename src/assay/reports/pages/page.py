"""The frame of a page: head, style, scripts, headline tiles, panels, traces behind numbers."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.names import Measure
from assay.engine.local import select_evidence
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.reports.figures.figure import Figure
from assay.reports.figures.themes import THEME_CSS
from assay.reports.markup import Child, Markup, join_markup, tag
from assay.reports.text.table_text import frame_rows, number
from assay.tasks.explanation.ranking_explanations import steps_of_ranks
from assay.version import VERSION

ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 14 8 2l6 12' fill='none' stroke='%230b5fa5' stroke-width='3'/%3E%3C/svg%3E"  # noqa: E501

GENERATOR = "Assay "
SMALL_NUMBER = re.compile(r"[−+-]?[\d.]+e[−-]\d+")
HEAD_BYTES = 4096
"""Within so many bytes a page says who wrote it."""


@dataclass(frozen=True)
class Section:
    """A part of a page, with a heading to which the contents lead."""

    name: str
    title: str
    content: Sequence[Child]


def section(name: str, title: str, *content: Child) -> Section:
    """Return a section from its parts."""
    return Section(name, title, content)


def figure_block(figure: Figure, name: str | None = None) -> Markup:
    """A figure with its words below it."""
    return tag("figure", figure.svg, tag("figcaption", figure.title), id=name)


def figure_row(figures: Iterable[Figure], *beside: Child, kind: str = "figures") -> Markup:
    """Return figures side by side, with other elements beside them."""
    return tag("div", [figure_block(each) for each in figures], beside, class_=kind)


def code_markup(said: str) -> list[Child]:
    """A message, in which what stands between backticks is to be typed."""
    parts = said.split("`")
    if len(parts) % 2 == 0:
        return [said]
    return [tag("code", part) if place % 2 else part for place, part in enumerate(parts)]


def note(said: Child) -> Markup | None:
    """A remark in small print; none for an empty text."""
    return tag("p", said, class_="note") if said else None


def page_table(
    head: Sequence[Child], rows: Sequence[Sequence[Child]], label: str, **more: Any
) -> Markup:
    """A table that can be scrolled by keyboard where it is wider than the page."""
    top = tag("tr", [_head(cell) for cell in head])
    body = [tag("tr", [_cell(cell, place) for place, cell in enumerate(row)]) for row in rows]
    inner = tag("table", tag("caption", label), tag("thead", top), tag("tbody", body), **more)
    return tag("div", inner, class_="wide", tabindex="0", role="region", aria_label=label)


def _head(cell: Child) -> Markup:
    ready = isinstance(cell, Markup) and cell.startswith("<th")
    return Markup(cell) if ready else tag("th", cell, scope="col") if cell else tag("td")


def _cell(cell: Child, place: int) -> Markup:
    if isinstance(cell, Markup) and cell.startswith(("<td", "<th")):
        return cell
    if place == 0 and cell:
        return tag("th", cell, scope="row")
    # A browser may break a number such as 1.3e-15 after its hyphen.
    whole = isinstance(cell, str) and SMALL_NUMBER.fullmatch(cell)
    return tag("td", cell, class_="whole" if whole else None)


def render_page(
    title: str,
    lead: str,
    sections: Sequence[Section],
    scripts: Sequence[str] = (),
    data: Sequence[Markup] = (),
    tiles: Sequence[Tile] = (),
) -> str:
    """Return the page as one text; it loads nothing and runs only its own scripts."""
    code = [_asset(name) for name in ("page.js", *scripts)]
    allowed = " ".join(f"'sha256-{_digest(each)}'" for each in code)
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="generator", content=f"{GENERATOR}{VERSION}"),
        tag("title", title),
        tag("link", rel="icon", href=ICON),
        tag("style", Markup(THEME_CSS + "\n" + _asset("page.css"))),
    )
    toggle = tag("button", "Dark theme", type="button", id="theme", aria_pressed="false")
    links = [tag("li", tag("a", each.title, href=f"#{each.name}")) for each in sections]
    body = tag(
        "body",
        tag("a", "Skip to the results", href="#main", class_="skip"),
        tag(
            "header",
            tag("div", tag("h1", title), toggle, class_="top"),
            tag("p", lead, class_="lead"),
            headline_tiles(tiles),
        ),
        tag("nav", tag("ul", links), aria_label="Contents"),
        tag("main", [_section_block(each) for each in sections], id="main", tabindex="-1"),
        tag("footer", tag("p", f"Written by Assay {VERSION}. This page is complete in itself.")),
        list(data),
        [tag("script", Markup(each)) for each in code],
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def is_page(path: Path) -> bool:
    """Whether a file is a page that was written here."""
    with path.open("rb") as file:
        return f'name="generator" content="{GENERATOR}'.encode() in file.read(HEAD_BYTES)


def _section_block(part: Section) -> Markup:
    heading = f"{part.name}-title"
    return tag(
        "section",
        tag("h2", part.title, id=heading),
        part.content,
        id=part.name,
        aria_labelledby=heading,
    )


def _asset(name: str) -> str:
    return files("assay.reports.pages").joinpath("assets", name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


MOST_TILES = 4


@dataclass(frozen=True)
class Tile:
    """A number, what it is, and what to know of it."""

    value: str
    name: str
    detail: str = ""


def headline_tiles(tiles: Sequence[Tile]) -> Markup | None:
    """The tiles side by side."""
    if not tiles:
        return None
    shown = [
        tag(
            "li",
            tag("span", each.name, class_="tile-name"),
            tag("span", each.value, class_="tile-value"),
            tag("span", each.detail, class_="tile-detail"),
        )
        for each in tiles
    ]
    return tag("ul", shown, class_="tiles", aria_label="In short")


def measure_tiles(scores: Scores) -> list[Tile]:
    """The first measures of the only system, with their intervals."""
    tiles = []
    for each in scores.results:
        if each.slice == ALL and not math.isnan(each.value):
            known = not math.isnan(each.low)
            detail = f"{number(each.low, 3)} to {number(each.high, 3)}" if known else ""
            tiles.append(Tile(number(each.value, 3), each.measure, detail))
    return tiles[:MOST_TILES] if len(scores.systems) == 1 else []


def best_system_tiles(scores: Scores) -> list[Tile]:
    """The best system by each of the first measures, and the second."""
    tiles = []
    for name in scores.measures[:MOST_TILES]:
        ranked = [each for each in scores.best_first(name) if not math.isnan(each.value)]
        if ranked:
            detail = ranked[0].system
            if len(ranked) > 1:
                detail += f"; next {ranked[1].system} with {number(ranked[1].value, 4)}"
            tiles.append(Tile(number(ranked[0].value, 4), f"best {name}", detail))
    return tiles


def select_panel(name: str, label: str, panels: Sequence[tuple[str, Markup]]) -> Markup:
    """The panels below a list of their names; one panel alone has no list.

    All are shown where scripts do not run.
    """
    if len(panels) == 1:
        return panels[0][1]
    ids = [f"{name}-{number}" for number in range(1, len(panels) + 1)]
    options = [
        tag("option", words, value=each) for each, (words, _) in zip(ids, panels, strict=True)
    ]
    select = tag("select", options, id=name, data_chooser=True)
    shown = [
        tag("div", content, id=each, class_="panel", role="group", aria_label=f"{label} {words}")
        for each, (words, content) in zip(ids, panels, strict=True)
    ]
    return join_markup(tag("div", tag("label", label, select), class_="controls"), shown)


def panel_section(
    name: str,
    title: str,
    chooser: tuple[str, str],
    panels: Sequence[tuple[str, Markup]],
    note: Markup | None = None,
) -> list[Section]:
    """Return a section of panels, none without panels; the chooser is a name and a label."""
    return [section(name, title, select_panel(*chooser, panels), note)] if panels else []


MOST_TRACE_ROWS = 20


def measure_trace(view: Any, asked: Measure) -> pl.DataFrame | None:
    """The table behind a measure of a view of one unit; None if it cannot show its work."""
    definition = asked.definition
    if not definition.tracer or not isinstance(view, definition.view):
        return None
    seen = select_evidence(view, asked)
    if len(seen.units) != 1 and definition.unit is not None:
        return None
    return pl.DataFrame(definition.tracer[0](seen, *asked.arguments))


def trace_panels(views: Iterable[Any], scores: Scores) -> list[Markup]:
    """For each measure that can show its work a part to open, with the table behind it."""
    shown = []
    for view in views:
        for name in scores.measures:
            found = measure_trace(view, scores.formula(name))
            if found is not None:
                shown.append(
                    tag(
                        "details",
                        tag("summary", f"How {name} is computed"),
                        _trace_table(found, name),
                    )
                )
    return shown


def _trace_table(found: pl.DataFrame, name: str) -> Markup:
    caption, shown = f"{name}, step by step", shorten_table(found)
    if shown.height < found.height:
        first = (
            f"the first {shown.height - 1} rows"
            if shown.height == MOST_TRACE_ROWS
            else "relevant ones"
        )
        caption += f": {first} and the last of {found.height}"
    head, *rows = frame_rows(found.columns, shown.rows(), 4)
    return page_table(head, [[tag("td", cell) for cell in row] for row in rows], caption)


def shorten_table(table: pl.DataFrame) -> pl.DataFrame:
    """The first rows, and the last one, which has the number; of ranks those of relevant ones."""
    if table.height > MOST_TRACE_ROWS:
        table = steps_of_ranks(table)
    if table.height <= MOST_TRACE_ROWS:
        return table
    return pl.concat([table.head(MOST_TRACE_ROWS - 1), table.tail(1)])
