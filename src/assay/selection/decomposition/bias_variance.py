"""Bias, variance and noise of a learner: parts that add up exactly to its error.

For squared loss, with the mean prediction m of an item over training sets, its replicates y and
their mean: error = noise + bias² + variance, where noise is the variance of the replicates, bias
is m minus their mean, and variance that of the predictions.

For 0-1 loss the form is that of Domingos: the main prediction is the most frequent one, an item is
biased if that is wrong, and variance is the share of predictions that differ from it. Variance
adds to the error of unbiased items; on biased items a prediction that differs and is right takes
away from it: error = bias + unbiased variance - biased variance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.selection.learning.learners import fit_predict, make_estimator
from assay.selection.learning.losses import LOSSES, choose_loss
from assay.selection.learning.training_data import TrainingData
from assay.tasks.evidence import Progress


@dataclass(frozen=True, repr=False, eq=False)
class BiasVariance(Printable):
    """The parts of an error: each with its mean over items and a 95 % interval."""

    parts: pl.DataFrame
    """A row for each part and for the error: part, value, low, high."""
    items: pl.DataFrame
    """A row for each test item: its parts and its error."""
    loss: str
    rounds: int
    notes: tuple[str, ...] = ()

    def __getitem__(self, part: str) -> float:
        """The value of a part."""
        return float(self.parts.filter(part=part)["value"].item())


@with_progress
def bias_variance(
    learner: Any,
    train: TrainingData,
    test: TrainingData,
    *,
    loss: str | None = None,
    rounds: int = 200,
    truth: Any = None,
    seed: int = 1,
    progress: Progress = lambda text: None,
) -> BiasVariance:
    """Decompose the error of a learner over training sets drawn with replacement.

    If every test item has replicates, items with the same features, their mean is the best
    prediction and their variance is noise. ``truth`` has the true value of each test item in
    place of that. With neither, noise is part of the bias.
    """
    if rounds < 2:
        raise UsageError(f"`rounds` is {rounds}: at least 2 are needed to see a variance")
    used = choose_loss(loss, train.task)
    estimator = make_estimator(learner, train.task)
    draw = np.random.default_rng(seed)
    predictions = []
    for number in range(rounds):
        progress(f"training set {number + 1} of {rounds}")
        sample = train.rows(draw.integers(0, len(train), len(train)))
        predictions.append(fit_predict(estimator, sample, test.features))
    stacked = np.array(predictions)
    if used == "squared":
        return _squared(stacked, test, truth, rounds)
    if truth is not None:
        raise UsageError("a known truth separates noise for squared loss only: leave out `truth`")
    return _result(zero_one_parts(stacked, test.target), used, rounds, _FORM_01)


_FORM_01 = (
    "error = bias + unbiased variance - biased variance; the bias is that of the most frequent"
    " prediction and includes noise",
)
_WITHOUT_NOISE = "error = bias² + variance; no noise is known, so bias² includes it"
_WITH_NOISE = (
    "error = noise + bias² + variance; noise is the variance of replicated test items (with r"
    " replicates 1/r of the true noise is in bias²)"
)
_WITH_TRUTH = (
    "error = noise + bias² + variance + cross term; noise and bias are against the known truth, and"
    " the cross term, twice their product, is 0 on average"
)


def _squared(stacked: Floats, test: TrainingData, truth: Any, rounds: int) -> BiasVariance:
    target = np.asarray(test.target, dtype=np.float64)
    if truth is not None:
        known = np.asarray(truth, dtype=np.float64)
        if known.shape != target.shape:
            raise UsageError(f"the truth has {known.size} values for {target.size} test items")
        parts = squared_parts(stacked, target, known)
        return _result(parts, "squared", rounds, (_WITH_TRUTH,))
    _, group = np.unique(test.features, axis=0, return_inverse=True)
    group = group.reshape(-1)
    sizes = np.bincount(group)
    replicated = bool(sizes.min() > 1)
    best = (np.bincount(group, weights=target) / sizes)[group] if replicated else target
    parts = squared_parts(stacked, target, best)
    del parts["cross term"]  # 0 without noise, and over the replicates of an item
    if not replicated:
        del parts["noise"]
        return _result(parts, "squared", rounds, (_WITHOUT_NOISE,))
    means = {name: (np.bincount(group, weights=own) / sizes) for name, own in parts.items()}
    return _result(means, "squared", rounds, (_WITH_NOISE,))


def squared_parts(stacked: Floats, target: Floats, best: Floats) -> dict[str, Floats]:
    """Return the parts of each item's squared error; ``stacked`` has a row for each training set.

    ``best`` is the best prediction of each item: its true value, or the mean of its replicates.
    """
    mean = stacked.mean(axis=0)
    return {
        "noise": (target - best) ** 2,
        "bias²": (mean - best) ** 2,
        "variance": ((stacked - mean) ** 2).mean(axis=0),
        "cross term": 2 * (mean - best) * (best - target),
        "error": ((stacked - target) ** 2).mean(axis=0),
    }


def zero_one_parts(stacked: npt.NDArray[Any], target: npt.NDArray[Any]) -> dict[str, Floats]:
    """Return the parts of each item's 0-1 loss; of predictions alike in number the first counts."""
    main = np.empty(stacked.shape[1], dtype=stacked.dtype)
    for item in range(stacked.shape[1]):
        labels, counts = np.unique(stacked[:, item], return_counts=True)
        main[item] = labels[np.argmax(counts)]
    biased = main != target
    differs = (stacked != main).mean(axis=0)
    right = (stacked == target).mean(axis=0)
    return {
        "bias": biased.astype(np.float64),
        "unbiased variance": np.where(biased, 0.0, differs),
        "biased variance": np.where(biased, right, 0.0),
        "error": (stacked != target).mean(axis=0),
    }


def _result(
    parts: Mapping[str, Floats], loss: str, rounds: int, notes: tuple[str, ...]
) -> BiasVariance:
    from scipy.special import stdtrit

    rows = []
    for name, values in parts.items():
        mean, size = float(values.mean()), len(values)
        spread = values.std(ddof=1) / size**0.5 if size > 1 else np.nan
        width = float(stdtrit(size - 1, 0.975) * spread)
        # Only the cross term can be below 0, and no part of a 0-1 loss is above 1.
        low = mean - width if name == "cross term" else max(mean - width, 0.0)
        high = mean + width if loss == "squared" else min(mean + width, 1.0)
        rows.append((name, mean, low, high))
    table = pl.DataFrame(rows, schema=["part", "value", "low", "high"], orient="row")
    said = f"{LOSSES[loss]} over {rounds} training sets drawn with replacement"
    return BiasVariance(table, pl.DataFrame(dict(parts)), loss, rounds, (said, *notes))
