"""scikit-learn: scorers in its own functions, fitted estimators, results of cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_diabetes, make_classification
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import matthews_corrcoef, roc_curve
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import assay

X, Y = make_classification(150, 6, random_state=1, flip_y=0.2)
X3, Y3 = make_classification(150, 6, n_informative=4, n_classes=3, random_state=2)
MODEL = LogisticRegression()
SAME = {
    "MCC": "matthews_corrcoef",
    "ACC": "accuracy",
    "AUC": "roc_auc",
    "LogLoss": "neg_log_loss",
    "Brier": "neg_brier_score",
    "F": "f1",
    "BA": "balanced_accuracy",
}


@pytest.mark.parametrize("name", SAME)
def test_the_numbers_are_those_of_scikit_learn(name: str) -> None:
    ours = cross_val_score(MODEL, X, Y, scoring=assay.scorer(name), cv=3)
    assert ours == pytest.approx(cross_val_score(MODEL, X, Y, scoring=SAME[name], cv=3), abs=1e-12)


def test_more_classes_and_a_fold_without_one() -> None:
    rare = Y3.copy()
    rare[rare == 2] = np.where(np.arange((rare == 2).sum()) < 2, 2, 0)
    scores = cross_validate(
        MODEL, X3, rare, scoring={"log": assay.scorer("LogLoss"), "ACC": assay.scorer("ACC")}, cv=3
    )
    assert np.isfinite(scores["test_log"]).all()
    same = cross_val_score(MODEL, X3, Y3, scoring=assay.scorer("LogLoss"), cv=3)
    assert same == pytest.approx(cross_val_score(MODEL, X3, Y3, scoring="neg_log_loss", cv=3))


def test_the_best_rate_under_a_condition() -> None:
    fitted = MODEL.fit(X[:100], Y[:100])
    false, true, _ = roc_curve(
        Y[100:], fitted.predict_proba(X[100:])[:, 1], drop_intermediate=False
    )
    found = assay.scorer("TPR", at="FPR<=0.05")(fitted, X[100:], Y[100:])
    assert found == pytest.approx(true[false <= 0.05].max())
    assert assay.scorer("TPR", at="FPR<0")(fitted, X[100:], Y[100:]) != found
    margins = RidgeClassifier().fit(X[:100], Y[:100])
    assert 0 <= assay.scorer("TPR", at="FPR<=0.1")(margins, X[100:], Y[100:]) <= 1


def test_search_with_several_measures_and_groups() -> None:
    scoring = {"MCC": assay.scorer("MCC"), "AUC": assay.scorer("AUC")}
    groups = np.arange(150) // 10
    search = GridSearchCV(MODEL, {"C": [0.01, 1]}, scoring=scoring, refit="MCC", cv=GroupKFold(5))
    search.fit(X, Y, groups=groups)
    known = GridSearchCV(MODEL, {"C": [0.01, 1]}, scoring="matthews_corrcoef", cv=GroupKFold(5))
    known.fit(X, Y, groups=groups)
    assert search.cv_results_["mean_test_MCC"] == pytest.approx(
        known.cv_results_["mean_test_score"]
    )
    compared = assay.compare(search.cv_results_, "MCC")
    assert {*compared.systems["system"]} == {"C=1", "C=0.01"}
    assert compared.conventions["test"] == "corrected-t"


def test_sample_weights_are_routed() -> None:
    weights = np.random.default_rng(0).random(150)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = assay.scorer("MCC").set_score_request(sample_weight=True)
        given: dict[str, Any] = {"params": {"sample_weight": weights}, "cv": 3}
        model = LogisticRegression().set_fit_request(sample_weight=False)
        ours = cross_validate(model, X, Y, scoring={"m": scorer}, **given)["test_m"]
        plain = cross_validate(model, X, Y, scoring={"m": assay.scorer("MCC")}, cv=3)["test_m"]
    assert ours != pytest.approx(plain)
    fitted = MODEL.fit(X, Y)
    expected = matthews_corrcoef(Y, fitted.predict(X), sample_weight=weights)
    assert assay.scorer("MCC")(fitted, X, Y, sample_weight=weights) == pytest.approx(expected)


def test_folds_are_compared_with_the_corrected_test() -> None:
    models = {"lr": MODEL, "tree": DecisionTreeClassifier(random_state=0)}
    scoring = {"MCC": assay.scorer("MCC"), "log": "neg_log_loss"}
    folds = {n: cross_validate(m, X, Y, scoring=scoring, cv=5) for n, m in models.items()}
    compared = assay.compare(folds, baseline="tree")
    row = compared.pairs.row(0, named=True)
    differences = folds["lr"]["test_MCC"] - folds["tree"]["test_MCC"]
    assert row["difference"] == pytest.approx(differences.mean())
    spread = np.sqrt((1 / 5 + 1 / 4) * differences.var(ddof=1))
    from scipy.stats import t

    assert row["p"] == pytest.approx(2 * t.sf(abs(differences.mean()) / spread, 4))
    short = {"lr": folds["lr"], "tree": {"test_MCC": [0.1, 0.2], "test_log": [0.1, 0.2]}}
    with pytest.raises(assay.AssayError, match="different numbers of folds"):
        assay.compare(short)


def test_fitted_estimators() -> None:
    two = {"lr": LogisticRegression().fit(X3, Y3), "tree": DecisionTreeClassifier().fit(X3, Y3)}
    scores = assay.evaluate(two, X3, Y3, by={"half": np.arange(150) // 75})
    assert {"ACC", "LogLoss", "AUC_OvR"} <= {*scores.measures}
    assert scores["ACC"]["tree"] == 1
    assert scores.slices == ("half=0", "half=1")
    margins = assay.evaluate(RidgeClassifier().fit(X, Y), X, Y)
    assert "AUC" in margins.measures
    data, target = load_diabetes(return_X_y=True, as_frame=True)
    regression = assay.evaluate(Ridge().fit(data, target), data, target, "RMSE", by="sex")
    assert len(regression.slices) == 2
    several = np.stack([Y, 1 - Y], axis=1)
    labels = assay.evaluate(OneVsRestClassifier(MODEL).fit(X, several), X, several, "subset")
    assert labels.task == "labelsets"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assay.scorer("MCCC"), "Did you mean MCC"),
        (lambda: assay.scorer("TPR", at="FPR"), "is not a condition"),
        (lambda: assay.scorer("AUC", at="FPR<=0.1"), "not a measure of yes-or-no decisions"),
        (lambda: assay.evaluate(MODEL.fit(X, Y), X, Y, by="age"), "no column 'age' in X"),
        (
            lambda: assay.scorer("LogLoss")(RidgeClassifier().fit(X, Y), X, Y),
            "RidgeClassifier does not have",
        ),
    ],
)
def test_what_cannot_be_done(call: Any, message: str) -> None:
    with pytest.raises(assay.AssayError, match=message):
        call()


def test_scores_of_the_first_class() -> None:
    from sklearn.metrics import roc_auc_score

    words = np.where(Y == 1, "yes", "no")
    model = LinearSVC().fit(X[:100], words[:100])
    scores = model.decision_function(X[100:])
    for positive, known in [("yes", scores), ("no", -scores)]:
        auc = roc_auc_score(words[100:] == positive, known)
        assert assay.scorer("AUC", positive=positive)(model, X[100:], words[100:]) == pytest.approx(
            auc
        )
        found = assay.evaluate(model, X[100:], words[100:], "AUC", positive=positive)
        assert found["AUC"] == pytest.approx({"LinearSVC": auc})
    # Without `positive`, of "pos" and "zero" the first is positive by its meaning.
    words = np.where(Y == 1, "zero", "pos")
    model = LinearSVC().fit(X[:100], words[:100])
    auc = roc_auc_score(words[100:] == "pos", -model.decision_function(X[100:]))
    assert assay.evaluate(model, X[100:], words[100:], "AUC")["AUC"] == pytest.approx(
        {"LinearSVC": auc}
    )


def test_folds_of_other_items_are_not_paired() -> None:
    items, truth = make_classification(60, random_state=0)

    def scored(seed: int) -> dict[str, Any]:
        folds = KFold(3, shuffle=True, random_state=seed)
        return cross_validate(LogisticRegression(), items, truth, cv=folds, return_indices=True)

    for systems in ({"a": scored(1), "b": scored(2)}, [scored(1), scored(2)]):
        with pytest.raises(assay.AssayError, match="different items in the same fold"):
            assay.compare(systems)
    same = assay.compare({"a": scored(1), "b": scored(1)})
    assert same.systems["system"].to_list() == ["a", "b"]


def test_a_search_by_name_is_refused_with_what_to_give() -> None:
    items, truth = make_classification(60, random_state=0)
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=3).fit(items, truth)
    for given in (search, search.cv_results_):
        with pytest.raises(assay.AssayError, match=r"'a' is a search, .* give its `cv_results_`"):
            assay.compare({"a": given})


def test_the_condition_of_a_scorer_is_checked_when_it_is_made() -> None:
    with pytest.raises(assay.AssayError, match=r"there is no rate 'foo' .*TPR, FPR"):
        assay.scorer("TPR", at="foo<=0.05")
    items, truth = make_classification(200, flip_y=0.2, random_state=0)
    model = LogisticRegression().fit(items, truth)
    values = [assay.scorer("TNR", at=at)(model, items, truth) for at in ("FNR<=0.1", "TPR>=0.9")]
    assert values[0] == values[1] < 1


def test_a_class_that_is_never_predicted_counts_as_scikit_learn_counts_it() -> None:
    """The numbers of the how-to on scikit-learn."""
    from sklearn.dummy import DummyClassifier
    from sklearn.metrics import f1_score

    truth = [0] * 6 + [1] * 3 + [2] * 2
    items = [[0]] * len(truth)
    model = DummyClassifier(strategy="most_frequent").fit(items, truth)
    theirs = f1_score(truth, model.predict(items), average="macro")
    assert round(theirs, 3) == 0.235
    assert assay.scorer("f1_macro", profile="sklearn")(model, items, truth) == pytest.approx(theirs)
    assert round(assay.scorer("f1_macro")(model, items, truth), 3) == 0.706


def test_estimators_with_probabilities_beside_others_with_scores() -> None:
    items = np.random.default_rng(3).normal(size=(80, 2))
    truth = np.where(items[:, 0] + items[:, 1] / 2 > 0, "no", "maybe")
    models = [LogisticRegression().fit(items, truth), LinearSVC().fit(items, truth)]
    for positive in ("no", "maybe"):
        scores = assay.evaluate(models, items, truth, positive=positive)
        alone = [assay.evaluate(each, items, truth, positive=positive) for each in models]
        assert set(scores.systems) == {"LogisticRegression", "LinearSVC"}
        for each in alone:
            name = each.systems[0]
            assert scores["AUC"][name] == each["AUC"][name]
            assert scores["ACC"][name] == each["ACC"][name]


def test_more_classes_without_probabilities_of_all() -> None:
    items = np.random.default_rng(3).normal(size=(80, 2))
    truth = np.digitize(items[:, 0], [-0.5, 0.5])
    models = {"lr": LogisticRegression().fit(items, truth), "svc": LinearSVC().fit(items, truth)}
    scores = assay.evaluate(models, items, truth)
    assert set(scores["ACC"]) == {"lr", "svc"}
    assert (
        "svc: no probabilities or scores, so that those of others are not used" in scores.warnings
    )


def test_what_a_scorer_cannot_be() -> None:
    several: Any = ["MCC", "AUC"]
    with pytest.raises(assay.AssayError, match="one measure; give scikit-learn a dict of several"):
        assay.scorer(several)
    number: Any = 0.3
    with pytest.raises(assay.AssayError, match=r"0.3 is not a condition on a rate"):
        assay.scorer("TPR", at=number)
    with pytest.raises(assay.AssayError, match="not from an estimator: give y and"):
        assay.threshold(LogisticRegression(), [[1]], [1])


def test_classifiers_and_regressors_are_evaluated_in_two_calls() -> None:
    items, truth = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    models = {"lr": LogisticRegression().fit(items, truth), "ridge": Ridge().fit(items, truth)}
    with pytest.raises(assay.AssayError, match="ridge predicts numbers, the others classes"):
        assay.evaluate(models, items, truth)
