"""Cross-validation against scikit-learn, with groups, weights, splits; and nested estimates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay
from assay.core.errors import AssayError

pytest.importorskip("sklearn")
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifierCV
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedKFold,
    StratifiedGroupKFold,
    TimeSeriesSplit,
)
from sklearn.model_selection import cross_validate as sklearn_cross_validate
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier


def problem(size: int = 120, seed: int = 0) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(size, 4))
    return X, np.where(X[:, 0] + draw.normal(size=size) > 0, 1, 0)


def value(scores: assay.Scores, measure: str, part: str) -> assay.Result:
    return next(r for r in scores.results if (r.measure, r.slice) == (measure, part))


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC()])
def test_folds_equal_scikit_learn(estimator: Any) -> None:
    X, y = problem()
    names = {"ACC": "accuracy", "AUC": "roc_auc", "F": "f1"}
    found = assay.cross_validate(estimator, X, y, list(names), cv=5)
    known = sklearn_cross_validate(estimator, X, y, cv=5, scoring=[*names.values()])
    for own, other in names.items():
        np.testing.assert_allclose(value(found, own, "folds").values, known[f"test_{other}"])
    assert value(found, "ACC", "folds").unit_kind == "fold"
    assert value(found, "ACC", "all").value == pytest.approx(known["test_accuracy"].mean())


def test_folds_of_several_systems_and_classes_equal_scikit_learn() -> None:
    X, y = problem(90)
    y = np.array(["low", "middle", "high"])[(np.digitize(X[:, 1], (-0.5, 0.5)) + y) % 3]
    models = {"tree": DecisionTreeClassifier(random_state=0), "line": LogisticRegression()}
    for weights in (None, np.linspace(1, 3, len(y))):
        found = assay.cross_validate(models, X, y, "ACC F", cv=KFold(6), sample_weight=weights)
        for name, model in models.items():
            for fold, (train, test) in enumerate(KFold(6).split(X)):
                own = None if weights is None else weights[train]
                predicted = clone(model).fit(X[train], y[train], sample_weight=own).predict(X[test])
                of_test = None if weights is None else weights[test]
                known = accuracy_score(y[test], predicted, sample_weight=of_test)
                values = [
                    r.values[fold]
                    for r in found.results
                    if (r.system, r.measure, r.slice) == (name, "ACC", "folds")
                ]
                assert values == pytest.approx([known], abs=1e-15)


def test_the_interval_of_folds_allows_for_their_overlap() -> None:
    from scipy.stats import t

    X, y = problem()
    folds = value(assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=5), "ACC", "folds")
    spread = np.sqrt(folds.values.var(ddof=1) * (1 / 5 + 1 / 4))
    assert folds.high - folds.value == pytest.approx(t.ppf(0.975, 4) * spread)


def test_regression_and_several_estimators_are_compared() -> None:
    X, y = problem()
    models = {"full": LinearRegression(), "none": LinearRegression(fit_intercept=False)}
    found = assay.cross_validate(models, X, X[:, 0] + 0.1 * y, "RMSE", cv=KFold(4))
    known = sklearn_cross_validate(
        models["full"], X, X[:, 0] + 0.1 * y, cv=KFold(4), scoring="neg_root_mean_squared_error"
    )
    np.testing.assert_allclose(value(found, "RMSE", "folds").values, -known["test_score"])
    assert found.systems == ("full", "none")
    assert {"full", "none"} <= {*str(assay.compare(found)).split()}


def test_the_folds_of_a_cross_validation_are_compared() -> None:
    """As for the dicts of scikit-learn; items only by a test of items, which a note qualifies."""
    X, y = problem()
    models = {"line": LogisticRegression(), "tree": DecisionTreeClassifier(random_state=0)}
    cv = KFold(5, shuffle=True, random_state=0)
    scores = assay.cross_validate(models, X, y, "ACC MCC", cv=cv)
    scoring = {name: assay.scorer(name) for name in ("ACC", "MCC")}
    folds = {
        name: sklearn_cross_validate(each, X, y, cv=cv, scoring=scoring)
        for name, each in models.items()
    }
    numbers = ["measure", "difference", "low", "high", "p"]
    expected = assay.compare(folds).pairs.select(numbers).rows()
    for test in (None, "corrected-t"):
        assert assay.compare(scores, test=test).pairs.select(numbers).rows() == expected
    assert not any("optimistic" in note for note in assay.compare(scores).warnings)
    by_items = assay.compare(scores, "ACC", test="t")
    assert by_items.pairs["units"].to_list() == [120]
    of_items = (
        by_items,
        assay.gate(scores, "ACC", baseline="line", margin=0.1),
        assay.power(scores, "ACC"),
    )
    for each in of_items:
        assert any("optimistic" in note for note in each.warnings)
    halves = {str(item + 1): "first" if item < 60 else "second" for item in range(120)}
    with pytest.raises(AssayError, match="leave one of them out"):
        assay.compare(scores, "ACC", test="corrected-t", by=halves)


def test_groups_reach_both_loops_of_a_nested_one() -> None:
    draw = np.random.default_rng(1)
    X, y = draw.normal(size=(100, 10)), draw.integers(0, 2, 100)
    groups = draw.integers(0, 10, 100)
    seen: list[int] = []

    class Watched(StratifiedGroupKFold):  # type: ignore[misc]
        def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
            seen.append(len(groups))
            return super().split(X, y, groups)

    grid = {"max_depth": [None, 10]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=Watched(5))
    found = assay.cross_validate(search, X, y, groups=groups, cv=StratifiedGroupKFold(5))
    assert len(seen) == 5
    assert sum(seen) == 400
    assert value(found, "ACC", "folds").units == ("1", "2", "3", "4", "5")


def test_options_of_scikit_learn_are_taken() -> None:
    X, y = problem(40)
    options: dict[str, Any] = {"n_jobs": 1, "verbose": 10, "return_train_score": True}
    options |= {"return_estimator": True, "error_score": "raise"}
    found = assay.cross_validate(LogisticRegression(), X, y=y, measures="ACC", cv=4, **options)
    plain = assay.cross_validate(LogisticRegression(), X, y=y, measures="ACC", cv=4)
    assert found["ACC"] == plain["ACC"]
    (note,) = set(found.warnings) - set(plain.warnings)
    assert note.endswith("n_jobs, verbose, return_train_score, return_estimator, error_score")
    scored = assay.cross_validate(LogisticRegression(), X, y=y, scoring="ACC", cv=4)
    assert scored == plain
    for wrong, message in (("params", "`groups` and `sample"), ("group", "Did you mean groups")):
        with pytest.raises(AssayError, match=message):
            assay.cross_validate(LogisticRegression(), X, y, **{wrong: "x"})


@pytest.mark.simulate
def test_grouped_nested_search_over_forests() -> None:
    """The set-up that scikit-learn's cross_validate refuses (its issue 28696), at full size."""
    draw = np.random.RandomState(0)
    X, y = draw.randn(100, 10), draw.randint(0, 2, size=100)
    groups = draw.randint(0, 10, size=100)
    grid = {"n_estimators": [10, 100, 1000], "max_depth": [None, 10, 100]}
    forest = RandomForestClassifier(random_state=0)
    search = GridSearchCV(forest, grid, cv=StratifiedGroupKFold(n_splits=5), n_jobs=1)
    found = assay.cross_validate(search, X, y, groups=groups, cv=StratifiedGroupKFold(n_splits=5))
    assert value(found, "ACC", "folds").units == ("1", "2", "3", "4", "5")
    assert value(found, "ACC", "all").low < 0.5 < value(found, "ACC", "all").high
    with pytest.raises(ValueError, match="groups"):
        sklearn_cross_validate(
            search, X, y, groups=groups, cv=StratifiedGroupKFold(5), error_score="raise"
        )


