"""Error of a trained ranker against the number of its training queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.core.names import measure as measure_named
from assay.formats.containers import to_judgments
from assay.selection.curves.fold_errors import error_row
from assay.selection.curves.learning_curve import (
    SHARES,
    LearningCurve,
    describe_law,
    fit_power_law,
    read_sizes,
)
from assay.tasks.evidence import Progress
from assay.tasks.retrieval.retrieval import retrieval


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
    found = measure_named(measure, "retrieval")
    facts = found.definition
    if (facts.better, facts.bounds, facts.aggregate) != ("higher", (0, 1), "mean"):
        raise UsageError(
            f"{found.name} is not a mean between 0 and 1 of which more is better: use another"
        )
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
    most = min(len(rows) for rows, _ in parts)
    shares = [max(int(share * most), 2) for share in SHARES]
    asked = read_sizes(shares if sizes is None else sizes, most)
    rows: list[tuple[Any, ...]] = []
    means = []
    for size in asked:
        progress(f"{size} queries")
        errors = np.array(
            [
                _errors(train, qrels, found.name, queries, trained[:size], tested)
                for trained, tested in parts
            ]
        )
        share = float(np.mean([len(tested) / size for _, tested in parts]))
        for place, part in enumerate(("train", "validation")):
            rows.append((size, part, *error_row(errors[:, place], share, "0-1")))
        means.append(float(errors[:, 1].mean()))
    law = fit_power_law(np.array(asked, dtype=np.float64), np.array(means))
    table = pl.DataFrame(rows, schema=["size", "part", "error", "low", "high"], orient="row")
    notes = describe_law(law, asked[-1], means[-1], "queries")
    return LearningCurve(table, law, f"1 - {found.name}", tuple(notes))


def _errors(
    train: Callable[[list[str]], Any],
    qrels: Any,
    measure: str,
    queries: Sequence[str],
    trained: Any,
    tested: Any,
) -> Floats:
    """Return the mean error on the training queries and on the others."""
    learned = [queries[place] for place in trained]
    others = {queries[place] for place in tested}
    scores = retrieval(qrels, {"ranker": train(list(learned))}, [measure], interval=None)
    values = dict(zip(scores.results[0].units, scores.results[0].values.tolist(), strict=True))
    chosen = ([values[q] for q in values if q in part] for part in (set(learned), others))
    return np.array([1 - float(np.nanmean(each)) if each else np.nan for each in chosen])
