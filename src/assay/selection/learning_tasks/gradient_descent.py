"""Linear regression by least squares and by gradient descent on the same loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.core.phrases import list_phrase
from assay.engine.scores import Scores
from assay.selection.learning_tasks.descent_losses import losses_by_iteration, some_steps
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.task_result import (
    TaskResult,
    compare_learners,
    learning_task,
    score_predictions,
    split_rows,
)
from assay.selection.scaling import standardize
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.comparison.comparison_result import Comparison
from assay.tasks.evidence import Measures, Progress

MEAN, EXACT, DESCENT = "mean", "least-squares", "gradient-descent"
NEAR = 1.01
"""Descent has arrived where its training loss is at most 1 % above the smallest."""
EXACT_FIT = 1e-12
"""Least squares leaves no error where its loss is a smaller share of the mean square."""
TRAINING_ONLY = (
    "no item is held out: measures and losses are those of the training items, smaller than those"
    " of new items"
)


@dataclass(frozen=True)
class Descent:
    """The parameters after each iteration; the first row is the start."""

    path: Floats
    rate: float
    diverged: bool


def gradient_descent(
    design: Floats, target: Floats, iterations: int, rate: float | None = None
) -> Descent:
    """Minimize the mean squared error of ``design @ θ`` from θ = 0.

    Each step is θ ← θ − rate · 2/N · Xᵀ(Xθ − y). The default rate is 1 divided by the largest
    curvature of the loss, 2/N times the largest eigenvalue of XᵀX; above twice that rate the loss
    grows without bound.
    """
    size = len(design)
    curvature = 2 / size * float(np.linalg.norm(design, 2)) ** 2
    used = 1 / curvature if rate is None else rate
    path = np.zeros((iterations + 1, design.shape[1]))
    for step in range(iterations):
        with np.errstate(over="ignore", invalid="ignore"):
            gradient = 2 / size * design.T @ (design @ path[step] - target)
            path[step + 1] = path[step] - used * gradient
        if not np.isfinite(path[step + 1]).all():
            return Descent(path[: step + 1], used, True)
    return Descent(path, used, bool(used > 2 / curvature * (1 + 1e-9)))


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionFit(TaskResult):
    """Least squares and gradient descent on test items, and the loss by iteration."""

    title: ClassVar[str] = "Linear regression"

    losses: pl.DataFrame
    """A row for each iteration: the mean squared error of training and of test items, if any."""
    smallest: float
    """The mean squared error of least squares on the training items."""
    parameters: pl.DataFrame
    """The weight of each feature, standardized unless plain, by both methods."""
    path: Floats
    """The weights after each iteration of the descent, a row for each; the first is the start."""
    truth: Floats
    predictions: dict[str, Floats]

    @property
    def steps(self) -> pl.DataFrame:
        """The mean squared error and the weights θ after each iteration."""
        names = self.parameters["feature"].to_list()
        weights = {f"θ {name}": self.path[:, place] for place, name in enumerate(names)}
        return self.losses.drop("low", "high", strict=False).with_columns(pl.DataFrame(weights))

    def with_all_steps(self) -> RegressionFit:
        """Return the same with a table of all iterations, in place of some."""
        return replace(self, tables={**self.tables, "loss by iteration": self.steps})


@learning_task
def regression(
    data: Any,
    target: Any,
    *,
    features: Sequence[str] | str | None = None,
    iterations: int = 200,
    rate: float | None = None,
    plain: bool = False,
    steps: bool = False,
    measures: Measures = None,
    by: Any = (),
    test_share: float = 0.3,
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> RegressionFit:
    """Fit a linear regression by least squares and by gradient descent, with the loss by iteration.

    Features are standardized by the training items and a constant is added; ``plain`` takes them as
    they are, without a constant, so that the prediction is θᵀx. ``rate`` is the step of
    the descent, by default the inverse of the largest curvature. Both are evaluated on test items
    (with ``test_share`` 0 on those of training, which are all), beside the mean of the training
    items. ``steps`` lists the loss and the weights of every iteration.
    """
    if iterations < 1 or (rate is not None and not rate > 0):
        raise UsageError("`iterations` is 1 or more and `rate` above 0")
    table = read_item_table(data, target, features, "regression", by=by)
    train, test = _split(table, test_share, seed)
    (design, names), truth = _design(table, train, plain), table.truth
    exact, _, rank, _ = np.linalg.lstsq(design[train], truth[train], rcond=None)
    progress("gradient descent")
    descent = gradient_descent(design[train], truth[train], iterations, rate)
    predictions = {
        MEAN: np.full(len(test), truth[train].mean()),
        EXACT: design[test] @ exact,
        DESCENT: design[test] @ descent.path[-1],
    }
    used = table.take(test), predictions, measures
    scores, comparison, why = _evaluate(used, interval, seed, test_share != 0)
    parts = train, test if test_share else None
    losses = losses_by_iteration(design, truth, parts, descent.path, interval)
    smallest = float(((design[train] @ exact - truth[train]) ** 2).mean())
    weights = _parameters(names, (design[train], truth[train]), (exact, descent), rank, interval)
    said = [*_weight_notes(table, plain), *_notes(descent, losses, smallest, truth[train])]
    found = RegressionFit(
        scores=scores,
        comparison=comparison,
        tables={"weights": weights, "loss by iteration": some_steps(losses)},
        notes=(*said, *table.feature_notes(), *why),
        losses=losses,
        smallest=smallest,
        parameters=weights,
        path=descent.path,
        truth=truth[test],
        predictions=predictions,
    )
    return found.with_all_steps() if steps else found


def _evaluate(
    given: tuple[ItemTable, Mapping[str, Floats], Measures],
    interval: Bootstrap | None,
    seed: int,
    held_out: bool,
) -> tuple[Scores, Comparison | None, list[str]]:
    """Return scores and their comparison; those of training items without intervals and tests."""
    scores = score_predictions(*given, interval=interval if held_out else None)
    if not held_out:
        return scores, None, [TRAINING_ONLY]
    return scores, *compare_learners(scores, scores.measures[0], EXACT, seed, interval)


def _split(table: ItemTable, test_share: float, seed: int) -> tuple[Any, Any]:
    """Return the rows to train on and to test on; with a share of 0 both are all rows."""
    if test_share:
        return split_rows(table, test_share, seed)
    if not len(table):
        raise DataError(f"{table.source.name}: there are no items")
    return np.arange(len(table)), np.arange(len(table))


def _design(table: ItemTable, train: Any, plain: bool) -> tuple[Floats, list[str]]:
    """Return standardized features with a column of 1, or plain ones, and their names.

    Beside the column of 1 the first category of a text feature has none: the columns of all
    categories add up to 1, and no weight would be determined.
    """
    matrix, names = table.matrix(), table.matrix_names()
    if plain:
        return matrix, names
    widths = [max(1, count) for count in table.category_counts]
    starts = np.cumsum([0, *widths[:-1]])
    base = starts[[count > 1 for count in table.category_counts]]
    kept = np.setdiff1d(np.arange(len(names)), base)
    columns = [np.ones(len(matrix)), standardize(matrix, train)[:, kept]]
    return np.column_stack(columns), ["constant", *(names[place] for place in kept)]


def _weight_notes(table: ItemTable, plain: bool) -> list[str]:
    """Say what weights are of, and which categories have none."""
    if plain:
        return []
    bases = [f"{name} {values[0]}" for name, values in table.categories.items() if len(values) > 1]
    notes = ["weights are of standardized features"]
    if bases:
        notes.append(f"without a weight, as the base of the other categories: {list_phrase(bases)}")
    return notes


def _parameters(
    names: Sequence[str],
    training: tuple[Floats, Floats],
    found: tuple[Floats, Descent],
    rank: int,
    interval: Bootstrap | None,
) -> pl.DataFrame:
    """Return the weights of both methods, with Student's t intervals from the same residuals."""
    from scipy.stats import t

    (design, target), (exact, descent) = training, found
    freedom = len(target) - rank
    why = None
    if freedom < 1:
        why = "there are not more training items than weights"
    elif rank < design.shape[1]:
        why = "the features depend on each other: the weights are not determined"
    margins = np.full((2, len(names)), np.nan)
    if interval is not None and freedom > 0:
        variance = ((design @ exact - target) ** 2).sum() / freedom
        spread = t.ppf((1 + interval.confidence) / 2, freedom) * np.sqrt(variance)
        if why is None:
            margins[0] = spread * np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
        if not descent.diverged:
            margins[1] = spread * descent_errors(design, len(descent.path) - 1, descent.rate)
    last = descent.path[-1]
    columns = {
        "feature": names,
        EXACT: exact,
        "low": exact - margins[0],
        "high": exact + margins[0],
    }
    columns |= {DESCENT: last, "descent_low": last - margins[1], "descent_high": last + margins[1]}
    return pl.DataFrame(columns).with_columns(reasons=pl.lit(why, pl.String))


