"""The loss of each item: squared error for numbers, 0 or 1 for classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Floats
from assay.core.errors import UsageError, unknown_name

LOSSES = {"squared": "mean squared error", "0-1": "error rate"}
"""The losses by name, and what their mean is called."""
_TARGETS = {"squared": "numbers", "0-1": "classes"}


def choose_loss(loss: str | None, task: str) -> str:
    """Return the loss, by default that of the task."""
    if loss is None:
        return "squared" if task == "regression" else "0-1"
    if loss not in LOSSES:
        raise unknown_name("loss", loss, LOSSES)
    if (loss == "squared") != (task == "regression"):
        target = "a class" if loss == "squared" else "a number"
        raise UsageError(
            f"the loss {loss} is for {_TARGETS[loss]}, but the target is {target}: leave out"
            " `loss`, or state the `task`"
        )
    return loss


def item_losses(loss: str, predicted: npt.NDArray[Any], truth: npt.NDArray[Any]) -> Floats:
    """Return the loss of each item."""
    if loss == "squared":
        return (np.asarray(predicted, dtype=np.float64) - truth) ** 2
    return (predicted != truth).astype(np.float64)
