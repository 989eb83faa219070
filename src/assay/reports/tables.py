"""Scores as text: for a terminal, a file or another program."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.engine.scores import ALL, Result, Scores
from assay.statistics.bootstrap import METHODS

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Layout:
    """How a table is written."""

    digits: int = 4
    width: int = 100
    sort: str | None = None
    per_unit: bool = False
    intervals: bool = True


Rows = list[list[str]]


def number(value: float, digits: int) -> str:
    """A number with that many digits after the point; a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def leaderboard(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and a column for each measure, with its interval."""
    head = [scores.task if len(scores.systems) == 1 else "system", *scores.measures]
    by_key = _whole(scores)
    rows = [
        [system, *(_cell(by_key[system, measure], layout) for measure in scores.measures)]
        for system in _sorted_systems(scores, layout.sort)
    ]
    return [head, *rows]


def listing(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and measure: the form that fits any number of measures."""
    by_key = _whole(scores)
    several = len(scores.systems) > 1
    rows = [["system"] * several + ["measure", "value", "low", "high", "units", "undefined"]]
    for measure in scores.measures:
        for system in _sorted_systems(scores, layout.sort):
            one = by_key[system, measure]
            numbers = [number(each, layout.digits) for each in (one.value, one.low, one.high)]
            counts = [f"{len(one.units)} {one.unit_kind}", str(sum(one.undefined.values()))]
            rows.append([system] * several + [measure, *numbers, *counts])
    return rows


def _whole(scores: Scores) -> dict[tuple[str, str], Result]:
    """The results of all items; those of slices have a table of their own."""
    return {(each.system, each.measure): each for each in scores.results if each.slice == ALL}


def per_unit(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and unit, a column for each measure."""
    kind = scores.results[0].unit_kind if scores.results else "unit"
    rows: Rows = [["system", kind, *scores.measures]]
    for system in scores.systems:
        own = {name: each for (owner, name), each in _whole(scores).items() if owner == system}
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


def notes(scores: Scores) -> list[str]:
    """What stands below a table: how sure, and what could not be measured."""
    return [*interval_notes(scores), *undefined_notes(scores)]


def interval_notes(scores: Scores) -> list[str]:
    """How the intervals were made."""
    said = []
    interval = scores.conventions.get("interval")
    if interval and "resamples" not in interval:
        said.append(f"[low, high]: {interval['confidence']:.0%} interval, {interval['method']}")
    elif interval:
        said.append(
            f"[low, high]: {interval['confidence']:.0%} interval, {interval['resamples']} bootstrap"
            f" resamples of the {_sampled(scores)}, seed {interval['seed']}: {interval['method']}"
        )
    return said + (_exceptions(scores, interval) if interval else [])


def undefined_notes(scores: Scores) -> list[str]:
    """What could not be measured, and why."""
    said = []
    for each in _whole(scores).values():
        for reason, count in each.undefined.items():
            said.append(
                f"{each.system}: {each.measure} is undefined for {count} of {len(each.units)}"
                f" {plural(each.unit_kind)}: {reason}"
            )
    return list(dict.fromkeys(said))


def _exceptions(scores: Scores, interval: Mapping[str, Any]) -> list[str]:
    """The measures whose intervals were made in another way than the line above says."""
    asked = interval.get("name", "")
    usual = {asked, ""} | ({"wilson"} if asked == "jackknife" else set())
    said = []
    for each in scores.results:
        if each.interval == "closed form":
            said.append(f"{each.measure}: its interval is in closed form")
        elif asked and each.interval not in usual:
            way = METHODS.get(each.interval, each.interval)
            said.append(f"{each.measure}: {asked} does not apply; its interval is by {way}")
    return list(dict.fromkeys(said))


def _sampled(scores: Scores) -> str:
    kinds = {each.unit_kind for each in scores.results}
    return "queries" if kinds == {"query"} else "items"


def plural(kind: str) -> str:
    """The name of several units."""
    return {"query": "queries", "class": "classes"}.get(kind, f"{kind}s")


def _cell(result: Result, layout: Layout) -> str:
    value = number(result.value, layout.digits)
    if not layout.intervals or math.isnan(result.low):
        return value
    short = max(layout.digits - 1, 1)
    return f"{value} [{_bare(result.low, short)}, {_bare(result.high, short)}]"


def _bare(value: float, digits: int) -> str:
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


def text(rows: Rows, indent: str = "") -> str:
    """Columns parted by blanks, names to the left and numbers to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    numeric = [all(_is_number(row[n]) for row in rows[1:]) for n in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    return cell == "–" or cell.lstrip("-")[:1].isdigit() or cell == ""


def terminal(scores: Scores, layout: Layout) -> str:
    """The table that fits the terminal, and the notes below it."""
    if layout.per_unit:
        return text(per_unit(scores, layout))
    table = text(leaderboard(scores, layout))
    if max(map(len, table.splitlines())) > layout.width or len(scores.systems) == 1:
        table = text(listing(scores, layout))
    return "\n".join([table, "", *notes(scores)])


def markdown(scores: Scores, layout: Layout) -> str:
    """A Markdown table."""
    head, *rows = per_unit(scores, layout) if layout.per_unit else leaderboard(scores, layout)
    escaped = [
        [cell.replace("|", "\\|") for cell in row] for row in [head, ["---"] * len(head), *rows]
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in escaped)


def separated(scores: Scores, layout: Layout, separator: str) -> str:
    """All fields of the summary (or of the units) at full precision, a header line first."""
    frame = scores.per_unit() if layout.per_unit else scores.summary()
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.iter_rows():
        writer.writerow(["" if cell is None or cell != cell else cell for cell in row])
    return out.getvalue().rstrip("\n")


def trec(scores: Scores, layout: Layout) -> str:
    """Lines of measure, unit and value between tabs, as trec_eval prints them; ``all`` last."""
    lines = []
    for system in scores.systems:
        own = [each for each in scores.results if each.system == system]
        if layout.per_unit:
            lines += [
                f"{each.measure:<22}\t{unit}\t{number(float(value), layout.digits)}"
                for each in own
                for unit, value in zip(each.units, each.values, strict=True)
            ]
        lines.append(f"{'runid':<22}\tall\t{system}")
        lines += [f"{each.measure:<22}\tall\t{number(each.value, layout.digits)}" for each in own]
    return "\n".join(lines)


def frame_as(frame: pl.DataFrame, form: str, digits: int) -> str:
    """A table that is not Scores, in any of the formats; rounded only where it is for the eye."""
    rows = list(frame.iter_rows())
    if form == "json":
        return json.dumps(frame.fill_nan(None).to_dicts(), indent=1, ensure_ascii=False)
    if form == "markdown":
        head, *body = frame_rows(frame.columns, rows, digits)
        lines = [head, ["---"] * len(head), *body]
        return "\n".join(f"| {' | '.join(row)} |" for row in lines)
    if form in ("csv", "tsv"):
        separator = "," if form == "csv" else "\t"
        return frame.fill_nan(None).write_csv(separator=separator).rstrip("\n")
    return text(frame_rows(frame.columns, rows, digits))


def frame_rows(names: Sequence[str], rows: Sequence[Sequence[object]], digits: int) -> Rows:
    """Any small table as rows of text."""
    return [list(names), *([_show(cell, digits) for cell in row] for row in rows)]


def _show(cell: object, digits: int) -> str:
    if cell is None:
        return "?"
    if isinstance(cell, float):
        return f"{cell:g}" if cell.is_integer() else number(cell, digits)
    return str(cell)
