"""Classes have one order in every task, and ordinal measures follow it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from sklearn.metrics import cohen_kappa_score, roc_auc_score

import assay
from assay.cli.application import application
from assay.core.errors import AssayError
from assay.evidence.labels import positive_class
from assay.tasks.classification.classes_in_parts import classification_in_parts
from assay.tasks.classification.classification_columns import ClassificationColumns

QUADRATIC = "kappa(weights=quadratic)"
SIZES = ["VF", "F", "M", "L"]


def guesses(levels: int = 12, seed: int = 1) -> dict[str, list[int]]:
    """Levels from 1 on with guesses that are near them."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(1, levels + 1, 300)
    said = np.clip(truth + draw.integers(-1, 2, 300), 1, levels)
    return {"truth": truth.tolist(), "predicted": said.tolist()}


def words() -> dict[str, list[str]]:
    codes = guesses(len(SIZES))
    return {name: [SIZES[code - 1] for code in column] for name, column in codes.items()}


def kappa_of(data: Any, **options: Any) -> float:
    scores = assay.classification(data, QUADRATIC, predicted="predicted", interval=None, **options)
    return float(scores[QUADRATIC]["classifier"])


def expected(data: dict[str, list[Any]], labels: list[Any]) -> float:
    return float(
        cohen_kappa_score(data["truth"], data["predicted"], labels=labels, weights="quadratic")
    )


@pytest.mark.parametrize("as_type", [int, str, float])
def test_quadratic_kappa_of_numbers_is_that_of_numeric_order(as_type: type) -> None:
    numbers = guesses()
    data = {name: [as_type(each) for each in column] for name, column in numbers.items()}
    by_text = expected(numbers, sorted(range(1, 13), key=str))
    by_value = expected(numbers, list(range(1, 13)))
    assert abs(by_text - by_value) > 0.1
    assert kappa_of(data) == pytest.approx(by_value, abs=1e-12)


def test_listed_labels_set_the_order() -> None:
    data = words()
    assert abs(expected(data, SIZES) - expected(data, sorted(SIZES))) > 0.1
    for labels in (SIZES, "VF,F,M,L"):
        assert kappa_of(data, labels=labels) == pytest.approx(expected(data, SIZES), abs=1e-12)


def test_enum_and_ordered_categorical_set_the_order() -> None:
    pandas = pytest.importorskip("pandas")
    data = words()
    frame = pl.DataFrame(data, schema=dict.fromkeys(data, pl.Enum([*SIZES, "XL"])))
    ordered = pandas.DataFrame(
        {name: pandas.Categorical(data[name], categories=SIZES, ordered=True) for name in data}
    )
    arrow = pytest.importorskip("pyarrow").Table.from_pandas(ordered)
    for given in (frame, ordered, arrow):
        assert kappa_of(given) == pytest.approx(expected(data, SIZES), abs=1e-12)
        read = assay.confusion(given, truth="truth", predicted="predicted")
        assert read.labels == tuple(SIZES)
    unordered = pandas.DataFrame({name: pandas.Categorical(data[name]) for name in data})
    assert kappa_of(unordered) == pytest.approx(expected(data, sorted(SIZES)), abs=1e-12)


def test_numbers_in_ordered_categories_are_still_numbers() -> None:
    pandas = pytest.importorskip("pandas")
    grades = pandas.Categorical([2, 10, 2], categories=[10, 2], ordered=True)
    frame = pandas.DataFrame({"truth": grades, "predicted": [2.0, 8.0, 2.0]})
    assert assay.regression(frame, "MAE", interval=None)["MAE"]["predictor"] == 2 / 3
    texts = pl.DataFrame({"truth": ["2", "10"], "predicted": [2.0, 8.0]})
    categories = texts.cast({"truth": pl.Categorical})
    assert assay.regression(categories, "MAE", interval=None)["MAE"]["predictor"] == 1
    said = frame.assign(predicted=[2, 10, 10])
    assert assay.confusion(said, truth="truth", predicted="predicted").labels == ("10", "2")


def test_listed_labels_that_do_not_occur_have_zero_counts() -> None:
    data = {"truth": ["F", "L"], "predicted": ["F", "F"]}
    matrix = assay.confusion(data, truth="truth", predicted="predicted", labels=SIZES)
    assert matrix.labels == tuple(SIZES)
    assert matrix.matrix[0].sum(axis=1).tolist() == [0, 1, 0, 1]
    scores = assay.classification(data, QUADRATIC, predicted="predicted", labels=SIZES)
    assert scores[QUADRATIC]["classifier"] == expected(data, SIZES)


def test_labels_that_are_not_listed_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "sizes.csv"
    path.write_text("truth,predicted\nF,F\nM,Q\nL,XXL\nS,F\n")
    options = {"predicted": "predicted", "labels": ["VF", "F", "M", "L"]}
    complaint = r"sizes.csv:3: the predicted class 'Q' is not among the labels VF, F, M, L \(nor"
    with pytest.raises(AssayError, match=complaint):
        assay.classification(str(path), **options)
    with pytest.raises(AssayError, match=complaint):
        assay.confusion(str(path), truth="truth", **options)


def test_items_without_a_prediction_need_no_listed_label() -> None:
    data = {"truth": ["10", "9", "2"], "predicted": ["10", None, "2"]}
    named = {"truth": "truth", "predicted": "predicted", "missing": "wrong"}
    for labels in (None, ["2", "9", "10"]):
        assert assay.confusion(data, labels=labels, **named).labels == ("2", "9", "10", "(nothing)")


