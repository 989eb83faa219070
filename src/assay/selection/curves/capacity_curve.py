"""Training and validation error against the capacity of a learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.selection.curves.fold_errors import FoldErrors, error_row, fold_rows
from assay.selection.learning.learners import (
    Learner,
    find_learner,
    fit_predict,
    parse_value,
    require_sklearn,
)
from assay.selection.learning.losses import LOSSES, choose_loss, item_losses
from assay.selection.learning.training_data import TrainingData
from assay.tasks.evidence import Progress

GRID = 200
"""Points at which a fitted function is drawn."""


@dataclass(frozen=True, repr=False, eq=False)
class CapacityCurve(Printable):
    """The errors at each capacity, the optimum, and where the learner under- and overfits."""

    curve: pl.DataFrame
    """A row for each capacity and part: capacity, part (train or validation), error, low, high."""
    learner: str
    parameter: str
    best: float
    """The capacity with the lowest validation error."""
    simplest: float
    """The simplest capacity within one standard error of the best."""
    error: str
    """What the error is."""
    notes: tuple[str, ...] = ()
    functions: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Of one feature and a target of numbers: capacity, x and value of the fitted function."""
    points: pl.DataFrame = field(default_factory=pl.DataFrame)
    """The items of these functions: x and y, with the name of the feature as ``feature``."""


@with_progress
def capacity_curve(
    learner: str,
    data: TrainingData,
    *,
    values: Sequence[float] | None = None,
    folds: int = 5,
    loss: str | None = None,
    seed: int = 1,
    progress: Progress = lambda text: None,
) -> CapacityCurve:
    """Return training and validation errors of a learner with rising capacity.

    Each capacity sees the same folds, so that the errors are compared on the same items.
    """
    require_sklearn()
    found = find_learner(learner, data.task)
    if not found.parameter:
        raise UsageError(f"the learner {learner} has no capacity to change")
    used = choose_loss(loss, data.task)
    asked = _read_values(found, found.values if values is None else values)
    parts = fold_rows(data, folds, seed)
    kept = _possible_values(learner, found, asked, min(len(train) for train, _ in parts))
    errors: list[FoldErrors] = []
    for value in kept:
        progress(f"{found.parameter} {value:g}")
        errors.append(_errors(found.build(value, data.task), data, parts, used))
    share = float(np.mean([len(tested) / len(train) for train, tested in parts]))
    rows = [
        (value, part, *error_row(getattr(own, part), share, used))
        for value, own in zip(kept, errors, strict=True)
        for part in ("train", "validation")
    ]
    choice = choose_capacity([f"{found.parameter} {value:g}" for value in kept], errors)
    left_out = [
        f"{found.parameter} {v:g} needs more items and is left out" for v in asked if v not in kept
    ]
    return CapacityCurve(
        pl.DataFrame(rows, ["capacity", "part", "error", "low", "high"], orient="row"),
        learner,
        found.parameter,
        kept[choice.best],
        kept[choice.simplest],
        LOSSES[used],
        (*choice.words, *left_out),
        *_functions(found, data, kept),
    )


def _functions(
    learner: Learner, data: TrainingData, values: Sequence[float]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the functions of each capacity through all items, and the items; of one feature."""
    if data.task != "regression" or data.features.shape[1] != 1:
        return pl.DataFrame(), pl.DataFrame()
    x = data.features[:, 0]
    grid = np.linspace(x.min(), x.max(), GRID)
    parts = [
        pl.DataFrame({"capacity": float(value), "x": grid, "value": fitted})
        for value in values
        for fitted in [fit_predict(learner.build(value, data.task), data, grid[:, None])]
    ]
    name = data.names[0] if data.names else "x"
    items = pl.DataFrame({"x": x, "y": data.target.astype(np.float64), "feature": name})
    return pl.concat(parts), items


def _possible_values(
    name: str, learner: Learner, asked: Sequence[float], largest: int
) -> list[float]:
    """Return the capacities that a fold of so many training items allows."""
    kept = [value for value in asked if name != "neighbors" or value <= largest]
    if not kept:
        raise UsageError(f"a fold trains on {largest} items: give a {learner.parameter} up to that")
    return kept


def _read_values(learner: Learner, values: Sequence[float]) -> list[float]:
    """Return the capacities as numbers, each once."""
    found = [parse_value(learner, str(value)) for value in values]
    if not found:
        raise UsageError(f"give at least one {learner.parameter}")
    again = [value for value in found if found.count(value) > 1]
    if again:
        raise UsageError(f"the {learner.parameter} {again[0]:g} is given twice")
    return found


def _errors(
    estimator: Any, data: TrainingData, parts: Sequence[tuple[Any, Any]], loss: str
) -> FoldErrors:
    train, validation = [], []
    for rows, tested in parts:
        every = np.concatenate([rows, tested])
        answers = fit_predict(estimator, data.rows(rows), data.features[every])
        losses = item_losses(loss, answers, data.target[every])
        train.append(losses[: len(rows)].mean())
        validation.append(losses[len(rows) :].mean())
    return FoldErrors(np.array(train), np.array(validation))


class CapacityChoice(NamedTuple):
    """The best of several capacities, the simplest that is as good, and both in words."""

    best: int
    simplest: int
    words: list[str]


def choose_capacity(names: Sequence[str], errors: Sequence[FoldErrors]) -> CapacityChoice:
    """Return the choice among capacities from the simplest on, by the errors of the same folds."""
    means = np.array([own.validation.mean() for own in errors])
    best = int(np.argmin(means))
    own = errors[best].validation
    near = float(means[best] + own.std(ddof=1) / len(own) ** 0.5)
    simplest = int(np.flatnonzero(means <= near)[0])
    training = np.array([each.train.mean() for each in errors])
    return CapacityChoice(best, simplest, describe_fit(names, training, means, near))


def describe_fit(names: Sequence[str], train: Floats, validation: Floats, near: float) -> list[str]:
    """Say in words where a learner underfits and overfits; capacities rise from the simplest.

    ``near`` is the best validation error plus its standard error: beyond it a capacity is worse.
    """
    best = int(np.argmin(validation))
    good = np.flatnonzero(validation <= near)
    first, last = int(good[0]), int(good[-1])
    words = [f"the validation error is lowest at {names[best]}: {validation[best]:.4g}"]
    if first < best:
        words.append(f"{names[first]} is the simplest within one standard error of it")
    if first > 0:
        words.append(
            f"simpler than {names[first]} it underfits: the error is high in training"
            f" ({train[0]:.4g} at {names[0]}) as in validation ({validation[0]:.4g})"
        )
    if last < len(names) - 1:
        words.append(
            f"more flexible than {names[last]} it overfits: training error {train[-1]:.4g},"
            f" validation error {validation[-1]:.4g} at {names[-1]}"
        )
    return words