def test_splits_of_assay_are_folds_and_are_recorded() -> None:
    X, y = problem(40)
    splits = assay.split_items({"y": y}, "k-fold", folds=4, stratum="y")
    found = assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=splits)
    assert found.conventions["folds"]["digest"] == splits.digest
    once = assay.split_items({"y": y}, shares=(75, 25))
    found = assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=once)
    assert "30 items of 40 in no test fold" in found.warnings


def test_weights_and_missing_classes_in_training() -> None:
    X, y = problem(60)
    weights = np.linspace(1, 2, 60)
    found = assay.cross_validate(LogisticRegression(), X, y, "ACC", sample_weight=weights, cv=3)
    plain = assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=3)
    assert value(found, "ACC", "all").value != value(plain, "ACC", "all").value
    rare = np.where(np.arange(60) < 2, 2, y)  # the first fold has both items of the third class
    found = assay.cross_validate(DecisionTreeClassifier(), X, rare, "ACC LogLoss", cv=KFold(5))
    assert value(found, "ACC", "all").value < 1


def test_repeated_folds_bring_no_new_items() -> None:
    from scipy.stats import t

    X, y = problem(40)
    cv = RepeatedKFold(n_splits=4, n_repeats=3, random_state=0)
    models = {"one": LogisticRegression(), "two": DecisionTreeClassifier(random_state=0)}
    found = assay.cross_validate(models, X, y, "ACC", cv=cv)
    folds = value(found, "ACC", "all")
    assert folds.unit_kind == "fold"
    assert folds.units == tuple(f"{r}-{f}" for r in (1, 2, 3) for f in (1, 2, 3, 4))
    spread = np.sqrt(folds.values.var(ddof=1) * (1 / 4 + 1 / 3))  # not 1/12 + 1/3
    assert folds.high - folds.value == pytest.approx(t.ppf(0.975, 11) * spread)
    two = next(each for each in found.results if each.system == "two")
    differences = two.values - folds.values
    statistic = differences.mean() / np.sqrt(differences.var(ddof=1) * (1 / 12 + 1 / 3))
    (pair,) = assay.compare(found, test="corrected-t").pairs.rows(named=True)
    assert pair["p"] == pytest.approx(2 * t.sf(abs(statistic), 11))
    assert value(assay.cross_validate(LinearRegression(), X, y, "MSE", cv=cv), "MSE", "all").low > 0
    splits = assay.split_items({"y": y}, "k-fold", folds=4, repeats=3)
    again = assay.cross_validate(models, X, y, "ACC", cv=splits)
    assert value(again, "ACC", "all").units == folds.units


