"""The effect of preparation: known changes, the test over folds, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.preparation import STEPS

pytest.importorskip("sklearn")


def scales(size: int = 150) -> tuple[Any, Any]:
    """One useful feature, and noise on a scale a thousand times as large."""
    draw = np.random.default_rng(0)
    y = np.arange(size) % 2
    X = np.column_stack([draw.normal(size=size) + 3 * y, 1000 * draw.normal(size=size)])
    return X, np.array(["a", "b"])[y]


def test_preparations_change_the_accuracy_of_neighbors() -> None:
    X, y = scales()
    found = assay.learn.preparation(X, y, by={"half": np.arange(150) % 2})
    rows = {row["preparation"]: row for row in found.changes.iter_rows(named=True)}
    for name in ("standardized", "min-max", "decorrelated", "without x2"):
        assert rows[name]["low"] > 0, name
        assert rows[name]["p"] < 0.05
    assert rows["without x1"]["difference"] < 0.1
    assert found.changes["preparation"][0] in ("without x2", "standardized", "decorrelated")
    assert set(found.scores.slices) == {"half=0", "half=1"}
    trees = assay.learn.preparation(X, y, learner="tree").changes
    assert trees.filter(preparation="standardized")["difference"].item() == 0


def test_the_change_has_the_corrected_t_test() -> None:
    X, y = scales()
    found = assay.learn.preparation(X, y)
    row = found.changes.filter(preparation="standardized").row(0, named=True)
    # Values of the folds again, from the pooled predictions, are not kept: the interval shows the
    # standard error, by which the p-value follows.
    margin = (row["high"] - row["low"]) / 2
    error = margin / t.ppf(0.975, 4)
    assert row["difference"] == pytest.approx((row["high"] + row["low"]) / 2)
    assert row["p"] == pytest.approx(2 * t.sf(abs(row["difference"]) / error, 4), rel=1e-6)


def test_changes_within_slices_have_the_test_of_their_own_items() -> None:
    X, y = scales()
    half, rare = np.arange(150) % 2, np.where(np.arange(150) == 0, "one", "many")
    found = assay.learn.preparation(X, y, by={"half": half, "rare": rare})
    table = found.tables["changes by slice"]
    assert set(table["slice"]) == {"half=0", "half=1", "rare=many"}
    assert "no changes within rare=one: items in fewer than two folds" in found.notes
    row = table.filter(slice="half=1", preparation="standardized").row(0, named=True)
    measured = {each.system: each.value for each in found.scores.of("ACC", "half=1")}
    assert row["value"] == measured["standardized"]
    assert row["difference"] == pytest.approx(row["value"] - measured["as it is"], abs=0.02)
    error = (row["high"] - row["low"]) / 2 / t.ppf(0.975, 4)
    assert row["p"] == pytest.approx(2 * t.sf(abs(row["difference"]) / error, 4), rel=1e-6)
    lowest = table.sort("p").row(0, named=True)
    assert lowest["corrected"] == pytest.approx(min(1, lowest["p"] * len(table)))
    assert "changes by slice" not in assay.learn.preparation(X, y).tables


def test_steps_learn_from_training_items_alone() -> None:
    train, test = np.array([[0.0, 1.0], [4.0, 3.0]]), np.array([[8.0, 2.0]])
    target = np.array([0, 1])
    assert STEPS["standardized"](train, target, test)[2].tolist() == [[3.0, 0.0]]
    assert STEPS["min-max"](train, target, test)[2].tolist() == [[2.0, 0.5]]
    many = np.append(np.zeros(40), 100.0)[:, None]
    labels = np.arange(41) % 2
    assert len(STEPS["outliers removed"](many, labels, many)[0]) == 40
    assert len(STEPS["outliers removed"](many, labels, many)[2]) == 41  # test items stay
    assert STEPS["outliers clipped"](many, labels, many)[0].max() < 100
    turned = STEPS["decorrelated"](*(np.random.default_rng(1).normal(size=(50, 3)),) * 3)[0]
    np.testing.assert_allclose(np.cov(turned.T, bias=True), np.eye(3), atol=1e-9)


def test_numbers_and_further_steps() -> None:
    draw = np.random.default_rng(5)
    x = draw.uniform(1, 100, 120)
    y = 3 * np.log(x) + draw.normal(size=120) / 10
    logarithm = lambda train, target, test: (np.log(train), target, np.log(test))  # noqa: E731
    found = assay.learn.preparation(x, y, learner="linear", steps={"logarithm": logarithm})
    assert found.measure == "RMSE"
    assert found.changes["preparation"][0] == "logarithm"
    assert found.changes["high"][0] < 0


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y\n1,a\n2,a\n3,a\n", {}, "every y is a"),
        ("x,y\n1,a\n2,\n3,b\n", {}, r"t\.csv:3: the y is missing"),
        ("x,y\n,a\n2,b\n3,b\n", {}, r"t\.csv:2: the feature x is missing"),
        ("x,y\n1,a\n2,b\n3,a\n4,b\n", {"learner": "forest"}, "there is no learner 'forest'"),
        ("x,y\n1,a\n2,b\n3,a\n4,b\n", {"folds": 9}, "fold"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.preparation(tmp_path / "t.csv", "y", **options)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = scales(60)
    rows = "".join(f"{a},{b},2,{own}\n" for (a, b), own in zip(X, y, strict=True))
    Path("t.csv").write_text("a,b,two,y\n" + rows)
    done = call("learn", "preparation", "t.csv", "--target", "y", "--plot", "f.svg")
    assert done.code == 0, done.err
    assert "without two" in done.out
    assert "same value in every row: two" in done.out


def test_intervals_stay_within_the_bounds_of_the_measure() -> None:
    draw = np.random.default_rng(2)
    truth = np.repeat(["a", "b"], 15)
    features = draw.normal(size=(30, 2)) + 2 * (truth == "b")[:, None]
    made = assay.learn.preparation(features, truth, measures="F MCC", folds=3)
    assert (made.scores.summary()["high"].fill_nan(0) <= 1).all()
