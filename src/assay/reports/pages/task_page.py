"""The page of a task: the sections that all pages share around those of the task."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.core.errors import AssayError, DataError
from assay.core.names import measure as measure_named
from assay.core.phrases import quantity
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.reports.markup import Child, Markup, tag
from assay.reports.pages.page import (
    Section,
    best_system_tiles,
    code_markup,
    measure_tiles,
    note,
    page_table,
    render_page,
    section,
)
from assay.reports.text.score_notes import interval_notes, undefined_notes
from assay.reports.text.table_text import number, rank_text
from assay.statistics.intervals.interval_settings import OVER_CLUSTERS
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.comparison.comparison import compare
from assay.tasks.retrieval.costs import COST

NO_VALUE: tuple[Any, ...] = (None, "", (), [], {}, "()", "None")
"""Conventions that were not chosen are not listed."""
TITLES = {"labelsets": "Label sets"}
"""The headings of tasks whose names are not those that readers know."""


@dataclass(frozen=True)
class TaskPage:
    """What the page of a task has beside the sections that all pages share."""

    lead: str
    """The sentence below the title."""
    middle: Sequence[Section] = ()
    """The sections of the task, between the numbers and the conventions."""
    work: Sequence[Markup] = ()
    """Traces, below the numbers of a single system."""
    warnings: Sequence[str] = ()
    letters: bool = True
    """Whether the leaderboard has significance letters."""
    scripts: Sequence[str] = ()
    data: Sequence[Markup] = ()

    def render(self, scores: Scores, title: str) -> str:
        """Return the page: warnings, numbers or leaderboard, cost, middle, conventions."""
        sections = [
            warnings_section(scores, self.warnings),
            leaderboard_section(scores, self.letters)
            if len(scores.systems) > 1
            else numbers_section(scores, self.work),
            *_optional_sections(scores),
            *self.middle,
            conventions_section(scores),
        ]
        tiles = measure_tiles(scores) or best_system_tiles(scores)
        return render_page(title, self.lead, sections, self.scripts, self.data, tiles)


def saved_scores_page(scores: Scores, title: str | None = None) -> str:
    """Return a page of scores alone, without the sections that need their evidence."""
    lead = ", ".join(scores.measures) + "."
    return TaskPage(lead).render(scores, title or TITLES.get(scores.task, scores.task.capitalize()))


def _optional_sections(scores: Scores) -> list[Section]:
    """Return the sections that only some scores have."""
    found = []
    if COST in scores.conventions:
        from assay.reports.pages.optional_sections import cost_section

        found.append(cost_section(scores))
    if scores.slices:
        from assay.reports.pages.optional_sections import slices_section

        found.append(slices_section(scores))
    return found


def warnings_section(scores: Scores, more: Sequence[str] = ()) -> Section:
    """What a reader must know before the numbers."""
    said = list(dict.fromkeys([*scores.warnings, *more, *undefined_notes(scores)]))
    if not said:
        fine = tag("p", "No findings: all units were measured.", class_="fine")
        return section("warnings", "Know this first", fine)
    items = [tag("li", code_markup(each)) for each in said]
    shown, rest = (tag("ul", part, class_="warnings") for part in (items[:12], items[12:]))
    more = tag("details", tag("summary", f"{len(items) - 12} more"), rest)
    return section("warnings", "Know this first", shown, more if items[12:] else None)


def leaderboard_section(scores: Scores, with_letters: bool = True) -> Section:
    """Return the systems, best first by the first measure; the reader can sort by any other."""
    letters = significance_letters(scores) if with_letters else SignificanceLetters()
    head: list[Child] = [_sort_button("system", "text", "none")]
    for place, name in enumerate(scores.measures):
        results = scores.of(name)
        falling = results[0].better != "lower"
        sorted_now = "descending" if falling else "ascending"
        head.append(_sort_button(name, "number", sorted_now if place == 0 else "none", falling))
    by_key = {(each.system, each.measure): each for each in scores.results if each.slice == ALL}
    spans = {name: _span(scores.of(name)) for name in scores.measures}
    ranks = letters.ranks
    head += ["ranks"] * bool(ranks)
    rows = []
    ranked = [each.system for each in scores.best_first(scores.measures[0])]
    for system in dict.fromkeys([*ranked, *scores.systems]):
        cells: list[Child] = [system]
        for name in scores.measures:
            result = by_key.get((system, name))
            marks = letters.of.get(system) if name == scores.measures[0] else None
            # Files of scores may have been measured in different ways.
            cells.append(_value_cell(result, spans[name], marks) if result else tag("td", "–"))
        rows.append(cells + ([rank_text(*ranks.get(system, ()))] if ranks else []))
    said = [note(each) for each in interval_notes(scores)]
    if ranks:
        said.append(note(f"Ranks: interval of the rank by {scores.measures[0]}, as above."))
    if letters.of:
        shared = "Letters by the first measure: systems that share one do not differ by"
        said.append(note(f"{shared} {letters.test}."))
    said += [note(code_markup(each)) for each in letters.notes]
    shown = page_table(
        head, rows, "Leaderboard; the buttons in the head sort it", class_="sortable"
    )
    return section("leaderboard", "Leaderboard", shown, said)


def numbers_section(scores: Scores, work: Sequence[Markup] = ()) -> Section:
    """All measures of one system, with what each of them is, and the work behind some."""
    rows = []
    for each in (result for result in scores.results if result.slice == ALL):
        undefined = sum(each.undefined.values())
        rows.append(
            [
                each.measure,
                _value_cell(each, _span([each]), None),
                quantity(len(each.units), each.unit_kind)
                + (f", {undefined} undefined" * bool(undefined)),
                each.better,
                _measure_meaning(each.measure, scores.task),
            ]
        )
    head = ["measure", "value", "over", "better", "what it is"]
    said = [note(each) for each in interval_notes(scores)]
    return section("numbers", "Numbers", page_table(head, rows, "All measures"), said, work)


def conventions_section(scores: Scores) -> Section:
    """What is needed to derive the numbers again."""
    inputs = scores.conventions.get("inputs", {})
    plain = {k: v for k, v in scores.conventions.items() if k != "inputs" and v not in NO_VALUE}
    tables = [(key, plain.pop(key)) for key in list(plain) if _is_table(plain[key])]
    rows = [[key.replace("_", " "), _convention_text(value)] for key, value in plain.items()]
    digests = [[name, tag("td", tag("code", digest))] for name, digest in inputs.items()]
    return section(
        "conventions",
        "How it was measured",
        page_table(["convention", "is"], rows, "Conventions"),
        page_table(["input", "digest"], digests, "Inputs and their digests") if digests else None,
        [_counts_table(key, value) for key, value in tables],
    )


def _is_table(value: Any) -> bool:
    """Whether this is a table: something for each system."""
    return isinstance(value, Mapping) and all(isinstance(each, Mapping) for each in value.values())


def _counts_table(name: str, value: Mapping[str, Mapping[str, Any]]) -> Markup:
    """What was counted of each system; what is 0 for all is left out."""
    columns = dict.fromkeys(key for each in value.values() for key in each)
    kept = [key for key in columns if any(each.get(key) for each in value.values())]
    rows = [
        [system, *(_convention_text(each.get(key, 0)) for key in kept)]
        for system, each in value.items()
    ]
    return page_table(["system", *kept], rows, name.replace("_", " ").capitalize())


def _convention_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(
            f"{str(key).replace('_', ' ')}: {_convention_text(each)}" for key, each in value.items()
        )
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _sort_button(name: str, kind: str, now: str, falling: bool = False) -> Markup:
    arrow = tag("span", class_="arrow", aria_hidden="true")
    first = "descending" if falling else "ascending"
    button = tag("button", name, arrow, type="button", data_kind=kind, data_first=first)
    return tag("th", button, scope="col", aria_sort=now)


def _value_cell(result: Result, span: tuple[float, float], letters: str | None) -> Markup:
    bar = None if math.isnan(result.low) else _interval_bar(result, span)
    parts: list[Child] = [tag("span", number(result.value, 4), class_="value")]
    if letters:
        parts.append(tag("sup", letters, title="a shared letter: no significant difference"))
    if bar:
        interval = f"[{number(result.low, 3)}, {number(result.high, 3)}]"
        parts += [tag("span", interval, class_="interval"), bar]
    return tag("td", parts, data_value=None if math.isnan(result.value) else repr(result.value))


def _interval_bar(result: Result, span: tuple[float, float]) -> Markup:
    """The interval as a line and the value as a stroke across it."""
    low, high = span

    def stroke(x: tuple[float, float], y: tuple[int, int], color: str, width: float) -> Markup:
        """Return a line between two points."""
        places = [f"{100 * (each - low) / (high - low):.1f}" for each in x]
        ends = {"x1": places[0], "x2": places[1], "y1": y[0], "y2": y[1]}
        style = {"stroke": color, "stroke_width": width, "vector_effect": "non-scaling-stroke"}
        return tag("line", **ends, **style)

    return tag(
        "svg",
        stroke((result.low, result.high), (5, 5), "var(--accent)", 3),
        stroke((result.value, result.value), (1, 9), "var(--ink)", 2.5),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
        focusable="false",
    )


def _span(results: Sequence[Result]) -> tuple[float, float]:
    """The range over which the bars of a measure are drawn.

    One value stands between 0 and 1, or what is needed; those of several systems fill the bar, so
    that small differences are seen.
    """
    ends = [end for each in results for end in (each.low, each.high, each.value)]
    known = [each for each in ends if math.isfinite(each)] or [0.0]
    low, high = min(known), max(known)
    if len(results) == 1 or low == high:
        return min(0.0, low), max(1.0, high)
    room = 0.03 * (high - low)
    return low - room, high + room


def _measure_meaning(name: str, task: str) -> str:
    try:
        return measure_named(name, task).definition.summary
    except AssayError:  # a measure of another distribution that is not installed here
        return ""


@dataclass(frozen=True)
class SignificanceLetters:
    """Letters and ranks of each system by the first measure, the test of letters, what to know."""

    of: Mapping[str, str] = field(default_factory=dict)
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    test: str = ""
    notes: tuple[str, ...] = ()


def significance_letters(scores: Scores) -> SignificanceLetters:
    """The letters of each system; none, and why, where the systems cannot be compared."""
    if len(scores.of(scores.measures[0])) < 2:
        return SignificanceLetters()
    first, settings = scores.measures[0], scores.conventions.get("interval") or {}
    chosen = {key: settings[key] for key in ("confidence", "resamples", "seed") if key in settings}
    interval = Bootstrap(**chosen)
    try:
        found = compare(scores, first, interval=interval)  # as `assay compare` tests all pairs
    except DataError as failure:
        return SignificanceLetters(
            notes=(f"No letters, for the systems cannot be compared: {failure}",)
        )
    conventions = found.conventions
    # Ranks are those of means, over units: geometric means and clusters have none.
    clustered = str(settings.get("method", OVER_CLUSTERS)).endswith(OVER_CLUSTERS)
    by_mean = scores.of(first)[0].aggregate != "geometric" and not clustered
    ranks = found.systems.select("system", "rank_low", "rank_high").drop_nulls().iter_rows()
    tests = found.pairs["test"].unique(maintain_order=True).to_list()
    names = [conventions["test_said"] if each == conventions["test"] else each for each in tests]
    return SignificanceLetters(
        dict(found.systems.select("system", "letters").iter_rows()),
        {name: (low, high) for name, low, high in ranks} if by_mean else {},
        f"{' or '.join(names)} ({found.correction})",
        tuple(note for note in found.warnings if note not in scores.warnings),
    )
