"""What all tables of scores share: the order of the systems, and a value with its interval."""

from __future__ import annotations

import math

from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.reports.text.result_text import Layout
from assay.reports.text.table_text import number


def score_cell(result: Result | None, layout: Layout) -> str:
    """Return a value with its interval; a dash if it was not measured."""
    if result is None:
        return "–"
    value = number(result.value, layout.digits)
    if layout.intervals is False or math.isnan(result.low):
        return value
    digits = layout.digits - 1 if layout.digits > 2 else layout.digits
    ends = [number(each, digits) for each in (result.low, result.high)]
    # Without the 0 before the point there is room for another column.
    low, high = (end.replace("0.", ".", 1) if end.lstrip("-")[0] == "0" else end for end in ends)
    return f"{value} [{low}, {high}]"


def ranking_measure(scores: Scores, sort: str | None = None) -> str:
    """Return the measure that orders the systems, the first by default."""
    return scores.measures[0] if sort in (None, "name", "given") else scores.find_measure(sort)


def sorted_systems(scores: Scores, sort: str | None) -> list[str]:
    """Best first by the named measure, the first by default; or by name, or as they were given."""
    if sort == "given" or not scores.measures:
        return list(scores.systems)
    if sort == "name":
        return sorted(scores.systems)
    found = scores.of(ranking_measure(scores, sort))
    sign = 1 if found[0].better == "lower" else -1
    ordered = sorted(found, key=lambda one: (math.isnan(one.value), sign * one.value))
    return list(dict.fromkeys([*(one.system for one in ordered), *scores.systems]))
