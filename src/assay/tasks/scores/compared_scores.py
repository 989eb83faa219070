"""Scores as they are given to a comparison: with columns named by options, or without a measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.core.errors import UsageError
from assay.core.names import measure_text
from assay.engine.measured_names import TABLE
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.formats.arrays import is_array
from assay.statistics.paired.folds import FOLD_TESTS
from assay.tasks.inputs.array_columns import is_measure, is_one_measure
from assay.tasks.scores.read_scores import ScoreColumns, read_scores
from assay.tasks.scores.score_tables import direction

UNNAMED = (("score",), ("value",))
"""The measures of folds from ``cross_val_score``, which does not keep the name, and of tables with
a column for each system."""


def read_compared(given: Any, measures: Any, columns: ScoreColumns) -> Scores:
    """Return the scores to compare; one measure may name those of which the input has no name."""
    if not isinstance(given, Scores):
        _check_systems(given, measures)
    _refuse_runs(measures)
    found = read_scores(given, None if columns == ScoreColumns() else columns)
    if found.task != TABLE or found.measures not in UNNAMED or not is_one_measure(measures):
        return found
    measures = measure_text(measures)
    if measures in found.measures or not is_measure(measures):
        return found
    if found.measures == ("score",):  # of which more is better, as scikit-learn negates losses
        named = tuple(replace(each, measure=measures) for each in found.results)
        return replace(found, results=named, warnings=())
    better = direction(measures)
    named = tuple(replace(each, measure=measures, better=better) for each in found.results)
    return replace(found, results=named)


def _check_systems(given: Any, measures: Any) -> None:
    """Raise an error where one system is given, or a second one in place of the measures."""
    if _is_system(measures):
        raise UsageError(
            "the second argument names measures; give several systems as a dict, such as"
            ' assay.compare({"one": …, "other": …})'
        )
    if is_array(given) and not isinstance(given, list | tuple):
        raise UsageError(
            "an array has the scores of one system; give a dict of several, such as"
            ' {"one": cross_val_score(…), "other": cross_val_score(…)}'
        )


def _refuse_runs(measures: Any) -> None:
    """Raise an error where judgments and runs are compared: they are evaluated first."""
    listed = measures if isinstance(measures, list | tuple) else [measures]
    if any(isinstance(each, str | Path) and Path(each).is_file() for each in listed):
        raise UsageError(
            "measures are expected after the scores, not runs: evaluate first, as in"
            " assay.compare(assay.retrieval(qrels, runs), baseline=name)"
        )


def _is_system(given: Any) -> bool:
    """Return whether this holds values, rather than names of measures."""
    if isinstance(given, Scores | Mapping) or hasattr(given, "cv_results_"):
        return True
    numbers = isinstance(given, list | tuple) and all(isinstance(n, int | float) for n in given)
    return bool(given) if numbers else is_array(given) and not isinstance(given, list | tuple)


POOLED_ITEMS = (
    "the items of all folds are taken as if they were independent, which is too optimistic: their"
    " models share training items"
)


def pooled_items_notes(scores: Scores) -> list[str]:
    """Return a note where scores of a cross-validation are judged by its pooled items."""
    folds = any(each.unit_kind == "fold" and each.slice != ALL for each in scores.results)
    return [POOLED_ITEMS] if folds else []


def select_folds(scores: Scores, test: str | None, sliced: bool) -> Scores:
    """Return only the folds of a cross-validation, or only the items for slices and other tests.

    The models of different folds share training items, for which tests over items do not allow.
    """
    if sliced and test in FOLD_TESTS:
        raise UsageError(
            f"the test {test} is of folds, and `by` compares slices of items: leave one of them out"
        )
    if not sliced and (test is None or test in FOLD_TESTS):
        folds = [each for each in scores.results if each.unit_kind == "fold"]
        return replace(
            scores, results=tuple(replace(each, slice=ALL) for each in folds), evidence={}
        )
    note = f"{POOLED_ITEMS}; without `test` and `by` the folds are compared"
    items = tuple(each for each in scores.results if each.unit_kind != "fold")
    return replace(scores, results=items, warnings=(*scores.warnings, note))
