"""Missing input: naive Bayes by hand and against scikit-learn, the joint Gaussian, bad input."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.joint_gaussian import JointGaussian, fit_joint_gaussian
from assay.selection.learning_tasks.naive_bayes import fit_naive_bayes

pytest.importorskip("sklearn")
NAN = np.nan


def blobs(size: int = 120, seed: int = 0, dimensions: int = 3) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    y = np.arange(size) % 3
    return draw.normal(size=(size, dimensions)) + 2.5 * y[:, None], np.array(["a", "b", "c"])[y]


def test_naive_bayes_with_missing_input_worked_by_hand() -> None:
    # Five patients; test 1 is negative (0) or positive (1), test 2 was not done for all.
    tests = np.array([[1, 1], [1, NAN], [0, 1], [0, 0], [0, NAN]])
    states = np.array(["ill", "ill", "ill", "well", "well"])
    model = fit_naive_bayes(tests, states, [2, 2])
    # P(ill) = 3/5. P(test 1 = 1 | ill) = (2 + 1)/(3 + 2), P(test 1 = 1 | well) = (0 + 1)/(2 + 2).
    # Test 2 is known for two of the ill, both positive: (2 + 1)/(2 + 2), and for one of the well,
    # negative: P(test 2 = 1 | well) = (0 + 1)/(1 + 2).
    both = [3 / 5 * 3 / 5 * 3 / 4, 2 / 5 * 1 / 4 * 1 / 3]
    first = [3 / 5 * 3 / 5, 2 / 5 * 1 / 4]
    second = [3 / 5 * 3 / 4, 2 / 5 * 1 / 3]
    expected = [[x / sum(pair) for x in pair] for pair in (both, first, second, [3 / 5, 2 / 5])]
    asked = np.array([[1, 1], [1, NAN], [NAN, 1], [NAN, NAN]])
    np.testing.assert_allclose(model.probabilities(asked), expected, rtol=1e-12)
    assert model.predict(asked).tolist() == ["ill"] * 4
    assert model.predict(np.array([[0, 0]])).tolist() == ["well"]


def test_gaussian_naive_bayes_worked_by_hand() -> None:
    # Class a: 1 and 3 (mean 2, variance 1); class b: 5 and 9 (mean 7, variance 4).
    model = fit_naive_bayes(np.array([[1.0], [3.0], [NAN], [5.0], [9.0]]), np.array(list("aaabb")))
    density = [3 / 5 * np.exp(-2) / (2 * np.pi) ** 0.5, 2 / 5 * np.exp(-9 / 8) / (8 * np.pi) ** 0.5]
    found = model.probabilities(np.array([[4.0]]))[0]
    np.testing.assert_allclose(found, np.array(density) / sum(density), rtol=1e-6)


def test_complete_input_gives_what_scikit_learn_does() -> None:
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    X, y = blobs()
    theirs = GaussianNB().fit(X, y)
    np.testing.assert_allclose(
        fit_naive_bayes(X, y).probabilities(X), theirs.predict_proba(X), rtol=1e-9, atol=1e-12
    )
    codes = np.random.default_rng(1).integers(0, 4, size=(90, 3))
    codes[:4, :] = np.arange(4)[:, None]
    kinds = np.array(["a", "b"])[(codes.sum(axis=1) % 3 > 1).astype(int)]
    theirs = CategoricalNB().fit(codes, kinds)
    ours = fit_naive_bayes(codes.astype(float), kinds, [4, 4, 4])
    np.testing.assert_allclose(ours.probabilities(codes), theirs.predict_proba(codes), rtol=1e-9)


def test_a_class_without_a_feature_has_the_distribution_of_all() -> None:
    features = np.array([[NAN, 0.0], [NAN, 1.0], [4.0, 5.0], [6.0, 6.0]])
    model = fit_naive_bayes(features, np.array([0, 0, 1, 1]))
    assert model.means[:, 0].tolist() == [5, 5]


def test_the_joint_gaussian_is_least_squares_where_nothing_is_missing() -> None:
    from sklearn.linear_model import LinearRegression

    draw = np.random.default_rng(2)
    X = draw.normal(size=(80, 3)) * [1, 100, 0.01]
    y = X @ [1, 0.1, 30] + draw.normal(size=80)
    ours = fit_joint_gaussian(X, y).predict(X)
    np.testing.assert_allclose(ours, LinearRegression().fit(X, y).predict(X), rtol=1e-8)


def test_a_missing_input_is_integrated_out() -> None:
    # y = x1 + x2 with correlated x: without x2, E[y | x1] = (1 + r) x1.
    covariance = np.array([[1, 0.6, 1.6], [0.6, 1, 1.6], [1.6, 1.6, 3.2]])
    model = JointGaussian(np.zeros(3), covariance, np.zeros(3), np.ones(3))
    found = model.predict(np.array([[2.0, NAN], [2.0, 1.0], [NAN, NAN]]))
    np.testing.assert_allclose(found, [3.2, 3.0, 0.0], atol=1e-12)
    draw = np.random.default_rng(3)
    X = draw.multivariate_normal([5, -5], covariance[:2, :2], 4000)
    hidden = np.where(draw.random(X.shape) < 0.3, NAN, X)
    learned = fit_joint_gaussian(hidden, X.sum(axis=1))
    # The slope is known to about 1/√4000.
    assert learned.predict(np.array([[7.0, NAN]]))[0] == pytest.approx(3.2, abs=0.1)


def test_integrating_loses_less_than_dropping() -> None:
    X, y = blobs(300)
    found = assay.learn.missing(X, y, shares=[0, 0.3], by={"half": np.arange(300) % 2})
    accuracy = found.scores["ACC"]
    assert accuracy["integrate"] > accuracy["drop"]
    assert found.comparison is not None
    worse = found.comparison.pairs.filter(slice="all", system="drop")
    assert worse["high"].item() < 0
    complete = found.curve.filter(share=0, measure="ACC")["value"].to_list()
    assert complete == [complete[0]] * 4  # the same model where nothing is missing
    assert {*found.scores.slices} == {"half=0", "half=1"}
    assert found.scores.summary()["low"].is_not_nan().any()
    assert set(found.by_feature["feature"]) == {"x1", "x2", "x3"}


def test_regression_and_rankings() -> None:
    draw = np.random.default_rng(4)
    X = draw.normal(size=(240, 3))
    y = X @ [3.0, 1.0, 0.0] + draw.normal(size=240) / 4
    found = assay.learn.missing(X, y, shares=[0, 0.4])
    assert found.measure == "RMSE"
    errors = found.scores["RMSE"]
    assert errors["integrate"] < errors["drop"]
    assert found.by_feature["feature"][-1] == "x1"  # the most important feature
    grades = np.digitize(y, [-2, 0, 2])
    table = pl.DataFrame(X, ["a", "b", "c"]).with_columns(
        grade=grades, q=pl.Series([f"q{n // 8}" for n in range(240)])
    )
    ranked = assay.learn.missing(table, "grade", query="q", shares=[0, 0.5])
    assert ranked.measure == "nDCG@10"
    assert len(ranked.scores.of("nDCG@10")[0].units) == 9  # 30 % of 30 queries
    assert ranked.by_feature["feature"][0] == "a"


def test_slices_of_rankings_are_of_queries_and_grades_are_whole() -> None:
    draw = np.random.default_rng(4)
    table = pl.DataFrame(draw.normal(size=(160, 2)), ["a", "b"]).with_columns(
        grade=pl.Series(draw.integers(0, 3, 160)),
        q=pl.Series([f"q{n // 8:02}" for n in range(160)]),
        kind=pl.Series([f"k{n // 8 % 2}" for n in range(160)]),
        place=pl.Series([f"p{n % 2}" for n in range(160)]),
    )
    features = {"features": ["a", "b"], "query": "q", "shares": [0, 0.3]}
    found = assay.learn.missing(table, "grade", by="kind", **features)
    results = [each for each in found.scores.results if each.measure == "AP"]
    sizes = {each.slice: len(each.units) for each in results}
    assert sizes["kind=k0"] + sizes["kind=k1"] == sizes["all"] == 6
    for unit, kind in ((unit, each.slice) for each in results for unit in each.units):
        assert kind == "all" or int(unit[1:]) % 2 == int(kind[-1])
    with pytest.raises(AssayError, match="the query q00 has several values of place"):
        assay.learn.missing(table, "grade", by="place", **features)
    halves = table.with_columns(grade=pl.col("grade") / 2)
    with pytest.raises(AssayError, match=r"the grade is 0\.5; .* whole numbers"):
        assay.learn.missing(halves, "grade", **features)


def test_categories_may_be_missing(tmp_path: Path) -> None:
    rows = ["kind,x,class"]
    for n in range(60):
        rows.append(f"{'' if n % 7 == 0 else 'uv'[n % 2]},{n % 2 + n / 100},{'yn'[n % 2]}")
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    found = assay.learn.missing(tmp_path / "t.csv", "class", shares=[0, 0.3])
    assert any("7.5% of the values are missing" in note for note in found.notes)
    assert found.curve.filter(share=0, measure="ACC", system="integrate")["value"].item() == 1


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y\n,a\n,b\n,a\n", {}, "the feature x is missing in all 3 rows"),
        ("x,y\n1,a\n2,a\n3,a\n", {}, "every y is a: two classes"),
        ("x,y\n1,a\n2,\n3,b\n", {}, r"t\.csv:3: the y is missing \(1 row in all\)"),
        ("x,y\n1,1.5\n2,nan\n3,2.5\n", {}, r"t\.csv:3: the y is missing"),
        ("x,y\n1,a\ninf,b\n3,b\n", {}, r"t\.csv:3: the feature x is infinite"),
        ("x,y\n1,a\n2,b\n", {"shares": [1.0]}, "shares from 0 to below 1"),
        ("x,y\n1,a\n2,b\n", {"learners": "guess"}, "there is no learner 'guess'"),
        ("x,y\n1,a\n2,b\n", {"features": "z"}, "no column is called 'z'"),
        ("x,y\n1,a\n2,b\n", {"by": "z"}, "there is no column 'z' for `by`"),
        ("x,y\n1,a\n2,b\n", {"query": "q"}, "the target y is not a number"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.missing(tmp_path / "t.csv", "y", **options)


def test_a_share_that_leaves_nothing_of_a_feature_is_left_out() -> None:
    tests = {"state": ["ill"] * 3 + ["well"] * 2, "1": [1, 1, 0, 0, 0], "2": [1, None, 1, 0, None]}
    found = assay.learn.missing(tests, "state", shares=[0, 0.7], interval=None)
    words = "with 70% missing, no training item has the feature 1"
    assert f"{words}: this share is left out" in found.notes
    assert set(found.curve["share"]) == {0}
    with pytest.raises(AssayError, match=f"{words}: choose smaller"):
        assay.learn.missing(tests, "state", shares=[0.7])


def test_constant_features_are_noted() -> None:
    X, y = blobs(60)
    found = assay.learn.missing(np.column_stack([X, np.ones(60)]), y, shares=[0])
    assert any("1 feature with the same value in every row: x4" in note for note in found.notes)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = blobs(60)
    pl.DataFrame(X, ["a", "b", "c"]).with_columns(y=y).write_csv("t.csv")
    done = call(
        *("learn", "missing", "t.csv", "--target", "y", "--shares", "0,0.2", "--features", "a"),
        *("--features", "b", "--plot", "f.svg", "--show", "features", "--report", "r.html"),
    )
    assert done.code == 0, done.err
    assert "integrate" in done.out
    assert Path("f.svg").read_text().startswith("<svg")
    assert "</html>" in Path("r.html").read_text()
    wrong = call("learn", "missing", "t.csv", "--target", "y", "--plot", "f.svg", "--show", "x")
    assert wrong.code == 2
    assert "shares, features" in wrong.err


def test_one_model_answers_as_one_for_each_subset_of_the_features() -> None:
    """The lecture's 2^M functions: naive Bayes trained on each subset gives the same P(class)."""
    draw = np.random.default_rng(3)
    features = draw.integers(0, 3, size=(60, 4)).astype(float)
    target = np.array(["a", "b", "c"])[draw.integers(0, 3, 60)]
    one = fit_naive_bayes(features, target, [3] * 4)
    for size in range(1, 5):
        for kept in map(list, combinations(range(4), size)):
            own = fit_naive_bayes(features[:, kept], target, [3] * size)
            known = np.full_like(features, np.nan)
            known[:, kept] = features[:, kept]
            np.testing.assert_allclose(
                one.probabilities(known), own.probabilities(features[:, kept]), rtol=1e-12
            )