def descent_errors(design: Floats, iterations: int, rate: float) -> Floats:
    """Return the standard error of each weight after the descent, for targets of variance 1.

    From θ = 0 the weights are linear in the targets. Along a singular direction s of the features
    they are (1 - (1 - rate · 2/N · s²)^T) / s times the targets there.
    """
    _, values, turn = np.linalg.svd(design, full_matrices=False)
    curvature = 2 / len(design) * values**2
    known = values > values.max() * max(design.shape) * np.finfo(np.float64).eps
    safe = np.where(known, values, 1.0)
    reached = np.where(known, (1 - (1 - rate * curvature) ** iterations) / safe, 0.0)
    return np.asarray(np.sqrt((reached[:, None] ** 2 * turn**2).sum(axis=0)))


def _notes(descent: Descent, losses: pl.DataFrame, smallest: float, target: Floats) -> list[str]:
    """Say how far the descent came."""
    said = [f"rate {descent.rate:.4g}"]
    if descent.diverged:
        return [*said, "gradient descent diverges: choose a smaller `rate`, or none"]
    near = losses.filter(pl.col("training") <= NEAR * smallest + 1e-300)["iteration"]
    if len(near):
        return [*said, f"the training loss is within 1 % of least squares at iteration {near[0]}"]
    last = float(losses["training"][-1])
    if smallest <= EXACT_FIT * float((target**2).mean()):
        words = (
            "least squares fits the training items exactly; the training loss of the descent is"
            f" {last:.4g} at the end: more"
        )
    else:
        excess = last / smallest - 1
        words = f"the training loss is {excess:.1%} above that of least squares at the end: more"
    return [*said, f"{words} `iterations` bring it nearer"]
