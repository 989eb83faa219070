"""Chosen thresholds and the threshold table, as text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import polars as pl

from assay.reports.tables import Rows, frame_rows, number, text
from assay.selection.thresholds import Choice, Thresholds

COUNTS = ("TP", "FP", "FN", "TN")
RATES = ("TPR", "FPR", "PPV", "NPV", "ACC", "F")
TIES_SHOWN = 5


def chosen_rows(found: Thresholds, digits: int) -> Rows:
    """A row for each goal: its threshold with an interval, its value, and the rates there."""
    rows = [["goal", "threshold", "low", "high", "value", *COUNTS, *RATES]]
    for each in found.chosen:
        numbers = [_threshold(value, digits) for value in (each.threshold, each.low, each.high)]
        counts = [_count(each.rates.get(name, math.nan)) for name in COUNTS]
        rates = [number(each.rates.get(name, math.nan), digits) for name in RATES]
        rows.append([each.goal, *numbers, number(each.value, digits), *counts, *rates])
    return rows


def notes(found: Thresholds) -> list[str]:
    """The rule, what each goal means, ties, and goals that cannot be met."""
    said = [f"positive: '{found.positive}', if the score is {found.rule} the threshold"]
    for each in found.chosen:
        said.append(f"{each.goal}: {each.meaning}" + _ties(each))
        if each.reason:
            said.append(f"{each.goal}: undefined: {each.reason}")
    if any(not math.isnan(each.low) for each in found.chosen):
        said.append("[low, high]: where the chosen threshold lies in resamples of the items")
    return said


def _ties(choice: Choice) -> str:
    if len(choice.ties) < 2:
        return ""
    shown = ", ".join(f"{value:g}" for value in choice.ties[:TIES_SHOWN])
    more = f" and {len(choice.ties) - TIES_SHOWN} more" if len(choice.ties) > TIES_SHOWN else ""
    return f"; a tie of {shown}{more}, of which the highest is shown"


def _threshold(value: float, digits: int) -> str:
    if math.isinf(value):
        return "∞ (none)" if value > 0 else "-∞ (all)"
    return number(value, digits)


def _count(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:g}"


def terminal(found: Thresholds, whole: bool, digits: int) -> str:
    """The chosen thresholds and the notes; the whole table before them if asked for."""
    parts = []
    if whole:
        frame = found.table
        parts += [text(frame_rows(frame.columns, list(frame.iter_rows()), digits)), ""]
    return "\n".join([*parts, text(chosen_rows(found, digits)), "", *notes(found)])


def as_json(found: Thresholds, whole: bool, digits: int) -> str:
    """Everything at full precision; undefined is null."""
    content = {
        "chosen": _plain(found.to_polars()),
        "positive": found.positive,
        "rule": found.rule,
        "warnings": list(found.warnings),
    }
    if whole:
        content["table"] = _plain(found.table)
    return json.dumps(content, indent=1, ensure_ascii=False)


def as_csv(found: Thresholds, whole: bool, digits: int) -> str:
    """The chosen thresholds, or the whole table if asked for."""
    frame = found.table if whole else found.to_polars().drop("ties")
    return frame.write_csv().rstrip("\n")


def _plain(frame: pl.DataFrame) -> list[dict[str, object]]:
    floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    return [
        {key: _finite(value) for key, value in row.items()}
        for row in frame.with_columns(pl.col(floats).fill_nan(None)).to_dicts()
    ]


def _finite(value: object) -> object:
    """JSON has no infinity: it is a word."""
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return [_finite(each) for each in value] if isinstance(value, list) else value


WRITERS: dict[str, Callable[[Thresholds, bool, int], str]] = {
    "table": terminal,
    "json": as_json,
    "csv": as_csv,
}
