"""What users try first: labels of pandas with gaps, other names of arguments, commas, slices."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

import assay
from assay.core.errors import UsageError
from assay.reports.text.learning_task_text import LearningTaskText

pytest.importorskip("sklearn")
DRAW = np.random.default_rng(4)
Y = np.arange(60) % 2
X = DRAW.normal(size=(60, 3)) + 2 * Y[:, None]
NAMES = np.where(Y == 1, "yes", "no")
SEEN = np.arange(60) < 40
FEW: dict[str, Any] = {"shares": [0.3], "rounds": 2, "learners": "induction"}


@pytest.mark.parametrize("kind", ["object", "category", "string", "Int64", "empty text"])
def test_missing_labels_of_pandas_are_unlabeled(kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    labels: Any = pandas.Series(NAMES, dtype=object).where(SEEN, np.nan)
    if kind == "Int64":
        labels = pandas.Series(Y).astype("Int64").where(SEEN, pandas.NA)
    elif kind == "empty text":
        labels = labels.fillna("").tolist()
    elif kind != "object":
        labels = labels.astype(kind)
    found = assay.learn.semisupervised(X, labels, **FEW)
    assert (found.labels < 0).sum() == 20
    assert "20 items without a label: learned from, not evaluated" in found.notes


def test_the_mark_of_scikit_learn_for_no_label_is_noted() -> None:
    labels = np.where(SEEN, Y, -1)
    notes = assay.learn.semisupervised(X, labels, **FEW).notes
    assert any(each.startswith("-1 is taken as a class (20 items)") for each in notes)
    signs = assay.learn.semisupervised(X, 2 * Y - 1, **FEW).notes
    assert not any("-1 is taken" in each for each in signs)


def test_arguments_have_the_names_of_scikit_learn() -> None:
    learn: Any = assay.learn
    ours = learn.clusters(X, Y, counts=[1, 2, 3], rounds=2, seed=3)
    theirs = learn.clusters(X=X, y=Y, counts=[1, 2, 3], rounds=2, random_state=3)
    assert theirs.criteria.equals(ours.criteria, null_equal=True)
    with pytest.raises(UsageError, match="`y` is another name of `target`, which is given too"):
        learn.clusters(X, target=Y, y=Y)
    with pytest.raises(UsageError, match=r"no argument 'k' .*counts, rounds"):
        learn.clusters(X, k=3)
    with pytest.raises(UsageError, match="too many positional arguments; its arguments are data"):
        learn.preparation("neighbors", X, Y)


@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_slices_and_features_have_the_name_of_their_series(kind: str) -> None:
    library = pytest.importorskip(kind)
    sex, age = (library.Series(name=n, **{_data(kind): v}) for n, v in _columns())
    found = assay.learn.density(age, by=sex, models="normal,kernel")
    assert found.names == ("age",)
    assert {*found.scores.slices} == {"sex=f", "sex=m"}


def _data(kind: str) -> str:
    return "values" if kind == "polars" else "data"


def _columns() -> list[tuple[str, list[Any]]]:
    return [("sex", ["f", "m"] * 30), ("age", X[:, 0].tolist())]


def test_a_list_of_values_beside_a_table_defines_slices() -> None:
    table = {"a": X[:, 0], "b": X[:, 1], "class": NAMES}
    found = assay.learn.clusters(table, "class", by=["f", "m"] * 30, counts=[1, 2, 3], rounds=2)
    assert {*found.scores.slices} == {"slice=f", "slice=m"}
    assert {*found.names} == {"a", "b"}


def test_columns_are_separated_by_commas(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    table = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "c,d": X[:, 2], "class": NAMES})
    table.write_csv(path)
    done = call("learn", "clusters", str(path), "--features", "a,b", "--counts", "1,2,3")
    assert done.code == 0, done.err
    both = assay.learn.clusters(table, features=["a", "c,d"], counts=[1, 2, 3], rounds=2)
    assert both.names == ("a", "c,d")
    wrong = call("learn", "clusters", str(path), "--features", "a,e")
    assert (wrong.code, "no column is called 'e'" in wrong.err) == (2, True)


def test_a_text_feature_is_left_out_as_one() -> None:
    table = {"a": X[:, 0], "town": ["x", "y", "z"] * 20, "class": NAMES}
    found = assay.learn.preparation(table, "class", features=["a", "town"])
    left_out = {name for name in found.scores.systems if name.startswith("without ")}
    assert left_out == {"without a", "without town"}
    alone = assay.learn.preparation(table, "class", features="a").scores["ACC"]["as it is"]
    assert found.scores["ACC"]["without town"] == alone


def test_categories_have_weights_beside_their_base() -> None:
    """Ordinary least squares with dummy variables, by its normal equations."""
    town = ["x", "y", "z"] * 20
    truth = 3 * X[:, 0] + np.tile([0.0, 5, -2], 20) + DRAW.normal(size=60)
    found = assay.learn.regression({"a": X[:, 0], "town": town}, truth)
    assert found.parameters["feature"].to_list() == ["constant", "a", "town_y", "town_z"]
    assert found.parameters["low"].is_finite().all()
    assert "without a weight, as the base of the other categories: town x" in found.notes
    plain = assay.learn.regression({"a": X[:, 0], "town": town}, truth, plain=True)
    names = ["a", "town_x", "town_y", "town_z"]
    assert plain.parameters["feature"].to_list() == names
    both = (each.predictions["least-squares"] for each in (found, plain))
    np.testing.assert_allclose(next(both), next(both))


def test_dropping_numbers_predicts_their_mean() -> None:
    found = assay.learn.missing(X, X[:, 0] + X[:, 1], shares=[0, 0.5], learners="drop,integrate")
    said = [each for each in found.notes if each.startswith("drop with 50% missing")]
    assert len(said) == 1
    assert "predicts the mean for" in said[0]


def test_the_first_table_names_what_is_evaluated_with_all_measures_together() -> None:
    found = assay.learn.outliers(X, np.arange(60) % 4 == 0, detectors="neighbors,covariance")
    first = LearningTaskText(found).tables()[0]
    assert first.title == "Detectors"
    systems = [row[0] for row in first.rows[1:]]
    assert systems == ["neighbors"] * 3 + ["covariance"] * 3


def test_one_cluster_has_no_interval_of_its_agreement() -> None:
    classes = ["a", "b", "c", "d"] * 60
    scores = assay.clustering(classes, {"one": [0] * 240}, "NMI")
    assert scores.of("NMI")[0].interval == "no width"


@pytest.mark.parametrize("form", ["csv", "json", "markdown"])
def test_notes_are_on_standard_error_beside_other_formats(tmp_path: Path, form: str) -> None:
    path = tmp_path / "items.csv"
    pl.DataFrame({"a": X[:, 0], "b": [1] * 60, "y": X[:, 1]}).write_csv(path)
    words = ("learn", "regression", str(path), "--target", "y", "--format", form)
    done = call(*words)
    assert "1 feature with the same value in every row: b" in " ".join(done.err.split())
    assert "same value" not in done.out
    assert "same value" not in call(*words, "--quiet").err


def test_the_python_of_the_how_to_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "howto" / "learning-tasks.md").read_text()
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)
    assert {*names["found"].scores["ACC"]} >= {"integrate", "drop"}
    assert (tmp_path / "missing.html").stat().st_size > 0
    assert (tmp_path / "features.svg").stat().st_size > 0
    for task in ("semisupervised", "density", "outliers", "reduction", "som", "clusters"):
        assert f"assay.learn.{task}(" in code[1]
        assert f"`{task}`" in text
