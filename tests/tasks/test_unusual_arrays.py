"""Arrays that are unusual are taken, and those that do not fit are refused with a hint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score

import assay
from assay.core.errors import UsageError

TRUTH, GUESS = np.asarray([0, 1, 1, 0, 1]), np.asarray([0, 1, 0, 0, 1])
DRAW = np.random.default_rng(5)


class OnlyArray:
    """A tensor of which nothing is known but how it becomes an array."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._values


class OnlyMemory:
    """A tensor that shares its memory, and does nothing else."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    def __dlpack__(self, **options: Any) -> Any:
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._values.__dlpack_device__()


@pytest.mark.parametrize("make", [OnlyArray, OnlyMemory])
def test_tensors_with_one_way_to_read_them(make: Any) -> None:
    assert assay.classification(make(TRUTH), make(GUESS), "ACC")["ACC"] == {"classifier": 0.8}
    matrix = np.eye(2)[TRUTH]
    scores = assay.classification(make(TRUTH), y_score=make(matrix), measures="ACC Brier")
    assert scores["Brier"] == {"classifier": 0.0}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_frame_with_one_column_is_a_column(frame: Any) -> None:
    assert assay.classification(frame({"y": TRUTH}), GUESS, "ACC")["ACC"] == {"classifier": 0.8}
    found = assay.regression(frame({"y": TRUTH * 1.0}), GUESS * 1.0, "MAE")
    assert found["MAE"] == {"predictor": 0.2}


FITTED = LinearRegression().fit(np.eye(4), np.eye(4)[:, :2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: assay.classification(pd.DataFrame({"y": TRUTH, "z": TRUTH}), GUESS),
            "`predicted` is an array, but the true values are in a table",
        ),
        (
            lambda: assay.labelsets(np.eye(4, dtype=int), np.eye(4, 3, dtype=int)),
            "`predicted` has 3 columns and the true labels 4",
        ),
        (
            lambda: assay.labelsets(np.eye(4, dtype=int), y_score={"a": np.ones((4, 5)) / 2}),
            "`a` has 5 columns and the true labels 4",
        ),
        (lambda: assay.evaluate(FITTED, np.eye(4), np.eye(4)[:, :2]), "y has 2 columns"),
        (lambda: assay.evaluate(FITTED, np.eye(4), [0.0, 1.0]), "X has 4 rows and y 2 values"),
        (
            lambda: assay.evaluate(KMeans(2, n_init=1).fit(np.eye(4)), np.eye(4), [0, 1, 0, 1]),
            "use assay.clustering",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def test_the_interval_of_pooled_labels_counts_items_without_labels() -> None:
    """F is undefined for an item without true labels, but its false positives are pooled."""
    true = (DRAW.random((60, 4)) < 0.3) * 1
    predicted = np.where(DRAW.random((60, 4)) < 0.2, 1 - true, true)
    found = assay.labelsets(true, predicted, "F(average=micro)").results[0]
    assert found.value == pytest.approx(f1_score(true, predicted, average="micro"), abs=1e-12)
    resamples = [DRAW.integers(0, 60, 60) for _ in range(1500)]
    drawn = [f1_score(true[i], predicted[i], average="micro") for i in resamples]
    assert [found.low, found.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02)
