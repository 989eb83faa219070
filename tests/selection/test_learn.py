"""Bias and variance, the bootstrap, curves of capacity and of size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.curves.fold_errors import error_row
from assay.selection.curves.learning_curve import fit_power_law
from assay.selection.decomposition.bias_variance import squared_parts, zero_one_parts
from assay.selection.decomposition.bootstrap_estimates import weigh_estimates

pytest.importorskip("sklearn")


def waves(size: int, seed: int = 0, noise: float = 0.3) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, size)
    return x, np.sin(3 * x) + draw.normal(0, noise, size)


@given(st.integers(2, 8), st.integers(1, 6), st.integers(0, 99))
def test_parts_add_up_to_the_error(rounds: int, items: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    stacked, target, best = draw.normal(size=(rounds, items)), *draw.normal(size=(2, items))
    parts = squared_parts(stacked, target, best)
    error = parts.pop("error")
    np.testing.assert_allclose(sum(parts.values()), error, rtol=0, atol=1e-12)
    labels = draw.choice(["a", "b", "c"], size=(rounds, items))
    parts = zero_one_parts(labels, draw.choice(["a", "b", "c"], items))
    total = parts["bias"] + parts["unbiased variance"] - parts["biased variance"]
    np.testing.assert_allclose(total, parts["error"], rtol=0, atol=1e-12)


def test_0_1_loss_worked_by_hand() -> None:
    # Four training sets. Item 1: three of four are right. Item 2: one of four is right.
    stacked = np.array([["a", "b"], ["a", "b"], ["a", "b"], ["b", "a"]])
    parts = zero_one_parts(stacked, np.array(["a", "a"]))
    assert {name: own.tolist() for name, own in parts.items()} == {
        "bias": [0, 1],
        "unbiased variance": [0.25, 0],
        "biased variance": [0, 0.25],
        "error": [0.25, 0.75],
    }


@pytest.mark.parametrize(("degree", "dominant"), [(1, "bias²"), (14, "variance")])
def test_simple_learners_are_biased_and_flexible_ones_vary(degree: int, dominant: str) -> None:
    x, y = waves(40)
    grid = np.repeat(np.linspace(-0.9, 0.9, 25), 4)
    draw = np.random.default_rng(1)
    found = assay.learn.bias_variance(
        f"polynomial:{degree}", x, y, grid, np.sin(3 * grid) + draw.normal(0, 0.3, 100), rounds=40
    )
    parts = {name: found[name] for name in ("bias²", "variance")}
    assert max(parts, key=parts.__getitem__) == dominant
    total = found["noise"] + found["bias²"] + found["variance"]
    assert total == pytest.approx(found["error"], abs=1e-12)
    # 25 groups of 4 replicates: 75 degrees of freedom, three standard errors are 49 %.
    assert found["noise"] == pytest.approx(0.09 * 3 / 4, rel=3 * (2 / 75) ** 0.5)


def test_a_known_truth_has_a_cross_term() -> None:
    x, y = waves(40)
    grid = np.linspace(-1, 1, 50)
    target = np.sin(3 * grid) + np.random.default_rng(2).normal(0, 0.3, 50)
    found = assay.learn.bias_variance(
        "polynomial:3", x, y, grid, target, truth=np.sin(3 * grid), rounds=20
    )
    assert found["noise"] == pytest.approx(np.mean((target - np.sin(3 * grid)) ** 2))
    names = ("noise", "bias²", "variance", "cross term")
    assert sum(found[name] for name in names) == pytest.approx(found["error"], abs=1e-12)


def test_bootstrap_estimates_of_a_learner_that_memorizes_noise() -> None:
    draw = np.random.default_rng(3)
    labels = np.repeat(["a", "b"], 50)
    found = assay.learn.bootstrap("neighbors:1", draw.normal(size=(100, 5)), labels, rounds=60)
    assert found["on the training data"] == 0
    assert found["out-of-bag"] == pytest.approx(0.5, abs=0.1)
    assert found[".632"] == pytest.approx(0.632 * found["out-of-bag"])
    # One nearest neighbor repeats its labels, so that half of all pairs differ.
    assert found["without information"] == pytest.approx(0.5)
    assert found[".632+"] == pytest.approx(min(found["out-of-bag"], 0.5), abs=0.06)
    assert found[".632"] < found[".632+"]


def test_the_632_plus_estimate_worked_by_hand() -> None:
    # Overfitting (0.4 - 0.1) / (0.5 - 0.1) = 0.75.
    found, overfit = weigh_estimates(0.1, 0.4, 0.5)
    assert overfit == pytest.approx(0.75)
    assert found[".632"] == pytest.approx(0.2896)
    assert found[".632+"] == pytest.approx(0.2896 + 0.3 * 0.174432 / 0.724)
    # Worse than chance: overfitting is 1, and 0.368 of the distance to chance is added to .632.
    found, overfit = weigh_estimates(0.1, 0.6, 0.5)
    assert (overfit, found[".632+"]) == pytest.approx((1.0, 0.416 + 0.4 * 0.368))
    assert weigh_estimates(0.3, 0.2, 0.5)[1] == 0
    assert weigh_estimates(0.3, 0.4, 0.2)[1] == 0


def test_test_items_are_encoded_as_the_training_items() -> None:
    draw = np.random.default_rng(4)
    train = pl.DataFrame(
        {"x": draw.normal(size=40), "z": draw.normal(size=40), "kind": ["a", "b", "c", "d"] * 10}
    ).with_columns(y=pl.col("x") * 3 + (pl.col("kind") == "d") * 10)
    test = train[:20].filter(pl.col("kind") != "a").with_columns(extra=pl.lit("unused"))
    options: dict[str, Any] = {"rounds": 5}
    known = assay.learn.bias_variance("ridge:0.1", train, "y", test.drop("extra"), **options)
    assert known["error"] < 0.5
    other = test.select("y", "kind", "extra", "z", "x")
    again = assay.learn.bias_variance("ridge:0.1", train, "y", other, **options)
    assert again["error"] == known["error"]
    for bad, message in [
        (test.drop("z"), "the test data: there is no column 'z' of the training data"),
        (test.with_columns(kind=pl.lit("e")), "row 1 has kind 'e', which is not in the training"),
        (test.with_columns(x=pl.lit("e")), "x is text, but a number in the training data"),
    ]:
        with pytest.raises(AssayError, match=message):
            assay.learn.bias_variance("ridge:0.1", train, "y", bad, **options)
    # 20 whole numbers of 40: the test target alone would be taken for classes.
    counts = train.with_columns(y=pl.int_range(40))
    whole = assay.learn.bias_variance("ridge:1", counts, "y", counts[:10], **options)
    assert whole.loss == "squared"
    with pytest.raises(AssayError, match="the test data has 1 feature, the training data 2"):
        assay.learn.bias_variance("ridge:1", np.ones((4, 2)), np.arange(4.0), [1.0], [1.0])


def test_the_fit_in_words_of_a_learner_whose_parameter_falls() -> None:
    x, y = waves(60)
    said = " ".join(assay.learn.capacity("neighbors", x, y).notes)
    assert "simpler than k" in said
    assert "below" not in said


def test_error_rates_stay_within_0_and_1() -> None:
    draw = np.random.default_rng(5)
    labels = np.array(["a", "b"] * 6)
    found = assay.learn.curve(
        "neighbors:1", draw.normal(size=(12, 2)), labels, sizes=[2, 4], folds=3
    )
    assert found.curve["low"].min() >= 0
    assert found.curve["high"].max() <= 1


def test_intervals_allow_for_the_share_of_test_items() -> None:
    from scipy.stats import t

    errors = np.array([0.1, 0.2, 0.4])
    mean, low, high = error_row(errors, 0.25, "squared")
    reach = t.ppf(0.975, 2) * np.sqrt(errors.var(ddof=1) * (1 / 3 + 0.25))
    assert (mean, low, high) == pytest.approx((errors.mean(), 0, errors.mean() + reach))


def test_capacity_shows_under_and_overfitting() -> None:
    x, y = waves(60)
    found = assay.learn.capacity("polynomial", x, y, values=range(1, 16))
    train = found.curve.filter(part="train")["error"].to_numpy()
    validation = found.curve.filter(part="validation")["error"].to_numpy()
    assert (np.diff(train) <= 1e-9).all()  # more powers fit the training items better
    assert 3 <= found.best <= 7
    assert found.simplest == 3
    assert validation[0] > 2 * validation.min() < validation[-1]
    said = " ".join(found.notes)
    assert "simpler than degree 3 it underfits" in said
    assert "it overfits" in said
    points = assay.plot("learning", found).points
    assert points["validation"]["error"] == validation.tolist()


def test_a_power_law_is_recovered() -> None:
    sizes = np.array([10, 20, 40, 80, 160, 320.0])
    law = fit_power_law(sizes, 0.1 + 2 * sizes**-0.7)
    assert law is not None
    assert (law.limit, law.scale, law.rate) == pytest.approx((0.1, 2.0, 0.7), rel=1e-3)
    assert fit_power_law(sizes, np.ones(6)) is None


def test_more_data_lowers_the_error() -> None:
    x, y = waves(200, noise=0.1)
    found = assay.learn.curve("tree:6", x, y, sizes=[10, 20, 40, 80, 160])
    validation = found.curve.filter(part="validation")["error"].to_numpy()
    assert validation[0] > validation[-1]
    assert found.law is not None
    assert found.law.at(1000) < validation[-1]
    assert "power law" in assay.plot("learning", found).points


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    x, y = waves(40)
    kind = np.where(y > 0, "high", "low")
    pl.DataFrame({"x": x, "y": y, "kind": kind}).write_csv("data.csv")
    numbers = ("data.csv", "--target", "y", "--features", "x")
    done = call("learn", "capacity", *numbers, "--learner", "polynomial", "--plot", "c.svg")
    assert done.code == 0, done.err
    assert "the validation error is lowest at degree" in done.out
    assert Path("c.svg").exists()
    done = call("learn", "curve", *numbers, "--learner", "ridge:1", "--format", "json")
    assert done.code == 0, done.err
    classes = ("data.csv", "--target", "kind", "--features", "x", "--rounds", "10")
    done = call("learn", "bias-variance", *classes, "--learner", "tree:3", "--test", "data.csv")
    assert done.code == 0, done.err
    assert "biased variance" in done.out
    done = call("learn", "bootstrap", *classes, "--learner", "bayes")
    assert done.code == 0, done.err
    assert "do not replace a nested one" in done.out.replace("\n  ", " ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("capacity", "--learner", "tre"), "no learner 'tre'"),
        (("capacity", "--learner", "logistic"), "does no regression"),
        (("capacity", "--learner", "tree", "--values", "1,x"), "numbers are expected"),
        (("capacity", "--learner", "tree", "--folds", "99"), "99 folds need"),
        (("capacity", "--learner", "tree", "--values", "1,2.5"), "a whole number above 0"),
        (("capacity", "--learner", "tree", "--values", "nan"), "a whole number above 0"),
        (("capacity", "--learner", "tree", "--values", "1,2,1"), "depth 1 is given twice"),
        (("capacity", "--learner", "neighbors", "--values", "99"), "give a k up to that"),
        (("capacity", "--learner", "tree", "--loss", "0-1"), "the loss 0-1 is for classes"),
        (("curve", "--learner", "tree:2", "--sizes", "2,3.5"), "sizes are whole numbers"),
        (("curve", "--learner", "tree:2", "--sizes", "2,nan"), "sizes are whole numbers"),
        (("curve", "--learner", "tree"), "which depth"),
        (("curve", "--learner", "tree:0"), "a whole number above 0"),
        (("curve", "--learner", "tree:2", "--sizes", "1,900"), "sizes lie between"),
        (("bootstrap", "--learner", "bayes"), "does no regression"),
        (("bootstrap", "--learner", "tree:2", "--features", "zz"), "no column 'zz'"),
    ],
)
def test_bad_calls_get_a_message(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    x, y = waves(20)
    pl.DataFrame({"x": x, "y": y}).write_csv("data.csv")
    done = call("learn", words[0], "data.csv", "--target", "y", *words[1:])
    assert (done.code, message in done.err.replace("\n  ", " ")) == (2, True), done.err


def test_missing_values_are_named_with_their_row() -> None:
    with pytest.raises(AssayError, match="row 2 has no x"):
        assay.learn.capacity("tree", {"x": [1.0, None, 3.0], "y": [1.0, 2.0, 3.5]}, "y")
    with pytest.raises(AssayError, match="row 2 has no finite number"):
        assay.learn.capacity("tree", np.array([1.0, np.inf, 3.0]), np.array([1.0, 2.0, 3.5]))


def test_bias_and_variance_equal_mlxtend() -> None:
    """The parts of the predictions that mlxtend itself trained, for squared and 0-1 loss."""
    evaluate = pytest.importorskip("mlxtend.evaluate")
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    from assay.selection.decomposition.bias_variance import squared_parts, zero_one_parts

    draw = np.random.default_rng(4)
    X, T = draw.normal(size=(80, 3)), draw.normal(size=(30, 3))
    y, t = X[:, 0] + draw.normal(size=80), T[:, 0] + draw.normal(size=30)

    def decompose(tree: Any, target: Any, tested: Any, loss: str) -> tuple[Any, Any]:
        seen: list[Any] = []

        class Recorded(tree):  # type: ignore[misc]
            def predict(self, X: Any) -> Any:
                seen.append(super().predict(X))
                return seen[-1]

        known = evaluate.bias_variance_decomp(
            Recorded(max_depth=4), X, target, T, tested, loss=loss, num_rounds=50, random_seed=1
        )
        return known, np.array(seen)

    (error, bias, variance), seen = decompose(DecisionTreeRegressor, y, t, "mse")
    parts = {name: own.mean() for name, own in squared_parts(seen, t, t).items()}
    assert parts["error"] == pytest.approx(error, abs=1e-12)
    assert parts["bias²"] == pytest.approx(bias, abs=1e-12)
    assert parts["variance"] == pytest.approx(variance, abs=1e-12)
    classes = (y > 0).astype(int), (t > 0).astype(int)
    (error, bias, variance), seen = decompose(DecisionTreeClassifier, *classes, "0-1_loss")
    parts = {name: own.mean() for name, own in zero_one_parts(seen, classes[1]).items()}
    assert parts["error"] == pytest.approx(error, abs=1e-12)
    assert parts["bias"] == pytest.approx(bias, abs=1e-12)
    both = parts["unbiased variance"] + parts["biased variance"]
    assert both == pytest.approx(variance, abs=1e-12)  # of two classes, who differs is right
