"""Values: the same numbers as scikit-learn and scipy, with and without weights."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.core.names import measure
from assay.engine.local import evaluate
from assay.evidence.views.value_pairs import ValuePairs
from assay.testing import values

metrics = pytest.importorskip("sklearn.metrics")
stats = pytest.importorskip("scipy.stats")


def draw(seed: int = 0, size: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.gamma(3, size=size)
    said = np.maximum(truth + random.normal(scale=0.7, size=size), 0.05)
    return truth, said, random.random(size)


def ours(name: str, view: ValuePairs) -> float:
    return evaluate(view, [measure(name, "regression")], "it")[0].value


WEIGHTED = {
    "MSE": metrics.mean_squared_error,
    "RMSE": metrics.root_mean_squared_error,
    "MAE": metrics.mean_absolute_error,
    "R2": metrics.r2_score,
    "D2_AE": metrics.d2_absolute_error_score,
    "EV": metrics.explained_variance_score,
    "MAPE": metrics.mean_absolute_percentage_error,
    "MSLE": metrics.mean_squared_log_error,
    "RMSLE": metrics.root_mean_squared_log_error,
    "pinball(alpha=0.9)": lambda *a, **k: metrics.mean_pinball_loss(*a, alpha=0.9, **k),
    "PoissonDeviance": metrics.mean_poisson_deviance,
    "GammaDeviance": metrics.mean_gamma_deviance,
    "TweedieDeviance(power=1.5)": lambda *a, **k: metrics.mean_tweedie_deviance(*a, power=1.5, **k),
    "TweedieDeviance(power=3)": lambda *a, **k: metrics.mean_tweedie_deviance(*a, power=3, **k),
    "TweedieDeviance": metrics.mean_squared_error,
}


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize("weighted", [False, True])
def test_measures_with_weights(name: str, weighted: bool) -> None:
    truth, said, weight = draw()
    chosen = weight if weighted else None
    expected = WEIGHTED[name](truth, said, sample_weight=chosen)
    assert ours(name, ValuePairs.of(truth, said, weight=chosen)) == pytest.approx(
        expected, rel=1e-12
    )


@pytest.mark.parametrize("size", [200, 201])
def test_measures_without_weights(size: int) -> None:
    truth, said, _ = draw(1, size)
    view = values(truth, said)
    assert ours("MedAE", view) == pytest.approx(metrics.median_absolute_error(truth, said))
    assert ours("MaxE", view) == pytest.approx(metrics.max_error(truth, said))
    assert ours("Pearson", view) == pytest.approx(stats.pearsonr(truth, said).statistic)
    rough = values(np.round(truth), np.round(said))
    expected = stats.spearmanr(np.round(truth), np.round(said)).statistic
    assert ours("Spearman", rough) == pytest.approx(expected, abs=1e-12)
    assert ours("bias", view) == pytest.approx((said - truth).mean())


def test_weights_that_repeat_items_are_items_repeated() -> None:
    truth, said, _ = draw(2)
    truth = np.round(truth, 1)
    times = np.random.default_rng(3).integers(0, 4, len(truth))
    weighted = ValuePairs.of(truth, said, weight=times.astype(float))
    repeated = values(np.repeat(truth, times), np.repeat(said, times))
    for name in ("MedAE", "Spearman", "Pearson", "CCC", "R2", "EV", "MSE", "MaxE"):
        assert ours(name, weighted) == pytest.approx(ours(name, repeated), rel=1e-12), name


def test_undefined_values_have_reasons() -> None:
    view = values([0, 2, 4], [1, 2, 5])
    result = evaluate(view, [measure("MAPE", "regression")], "it")[0]
    assert result.undefined == {"the true value is 0": 1}
    assert result.value == pytest.approx((0 + 0.25) / 2)
    constant = values([2, 2, 2], [1, 2, 3])
    assert math.isnan(ours("R2", constant))
    assert ours("R2(finite=true)", constant) == 0
    assert ours("R2(finite=true)", values([2, 2], [2, 2])) == 1
    reason = evaluate(constant, [measure("Pearson", "regression")], "it")[0].undefined
    assert reason == {"the true values do not vary": 1}
    flat = evaluate(values([1, 2, 3], [2, 2, 2]), [measure("Pearson", "regression")], "it")[0]
    assert flat.undefined == {"the predictions do not vary": 1}
    low = evaluate(values([-2, 1], [1, 1]), [measure("MSLE", "regression")], "it")[0]
    assert low.undefined == {"a true value is −1 or less": 1}


def test_densities_and_histograms() -> None:
    from assay.tasks.regression.histogram_density import histogram_likelihood

    random = np.random.default_rng(5)
    seen, fresh = random.normal(size=400), random.normal(size=400)
    density = stats.norm.pdf(fresh)
    scores = assay.regression({"q": density}, density="q", interval=None)
    assert scores["LogLik"]["predictor"] == pytest.approx(stats.norm.logpdf(fresh).mean())
    table = histogram_likelihood(seen, fresh, bins=(1, 5, 20, 2000))
    one = table.row(0, named=True)
    assert one["training"] == pytest.approx(-np.log(seen.max() - seen.min()))
    assert table["training"].is_sorted()
    assert table["held_out"][1] > table["held_out"][3]
    counts, edges = np.histogram(seen, bins=20)
    # The largest number lies on the last edge, where scipy's density is 0 already.
    inside = np.sort(seen)[:-1]
    likely = stats.rv_histogram((counts, edges)).logpdf(inside).sum()
    likely += np.log(counts[-1] / len(seen) / (edges[1] - edges[0]))
    assert table["training"][2] == pytest.approx(likely / len(seen))


@pytest.mark.shared
def test_yardstick_solubility(shared_data: Path) -> None:
    import json

    folder = shared_data / "yardstick"
    expected = json.loads((folder / "expected.json").read_text())["results"]["solubility_test"]
    names = {
        "RMSE": "rmse",
        "MAE": "mae",
        "R2": "r2_traditional",
        "sMAPE(percent=true)": "smape_half",
        "CCC": "ccc_biased",
    }
    scores = assay.regression(
        folder / "solubility_test.csv",
        [*names, "Pearson", "bias", "MAPE"],
        truth="solubility",
        predicted="prediction",
        interval=None,
    )
    for name, theirs in names.items():
        assert scores[name]["predictor"] == pytest.approx(expected[theirs], rel=1e-12), name
    assert scores["Pearson"]["predictor"] ** 2 == pytest.approx(expected["rsq_corr"])
    # Theirs is truth less prediction.
    assert -scores["bias"]["predictor"] == pytest.approx(expected["msd"])
    assert scores.of("MAPE")[0].undefined == {"the true value is 0": expected["zeros_in_truth"]}


def test_intervals_of_many_items_are_those_of_resamples() -> None:
    truth, said, _ = draw(7, 25_000)
    names = "RMSE R2 MAE"
    scores = assay.regression({"truth": truth, "predicted": said}, names)
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(200):
        rows = random.integers(0, len(truth), len(truth))
        pair = truth[rows], said[rows]
        drawn.append(
            [
                metrics.root_mean_squared_error(*pair),
                metrics.r2_score(*pair),
                metrics.mean_absolute_error(*pair),
            ]
        )
    for result, spread in zip(scores.results, np.std(drawn, axis=0), strict=True):
        assert result.low < result.value < result.high
        assert result.high - result.low == pytest.approx(2 * 1.96 * spread, rel=0.2)