def test_numbers_written_in_two_ways_stay_two_classes() -> None:
    data = {"truth": ["01", "1", "2", "10"], "predicted": ["1", "1", "2", "10"]}
    assert assay.confusion(data, truth="truth", predicted="predicted").labels == (
        "01",
        "1",
        "2",
        "10",
    )
    warnings = assay.classification(data, "ACC", predicted="predicted").warnings
    assert any("'01' and '1' are the same number" in each for each in warnings)


def test_a_matrix_has_its_own_order_unless_its_labels_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text("actual,M,F\nM,1,2\nF,3,4\n")
    assert assay.confusion(str(path), rows="actual").labels == ("M", "F")
    listed = assay.confusion(str(path), rows="actual", labels="VF,F,M")
    assert listed.matrix[0].tolist() == [[0, 0, 0], [0, 4, 3], [0, 2, 1]]
    with pytest.raises(AssayError, match="has the classes M, which `labels` does not list"):
        assay.confusion(str(path), rows="actual", labels="VF,F")
    path.write_text("actual,10,2\n10,1,2\n2,3,4\n")
    numbers = assay.confusion(str(path), rows="actual")
    assert numbers.labels == ("2", "10")
    assert numbers.matrix[0].tolist() == [[4, 3], [2, 1]]


@pytest.mark.parametrize("labels", [None, SIZES])
def test_parts_have_the_order_of_the_whole(labels: list[str] | None) -> None:
    dtype = pl.String if labels else pl.Enum(SIZES)
    frame = pl.DataFrame(words(), schema={"truth": dtype, "predicted": dtype})
    parts = [frame.filter(pl.col("truth") == name) for name in ("L", "F", "VF", "M")]
    found = classification_in_parts(
        parts,
        QUADRATIC,
        ClassificationColumns(predicted="predicted", labels=labels),
        interval=None,
    )
    assert found[QUADRATIC]["classifier"] == kappa_of(frame, labels=labels)


def test_ratings_take_the_order_of_their_column() -> None:
    data = words()
    rows = {
        "item": [str(n) for n in range(300)] * 2,
        "assessor": ["a"] * 300 + ["b"] * 300,
        "label": [*data["truth"], *data["predicted"]],
    }
    frame = pl.DataFrame(rows, schema_overrides={"label": pl.Enum(SIZES)})
    wide = pl.DataFrame(data, schema=dict.fromkeys(data, pl.Enum(SIZES)))
    for given, columns in ((frame, {}), (wide, {"assessors": ["truth", "predicted"]})):
        scores = assay.agreement(given, QUADRATIC, scale="ordinal", interval=None, **columns)
        assert scores[QUADRATIC]["assessors"] == pytest.approx(expected(data, SIZES), abs=1e-12)


def test_clusters_that_are_numbers_are_in_numeric_order() -> None:
    from assay.core.tables import Assignments
    from assay.evidence.views.contingency import build_contingency

    data = {"cluster": [10, 9, 2, 9], "class": ["11", "9", "9", "9"]}
    table = build_contingency(Assignments.of(pl.DataFrame(data)))
    assert (table.clusters, table.classes) == (("2", "9", "10"), ("9", "11"))
    assert table.dense()[0].tolist() == [[1, 0], [2, 0], [0, 1]]


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("order") / "sizes.csv"
    pl.DataFrame(words()).write_csv(path)
    return path


@pytest.mark.parametrize(
    "call",
    [
        "classification {} --truth truth --predicted predicted --labels VF,F,M,L --resamples 0",
        "confusion {} --truth truth --predicted predicted --labels VF,F,M,L --resamples 0",
        "explain classification {} --truth truth --predicted predicted --labels VF,F,M,L -m kappa",
        "report classification {} --truth truth --predicted predicted --labels VF,F,M,L"
        " --resamples 0 -o {}.html",
        "plot confusion {} --truth truth --predicted predicted --labels VF,F,M,L -o {}.svg",
    ],
)
def test_every_command_takes_the_order(sizes: Path, call: str) -> None:
    words = call.format(*[sizes] * call.count("{}")).split()
    done = CliRunner().invoke(application, words)
    assert done.exit_code == 0, done.output
    shown = Path(words[-1]).read_text() if words[-2] == "-o" else done.output
    for heading in ("actual ↓ predicted →", "actual \\ predicted"):  # in the terminal, on a page
        shown = shown[max(shown.rfind(heading), 0) :]
    mark = ">{}<" if "<" in shown else "{} "
    places = [shown.index(mark.format(name)) for name in SIZES]
    assert places == sorted(places)


def test_the_command_computes_what_scikit_learn_does(sizes: Path) -> None:
    call = f"classification {sizes} --truth truth --predicted predicted --labels VF,F,M,L"
    done = CliRunner().invoke(
        application, [*call.split(), "-m", QUADRATIC, "--resamples", "0", "--digits", "6"]
    )
    assert f"{expected(words(), SIZES):.6f}" in done.output


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (["1", "2"], "2"),
        (["2", "4"], "4"),
        (["0", "1"], "1"),
        (["-1", "+1"], "+1"),
        (["no", "yes"], "yes"),
        (["1", "x"], "1"),
        (["benign", "malignant"], "malignant"),
    ],
)
def test_the_positive_class(labels: list[str], positive: str) -> None:
    assert positive_class(labels) == positive_class(labels[::-1]) == positive


def test_scores_of_two_numbered_classes_are_about_the_greater_one() -> None:
    random = np.random.default_rng(0)
    sick = random.random(200) < 0.4
    score = np.clip(sick * 0.3 + random.random(200) * 0.7, 0, 1)
    found = assay.classification(np.where(sick, 2, 1), y_score=score, measures="AUC")
    assert found["AUC"]["classifier"] == pytest.approx(roc_auc_score(sick, score))
