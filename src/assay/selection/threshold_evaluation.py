"""Thresholds chosen on one table and evaluated on another, with intervals there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.measures.scores.curves import Rule
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.inputs.array_columns import read_arrays

RATES = ("TPR", "FPR", "TNR", "PPV", "NPV", "ACC", "F", "Youden")
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
    chosen: Sequence[tuple[str, float, Mapping[str, float]]],
    rule: Rule,
    interval: Bootstrap | None,
) -> pl.DataFrame:
    """Return the rates of each chosen threshold on new items: a row for each goal and rate.

    ``chosen`` has the goal, the threshold and the rates on the items it was chosen on.
    """
    table, named = read_arrays(data, columns)
    if isinstance(named.probabilities, Mapping):  # A column for each class decides by one of them.
        score = named.probabilities[str(named.positive)]
        named = replace(named, score=str(score), probabilities=None)
    rows = []
    for goal, threshold, before in chosen:
        if math.isnan(threshold):
            continue
        least = threshold if rule == "at or above" else float(np.nextafter(threshold, math.inf))
        evidence = ClassificationEvidence.read(table, replace(named, threshold=least))
        for each in evidence.scores(list(RATES), interval=interval).results:
            row = {"goal": goal, "threshold": threshold, "measure": each.measure}
            numbers = {"value": each.value, "low": each.low, "high": each.high}
            rows.append(row | {"chosen_on": before.get(each.measure, math.nan)} | numbers)
    return pl.DataFrame(rows, EMPTY)
