"""Arrays that are unusual are taken, and those that do not fit are refused with a hint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import t as student
from sklearn.cluster import KMeans
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import RepeatedKFold, cross_validate

import assay
from assay.core.errors import AssayError, NeedsInput, UsageError

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


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_with_one_column_each(frame: Any) -> None:
    truth, scores = frame({"y": TRUTH}), np.asarray([0.1, 0.9, 0.4, 0.2, 0.7])
    for predicted in (frame({"p": GUESS}), {"classifier": frame({"p": GUESS})}):
        assert assay.classification(truth, predicted, "ACC")["ACC"] == {"classifier": 0.8}
    for given in (frame({"p": scores}), frame({"0": 1 - scores, "1": scores})):
        found = assay.classification(truth, "AUC", y_score=given)
        assert found.results == assay.classification(TRUTH, "AUC", y_score=scores).results


def test_truth_values_are_0_and_1_beside_numbers() -> None:
    expected = assay.classification(TRUTH, GUESS)
    for truth, guess in ((TRUTH == 1, GUESS), (TRUTH, GUESS == 1), (TRUTH == 1, GUESS * 1.0)):
        assert assay.classification(truth, guess) == expected
        assert assay.confusion(truth, guess) == assay.confusion(TRUTH, GUESS)
        table = pd.DataFrame({"truth": truth, "guess": guess})
        assert assay.classification(table, predicted="guess")["MCC"] == expected["MCC"]
    words = assay.classification(TRUTH == 1, GUESS == 1, "TPR", positive=1)
    assert words.conventions["positive"] == "true"
    assert assay.classification(TRUTH, GUESS, "TPR", positive=False)["TPR"] == {"classifier": 1.0}
    with pytest.raises(AssayError, match="positive class '1' does not occur among no, yes"):
        assay.classification(["no", "yes"], ["no", "yes"], positive=1)


def test_a_range_is_a_column() -> None:
    assert assay.regression(range(4), range(1, 5), "MAE")["MAE"] == {"predictor": 1.0}


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


def test_scores_may_follow_the_true_classes_of_a_threshold() -> None:
    scores = [0.1, 0.9, 0.4, 0.2, 0.7]
    named = assay.threshold(TRUTH, "accuracy", y_score=scores)
    assert assay.threshold(TRUTH, scores, "accuracy") == named
    assert assay.threshold(TRUTH, scores) == assay.threshold(TRUTH, y_score=scores)


def test_areas_of_more_classes_name_their_average() -> None:
    chances = np.full((3, 3), 1 / 3)
    with pytest.raises(NeedsInput, match="AP needs two classes; AP_OvR is its average"):
        assay.classification([0, 1, 2], y_score=chances, classes=[0, 1, 2], measures="AP")


def test_the_short_name_of_the_precision_recall_curve() -> None:
    scores = assay.classification(TRUTH, y_score=[0.1, 0.9, 0.4, 0.2, 0.7])
    assert scores.plot("pr")._repr_svg_() == scores.plot("precision-recall")._repr_svg_()


def test_curves_of_arrays_by_their_short_names() -> None:
    scores = [0.1, 0.9, 0.4, 0.2, 0.7]
    named = assay.plot("precision-recall", TRUTH, score=scores)
    for kind in ("pr", "precision-recall"):
        assert assay.plot(kind, TRUTH, y_score=scores).svg == named.svg
    assert (
        assay.plot("gain", TRUTH, y_score=scores).title == "Cumulative gain; dashed: a random order"
    )


def test_repeated_folds_are_known_by_their_indices() -> None:
    """The variance of Nadeau and Bengio, with test over training items as they were."""
    split = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    points = DRAW.normal(size=(60, 2))
    target = points[:, 0] + DRAW.normal(size=60)
    folds = {
        name: cross_validate(model, points, target, cv=split, return_indices=True)
        for name, model in {"one": LinearRegression(), "none": DummyRegressor()}.items()
    }
    gap = folds["one"]["test_score"] - folds["none"]["test_score"]
    t = gap.mean() / np.sqrt(gap.var(ddof=1) * (1 / 15 + 12 / 48))
    comparison = assay.compare(folds)
    assert comparison.pairs["p"][0] == pytest.approx(2 * student.sf(abs(t), 14), rel=1e-9)
    assert not any("taken for" in each for each in comparison.warnings)


def test_a_threshold_of_arrays_is_evaluated_on_other_arrays() -> None:
    scores = DRAW.random(40)
    truth = (scores + DRAW.normal(size=40) * 0.3 > 0.5) * 1
    first, other = (truth[:20], scores[:20]), (truth[20:], scores[20:])
    found = assay.threshold(*first, "youden", evaluate=other)
    table = {"truth": other[0], "score": other[1]}
    assert found == assay.threshold(*first, "youden", evaluate=table)
    assert found.evaluated is not None
    rates = dict(found.evaluated.select("measure", "value").iter_rows())
    decided = other[1] >= found["youden"].threshold
    assert rates["ACC"] == pytest.approx((decided == other[0]).mean())


def test_bins_of_the_calibration_figure_have_equally_many_items() -> None:
    """Items with the same score count one by one, not once for all."""
    scores = np.concatenate([np.full(30, 0.1), np.linspace(0.2, 0.9, 70)])
    truth = (np.arange(100) % 3 == 0) * 1
    figure = assay.classification(truth, y_score=scores).plot(
        "calibration", strategy="quantile", bins=4
    )
    assert figure.points["calibration"]["items"].tolist() == [30, 20, 25, 25]
