"""Losses against iterations, rankers that learn from queries, and fitted functions."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

pytest.importorskip("sklearn")


def test_losses_against_iterations(tmp_path: Path) -> None:
    table = {
        "iteration": [3, 1, 2, 4],
        "train": [0.3, 0.9, 0.5, 0.1],
        "validation": [0.4, 0.9, 0.6, 0.7],
    }
    found = assay.learn.loss(table)
    assert found.best == 3
    assert any("overfits" in note for note in found.notes)
    place = tmp_path / "losses.csv"
    pl.DataFrame(table).write_csv(place)
    done = call("learn", "loss", str(place), "--plot", str(tmp_path / "loss.svg"))
    assert done.code == 0, done.err
    assert "iteration 3" in done.out
    for changes, message in [
        ({"train": [0.1, None, 0.2, 0.3]}, "a finite number"),
        ({"iteration": [1, 1, 2, 3]}, "occurs twice"),
    ]:
        with pytest.raises(AssayError, match=message):
            assay.learn.loss(table | changes)
    with pytest.raises(AssayError, match="no column 'train'"):
        assay.learn.loss({"iteration": [1], "validation": [1.0]})


def test_iterations_of_estimators() -> None:
    from sklearn.ensemble import GradientBoostingRegressor
    from sklearn.linear_model import LinearRegression, SGDClassifier

    draw = np.random.default_rng(0)
    X = draw.normal(size=(100, 3))
    y = np.sin(2 * X[:, 0]) + 0.5 * draw.normal(size=100)
    boosting = GradientBoostingRegressor(n_estimators=40, learning_rate=0.5, random_state=0)
    found = assay.learn.loss(X, boosting, y, folds=4)
    assert found.curve.height == 80
    assert 1 <= found.best < 40
    train = found.curve.filter(part="train")["error"]
    assert train[-1] < 0.1 * train[0]
    few = assay.learn.loss(X, SGDClassifier(random_state=0), y > 0, iterations=5, folds=3)
    assert few.curve["iteration"].max() == 5
    with pytest.raises(AssayError, match="has no iterations"):
        assay.learn.loss(X, LinearRegression(), y)


def test_rankers_learn_from_queries() -> None:
    qrels = {f"q{q}": {"good": 1} for q in range(40)}

    def train(queries: list[str]) -> dict[str, dict[str, float]]:
        draw = np.random.default_rng(len(queries))
        found = draw.random(40) < 1 - 1 / np.sqrt(len(queries))
        return {f"q{q}": {"good": 2.0 if found[q] else 0.5, "bad": 1.0} for q in range(40)}

    curve = assay.learn.ranker_curve(train, qrels, "RR", sizes=[2, 4, 8, 16, 32], folds=5)
    errors = curve.curve.filter(part="validation")["error"].to_list()
    assert errors[0] > errors[-1]
    assert curve.error == "1 - RR"
    assert curve.law is not None
    assert any("twice the queries" in note for note in curve.notes)
    known = assay.retrieval(qrels, {"r": train(["q"] * 32)}, "RR")["RR"]["r"]
    assert errors[-1] == pytest.approx(1 - known)  # the folds test every query once
    for options, message in [({"folds": 30}, "at least 60"), ({"measure": "GMAP"}, "not a mean")]:
        with pytest.raises(AssayError, match=message):
            assay.learn.ranker_curve(train, qrels, **options)


RANKER = """
import sys
value, queries, out = float(sys.argv[1]), sys.argv[2], sys.argv[3]
known = set(open(queries).read().split()) if queries != "-" else set()
if value == 9:
    sys.exit("no such value")
with open(out, "w") as run:
    for q in range(12):
        right = f"q{q}" in known or q < value
        for doc, score in (("good", 2 if right else 0.5), ("bad", 1)):
            run.write(f"q{q} Q0 {doc} 1 {score} r\\n")
"""


def test_a_ranker_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ranker knows its training queries by heart, and so many others as its value."""
    monkeypatch.chdir(tmp_path)
    Path("rank.py").write_text(RANKER)
    Path("qrels.txt").write_text("".join(f"q{q} 0 good 1\n" for q in range(12)))
    words = ("--", sys.executable, "rank.py")
    done = call(
        *("learn", "ranker", "qrels.txt", "-m", "RR", "--sizes", "2,4", "--folds", "3"),
        *("--format", "csv", "--plot", "c.svg", *words, "3", "{queries}", "{run}"),
    )
    assert done.code == 0, done.err
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [float(row["train"]) for row in rows] == [0, 0]
    assert [float(row["validation"]) for row in rows] == pytest.approx([0.375, 0.375])
    assert Path("c.svg").is_file()
    done = call(
        *("learn", "ranker", "qrels.txt", "-m", "RR", "--values", "0,6,12", "--folds", "3"),
        *("--format", "csv", *words, "{value}", "-", "{run}"),
    )
    assert done.code == 0, done.err
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [float(row["validation"]) for row in rows] == pytest.approx([0.5, 0.25, 0])
    for options, message in (
        ((*words, "3", "{run}"), "the command does not use {queries}"),
        (("--sizes", "2", "--values", "1,2", *words, "{run}"), "give one of them"),
        (("--values", "1,9", *words, "{value}", "-", "{run}"), "exit code 1: no such value"),
        (("--values", "1", *words, "{value}", "-", "{run}"), "two or more different numbers"),
        (("--values", "1,2", "--", "./none", "{value}", "{run}"), "No such file"),
    ):
        done = call("learn", "ranker", "qrels.txt", "--folds", "3", *options)
        assert done.code in (1, 2)
        assert message in done.err


def test_fitted_functions_go_through_the_points(tmp_path: Path) -> None:
    x = np.linspace(-1, 1, 30)
    found = assay.learn.capacity("polynomial", x, x**2, values=[1, 2, 5])
    functions = found.functions.filter(capacity=2)
    assert functions["value"].to_numpy() == pytest.approx(functions["x"].to_numpy() ** 2, abs=1e-9)
    line = found.functions.filter(capacity=1)["value"].to_numpy()
    assert line == pytest.approx(np.full(200, (x**2).mean()), abs=1e-9)
    drawn = found.plot("functions")
    assert [*drawn.points][1:3] == ["degree 1", "degree 2"]
    assert "train" in found.plot().points
    two = assay.learn.capacity("polynomial", np.column_stack([x, x**3]), x, values=[1, 2])
    with pytest.raises(AssayError, match="of one feature and a target of numbers"):
        two.plot("functions")
