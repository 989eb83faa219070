"""Scores as text: for a terminal, a file or another program."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.phrases import pluralize, quantity
from assay.engine.scores import ALL, Result, Scores
from assay.reports.interval_remarks import REMARKS, very_few_notes, width_notes
from assay.reports.text.system_file_notes import system_file_notes
from assay.reports.text.table_text import (
    Rows,
    align_columns,
    markdown_table,
    number,
    separated_values,
)
from assay.statistics.intervals.interval_settings import METHODS, NO_WIDTH


@dataclass(frozen=True)
class Layout:
    """How a table is written."""

    digits: int = 4
    width: int = 100
    sort: str | None = None
    per_unit: bool = False
    intervals: bool = True
    notes: bool = True
    """Whether the notes follow below; who wraps them asks for them himself."""


def leaderboard_rows(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and a column for each measure, with its interval."""
    head = [scores.task if len(scores.systems) == 1 else "system", *scores.measures]
    by_key = _unsliced_results(scores)
    rows = [
        [system, *(_cell(by_key[system, measure], layout) for measure in scores.measures)]
        for system in _sorted_systems(scores, layout.sort)
    ]
    return [head, *rows]


def listing_rows(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and measure: the form that fits any number of measures."""
    by_key = _unsliced_results(scores)
    several = len(scores.systems) > 1
    rows = [["system"] * several + ["measure", "value", "low", "high", "units", "undefined"]]
    for measure in scores.measures:
        for system in _sorted_systems(scores, layout.sort):
            one = by_key[system, measure]
            numbers = [number(each, layout.digits) for each in (one.value, one.low, one.high)]
            counts = [quantity(len(one.units), one.unit_kind), str(sum(one.undefined.values()))]
            rows.append([system] * several + [measure, *numbers, *counts])
    return rows


def _unsliced_results(scores: Scores) -> dict[tuple[str, str], Result]:
    """The results of all items; those of slices have a table of their own."""
    return {(each.system, each.measure): each for each in scores.results if each.slice == ALL}


def per_unit_rows(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and unit, a column for each measure."""
    kind = scores.results[0].unit_kind if scores.results else "unit"
    rows: Rows = [["system", kind, *scores.measures]]
    for system in scores.systems:
        whole = _unsliced_results(scores).items()
        own = {name: each.listed for (owner, name), each in whole if owner == system}
        units = dict.fromkeys(unit for each in own.values() for unit in each.units)
        places = {m: {unit: n for n, unit in enumerate(one.units)} for m, one in own.items()}
        for unit in units:
            values = [
                number(float(own[m].values[places[m][unit]]), layout.digits)
                if unit in places[m]
                else ""
                for m in scores.measures
            ]
            rows.append([system, unit, *values])
    return rows


def score_notes(scores: Scores) -> list[str]:
    """What stands below a table: how sure, and what could not be measured."""
    return [
        *positive_notes(scores),
        *system_file_notes(scores.conventions),
        *interval_notes(scores),
        *undefined_notes(scores),
    ]


def positive_notes(scores: Scores) -> list[str]:
    """Which class a yes-or-no question is about, and a doubt where its scores run the other way."""
    positive = scores.conventions.get("positive")
    if positive is None:
        return []
    decided = scores.conventions.get("decided_at")
    at = "" if decided is None else f", if the score is at or above {decided:g}"
    said = [f"positive class: '{positive}' (`positive` names another){at}"]
    found = [each for each in scores.results if each.measure == "AUC"]
    if any(each.high < 0.5 or (each.interval == NO_WIDTH and each.value < 0.5) for each in found):
        said.append(f"AUC is surely below .5: is '{positive}' the class with the higher scores?")
    return said


def interval_notes(scores: Scores) -> list[str]:
    """How the intervals were made."""
    said = []
    interval = scores.conventions.get("interval")
    if interval and "resamples" not in interval:
        said.append(f"[low, high]: {interval['confidence']:.0%} interval, {interval['method']}")
    elif interval:
        said.append(
            f"[low, high]: {interval['confidence']:.0%} interval, {interval['resamples']} bootstrap"
            f" resamples of the {_sampling_note(scores)}, seed {interval['seed']}:"
            f" {interval['method']}"
        )
    return said + ([*_few(scores), *_method_exceptions(scores, interval)] if interval else [])


_SAMPLED = ("query", "item", "fold", "unit", "group")
"""Units that are a sample: of a few of them little can be said."""


def _few(scores: Scores) -> list[str]:
    return very_few_notes(
        (each.measure, int(np.count_nonzero(~np.isnan(each.values))), each.unit_kind)
        for each in _unsliced_results(scores).values()
        if each.unit_kind in _SAMPLED and each.aggregate != "whole"
    )


def undefined_notes(scores: Scores) -> list[str]:
    """What could not be measured, and why."""
    said = []
    for each in _unsliced_results(scores).values():
        for reason, count in each.undefined.items():
            said.append(
                f"{each.system}: {each.measure} is undefined for {count} of {len(each.units)}"
                f" {pluralize(each.unit_kind)}: {reason}"
            )
    return list(dict.fromkeys(said))


def _method_exceptions(scores: Scores, interval: Mapping[str, Any]) -> list[str]:
    """The measures whose intervals were made in another way than the line above says."""
    asked = interval.get("name", "")
    usual = {asked, "", *REMARKS} | ({"wilson"} if asked == "jackknife" else set())
    said = []
    for each in scores.results:
        if each.interval == "closed form":
            said.append(f"{each.measure}: its interval is in closed form")
        elif asked and each.interval not in usual:
            way = METHODS.get(each.interval, each.interval)
            said.append(f"{each.measure}: {asked} does not apply; its interval is by {way}")
    whole = [
        (each.measure, each.system, each.interval) for each in _unsliced_results(scores).values()
    ]
    return [*dict.fromkeys(said), *width_notes(whole, len(scores.systems))]


def _sampling_note(scores: Scores) -> str:
    kinds = {each.unit_kind for each in scores.results} - {"system"}  # a cost of the whole run
    if kinds == {"group"} and all(len(each.units) > 1 for each in scores.results):
        return "groups"
    return "queries" if kinds == {"query"} else "items"


def _cell(result: Result, layout: Layout) -> str:
    value = number(result.value, layout.digits)
    if not layout.intervals or math.isnan(result.low):
        return value
    short = max(layout.digits - 1, 1)
    return (
        f"{value} [{_strip_leading_zero(result.low, short)},"
        f" {_strip_leading_zero(result.high, short)}]"
    )


def _strip_leading_zero(value: float, digits: int) -> str:
    """A number without the 0 before its point, which leaves room for another column."""
    return number(value, digits).replace("0.", ".", 1) if abs(value) < 1 else number(value, digits)


def _sorted_systems(scores: Scores, sort: str | None) -> list[str]:
    """Best first by the named measure, or as they were given."""
    if sort is None or sort == "given":
        return list(scores.systems)
    if sort == "name":
        return sorted(scores.systems)
    found = scores.of(sort)
    falling = found[0].better != "lower"
    ordered = sorted(
        found, key=lambda one: (math.isnan(one.value), -one.value if falling else one.value)
    )
    return [one.system for one in ordered]


def scores_terminal(scores: Scores, layout: Layout) -> str:
    """The table that fits the terminal, and the notes below it."""
    if layout.per_unit:
        return align_columns(per_unit_rows(scores, layout), width=layout.width, names=2)
    table = align_columns(leaderboard_rows(scores, layout))
    if max(map(len, table.splitlines())) > layout.width or len(scores.systems) == 1:
        table = align_columns(listing_rows(scores, layout))
    if not layout.notes:
        return table
    return "\n".join([table, "", *score_notes(scores)])


def document_rows(scores: Scores, layout: Layout) -> Rows:
    """The rows for a page or a paper: those of slices too, named in a column of their own."""
    make = per_unit_rows if layout.per_unit else leaderboard_rows
    if not scores.slices:
        return make(scores, layout)
    rows: Rows = []
    for name in (ALL, *scores.slices):
        own = tuple(replace(each, slice=ALL) for each in scores.results if each.slice == name)
        head, *body = make(replace(scores, results=own), layout)
        rows = rows or [[head[0], "slice", *head[1:]]]
        rows += [[system, name, *cells] for system, *cells in body]
    return rows


def scores_json(scores: Scores, layout: Layout) -> str:
    """Everything, at full precision."""
    return scores.to_json()


def scores_markdown(scores: Scores, layout: Layout) -> str:
    """A Markdown table."""
    return markdown_table(document_rows(scores, layout))


def scores_csv(scores: Scores, layout: Layout) -> str:
    """All fields of the summary (or of the units) at full precision, a header line first."""
    return separated_values(scores.per_unit() if layout.per_unit else scores.summary(), ",")


def scores_tsv(scores: Scores, layout: Layout) -> str:
    """The same between tabs."""
    return separated_values(scores.per_unit() if layout.per_unit else scores.summary(), "\t")


def scores_trec(scores: Scores, layout: Layout) -> str:
    """Lines of measure, unit and value between tabs, as trec_eval prints them; ``all`` last.

    A slice stands where ``all`` does, under its name.
    """
    lines = []
    for system in scores.systems:
        own = [each for each in scores.results if each.system == system]
        if layout.per_unit:
            lines += [
                f"{each.measure:<22}\t{unit}\t{number(float(value), layout.digits)}"
                for each in own
                if each.slice == ALL
                for unit, value in zip(each.units, each.values, strict=True)
            ]
        lines.append(f"{'runid':<22}\t{ALL}\t{system}")
        lines += [
            f"{each.measure:<22}\t{each.slice}\t{number(each.value, layout.digits)}" for each in own
        ]
    return "\n".join(lines)
