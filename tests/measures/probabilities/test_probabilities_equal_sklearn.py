"""Probabilities: the same numbers as scikit-learn; parts that add up; what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.core.catalogue import catalogue
from assay.core.names import measure
from assay.engine.local import evaluate
from assay.evidence.views.probabilities import Probabilities
from assay.testing import forecasts

metrics = pytest.importorskip("sklearn.metrics")


def draw(
    classes: int, seed: int = 0, size: int = 300, digits: int = 15
) -> tuple[Probabilities, np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, size)
    odds = random.random((size, classes))
    odds[np.arange(size), truth] += 0.7
    matrix = odds / odds.sum(axis=1, keepdims=True)
    if classes == 2:
        matrix[:, 1] = np.round(matrix[:, 1], digits)
        matrix[:, 0] = 1 - matrix[:, 1]
    weight = random.random(size)
    names = tuple(str(place) for place in range(classes))
    return Probabilities.of(names, truth, matrix, weight), truth, matrix, weight


def ours(name: str, view: Probabilities) -> float:
    return evaluate(view, [measure(name, "classification")], "it")[0].value


@pytest.mark.oracle  # needs a newer scikit-learn than the lowest allowed
@pytest.mark.parametrize("classes", [2, 5])
def test_log_loss_and_brier(classes: int) -> None:
    view, truth, matrix, weight = draw(classes)
    loss = metrics.log_loss(truth, matrix, sample_weight=weight, labels=range(classes))
    assert ours("LogLoss", view) == pytest.approx(loss, abs=1e-12)
    given = matrix[:, 1] if classes == 2 else matrix
    brier = metrics.brier_score_loss(
        truth, given, sample_weight=weight, labels=list(range(classes))
    )
    assert ours("Brier", view) == pytest.approx(brier, abs=1e-12)
    assert ours("CE(base=2)", view) == pytest.approx(loss / np.log(2), abs=1e-12)


@pytest.mark.oracle  # needs a newer scikit-learn than the lowest allowed
@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("name", ["d2_log_loss_score", "d2_brier_score"])
def test_shares_of_a_loss_that_forecasts_avoid(name: str, classes: int) -> None:
    view, truth, matrix, weight = draw(classes)
    given = matrix[:, 1] if classes == 2 and "brier" in name else matrix
    expected = getattr(metrics, name)(truth, given, sample_weight=weight)
    assert ours(name, view) == pytest.approx(expected, abs=1e-12)


def test_skill_without_a_second_class_is_undefined() -> None:
    view = forecasts("aa", [[0.8, 0.2], [0.4, 0.6]])
    assert np.isnan(measure("D2_Brier")(view)).all()
    assert np.isnan(measure("D2_LogLoss")(view)).all()


def test_pairs_of_classes_by_their_items() -> None:
    _, truth, matrix, _ = draw(4, seed=3)
    truth[: len(truth) // 3] = 0  # classes of different sizes
    view = Probabilities.of(tuple("0123"), truth, matrix)
    for name, average in (("HandTill", "macro"), ("roc_auc_ovo_weighted", "weighted")):
        expected = metrics.roc_auc_score(truth, matrix, multi_class="ovo", average=average)
        assert ours(name, view) == pytest.approx(expected, abs=1e-12)
    assert ours("HandTill", view) != pytest.approx(ours("HandTill(mean=weighted)", view))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_without_ties(k: int) -> None:
    view, truth, matrix, weight = draw(5, seed=1)
    expected = metrics.top_k_accuracy_score(truth, matrix, k=k, sample_weight=weight)
    assert ours(f"top@{k}", view) == pytest.approx(expected, abs=1e-12)


def test_tied_classes_share_the_places_that_are_left() -> None:
    view = forecasts("abc", [[1 / 3] * 3] * 3)
    assert ours("top", view) == pytest.approx(1 / 3)
    assert ours("top@2", view) == pytest.approx(2 / 3)
    assert ours("top@3", view) == 1


def test_areas_with_many_classes() -> None:
    view, truth, matrix, weight = draw(4, seed=2)
    plain = Probabilities.of(view.classes, truth, matrix)
    rest = metrics.roc_auc_score(truth, matrix, multi_class="ovr")
    pairs = metrics.roc_auc_score(truth, matrix, multi_class="ovo")
    assert ours("AUC_OvR", plain) == pytest.approx(rest, abs=1e-12)
    assert ours("HandTill", plain) == pytest.approx(pairs, abs=1e-12)
    weighted = metrics.roc_auc_score(truth, matrix, multi_class="ovr", sample_weight=weight)
    assert ours("AUC_OvR", view) == pytest.approx(weighted, abs=1e-12)


def test_calibration_curve() -> None:
    calibration = pytest.importorskip("sklearn.calibration")
    _, truth, matrix, _ = draw(2, seed=3, size=500)
    view = Probabilities.of(("0", "1"), truth, matrix)
    true, said = calibration.calibration_curve(truth, matrix[:, 1], n_bins=10)
    found = catalogue().curves["calibration"](view, bins=10)
    assert found["forecast"] == pytest.approx(said)
    assert found["came true"] == pytest.approx(true)
    gaps, sizes = np.abs(found["forecast"] - found["came true"]), found["items"]
    assert ours("ECE", view) == pytest.approx(gaps @ sizes / sizes.sum())
    assert ours("MCE", view) == pytest.approx(gaps.max())


@pytest.mark.parametrize("classes", [2, 4])
def test_the_parts_of_the_brier_score_add_up(classes: int) -> None:
    view, *_ = draw(classes, seed=4, digits=1)
    parts = [ours(f"Brier_{name}", view) for name in ("reliability", "resolution", "uncertainty")]
    assert parts[0] - parts[1] + parts[2] == pytest.approx(ours("Brier", view), abs=1e-12)
    assert min(parts) >= 0


def test_the_clip_is_the_same_for_single_precision() -> None:
    sure = forecasts("ab", [[1.0, 0.0], [1.0, 0.0]])
    expected = (-np.log(1 - 1e-15) - np.log(1e-15)) / 2
    assert ours("LogLoss", sure) == pytest.approx(expected)
    single = Probabilities.of(("a", "b"), sure.truth, sure.probability.astype(np.float32))
    assert ours("LogLoss", single) == ours("LogLoss", sure)
    assert ours("LogLoss(clip=0.01)", sure) == pytest.approx((-np.log(0.99) - np.log(0.01)) / 2)


def test_the_lectures_sum_over_items_and_classes() -> None:
    view = forecasts("ab", [[0.8, 0.2], [0.4, 0.6]])
    by_hand = -np.log(0.8) - np.log(1 - 0.2) - np.log(1 - 0.4) - np.log(0.6)
    assert ours("LogLossSum", view) == pytest.approx(by_hand)


def test_cross_entropy_of_true_distributions() -> None:
    from dataclasses import replace

    view = replace(forecasts("a", [[0.5, 0.25, 0.25]]), expected=np.asarray([[0.5, 0.5, 0.0]]))
    assert ours("CE(base=2)", view) == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ({"p_a": [0.5, 0.6], "p_b": [0.5, 0.6]}, r"row 2: .* sum to 1.2, not to 1"),
        ({"p_a": [0.5, 0.500002], "p_b": [0.5, 0.5]}, r"row 2: .* sum to 1.000002, not to 1"),
        ({"p_a": [0.5, 1.5], "p_b": [0.5, -0.5]}, r"row 2: the probability of a is 1.5"),
        (
            {"p_a": [0.5, float("nan")], "p_b": [0.5, 0.5]},
            r"row 2: there is no prediction, p_a is nan",
        ),
        ({"p_a": [0.5, 0.5], "p_c": [0.5, 0.5]}, r"row 2: the true class 'b' has no column"),
    ],
)
def test_impossible_probabilities_are_refused(matrix: dict, message: str) -> None:
    with pytest.raises(assay.AssayError, match=message):
        assay.classification({"truth": ["a", "b"], **matrix}, probabilities="p_*")


def test_probabilities_from_a_score_and_from_columns_are_the_same() -> None:
    _, truth, matrix, _ = draw(2, seed=5)
    names = "LogLoss Brier ECE AUC"
    columns = {"truth": truth, "p_0": matrix[:, 0], "p_1": matrix[:, 1]}
    wide = assay.classification(columns, names, probabilities="p_*", interval=None)
    one = assay.classification(columns, names, score="p_1", interval=None)
    assert [each.value for each in wide.results] == [each.value for each in one.results]
    turned = assay.classification(columns, names, probabilities="p_*", positive="0", interval=None)
    assert turned["LogLoss"] == wide["LogLoss"]
    assert turned["AUC"]["classifier"] == pytest.approx(wide["AUC"]["classifier"])
