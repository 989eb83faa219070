"""The error of a learner by the bootstrap: out-of-bag, .632 and .632+."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.selection.learning.learners import fit_predict, make_estimator
from assay.selection.learning.losses import LOSSES, choose_loss, item_losses
from assay.selection.learning.training_data import TrainingData
from assay.tasks.evidence import Progress


@dataclass(frozen=True, repr=False, eq=False)
class BootstrapEstimates(Printable):
    """Estimates of the error that a learner makes on new items."""

    estimates: pl.DataFrame
    """A row for each estimate: estimate, value."""
    notes: tuple[str, ...] = ()

    def __getitem__(self, estimate: str) -> float:
        """The value of an estimate."""
        return float(self.estimates.filter(estimate=estimate)["value"].item())


@with_progress
def bootstrap_estimates(
    learner: Any,
    data: TrainingData,
    *,
    loss: str | None = None,
    rounds: int = 200,
    seed: int = 1,
    progress: Progress = lambda text: None,
) -> BootstrapEstimates:
    """Estimate the error of a learner from training sets drawn with replacement.

    The out-of-bag error tests each item by the training sets that lack it. It is too high, since
    these have .632 of the items on average; .632 weighs it with the error on the training data,
    and .632+ weighs by how much the learner overfits, against the error without any information.
    """
    if rounds < 2:
        raise UsageError(f"`rounds` is {rounds}: at least 2 are needed")
    used = choose_loss(loss, data.task)
    estimator = make_estimator(learner, data.task)
    draw = np.random.default_rng(seed)
    total, count = np.zeros(len(data)), np.zeros(len(data))
    for number in range(rounds):
        progress(f"training set {number + 1} of {rounds}")
        rows = draw.integers(0, len(data), len(data))
        left = np.setdiff1d(np.arange(len(data)), rows)
        if len(left):
            answers = fit_predict(estimator, data.rows(rows), data.features[left])
            total[left] += item_losses(used, answers, data.target[left])
            count[left] += 1
    if not count.any():
        raise DataError(f"{data.source}: no training set leaves an item out; more items are needed")
    answers = fit_predict(estimator, data, data.features)
    apparent = float(item_losses(used, answers, data.target).mean())
    out_of_bag = float((total[count > 0] / count[count > 0]).mean())
    chance = _no_information(used, answers, data.target)
    return _result(apparent, out_of_bag, chance, used, rounds)


def _no_information(loss: str, answers: Floats, target: Floats) -> float:
    """Return the mean loss over all pairs of a prediction and a target."""
    if loss == "squared":
        values = np.asarray(target, dtype=np.float64)
        return float(answers.var() + values.var() + (answers.mean() - values.mean()) ** 2)
    labels = np.union1d(answers, target)
    shares = [np.array([(own == label).mean() for label in labels]) for own in (answers, target)]
    return float(1 - shares[0] @ shares[1])


def weigh_estimates(
    apparent: float, out_of_bag: float, chance: float
) -> tuple[dict[str, float], float]:
    """Return the estimates by name, and the relative overfitting (Efron and Tibshirani, 1997)."""
    capped = min(out_of_bag, chance)
    overfit = (capped - apparent) / (chance - apparent) if chance > apparent < capped else 0.0
    weighed = 0.368 * apparent + 0.632 * out_of_bag
    added = (capped - apparent) * 0.368 * 0.632 * overfit / (1 - 0.368 * overfit)
    estimates = {
        "on the training data": apparent,
        "out-of-bag": out_of_bag,
        ".632": weighed,
        ".632+": weighed + added,
        "without information": chance,
    }
    return estimates, overfit


def _result(
    apparent: float, out_of_bag: float, chance: float, loss: str, rounds: int
) -> BootstrapEstimates:
    rows, overfit = weigh_estimates(apparent, out_of_bag, chance)
    table = pl.DataFrame({"estimate": list(rows), "value": list(rows.values())})
    notes = (
        f"{LOSSES[loss]} over {rounds} training sets drawn with replacement; relative overfitting"
        f" {overfit:.3f}",
        "these estimates do not replace a nested one where the learner was tuned on the same items",
    )
    return BootstrapEstimates(table, notes)
