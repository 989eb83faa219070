"""Averages over classes equal scikit-learn's; the calibration line equals statsmodels'."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import chi2
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.preprocessing import label_binarize

import assay
from assay.evidence.views.probabilities import Probabilities
from assay.measures.probabilities.calibration import calibration
from assay.measures.probabilities.calibration_line import fit_line

DRAW = np.random.default_rng(5)
TRUE = DRAW.choice(4, 300, p=[0.5, 0.3, 0.15, 0.05])
GIVEN = DRAW.dirichlet([1, 1, 1, 1], 300) + np.eye(4)[TRUE] * 0.3
GIVEN = np.round(GIVEN / GIVEN.sum(axis=1, keepdims=True), 2) + 0.0
GIVEN[:, 3] = 1 - GIVEN[:, :3].sum(axis=1)
WEIGHT = DRAW.integers(1, 4, 300)


@pytest.mark.parametrize("mean", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("weighted", [False, True])
def test_averages_equal_scikit_learn(mean: str, weighted: bool) -> None:
    names = [f"AUC_OvR(mean={mean})", f"AP_OvR(mean={mean})"]
    weight = WEIGHT if weighted else None
    scores = assay.classification(TRUE, None, names, y_score=GIVEN, weight=weight, interval=None)
    found = [next(iter(scores[name].values())) for name in names]
    own = label_binarize(TRUE, classes=range(4))
    area = roc_auc_score(TRUE, GIVEN, average=mean, multi_class="ovr", sample_weight=weight)
    precision = average_precision_score(own, GIVEN, average=mean, sample_weight=weight)
    assert found == pytest.approx([area, precision], abs=1e-12)


def test_names_of_scikit_learn() -> None:
    assert str(assay.measure("roc_auc_ovr_weighted", "classification")) == "AUC_OvR(mean=weighted)"


def test_the_calibration_line_equals_logistic_regression() -> None:
    forecast = DRAW.uniform(0.02, 0.98, 400)
    outcome = DRAW.random(400) < forecast**1.5
    line, error, p = fit_line(forecast, outcome, np.ones(400))
    odds = np.log(forecast / (1 - forecast))
    fitted = sm.Logit(outcome.astype(float), sm.add_constant(odds)).fit(disp=False)
    assert line == pytest.approx(fitted.params, abs=1e-8)
    assert error == pytest.approx(fitted.bse, rel=1e-6)
    start = np.log(np.where(outcome, forecast, 1 - forecast)).sum()
    assert p == pytest.approx(chi2.sf(2 * (fitted.llf - start), 2), rel=1e-6)


def test_the_calibration_line_of_separated_classes_is_undefined() -> None:
    line, _, p = fit_line(
        np.asarray([0.1, 0.2, 0.8, 0.9]), np.asarray([0, 0, 1, 1]) > 0, np.ones(4)
    )
    assert np.isnan([*line, p]).all()


def test_each_bin_has_an_interval() -> None:
    from statsmodels.stats.proportion import proportion_confint

    forecast = DRAW.random(200)
    truth = (DRAW.random(200) < forecast) * 1
    matrix = np.stack([1 - forecast, forecast], axis=1)
    view = Probabilities.of(("no", "yes"), truth, matrix)
    for strategy in ("width", "quantile"):
        bins = calibration(view, bins=5, strategy=strategy)
        low, high = proportion_confint(
            np.round(bins["came true"] * bins["items"]), bins["items"], method="wilson"
        )
        assert bins["low"] == pytest.approx(low)
        assert bins["high"] == pytest.approx(high)
    assert bins["items"].tolist() == [40] * 5


def test_the_calibration_line_of_certain_forecasts_equals_statsmodels() -> None:
    """Log-odds of ±20 make Newton's steps overshoot."""
    outcome = DRAW.random(600) < 0.4
    certain = DRAW.random(600) < 0.7
    forecast = np.where(certain, (outcome ^ (DRAW.random(600) < 0.05)) * 1.0, DRAW.random(600))
    line, error, p = fit_line(forecast, outcome, np.ones(600))
    clipped = np.clip(forecast, 1e-15, 1 - 1e-15)
    odds = np.log(clipped / (1 - clipped))
    model = sm.GLM(outcome * 1.0, sm.add_constant(odds), family=sm.families.Binomial())
    fitted = model.fit(start_params=[0, 0.1])
    assert line == pytest.approx(fitted.params, abs=1e-6)
    assert error == pytest.approx(fitted.bse, rel=1e-5)
    assert p < 1e-50


def test_the_interval_of_a_bin_stays_within_the_bounds() -> None:
    forecast = np.repeat([0.1, 0.9], 37)
    view = Probabilities.of(
        ("no", "yes"), np.repeat([0, 1], 37), np.stack([1 - forecast, forecast], axis=1)
    )
    bins = calibration(view)
    assert bins["low"][0] == 0
    assert bins["high"][1] == 1
