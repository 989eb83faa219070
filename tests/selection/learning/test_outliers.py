"""Outlier detection: areas and precision at n, contamination, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.precision_at_n import precision_at_n

pytest.importorskip("sklearn")


def strange_items(size: int = 200, strange: int = 40) -> tuple[Any, Any]:
    draw = np.random.default_rng(0)
    far = draw.normal(0, 3, (strange, 3))
    return np.concatenate([draw.normal(size=(size, 3)), far]), ["in"] * size + ["out"] * strange


@pytest.mark.parametrize(
    ("truth", "scores", "expected"),
    [
        ("1100", [4, 1, 3, 2], 1 / 2),  # the two highest are an outlier and a normal item
        ("1100", [4, 3, 2, 1], 1),
        ("1100", [1, 2, 3, 4], 0),
        ("1000", [2, 2, 1, 1], 1 / 2),  # one place for two items with the same score
        ("1110", [5, 1, 1, 1], (1 + 2 * 2 / 3) / 3),
    ],
)
def test_precision_at_n_worked_by_hand(truth: str, scores: list[float], expected: float) -> None:
    outliers = np.array(list(truth)) == "1"
    assert precision_at_n(outliers, np.array(scores, float)) == pytest.approx(expected)


def test_areas_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import average_precision_score, roc_auc_score

    X, y = strange_items()
    found = assay.learn.outliers(X, y, detectors="isolation-forest", contamination=[0])
    scores = found.item_scores["isolation-forest"]
    assert found.scores["AUC"]["isolation-forest"] == pytest.approx(
        roc_auc_score(found.truth, scores)
    )
    expected = average_precision_score(found.truth, scores)
    assert found.scores["AP"]["isolation-forest"] == pytest.approx(expected)
    assert (len(found.truth), int(found.truth.sum())) == (120, 20)


def test_contamination_hurts_detectors_that_learn_the_edge() -> None:
    X, y = strange_items(300, 120)
    found = assay.learn.outliers(
        X, y, detectors=["neighbors", "one-class-svm"], contamination=[0, 0.15], by={"half": y}
    )
    curve = found.curve.filter(measure="AUC", system="one-class-svm")
    clean, dirty = curve["value"]
    assert dirty < clean
    assert found.comparison is not None
    assert found.comparison.pairs.filter(slice="all").height == 1
    one_sided = [each for each in found.scores.results if each.slice == "half=in"]
    assert all(np.isnan(each.value) for each in one_sided)
    assert all(each.reasons[0] for each in one_sided)
    assert found.plot(show="contamination").points["neighbors"]["contamination"] == [0, 0.15]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y\n1,a\n2,a\n3,a\n", {}, "every y is a: two classes"),
        ("x,y\n1,a\n2,b\n3,c\n4,a\n", {}, "name that of the outliers with `positive`"),
        ("x,y\n1,a\n2,b\n3,a\n4,a\n", {"positive": "z"}, "no item has the class 'z'"),
        ("x,y\n1,a\n2,b\n3,a\n4,a\n", {}, "at least 5 normal items"),
        ("x,y\n1,a\n2,\n3,b\n", {}, r"t\.csv:3: the y is missing"),
        ("x,y\n1,a\nnan,b\n3,b\n", {}, r"t\.csv:3: the feature x is missing"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.outliers(tmp_path / "t.csv", "y", **options)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = strange_items(40, 6)
    rows = [f"{a},{b},{c},{own}" for (a, b, c), own in zip(X, y, strict=True)]
    Path("t.csv").write_text("\n".join(["a,b,c,y", *rows]) + "\n")
    arguments = ("t.csv", "--target", "y", "--detectors", "neighbors", "--contamination", "0,0.3")
    done = call("learn", "outliers", *arguments, "--plot", "f.svg", "--report", "r.html")
    assert done.code == 0, done.err
    assert "too few outliers to contaminate the training items with 30%" in done.out
