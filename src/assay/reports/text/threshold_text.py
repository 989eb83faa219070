"""Chosen thresholds and the threshold table, as text."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import polars as pl

from assay.core.json_rows import json_rows
from assay.reports.text.result_text import ResultText, TextTable
from assay.reports.text.table_text import Rows, align_columns, number
from assay.selection.threshold_goals import ThresholdChoice
from assay.selection.thresholds import Thresholds

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


def evaluated_rows(found: pl.DataFrame, digits: int) -> Rows:
    """A row for each goal and rate: where it was chosen, and on the other items."""
    rows = [["goal", "measure", "chosen_on", "value", "low", "high"]]
    for goal, _, name, *numbers in found.iter_rows():
        rows.append([goal, name, *(number(value, digits) for value in numbers)])
    return rows


def threshold_notes(found: Thresholds) -> list[str]:
    """The rule, what each goal means, ties, and goals that cannot be met."""
    said = [f"positive: '{found.positive}', if the score is {found.rule} the threshold"]
    for each in found.chosen:
        said.append(f"{each.goal}: {each.meaning}" + _ties(each))
        if each.reason:
            said.append(f"{each.goal}: undefined: {each.reason}")
    if any(not math.isnan(each.low) for each in found.chosen):
        said.append("[low, high] of a threshold: where it lies in resamples of the items")
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


class ThresholdsText(ResultText):
    """Thresholds in all output formats; the whole table with ``show="table"``."""

    result: Thresholds

    @property
    def whole(self) -> bool:
        """Whether the whole table was requested."""
        return self.layout.show == "table"

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the chosen thresholds, or the whole table."""
        found = self.result
        frames = {"thresholds": found.table if self.whole else found.to_polars().drop("ties")}
        return frames if found.evaluated is None else frames | {"evaluated": found.evaluated}

    def tables(self) -> list[TextTable]:
        """Return the chosen thresholds with their rates, or the whole table."""
        if self.whole:
            return super().tables()
        chosen = TextTable(threshold_rows(self.result, self.layout.digits))
        if self.result.evaluated is None:
            return [chosen]
        evaluated = evaluated_rows(self.result.evaluated, self.layout.digits)
        return [
            replace(chosen, title="chosen"),
            TextTable(evaluated, "on the other items: value [low, high]", 2),
        ]

    def notes(self) -> list[str]:
        """Return the rule, the goals, and the goals that cannot be met."""
        return threshold_notes(self.result)

    def table(self) -> str:
        """Return the chosen thresholds and the notes, below the whole table if requested."""
        if not self.whole:
            return super().table()
        first = align_columns(self.tables()[0].rows, width=self.layout.width)
        return f"{first}\n\n{ThresholdsText(self.result, replace(self.layout, show='')).table()}"

    def json(self) -> str:
        """Return everything at full precision."""
        found = self.result
        content = {
            "chosen": json_rows(found.to_polars()),
            "positive": found.positive,
            "rule": found.rule,
            "warnings": list(found.warnings),
        }
        if found.evaluated is not None:
            content["evaluated"] = json_rows(found.evaluated)
        if self.whole:
            content["table"] = json_rows(found.table)
        return json.dumps(content, indent=1, ensure_ascii=False)