def test_the_pooled_interval_is_wider_than_that_of_independent_items() -> None:
    X, y = problem()
    found = assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=5)
    pooled = value(found, "ACC", "all")
    (plain,) = found.origin.scores("ACC").results  # as if the items were independent
    for own, other in ((pooled.low, plain.low), (pooled.high, plain.high)):
        assert own - pooled.value == pytest.approx(1.5 * (other - pooled.value))  # √(1 + 5/4)
    assert found.conventions["folds"]["widening"] == 1.5
    once = assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=[(range(80), range(80, 120))])
    assert once.conventions["folds"]["widening"] == 1
    ten = assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=10)
    assert any("90 % with 10 folds" in note for note in ten.warnings)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cv": 1}, "does not fit the data"),
        ({"cv": "folds"}, "no such file"),
        ({"cv": GroupKFold(3)}, "groups"),
        ({"cv": [([0, 1], [1, 2])]}, "trains on row 2, which it tests"),
        ({"cv": TimeSeriesSplit(200)}, "does not fit"),
        ({"cv": [([0, 1], [1000])]}, "beyond the 40 items"),
        ({"cv": object()}, "does not fit the data"),
        ({"groups": [1, 2, 3]}, "`groups` has 3 values for 40"),
        ({"sample_weight": ["a"] * 40}, "a number for each"),
        ({"sample_weight": [1.0]}, "`sample_weight` has 1 value for 40"),
        ({"y": [[1, 0]] * 40}, "in one column"),
        ({"y": [0, 1]}, "`X` has 40 values for 2"),
        ({"X": 3}, "a row for each item"),
        ({"estimator": LogisticRegression}, "cannot be trained"),
        ({"estimator": "tree"}, "cannot be trained"),
        ({"estimator": LogisticRegression(C=-1)}, "LogisticRegression, fold 1: The 'C' parameter"),
        ({"X": [["a"]] * 40}, "LogisticRegression, fold 1: could not convert"),
        ({"measures": "nope"}, "no measure"),
        ({"estimator": {}}, "one by one"),
    ],
)
def test_bad_folds_are_refused(options: dict[str, Any], message: str) -> None:
    X, y = problem(40)
    given: dict[str, Any] = {"estimator": LogisticRegression(), "X": X, "y": y} | options
    with pytest.raises(AssayError, match=message):
        assay.cross_validate(**given)


