"""Training and validation error against the number of training items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.selection.curves.fold_errors import error_row, fold_rows
from assay.selection.learning.learners import fit_predict, make_estimator
from assay.selection.learning.losses import LOSSES, choose_loss, item_losses
from assay.selection.learning.training_data import TrainingData
from assay.tasks.evidence import Progress

SHARES = (0.1, 0.15, 0.22, 0.33, 0.5, 0.7, 1.0)


@dataclass(frozen=True)
class PowerLaw:
    """Error = limit + scale · size^-rate, fitted to the validation errors."""

    limit: float
    scale: float
    rate: float

    def at(self, size: float) -> float:
        """Return the error with that many training items."""
        return self.limit + self.scale * float(size) ** -self.rate


@dataclass(frozen=True, repr=False, eq=False)
class LearningCurve(Printable):
    """The errors at each size, the law fitted to them, and what more data would bring."""

    curve: pl.DataFrame
    """A row for each size and part: size, part (train or validation), error, low, high."""
    law: PowerLaw | None
    error: str
    """What the error is."""
    notes: tuple[str, ...] = ()


@with_progress
def learning_curve(
    learner: Any,
    data: TrainingData,
    *,
    sizes: Sequence[float] | None = None,
    folds: int = 5,
    loss: str | None = None,
    seed: int = 1,
    progress: Progress = lambda text: None,
) -> LearningCurve:
    """Return the errors of a learner on growing parts of the training items.

    In each fold a size is the beginning of one random order, so that larger sets contain smaller
    ones.
    """
    used = choose_loss(loss, data.task)
    estimator = make_estimator(learner, data.task)
    draw = np.random.default_rng(seed)
    parts = [(draw.permutation(train), tested) for train, tested in fold_rows(data, folds, seed)]
    most = min(len(train) for train, _ in parts)
    asked = read_sizes([max(int(s * most), 2) for s in SHARES] if sizes is None else sizes, most)
    rows, means = [], []
    for size in asked:
        progress(f"{size} items")
        train, validation = [], []
        for order, tested in parts:
            every = np.concatenate([order[:size], tested])
            answers = fit_predict(estimator, data.rows(order[:size]), data.features[every])
            losses = item_losses(used, answers, data.target[every])
            train.append(losses[:size].mean())
            validation.append(losses[size:].mean())
        share = float(np.mean([len(tested) / size for _, tested in parts]))
        rows.append((size, "train", *error_row(np.array(train), share, used)))
        rows.append((size, "validation", *error_row(np.array(validation), share, used)))
        means.append(float(np.mean(validation)))
    schema = ["size", "part", "error", "low", "high"]
    law = fit_power_law(np.array(asked, dtype=np.float64), np.array(means))
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return LearningCurve(table, law, LOSSES[used], tuple(describe_law(law, asked[-1], means[-1])))


def read_sizes(sizes: Sequence[float], most: int) -> list[int]:
    """Return the numbers of training items in their order, each once."""
    if any(size % 1 != 0 for size in sizes):  # NaN and infinity too
        raise UsageError(f"sizes are whole numbers, not {', '.join(f'{s:g}' for s in sizes)}")
    asked = sorted({int(size) for size in sizes})
    if not asked or asked[0] < 2 or asked[-1] > most:
        raise UsageError(f"sizes lie between 2 and the {most} items that a fold trains on")
    return asked


def fit_power_law(sizes: Floats, errors: Floats) -> PowerLaw | None:
    """Return the power law nearest to the errors; None with too few points or without a fall."""
    from scipy.optimize import curve_fit

    if len(sizes) < 4 or not errors[0] > errors[-1]:
        return None
    scale = sizes / sizes[-1]
    start = (max(errors.min() * 0.5, 0.0), max(errors[-1] * 0.5, 1e-12), 0.5)
    try:
        found, _ = curve_fit(
            lambda size, limit, height, rate: limit + height * size**-rate,
            scale,
            errors,
            p0=start,
            sigma=np.maximum(errors, 1e-300),  # relative errors: small sizes must not decide alone
            bounds=([0.0, 0.0, 0.05], [np.inf, np.inf, 3.0]),
            maxfev=20_000,
        )
    except RuntimeError:
        return None
    limit, height, rate = (float(each) for each in found)
    return PowerLaw(limit, height * float(sizes[-1]) ** rate, rate)


def describe_law(law: PowerLaw | None, size: int, error: float, what: str = "items") -> list[str]:
    """Say what was fitted, and what twice the items would bring."""
    if law is None:
        return ["the errors follow no power law: nothing is said about more data"]
    twice = law.at(2 * size)
    return [
        f"fitted: error = {law.limit:.4g} + {law.scale:.4g} · size^-{law.rate:.3g}",
        f"with twice the {what} ({2 * size:,}) about {twice:.4g}, now {error:.4g}; in the limit"
        f" {law.limit:.4g}",
    ]
