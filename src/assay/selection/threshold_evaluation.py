"""Thresholds chosen on one table and evaluated on another, with intervals there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.definition import Definition, define
from assay.core.printable import logger_name
from assay.evidence.views.confusion import Confusion
from assay.measures.scores.curves import Outcomes, Rule
from assay.selection.threshold_goals import Goal, ThresholdChoice
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.inputs.array_columns import read_arrays

RATES = ("TPR", "FPR", "TNR", "PPV", "NPV", "ACC", "F", "Youden")
VALUE = "value"
"""The name of what a goal seeks, such as its cost, among the rates."""
EMPTY = {
    "goal": pl.String,
    "threshold": pl.Float64,
    "measure": pl.String,
    "chosen_on": pl.Float64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def evaluate_thresholds(
    data: Any,
    columns: ClassificationColumns,
    chosen: Iterable[tuple[Goal, ThresholdChoice]],
    rule: Rule,
    interval: Bootstrap | None,
) -> pl.DataFrame:
    """Return the value of each goal and the rates at its threshold on new items: a row for each."""
    table, named = read_arrays(data, columns)
    if isinstance(named.probabilities, Mapping):  # A column for each class decides by one of them.
        score = named.probabilities[str(named.positive)]
        named = replace(named, score=str(score), probabilities=None)
    rows = []
    for goal, choice in chosen:
        threshold, before = choice.threshold, choice.rates | {VALUE: choice.value}
        if math.isnan(threshold):
            continue
        least = threshold if rule == "at or above" else float(np.nextafter(threshold, math.inf))
        evidence = ClassificationEvidence.read(table, replace(named, threshold=least))
        scores = evidence.scores([_define_value(goal), *RATES], interval=interval)
        by_name = {each.measure: each for each in scores.results}
        for name, each in by_name.items():
            # A value that is a rate has the interval of that rate, not one of its own.
            limits = by_name[goal.rate] if name == VALUE and goal.rate else each
            row = {"goal": goal.name, "threshold": threshold, "measure": name}
            numbers = {"value": each.value, "low": limits.low, "high": limits.high}
            rows.append(row | {"chosen_on": before.get(name, math.nan)} | numbers)
    return pl.DataFrame(rows, EMPTY)


def _define_value(goal: Goal) -> Definition:
    """Return what a goal seeks as a measure of decisions, which has the intervals of measures."""

    @define(
        VALUE,
        better="neither",
        bounds=(-math.inf, math.inf),
        unit="class",
        undefined="the goal has no value on these items",
    )
    def value(confusion: Confusion) -> Floats:
        """Return the value of the goal, as a user knows it."""
        tp, fp = confusion.tp, confusion.fp
        at = Outcomes(tp, fp, tp + confusion.fn, fp + confusion.tn)
        return np.asarray(goal.shown(goal.value(at)), dtype=np.float64)

    return value


def evaluated_numbers(evaluated: pl.DataFrame, exact: bool = False) -> dict[str, float]:
    """Return the numbers on the other items by name, such as ``youden/evaluated/TPR``.

    The ends of intervals are ``youden/evaluated/TPR_low`` and ``…_high``.
    """
    found = {}
    for row in evaluated.iter_rows(named=True):
        name = f"{row['goal']}/evaluated/{row['measure']}"
        for key, end in ((name, VALUE), (f"{name}_low", "low"), (f"{name}_high", "high")):
            if not math.isnan(row[end]):
                found[key if exact else logger_name(key)] = float(row[end])
    return found