class BestFeature(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A cheap learner with 100 candidates: the feature that decides best in 5 inner folds."""

    def fit(self, X: Any, y: Any) -> BestFeature:
        self.classes_ = np.array([0, 1])
        inner = np.arange(len(y)) % 5
        right = sum(self._right(X, y, inner == k) for k in range(5))
        self.chosen_ = int(np.argmax(right))
        self.optimistic_ = float(right.max() / len(y))
        self.means_ = self._means(X, y)
        return self

    def _right(self, X: Any, y: Any, tested: Any) -> Any:
        answers = self._answer(X[tested], *self._means(X[~tested], y[~tested]))
        return (y[tested] == answers.T).sum(axis=1)

    @staticmethod
    def _means(X: Any, y: Any) -> tuple[Any, Any]:
        return X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)

    @staticmethod
    def _answer(X: Any, zero: Any, one: Any) -> Any:
        return (np.abs(X - one) < np.abs(X - zero)).astype(int)

    def predict(self, X: Any) -> Any:
        return self._answer(X, *self.means_)[:, self.chosen_]


@pytest.mark.simulate
def test_a_nested_estimate_of_noise_contains_chance() -> None:
    draw = np.random.default_rng(20261117)
    optimistic, covered = [], {"all": 0, "folds": 0}
    for _ in range(1000):
        X, y = draw.normal(size=(200, 100)), draw.permutation(np.repeat([0, 1], 100))
        optimistic.append(BestFeature().fit(X, y).optimistic_)
        nested = assay.cross_validate(BestFeature(), X, y, "ACC", cv=KFold(5))
        for part in covered:
            found = value(nested, "ACC", part)
            covered[part] += found.low <= 0.5 <= found.high
    assert np.mean(optimistic) > 0.55
    assert min(covered.values()) >= 920


@pytest.mark.simulate
@pytest.mark.parametrize(
    "cv", [KFold(5), KFold(10), RepeatedKFold(n_splits=5, n_repeats=5, random_state=0)], ids=str
)
@pytest.mark.parametrize("measure", ["MSE", "ACC"])
def test_intervals_of_folds_contain_the_error_of_the_model(cv: Any, measure: str) -> None:
    draw = np.random.default_rng(5)
    covered: dict[str, int] = {}
    sets = 400
    for _ in range(sets):
        X = draw.normal(size=(2100, 20))
        y = X[:, :4].sum(axis=1) + 2 * draw.normal(size=2100)
        model: Any = LinearRegression()
        if measure == "ACC":
            y, model = np.where(y > 0, 1, 0), LinearDiscriminantAnalysis()
        found = assay.cross_validate(model, X[:100], y[:100], measure, cv=cv)
        answers = model.fit(X[:100], y[:100]).predict(X[100:])
        true = np.mean((answers - y[100:]) ** 2 if measure == "MSE" else answers == y[100:])
        for each in found.results:
            covered[each.slice] = covered.get(each.slice, 0) + (each.low <= true <= each.high)
    assert min(covered.values()) >= 0.92 * sets


def test_the_first_class_may_be_positive() -> None:
    X, y = problem()
    words = np.where(y == 1, "yes", "no")
    found = {
        positive: value(
            assay.cross_validate(LinearSVC(), X, words, "AUC", positive=positive), "AUC", "folds"
        )
        for positive in ("yes", "no")
    }
    assert found["yes"].value > 0.7
    np.testing.assert_allclose(found["no"].values, found["yes"].values)


def test_truth_values_are_classes() -> None:
    X, y = problem()
    numbers = assay.cross_validate(LogisticRegression(), X, y, ["ACC", "AUC", "LogLoss"])
    truths = assay.cross_validate(LogisticRegression(), X, y == 1, ["ACC", "AUC", "LogLoss"])
    assert [each.value for each in truths.results] == [each.value for each in numbers.results]


def test_groups_reach_searches_only() -> None:
    X, y = problem()
    groups = np.repeat(np.arange(30), 4)
    options: dict[str, Any] = {"cv": GroupKFold(5), "groups": groups}
    for estimator in (RidgeClassifierCV(cv=3), RFECV(LogisticRegression(), cv=3)):
        found = assay.cross_validate(estimator, X, y, "ACC", **options)
        assert value(found, "ACC", "folds").value > 0.5


def test_splits_of_other_items_are_refused() -> None:
    X, y = problem()
    splits = assay.split_items({"x": list(range(100))}, "k-fold")
    with pytest.raises(AssayError, match="made from 100 items, but there are 120"):
        assay.cross_validate(LogisticRegression(), X, y, "ACC", cv=splits)
