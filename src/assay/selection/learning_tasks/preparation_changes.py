"""The change in a measure by preparation, tested over the folds, for all items and by slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.phrases import list_phrase
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.selection.learning_tasks.item_table import ItemTable
from assay.selection.learning_tasks.task_result import score_predictions
from assay.statistics.corrections import adjust_p_values
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.comparison.comparison import compare

UNDEFINED = "undefined in this fold"
LEAST_FOLDS = 2
"""Changes need the measure in so many folds."""


@dataclass(frozen=True)
class FoldTest:
    """How the folds of prepared data are compared with those of the data as it is."""

    baseline: str
    test_share: float
    """Test items by training items, for the corrected resampled t-test."""
    interval: Bootstrap


def fold_scores(
    table: ItemTable, answers: Mapping[str, Any], parts: Sequence[Any], measure: str
) -> Scores:
    """Return the value of the measure in each fold as a unit, for all items and by slice."""
    values: dict[tuple[str, str], list[float]] = {}
    better = "higher"
    for number, (_, test) in enumerate(parts):
        own = {name: each[test] for name, each in answers.items()}
        found = score_predictions(table.take(test), own, measure, interval=None)
        for each in found.results:
            better = each.better
            folds = values.setdefault((each.slice, each.system), [np.nan] * len(parts))
            folds[number] = each.value
    units = tuple(str(number + 1) for number in range(len(parts)))
    results = [
        Result(
            *(name, part, measure, units, np.array(own)),
            tuple(UNDEFINED if np.isnan(value) else None for value in own),
            *(_mean_of_defined(own), "mean", "fold", better),
        )
        for (part, name), own in values.items()
    ]
    return Scores("table", tuple(results), {})


def _mean_of_defined(values: Sequence[float]) -> float:
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else np.nan


def changes_of(
    scores: Scores, by_fold: Scores, settings: FoldTest, part: str = ALL
) -> pl.DataFrame:
    """Return a row for each preparation within a slice, the largest improvement first."""
    (measure,) = by_fold.measures
    folds = [replace(each, slice=ALL) for each in by_fold.of(measure, part)]
    pairs = compare(
        replace(by_fold, results=tuple(folds)),
        [measure],
        baseline=settings.baseline,
        test_share=settings.test_share,
        interval=settings.interval,
    ).pairs
    values = {each.system: each.value for each in scores.of(measure, part)}
    rows = pairs.select(
        pl.col("system").alias("preparation"),
        "measure",
        pl.col("system").replace_strict(values, return_dtype=pl.Float64).alias("value"),
        *("difference", "low", "high", "p"),
        pl.col("p_corrected").alias("corrected"),
        "interval",
    )
    return rows.sort("difference", descending=folds[0].better == "higher")


def changes_by_slice(
    scores: Scores, by_fold: Scores, settings: FoldTest
) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """Return the changes within each slice as a table, and a note on slices without any.

    P-values are corrected over the preparations of all slices.
    """
    tables, small = [], []
    for part in scores.slices:
        (measure,) = by_fold.measures
        defined = min(np.count_nonzero(~np.isnan(e.values)) for e in by_fold.of(measure, part))
        if defined < LEAST_FOLDS:
            small.append(part)
            continue
        own = changes_of(scores, by_fold, settings, part)
        tables.append(own.select(pl.lit(part).alias("slice"), pl.all()))
    notes = [f"no changes within {list_phrase(small)}: items in fewer than two folds"]
    if not tables:
        return {}, notes if small else []
    joined = pl.concat(tables)
    corrected = adjust_p_values(joined["p"].to_numpy(), "holm")
    table = joined.with_columns(corrected=pl.Series(corrected))
    return {"changes by slice": table}, notes if small else []
