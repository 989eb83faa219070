"""Slices: a row for each, with counts and intervals, and the largest gaps between them."""

from __future__ import annotations

import math

from assay.engine.scores import Result, Scores
from assay.reports.text.table_text import UNBOUNDED, Rows, align_columns, number


def slice_rows(scores: Scores, digits: int) -> Rows:
    """A row for each system and slice, a column for each measure with its interval."""
    counts = scores.conventions.get("slices", {})
    several = len(scores.systems) > 1
    rows = [["system"] * several + ["slice", "items", *scores.measures]]
    by_key = {(each.system, each.slice, each.measure): each for each in scores.results}
    for system in scores.systems:
        for name in scores.slices:
            cells = [_cell(by_key[system, name, measure], digits) for measure in scores.measures]
            rows.append([system] * several + [name, str(counts.get(name, "")), *cells])
    return rows


def gap_rows(scores: Scores, digits: int) -> Rows:
    """For each measure the slices between which it differs most, widest gap first."""
    found: list[tuple[float, list[str]]] = []
    several = len(scores.systems) > 1
    for system in scores.systems:
        for measure in scores.measures:
            own = [
                each
                for each in scores.results
                if (each.system, each.measure) == (system, measure)
                and each.slice in scores.slices
                and not math.isnan(each.value)
            ]
            for column in dict.fromkeys(_columns(each.slice) for each in own):
                alike = [each for each in own if _columns(each.slice) == column]
                if len(alike) > 1:
                    gap, row = _gap(measure, alike, digits)
                    found.append((gap, [system] * several + row))
    found.sort(key=lambda pair: -pair[0])
    head = ["system"] * several + ["measure", "gap", "lowest", "", "highest", ""]
    return [head, *(row for _, row in found)]


def _gap(measure: str, results: list[Result], digits: int) -> tuple[float, list[str]]:
    low = min(results, key=lambda each: each.value)
    high = max(results, key=lambda each: each.value)
    gap = high.value - low.value
    ends = [part for each in (low, high) for part in (each.slice, number(each.value, digits))]
    # Intervals that touch say that the gap may be chance.
    sure = " (intervals overlap)" if low.high >= high.low else ""
    return gap, [measure, number(gap, digits), *ends[:3], ends[3] + sure]


def _columns(slice_name: str) -> tuple[str, ...]:
    return tuple(part.partition("=")[0] for part in slice_name.split(", "))


def _cell(result: Result, digits: int) -> str:
    value = number(result.value, digits)
    if math.isnan(result.low):
        return value
    return f"{value} [{number(result.low, 2)}, {number(result.high, 2)}]"


def slices_text(scores: Scores, digits: int, width: int = UNBOUNDED) -> str:
    """The table of slices and that of the largest gaps."""
    names = 2 if len(scores.systems) > 1 else 1
    parts = [align_columns(slice_rows(scores, digits), width=width, names=names)]
    gaps = gap_rows(scores, digits)
    if len(gaps) > 1:
        parts.append("largest gaps\n" + align_columns(gaps, "  ", width, names))
    return "\n\n".join(parts)
