"""Training and validation loss against the iterations of a learner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, missing_column, no_rows
from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.formats.containers import to_frame
from assay.selection.curves.capacity_curve import describe_fit
from assay.selection.curves.fold_errors import error_row, fold_rows
from assay.selection.learning.learners import make_estimator
from assay.selection.learning.losses import LOSSES, choose_loss, item_losses
from assay.selection.learning.training_data import TrainingData
from assay.tasks.evidence import Progress

COLUMNS = ("iteration", "train", "validation")


@dataclass(frozen=True, repr=False, eq=False)
class LossCurve(Printable):
    """The losses after each iteration, and where the learner begins to overfit."""

    curve: pl.DataFrame
    """A row for each iteration and part (train or validation): its error, low, high."""
    best: float
    """The iteration with the lowest validation loss."""
    error: str
    """What the loss is."""
    notes: tuple[str, ...] = ()


def read_losses(data: Any) -> LossCurve:
    """Read the losses that a learner reported: a table of iteration, train and validation."""
    frame, source = to_frame(data, "the losses")
    for name in COLUMNS:
        if name not in frame.columns:
            raise missing_column(source.name, name, frame.columns)
    if not frame.height:
        raise no_rows(source.name)
    numbers = frame.select(pl.col(COLUMNS).cast(pl.Float64, strict=False))
    bad = numbers.select(pl.any_horizontal(~pl.all().is_finite().fill_null(False))).to_series()
    if bad.any():
        row = int(bad.arg_true()[0])
        raise DataError(f"{source.place(row)}: a finite number is expected in each column")
    repeated = (~numbers["iteration"].is_first_distinct()).arg_true()
    if len(repeated):
        row = int(repeated[0])
        step = numbers["iteration"][row]
        raise DataError(f"{source.place(row)}: the iteration {step:g} occurs twice")
    ordered = numbers.sort("iteration")
    train, validation = ordered["train"].to_numpy(), ordered["validation"].to_numpy()
    rows = [
        (row["iteration"], part, row[part], np.nan, np.nan)
        for row in ordered.iter_rows(named=True)
        for part in ("train", "validation")
    ]
    steps = ordered["iteration"].to_numpy()
    return _curve(rows, steps, train, validation, float(validation.min()), "loss")


@with_progress
def loss_curve(
    learner: Any,
    data: TrainingData,
    *,
    iterations: int = 50,
    folds: int = 5,
    loss: str | None = None,
    seed: int = 1,
    progress: Progress = lambda text: None,
) -> LossCurve:
    """Return the losses of an estimator after each of its iterations.

    An estimator with ``staged_predict`` (boosting) is trained once in each fold and shows its
    stages; one with ``partial_fit`` sees the training items ``iterations`` times.
    """
    used = choose_loss(loss, data.task)
    estimator = make_estimator(learner, data.task)
    if iterations < 2:
        raise UsageError(f"`iterations` is {iterations}: at least 2 are needed")
    parts = fold_rows(data, folds, seed)
    losses = []
    for number, (rows, tested) in enumerate(parts, 1):
        progress(f"fold {number} of {folds}")
        every = np.concatenate([rows, tested])
        found = [
            item_losses(used, answers, data.target[every])
            for answers in _train(estimator, data.rows(rows), data.features[every], iterations)
        ]
        losses.append([(each[: len(rows)].mean(), each[len(rows) :].mean()) for each in found])
    steps = min(len(each) for each in losses)
    array = np.array([each[:steps] for each in losses])  # folds × iterations × parts
    share = float(np.mean([len(tested) / len(rows) for rows, tested in parts]))
    table = [
        (step + 1, part, *error_row(array[:, step, place], share, used))
        for step in range(steps)
        for place, part in enumerate(("train", "validation"))
    ]
    means = array.mean(axis=0)
    best = int(np.argmin(means[:, 1]))
    near = means[best, 1] + array[:, best, 1].std(ddof=1) / folds**0.5
    return _curve(
        table, np.arange(1, steps + 1), means[:, 0], means[:, 1], float(near), LOSSES[used]
    )


def _train(
    estimator: Any, train: TrainingData, features: Floats, iterations: int
) -> Iterator[npt.NDArray[Any]]:
    """Yield the predictions after each iteration; errors of the estimator get a message."""
    try:
        yield from _stages(estimator, train, features, iterations)
    except (TypeError, ValueError, IndexError, AttributeError) as failure:
        raise UsageError(f"the learner cannot be trained: {failure}") from failure


def _stages(
    estimator: Any, train: TrainingData, features: Floats, iterations: int
) -> Iterator[npt.NDArray[Any]]:
    """Yield the predictions after each iteration."""
    from sklearn.base import clone

    model = clone(estimator)
    if hasattr(model, "staged_predict"):
        yield from model.fit(train.features, train.target).staged_predict(features)
        return
    if not hasattr(model, "partial_fit"):
        raise UsageError(
            f"{type(model).__name__} has no iterations: an estimator with staged_predict or"
            " partial_fit is expected; or give a table of iteration, train and validation"
        )
    options = {} if train.task == "regression" else {"classes": np.unique(train.target)}
    for _ in range(iterations):
        model.partial_fit(train.features, train.target, **options)
        yield model.predict(features)


def _curve(
    rows: list[tuple[Any, ...]],
    steps: npt.NDArray[Any],
    train: Floats,
    validation: Floats,
    near: float,
    error: str,
) -> LossCurve:
    words = describe_fit([f"iteration {step:g}" for step in steps], train, validation, near)
    best = float(steps[int(np.argmin(validation))])
    best = int(best) if best.is_integer() else best
    if best == steps[-1] and len(steps) > 1:
        words.append("the validation loss is lowest at the end: more iterations may help")
    schema = ["iteration", "part", "error", "low", "high"]
    return LossCurve(pl.DataFrame(rows, schema=schema, orient="row"), best, error, tuple(words))
