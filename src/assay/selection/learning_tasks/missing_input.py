"""Missing input: how good learners are when more and more of it is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, missing_column
from assay.core.phrases import quantity
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.formats.containers import to_frame
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.item_table import ItemTable, Reading, read_item_table
from assay.selection.learning_tasks.missing_learners import LEARNERS, hide, unknown_feature
from assay.selection.learning_tasks.task_result import (
    TaskResult,
    choose_names,
    compare_learners,
    learning_task,
    read_shares,
    score_predictions,
    split_rows,
    summary_rows,
)
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.comparison.comparison import compare
from assay.tasks.evidence import Measures, Progress
from assay.tasks.retrieval.retrieval import retrieval

SHARES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7)
USUAL_SHARE = 0.3
"""The learners are compared at the share nearest to it."""
MOST_FEATURES = 30
"""Of more features the first are left out one by one."""
COMPLETE = "complete"


@dataclass(frozen=True, repr=False, kw_only=True)
class MissingInput(TaskResult):
    """Learners at one share of missing input, and by share and feature."""

    title: ClassVar[str] = "Missing input"

    share: float
    """The share of missing values at which the learners are compared."""
    curve: pl.DataFrame
    """A row for each share, learner and measure."""
    by_feature: pl.DataFrame
    """A row for each feature: the first learner without it, and the difference."""
    measure: str
    """The measure of the figures."""


@dataclass(frozen=True)
class _Evaluation:
    """The items to train on and to test on, and how predictions are evaluated."""

    table: ItemTable
    train: Any
    test: Any
    measures: Measures
    interval: Bootstrap | None
    queries: pl.Series | None = None

    def predict(
        self, learner: str, hidden: Floats, tested: Sequence[Floats]
    ) -> list[tuple[Any, int]]:
        """Train a learner on hidden features, and return predictions for each set of test items."""
        train = replace(self.table, features=hidden).take(self.train)
        predict = LEARNERS[learner](train)
        return [predict(features[self.test]) for features in tested]

    def scores(self, predictions: Mapping[str, Any]) -> Scores:
        """Return the scores of predictions for the test items."""
        tested = self.table.take(self.test)
        if self.queries is None:
            return score_predictions(tested, predictions, self.measures, interval=self.interval)
        queries = self.queries.gather(self.test)
        items = pl.DataFrame({"query": queries, "doc": tested.items})
        qrels = items.with_columns(grade=tested.truth.astype(np.int64))
        runs = {name: items.with_columns(score=own) for name, own in predictions.items()}
        groups = pl.DataFrame({"query": queries, **(tested.slices or {})})
        by = groups.unique(maintain_order=True) if tested.slices else None
        return retrieval(qrels, runs, self.measures or "nDCG@10 AP", by=by, interval=self.interval)


@learning_task
def missing(
    data: Any,
    target: Any,
    *,
    features: Sequence[str] | str | None = None,
    task: str | None = None,
    query: str | None = None,
    learners: Sequence[str] | str | None = None,
    shares: Sequence[float] = SHARES,
    measures: Measures = None,
    by: Any = (),
    test_share: float = 0.3,
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> MissingInput:
    """Evaluate what learners do about missing input, by the share missing and by feature.

    ``data`` is a table with the column ``target``, or an array of features with an array of
    targets; features may be missing already. Classes have naive Bayes, numbers a linear model, and
    with the column ``query`` the target is a grade by whose prediction documents are ranked.
    ``learners`` are integrate, impute-mean, impute-neighbors and drop. Values are hidden at random,
    in training and test items alike; a larger share hides the same values and more.
    """
    require_sklearn()
    table = read_item_table(
        data,
        target,
        features,
        "regression" if query else task,
        by=by,
        allow=Reading(missing=True),
        left_out=[query],
    )
    names = choose_names(learners, LEARNERS, "learner")
    asked = read_shares(shares, "shares")
    queries = None if query is None else _read_queries(data, query, table)
    train, test = split_rows(table, test_share, seed, queries)
    evaluation = _Evaluation(table, train, test, measures, interval, queries)
    return _evaluate(evaluation, names, asked, seed, progress)


def _evaluate(
    evaluation: _Evaluation,
    names: Sequence[str],
    shares: Sequence[float],
    seed: int,
    progress: Progress,
) -> MissingInput:
    """Return the learners at each share and without each feature, compared at the usual share."""
    table = evaluation.table
    order = np.random.default_rng(seed).random(table.features.shape)
    by_share, usual, left_out = _evaluate_shares(evaluation, names, shares, order, progress)
    at = min(by_share, key=lambda share: abs(share - USUAL_SHARE))
    measure = by_share[at].measures[0]
    progress("by feature")
    by_feature, notes = _leave_features_out(evaluation, names[0], measure, seed)
    comparison, why = compare_learners(by_share[at], measure, names[0], seed, evaluation.interval)
    curve = pl.concat(summary_rows(scores, share=share) for share, scores in by_share.items())
    given = float(np.isnan(table.features).mean())
    if given:
        notes.insert(
            0,
            f"{given:.1%} of the values are missing in the data; the shares are of the others",
        )
    return MissingInput(
        scores=by_share[at],
        comparison=comparison,
        tables={
            "by share missing": curve.filter(measure=measure),
            f"{names[0]} without a feature": by_feature,
        },
        notes=(
            f"the learners are compared with {at:.0%} of the values missing",
            *left_out,
            *notes,
            *_usual_notes(usual, len(evaluation.test), table.task),
            *table.feature_notes(),
            *why,
        ),
        share=at,
        curve=curve,
        by_feature=by_feature,
        measure=measure,
    )


def _read_queries(data: Any, query: str, table: ItemTable) -> pl.Series:
    """Return the query of each row; grades are whole, and slices are of whole queries."""
    frame, source = to_frame(data, "the data")
    if query not in frame.columns:
        raise missing_column(source.name, query, frame.columns, "for `query`")
    empty = frame[query].is_null().arg_true()
    if len(empty):
        raise DataError(f"{source.place(int(empty[0]))}: the {query} is missing")
    queries = frame[query].cast(pl.String)
    parts = np.flatnonzero(table.truth % 1)
    if len(parts):
        raise DataError(
            f"{source.place(int(parts[0]))}: the grade is {table.truth[parts[0]]:g}; with `query`"
            " the target has grades, which are whole numbers"
        )
    for name, values in (table.slices or {}).items():
        counts = pl.DataFrame({"query": queries, "value": values}).group_by("query").n_unique()
        mixed = counts.filter(pl.col("value") > 1)["query"].sort()
        if len(mixed):
            raise DataError(
                f"{source.name}: the query {mixed[0]} has several values of {name}; with `query`"
                " slices are of queries: choose a column that is the same in all rows of a query"
            )
    return queries


def _evaluate_shares(
    evaluation: _Evaluation,
    names: Sequence[str],
    shares: Sequence[float],
    order: Floats,
    progress: Progress,
) -> tuple[dict[float, Scores], dict[tuple[str, float], int], list[str]]:
    """Return the scores at each share, and how many predictions are only the most frequent answer.

    A share that leaves no training item with a feature is left out, which the last part says.
    """
    found: dict[float, Scores] = {}
    usual: dict[tuple[str, float], int] = {}
    left_out: list[str] = []
    table = evaluation.table
    for share in shares:
        progress(f"{share:.0%} missing")
        hidden = hide(table.features, share, order)
        unknown = unknown_feature(replace(table, features=hidden).take(evaluation.train))
        if unknown is not None:
            left_out.append(f"with {share:.0%} missing, no training item has the feature {unknown}")
            continue
        answers = {}
        for name in names:
            ((answers[name], usual[name, share]),) = evaluation.predict(name, hidden, [hidden])
        found[share] = evaluation.scores(answers)
    if not found:
        raise DataError(
            f"{table.source.name}: {left_out[0]}: choose smaller `shares`, or other `features`"
        )
    return found, usual, [f"{each}: this share is left out" for each in left_out]


def _leave_features_out(
    evaluation: _Evaluation, learner: str, measure: str, seed: int
) -> tuple[pl.DataFrame, list[str]]:
    """Return the measure of a learner when a feature is missing in all test items."""
    table = evaluation.table
    tested = [table.features]
    listed = table.names[:MOST_FEATURES]
    for place in range(len(listed)):
        without = table.features.copy()
        without[:, place] = np.nan
        tested.append(without)
    answers = evaluation.predict(learner, table.features, tested)
    named = zip((COMPLETE, *listed), answers, strict=True)
    scores = evaluation.scores({name: own for name, (own, _) in named})
    used = evaluation.interval or Bootstrap()
    compared = compare(scores, [measure], baseline=COMPLETE, seed=seed, interval=used)
    pairs = compared.pairs.filter(slice=ALL)
    values = scores.summary().filter(slice=ALL, measure=measure).select("system", "value")
    rows = pairs.join(values, on="system", how="left").select(
        pl.col("system").alias("feature"), "measure", "value", "difference", "low", "high", "p",
        pl.col("p_corrected").alias("corrected"), "interval",
    )  # fmt: skip
    rest = len(table.names) - len(listed)
    notes = [f"{quantity(rest, 'further feature')} not left out"] if rest else []
    return rows.sort("difference"), notes


def _usual_notes(usual: Mapping[tuple[str, float], int], size: int, task: str) -> list[str]:
    """Say how many predictions of a learner are only the most frequent class, or the mean."""
    answer = "mean" if task == "regression" else "most frequent class"
    return [
        f"{name} with {share:.0%} missing predicts the {answer} for {count} of {size} items, which"
        " are incomplete"
        for (name, share), count in usual.items()
        if count and share == max(at for other, at in usual if other == name)
    ]
