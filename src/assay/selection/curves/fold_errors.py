"""Errors of folds, and their interval, which allows for the overlap of training sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.selection.learning.training_data import Rows, TrainingData
from assay.selection.splits.split_items import split_items
from assay.statistics.paired.folds import corrected_ends
from assay.statistics.significance_tests import ComparisonSettings


@dataclass(frozen=True)
class FoldErrors:
    """The mean loss of each fold on the items that it trained on, and on the others."""

    train: Floats
    validation: Floats


def fold_rows(data: TrainingData, folds: int, seed: int) -> list[tuple[Rows, Rows]]:
    """Return the training and the validation rows of each fold; classes keep their shares."""
    items = pl.DataFrame(
        {"class": data.target if data.task == "classification" else [""] * len(data)}
    )
    splits = split_items(items, "k-fold", folds=folds, stratum="class", seed=seed).frame
    tested = splits.filter(split="test").select("fold", pl.col("item").cast(pl.Int64) - 1)
    every = np.arange(len(data))
    parts = [own["item"].to_numpy() for own in tested.partition_by("fold", maintain_order=True)]
    return [(np.setdiff1d(every, rows), np.sort(rows)) for rows in parts]


def error_row(errors: Floats, test_share: float, loss: str) -> tuple[float, float, float]:
    """Return the mean over folds and its 95 % interval, within the bounds of the loss.

    ``test_share`` is the number of test items for each training item, by which folds overlap.
    """
    ends = corrected_ends(errors[:, None], ComparisonSettings(test_share=test_share), 0.95)
    most = 1.0 if loss == "0-1" else np.inf
    low, high = (float(np.clip(np.squeeze(end), 0.0, most)) for end in ends)
    return float(errors.mean()), low, high
