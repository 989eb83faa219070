"""Weights of items reach the model of a Pipeline as scikit-learn's metadata routing has it."""

from __future__ import annotations

import numpy as np
import pytest

import assay

pytest.importorskip("sklearn")
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def test_weights_in_a_pipeline() -> None:
    draw = np.random.default_rng(3)
    X, w = draw.normal(size=(60, 2)), draw.uniform(0.1, 5, 60)
    y = (X[:, 0] + draw.normal(size=60) > 0).astype(int)
    cv = KFold(3)
    plain = {"lr": make_pipeline(StandardScaler(), LogisticRegression())}
    with pytest.raises(assay.AssayError, match=r"lr: a Pipeline .*enable_metadata_routing=True"):
        assay.cross_validate(plain, X, y, "LogLoss", cv=cv, sample_weight=w)
    with config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = make_pipeline(scaler, LogisticRegression().set_fit_request(sample_weight=True))
        scores = assay.cross_validate(routed, X, y, "LogLoss", cv=cv, sample_weight=w)
    losses = np.empty(60)
    for train, test in cv.split(X):
        scale = StandardScaler().fit(X[train])
        model = LogisticRegression().fit(scale.transform(X[train]), y[train], w[train])
        chances = model.predict_proba(scale.transform(X[test]))
        losses[test] = -np.log(chances[np.arange(len(test)), y[test]])
    found = next(each for each in scores.results if each.slice == "all")
    assert found.value == pytest.approx(np.average(losses, weights=w))
