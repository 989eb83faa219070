"""Error of a ranker against the number of its training queries, or against a parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.core.names import measure as measure_named
from assay.core.progress import with_progress
from assay.formats.containers import to_judgments
from assay.selection.curves.capacity_curve import CapacityCurve, choose_capacity
from assay.selection.curves.fold_errors import FoldErrors, error_row
from assay.selection.curves.learning_curve import (
    SHARES,
    LearningCurve,
    describe_law,
    fit_power_law,
    read_sizes,
)
from assay.selection.learning.training_data import Rows
from assay.tasks.evidence import Progress
from assay.tasks.retrieval.retrieval import retrieval


@with_progress
def ranker_curve(
    train: Callable[[list[str]], Any],
    qrels: Any,
    measure: str = "nDCG@10",
    *,
    sizes: Sequence[float] | None = None,
    folds: int = 5,
    seed: int = 1,
    progress: Progress = lambda text: None,
) -> LearningCurve:
    """Return the error, 1 - measure, of a ranker trained on more and more queries.

    ``train`` takes the training queries and returns a run of all queries. In each fold a size is
    the beginning of one random order, so that larger sets contain smaller ones.
    """
    queries, parts = _query_folds(train, qrels, folds, seed)
    name = _error_measure(measure)
    most = min(len(rows) for rows, _ in parts)
    shares = [max(int(share * most), 2) for share in SHARES]
    asked = read_sizes(shares if sizes is None else sizes, most)
    rows: list[tuple[Any, ...]] = []
    means = []
    for size in asked:
        progress(f"{size} queries")
        cut = [(trained[:size], tested) for trained, tested in parts]
        errors = _fold_errors(train, qrels, name, queries, cut)
        rows += _error_rows(size, errors, cut)
        means.append(float(errors.validation.mean()))
    law = fit_power_law(np.array(asked, dtype=np.float64), np.array(means))
    table = pl.DataFrame(rows, schema=["size", "part", "error", "low", "high"], orient="row")
    notes = describe_law(law, asked[-1], means[-1], "queries")
    return LearningCurve(table, law, f"1 - {name}", tuple(notes))


def ranker_capacity(
    train: Callable[[list[str], float], Any],
    qrels: Any,
    values: Sequence[float],
    measure: str = "nDCG@10",
    *,
    folds: int = 5,
    seed: int = 1,
    progress: Progress = lambda text: None,
) -> CapacityCurve:
    """Return the error, 1 - measure, of a ranker against values from the simplest on.

    ``train`` takes the training queries and a value of the parameter, and returns a run of all
    queries. Every value sees the same folds of the queries.
    """
    queries, parts = _query_folds(train, qrels, folds, seed)
    name = _error_measure(measure)
    asked = [float(value) for value in values]
    if len(set(asked)) < len(asked) or len(asked) < 2:
        raise UsageError("`values` are two or more different numbers, from the simplest on")
    rows: list[tuple[Any, ...]] = []
    errors: list[FoldErrors] = []
    for value in asked:
        progress(f"value {value:g}")

        def rank(trained: list[str], value: float = value) -> Any:
            """Return the run of the ranker with this value."""
            return train(trained, value)

        found = _fold_errors(rank, qrels, name, queries, parts)
        rows += _error_rows(value, found, parts)
        errors.append(found)
    choice = choose_capacity([f"value {value:g}" for value in asked], errors)
    return CapacityCurve(
        pl.DataFrame(rows, ["capacity", "part", "error", "low", "high"], orient="row"),
        "the ranker",
        "value",
        asked[choice.best],
        asked[choice.simplest],
        f"1 - {name}",
        tuple(choice.words),
    )


def _error_measure(measure: str) -> str:
    """Return the name of a measure whose distance from 1 is an error."""
    found = measure_named(measure, "retrieval")
    facts = found.definition
    if (facts.better, facts.bounds, facts.aggregate) != ("higher", (0, 1), "mean"):
        raise UsageError(
            f"{found.name} is not a mean between 0 and 1 of which more is better: use another"
        )
    return found.name


def _query_folds(
    train: Any, qrels: Any, folds: int, seed: int
) -> tuple[list[str], list[tuple[Rows, Rows]]]:
    """Return the judged queries, and the numbers of those to train and to test in each fold."""
    if not callable(train):
        raise UsageError("`train` is a function of the training queries that returns a run")
    queries = to_judgments(qrels).frame["query"].unique().sort().to_list()
    if not 2 <= folds <= len(queries) // 2:
        raise UsageError(f"{folds} folds need at least {2 * folds} queries, found {len(queries)}")
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(queries))
    parts = [
        (draw.permutation(np.setdiff1d(order, tested)), tested)
        for tested in np.array_split(order, folds)
    ]
    return queries, parts


def _error_rows(
    place: float, errors: FoldErrors, parts: Sequence[tuple[Rows, Rows]]
) -> list[tuple[Any, ...]]:
    """Return the rows of a size or value: its place, the part, the error and its interval."""
    share = float(np.mean([len(tested) / len(trained) for trained, tested in parts]))
    return [
        (place, part, *error_row(getattr(errors, part), share, "0-1"))
        for part in ("train", "validation")
    ]


def _fold_errors(
    train: Callable[[list[str]], Any],
    qrels: Any,
    measure: str,
    queries: Sequence[str],
    parts: Sequence[tuple[Rows, Rows]],
) -> FoldErrors:
    """Return the mean error of each fold on the training queries and on the others."""
    found = []
    for trained, tested in parts:
        learned = [queries[place] for place in trained]
        others = {queries[place] for place in tested}
        scores = retrieval(qrels, {"ranker": train(list(learned))}, [measure], interval=None)
        values = dict(zip(scores.results[0].units, scores.results[0].values.tolist(), strict=True))
        chosen = ([values[q] for q in values if q in part] for part in (set(learned), others))
        found.append([1 - float(np.nanmean(each)) if each else np.nan for each in chosen])
    errors = np.array(found)
    return FoldErrors(errors[:, 0], errors[:, 1])
