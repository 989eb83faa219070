"""Chosen thresholds and the threshold table, as text."""

from __future__ import annotations

import json
import math

import polars as pl

from assay.core.json_rows import json_rows
from assay.reports.text.score_tables import Layout
from assay.reports.text.table_text import (
    FrameLayout,
    Rows,
    align_columns,
    markdown_table,
    number,
    separated_values,
)
from assay.selection.thresholds import ThresholdChoice, Thresholds

COUNTS = ("TP", "FP", "FN", "TN")
RATES = ("TPR", "FPR", "PPV", "NPV", "ACC", "F")
TIES_SHOWN = 5


def threshold_rows(found: Thresholds, digits: int) -> Rows:
    """A row for each goal: its threshold with an interval, its value, and the rates there."""
    rows = [["goal", "threshold", "low", "high", "value", *COUNTS, *RATES]]
    for each in found.chosen:
        numbers = [_threshold(value, digits) for value in (each.threshold, each.low, each.high)]
        counts = [_count(each.rates.get(name, math.nan)) for name in COUNTS]
        rates = [number(each.rates.get(name, math.nan), digits) for name in RATES]
        rows.append([each.goal, *numbers, number(each.value, digits), *counts, *rates])
    return rows


def threshold_notes(found: Thresholds) -> list[str]:
    """The rule, what each goal means, ties, and goals that cannot be met."""
    said = [f"positive: '{found.positive}', if the score is {found.rule} the threshold"]
    for each in found.chosen:
        said.append(f"{each.goal}: {each.meaning}" + _ties(each))
        if each.reason:
            said.append(f"{each.goal}: undefined: {each.reason}")
    if any(not math.isnan(each.low) for each in found.chosen):
        said.append("[low, high]: where the chosen threshold lies in resamples of the items")
    return said


def _ties(choice: ThresholdChoice) -> str:
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


def thresholds_terminal(found: Thresholds, whole: bool, layout: Layout) -> str:
    """The chosen thresholds and the notes; the whole table before them if asked for."""
    parts = []
    if whole:
        parts += [
            align_columns(FrameLayout(found.table, layout.digits).rows(), width=layout.width),
            "",
        ]
    chosen = align_columns(threshold_rows(found, layout.digits), width=layout.width)
    return "\n".join([*parts, chosen, "", *threshold_notes(found)])


def thresholds_json(found: Thresholds, whole: bool, layout: Layout) -> str:
    """Everything at full precision; undefined is null."""
    content = {
        "chosen": json_rows(found.to_polars()),
        "positive": found.positive,
        "rule": found.rule,
        "warnings": list(found.warnings),
    }
    if whole:
        content["table"] = json_rows(found.table)
    return json.dumps(content, indent=1, ensure_ascii=False)


def thresholds_csv(found: Thresholds, whole: bool, layout: Layout) -> str:
    """The chosen thresholds, or the whole table if asked for."""
    return separated_values(_requested_rows(found, whole), ",")


def thresholds_tsv(found: Thresholds, whole: bool, layout: Layout) -> str:
    """The same between tabs."""
    return separated_values(_requested_rows(found, whole), "\t")


def thresholds_markdown(found: Thresholds, whole: bool, layout: Layout) -> str:
    """The chosen thresholds with their rates, or the whole table, as Markdown."""
    digits = layout.digits
    rows = FrameLayout(found.table, digits).rows() if whole else threshold_rows(found, digits)
    return markdown_table(rows)


def _requested_rows(found: Thresholds, whole: bool) -> pl.DataFrame:
    return found.table if whole else found.to_polars().drop("ties")
