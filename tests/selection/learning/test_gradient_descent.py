"""Linear regression: descent by hand and to the solution of least squares, bad input."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import linregress
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.gradient_descent import descent_errors, gradient_descent

pytest.importorskip("sklearn")


def test_steps_worked_by_hand() -> None:
    # y = 2x at x = 1 and 2: the gradient of the loss is 2/2 · (1 + 4)(θ - 2) = 5(θ - 2).
    design, target = np.array([[1.0], [2.0]]), np.array([2.0, 4.0])
    found = gradient_descent(design, target, 3, rate=0.1)
    np.testing.assert_allclose(found.path[:, 0], [0, 1, 1.5, 1.75])
    exact = gradient_descent(design, target, 1)  # 1 / curvature = 1/5: one step is enough
    assert exact.path[-1, 0] == pytest.approx(2)
    assert exact.rate == pytest.approx(1 / 5)
    assert gradient_descent(design, target, 5, rate=0.41).diverged
    assert not gradient_descent(design, target, 5, rate=0.39).diverged


def test_plain_features_give_the_steps_worked_by_hand() -> None:
    # y = 2x at x = 2 alone: the gradient of the loss is 2 · 4 (θ - 2), so that .1 leaves a fifth.
    x = np.full(8, 2.0)
    found = assay.learn.regression(x, 2 * x, plain=True, rate=0.1, iterations=3, test_share=0.5)
    np.testing.assert_allclose(found.path[:, 0], [0, 1.6, 1.92, 1.984])
    assert found.parameters["feature"].to_list() == ["x1"]
    assert found.parameters["least-squares"][0] == pytest.approx(2)
    assert found.losses["training"].to_list() == pytest.approx([16, 0.64, 0.0256, 0.001024])


def test_descent_on_two_points_lists_every_step(tmp_path: Path) -> None:
    # y = 2x at x = 1 and 2: θ is 0, 1, 3/2, 7/4, and the loss 5/2 · (θ - 2)².
    path = tmp_path / "two.csv"
    path.write_text("x,y\n1,2\n2,4\n")
    options = "--target y --plain --rate 0.1 --iterations 3 --test-share 0 --steps"
    shown = call("learn", "regression", str(path), *options.split(), "--format", "csv")
    rows = shown.out.partition("iteration,training,θ x\n")[2].splitlines()[:4]
    assert rows == ["0,10.0,0.0", "1,2.5,1.0", "2,0.625,1.5", "3,0.15625,1.75"]
    assert "no item is held out" in shown.out + shown.err
    table = call("learn", "regression", str(path), *options.split())
    assert "more --iterations bring it nearer" in " ".join(table.out.split())
    found = assay.learn.regression({"x": [1, 2], "y": [2, 4]}, "y", plain=True, test_share=0)
    assert found.comparison is None
    assert found.losses.columns == ["iteration", "training"]
    assert "actual values of the training items" in str(found.plot(show="predictions").title)
    loss = found.plot()
    assert "that of least squares is 0" in loss.title
    assert "1e-300" not in loss.svg


def test_errors_of_weights_after_a_descent() -> None:
    design = np.random.default_rng(1).normal(size=(30, 2)) * [1, 5]
    # After one step from 0 the weights are rate · 2/N · Xᵀy.
    one = 0.01 * 2 / 30 * np.sqrt((design**2).sum(axis=0))
    np.testing.assert_allclose(descent_errors(design, 1, 0.01), one)
    exact = np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    np.testing.assert_allclose(descent_errors(design, 20_000, 0.01), exact)
    # The weights of data sets with the same features differ by as much.
    draw = np.random.default_rng(2)
    ends = [gradient_descent(design, draw.normal(size=30), 7, 0.01).path[-1] for _ in range(4000)]
    np.testing.assert_allclose(np.std(ends, axis=0), descent_errors(design, 7, 0.01), rtol=0.05)


def test_dependent_features_have_an_interval_after_a_descent() -> None:
    X, y = line()
    found = assay.learn.regression(np.column_stack([X, X[:, 0]]), y).parameters
    assert found["low"].is_nan().all()
    assert (found["descent_low"] < found["gradient-descent"]).all()
    diverged = assay.learn.regression(X, y, rate=50.0).parameters
    assert diverged["descent_low"].is_nan().all()


def line(size: int = 100) -> tuple[Any, Any]:
    draw = np.random.default_rng(0)
    X = draw.normal(size=(size, 3)) * [1, 10, 100] + [0, 5, -7]
    return X, X @ [2.0, -0.3, 0.01] + 4 + draw.normal(size=size)


def test_descent_arrives_at_least_squares() -> None:
    from sklearn.linear_model import LinearRegression

    X, y = line()
    found = assay.learn.regression(X, y, iterations=500, by={"half": np.arange(100) % 2})
    for name in ("least-squares", "gradient-descent"):
        assert len(found.predictions[name]) == 30
    np.testing.assert_allclose(
        found.predictions["gradient-descent"], found.predictions["least-squares"], rtol=1e-6
    )
    rows = [int(each) - 1 for each in found.scores.of("MAE")[0].units]
    train = np.setdiff1d(np.arange(100), rows)
    model = LinearRegression().fit(X[train], y[train])
    theirs = dict(zip(rows, model.predict(X[rows]), strict=True))
    np.testing.assert_allclose(
        found.predictions["least-squares"], [theirs[row] for row in sorted(rows)]
    )
    assert (np.diff(found.losses["training"]) < 1e-12).all()
    assert found.losses["training"][-1] == pytest.approx(found.smallest)
    assert any("within 1 % of least squares" in note for note in found.notes)
    assert set(found.scores.slices) == {"half=0", "half=1"}
    assert found.comparison is not None
    assert found.comparison.pairs.filter(slice="all", system="mean")["low"].item() > 0


def test_weights_have_the_interval_of_scipy() -> None:
    X, y = line()
    found = assay.learn.regression(X[:, :1], y).parameters.row(1, named=True)
    result = assay.learn.regression(X[:, :1], y)
    rows = np.setdiff1d(np.arange(100), [int(i) - 1 for i in result.scores.of("MAE")[0].units])
    x = X[rows, 0]
    theirs = linregress((x - x.mean()) / x.std(), y[rows])
    assert found["least-squares"] == pytest.approx(theirs.slope)
    from scipy.stats import t

    margin = t.ppf(0.975, len(rows) - 2) * theirs.stderr
    assert found["high"] - found["least-squares"] == pytest.approx(margin)


def test_dependent_features_have_no_interval() -> None:
    X, y = line(40)
    found = assay.learn.regression(np.column_stack([X, X[:, 0], np.ones(40)]), y)
    assert found.parameters["low"].is_nan().all()
    assert "depend on each other" in found.parameters["reasons"][0]
    assert any("same value in every row: x5" in note for note in found.notes)


def test_a_rate_that_is_too_large_is_named() -> None:
    X, y = line(60)
    found = assay.learn.regression(X, y, rate=5.0, iterations=2000)
    assert "gradient descent diverges: choose a smaller `rate`, or none" in found.notes
    assert found.plot().svg.startswith("<svg")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y\n1,a\n2,b\n3,c\n", {}, "the target y is not a number"),
        ("x,y\n1,1.5\n2,nan\n3,2\n", {}, r"t\.csv:3: the y is missing"),
        ("x,y\n1,1\nnan,2\n3,2\n", {}, r"t\.csv:3: the feature x is missing"),
        ("x,y\n1,1\n2,2\n3,2\n", {"rate": -1.0}, "`rate` above 0"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.regression(tmp_path / "t.csv", "y", **options)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("x,y\n" + "".join(f"{n},{2 * n + n % 3}\n" for n in range(40)))
    done = call("learn", "regression", "t.csv", "--target", "y", "--plot", "f.svg")
    assert done.code == 0, done.err
    assert "rate" in done.out


def test_the_figure_and_the_table_of_the_loss_are_whole() -> None:
    x = np.random.default_rng(0).normal(size=60)
    noise = np.random.default_rng(1).normal(size=60)
    found = assay.learn.regression(
        x, 2 * x + 5 + noise, iterations=47, interval=assay.Bootstrap(resamples=50)
    )
    assert found.tables["loss by iteration"]["iteration"].to_list()[-2:] == [44, 47]
    bars = re.findall(
        r'd="M[\d.]+,([\d.]+)L[\d.]+,([\d.]+)"[^>]*stroke-opacity="0.2"', found.plot().svg
    )
    lengths = [float(bottom) - float(top) for bottom, top in bars]
    logs = np.log(found.losses["high"] / found.losses["low"])
    np.testing.assert_allclose(np.divide(lengths, lengths[-1]), logs / logs[-1], rtol=0.01)
