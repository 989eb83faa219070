"""Scores and thresholds: the same numbers as scikit-learn, with ties and weights."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.core.catalogue import catalogue
from assay.core.names import measure
from assay.evidence.views.threshold_table import ThresholdTable

metrics = pytest.importorskip("sklearn.metrics")


def draw(ties: bool, seed: int = 0, size: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.random(size) < 0.3
    score = random.normal(size=size) + truth
    return truth, np.round(score, 1) if ties else score, random.random(size)


def ours(name: str, table: ThresholdTable) -> float:
    return float(measure(name, "classification")(table)[0])


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_area_and_average_precision(ties: bool, weighted: bool) -> None:
    truth, score, weight = draw(ties)
    chosen = weight if weighted else None
    table = ThresholdTable.of(score, truth, chosen)
    area = metrics.roc_auc_score(truth, score, sample_weight=chosen)
    assert ours("AUC", table) == pytest.approx(area, abs=1e-12)
    assert ours("Gini", table) == pytest.approx(2 * area - 1, abs=1e-12)
    expected = metrics.average_precision_score(truth, score, sample_weight=chosen)
    assert ours("AP", table) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("most", [0.05, 0.2, 0.5, 0.99])
@pytest.mark.parametrize("ties", [False, True])
def test_partial_area(most: float, ties: bool) -> None:
    truth, score, _ = draw(ties, seed=1)
    expected = metrics.roc_auc_score(truth, score, max_fpr=most)
    found = ours(f"AUC(max_fpr={most})", ThresholdTable.of(score, truth))
    assert found == pytest.approx(expected, abs=1e-12)


def test_kolmogorov_smirnov_is_scipys_two_sample_distance() -> None:
    stats = pytest.importorskip("scipy.stats")
    truth, score, _ = draw(True, seed=2)
    expected = stats.ks_2samp(score[truth], score[~truth]).statistic
    assert ours("KS", ThresholdTable.of(score, truth)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_curves(ties: bool) -> None:
    truth, score, weight = draw(ties, seed=3)
    table = ThresholdTable.of(score, truth, weight)
    curves = catalogue().curves
    roc = curves["ROC"](table)
    false, true, at = metrics.roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
    assert roc["FPR"] == pytest.approx(false)
    assert roc["TPR"] == pytest.approx(true)
    assert np.array_equal(roc["threshold"], at)
    pr = curves["PR by threshold"](table)
    precision, recall, at = metrics.precision_recall_curve(truth, score, sample_weight=weight)
    assert pr["P"] == pytest.approx(precision[:-1][::-1])
    assert pr["R"] == pytest.approx(recall[:-1][::-1])
    assert np.array_equal(pr["threshold"], at[::-1])


def test_det_gain_lift_and_densities() -> None:
    truth, score, _ = draw(True, seed=4)
    table = ThresholdTable.of(score, truth)
    curves = catalogue().curves
    det, roc = curves["DET"](table), curves["ROC"](table)
    assert det["FNR"] == pytest.approx(1 - roc["TPR"])
    gain, lift = curves["gain"](table), curves["lift"](table)
    assert gain["gain"][-1] == gain["taken"][-1] == lift["lift"][-1] == 1
    assert lift["lift"][1:] == pytest.approx(gain["gain"][1:] / gain["taken"][1:])
    assert np.isnan(lift["lift"][0])
    drawn = curves["densities"](table, bins=7)
    width = drawn["high"] - drawn["low"]
    for side, own in (("positive", score[truth]), ("negative", score[~truth])):
        assert (drawn[side] * width).sum() == pytest.approx(1)
        edges = np.append(drawn["low"], drawn["high"][-1])
        expected, _ = np.histogram(own, edges, density=True)
        assert drawn[side] == pytest.approx(expected)


@pytest.mark.oracle  # needs a newer scikit-learn than the lowest allowed
def test_the_whole_threshold_table() -> None:
    truth, score, _ = draw(True, seed=5)
    found = catalogue().curves["thresholds"](ThresholdTable.of(score, truth))
    tn, fp, fn, tp, at = metrics.confusion_matrix_at_thresholds(truth, score)
    own = np.isfinite(at)
    for name, expected in (("TN", tn), ("FP", fp), ("FN", fn), ("TP", tp), ("threshold", at)):
        assert np.array_equal(found[name], expected[own]), name


def test_strictly_above_is_the_row_before() -> None:
    truth, score, _ = draw(True, seed=6)
    table = ThresholdTable.of(score, truth)
    above = catalogue().curves["thresholds"](table, rule="above")
    for at, tp, fp in zip(above["threshold"], above["TP"], above["FP"], strict=True):
        assert tp == (truth & (score > at)).sum()
        assert fp == (~truth & (score > at)).sum()


def test_delong_interval_covers_and_agrees_with_the_bootstrap() -> None:
    truth, score, _ = draw(False, seed=7, size=2000)
    data = {"truth": truth.astype(int), "score": score}
    scores = assay.classification(data, "AUC AP", score="score")
    area, precision = scores.results
    random = np.random.default_rng(1)
    drawn: list[list[float]] = [[], []]
    for _ in range(300):
        rows = random.integers(0, len(truth), len(truth))
        drawn[0].append(metrics.roc_auc_score(truth[rows], score[rows]))
        drawn[1].append(metrics.average_precision_score(truth[rows], score[rows]))
    for result, values in zip((area, precision), drawn, strict=True):
        width = result.high - result.low
        assert width == pytest.approx(2 * 1.96 * np.std(values), rel=0.15)
        assert result.low < result.value < result.high


def test_weights_that_repeat_items_are_items_repeated() -> None:
    truth, score, _ = draw(True, seed=8)
    times = np.random.default_rng(2).integers(0, 4, len(truth))
    weighted = ThresholdTable.of(score, truth, times.astype(float))
    repeated = ThresholdTable.of(np.repeat(score, times), np.repeat(truth, times))
    for name in ("AUC", "AP", "KS", "AUC(max_fpr=0.3)"):
        assert ours(name, weighted) == pytest.approx(ours(name, repeated), abs=1e-12)


def test_a_thinned_table_keeps_the_items_and_nearly_the_area() -> None:
    truth, score, _ = draw(False, seed=9, size=50_000)
    table = ThresholdTable.of(score, truth)
    short = table.merge_neighbors(1000)
    assert len(short.score) <= 1000
    assert short.cells.sum() == len(truth)
    assert ours("AUC", short) == pytest.approx(ours("AUC", table), abs=1e-4)
    at = short.score[500]
    assert short.tp[0][500] == (truth & (score >= at)).sum()
