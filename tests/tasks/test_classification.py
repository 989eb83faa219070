"""Classification as a user meets it: bad input, missing predictions, slices, profiles, parts."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.core.errors import DataError, UsageError
from assay.reports.text.score_notes import score_notes
from assay.tasks.table_profiles import TABLE_PROFILES

metrics = pytest.importorskip("sklearn.metrics")
GOOD = {"truth": ["a", "b", "a", "c"], "guess": ["a", "b", "b", "c"], "p": [0.1, 0.9, 0.3, 0.4]}


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (GOOD, {"predicted": "gues"}, r"no column 'gues' for `predicted` .* mean guess"),
        (GOOD, {"truth": "trut", "predicted": "guess"}, r"no column 'trut' .* mean truth"),
        (GOOD, {}, r"name the column with the predicted class"),
        (GOOD, {"predicted": "guess", "positive": "d"}, r"positive class 'd' does not occur among"),
        (GOOD, {"predicted": "guess", "positive": "A"}, r"'A' does not occur .* Did you mean a"),
        (GOOD, {"predicted": "guess", "by": ["seg"]}, r"no column 'seg' to slice by"),
        (GOOD, {"predicted": "guess", "profile": "scikit"}, r"no profile 'scikit'"),
        (GOOD, {"score": "guess", "positive": "a"}, r"row 1: the score 'a' is not a number"),
        (GOOD, {"probabilities": "p_*"}, r"should name the probabilities of two classes"),
        ({"truth": [], "guess": []}, {"predicted": "guess"}, r"no rows to evaluate"),
        (
            {"truth": [1, 0, 1], "p": [0.5, math.nan, 0.1]},
            {"score": "p"},
            r"row 2: there is no prediction, p is nan .*`missing=drop` leaves such items out$",
        ),
        (
            {"truth": [1, 0, 1], "p": [0.5, math.inf, 0.1]},
            {"score": "p"},
            r"row 2: the score is inf",
        ),
        (
            {"truth": ["a", None], "guess": ["a", "b"]},
            {"predicted": "guess"},
            r"row 2: there is no truth",
        ),
        (
            {"truth": [1.0, math.nan], "guess": [1.0, 0.0]},
            {"predicted": "guess"},
            r"row 2: there is no truth",
        ),
        (
            {"truth": ["a", "b"], "guess": ["a", "b"], "w": [1.0, -2.0]},
            {"predicted": "guess", "weight": "w"},
            r"row 2: the weight is -2; a number of at least 0",
        ),
    ],
)
def test_bad_input_is_told_and_mended(data: object, options: dict, message: str) -> None:
    with pytest.raises(assay.AssayError, match=message):
        assay.classification(data, **options)


def test_a_bad_score_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("truth,p\n1,0.5\n0,NaN\n")
    with pytest.raises(assay.AssayError, match=r"scores.csv:3: there is no prediction, p is nan"):
        assay.classification(path, score="p")


def test_labels_that_differ_by_case_or_blanks_are_hinted() -> None:
    data = {"truth": ["yes", "no", "yes"], "guess": ["Yes", "no", "yes "]}
    scores = assay.classification(data, "ACC", predicted="guess", interval=None)
    assert scores["ACC"]["classifier"] == pytest.approx(1 / 3)
    assert any("'Yes' and 'yes' and 'yes ' differ only by case" in w for w in scores.warnings)
    apart = {"truth": ["1", "0"], "guess": ["true", "false"]}
    warned = assay.classification(apart, "ACC", predicted="guess", interval=None).warnings
    assert "no predicted class occurs in the truth" in warned[0]


@pytest.mark.parametrize("value", [True, 1, 1.0, "1"])
def test_one_class_only_is_undefined_and_not_an_error(value: object) -> None:
    data = {"truth": [value] * 3, "guess": [value] * 3, "p": [0.1, 0.2, 0.3]}
    scores = assay.classification(
        data, "MCC TNR AUC AP kappa", predicted="guess", score="p", interval=None
    )
    reasons = {each.measure: each.undefined for each in scores.results}
    assert reasons["AUC"] == {"the items are all positive or all negative": 1}
    assert reasons["MCC"] == {"all items belong to one class": 1}
    assert reasons["TNR"] == {"every item belongs to the class": 1}
    assert scores["AP"]["classifier"] == 1


def test_a_constant_score() -> None:
    data = {"truth": [1, 0, 0, 1], "p": [0.5] * 4}
    scores = assay.classification(data, "AUC AP KS", score="p", interval=None)
    assert [each.value for each in scores.results] == [0.5, 0.5, 0]


MISSING = {"truth": ["a", "b", "a", "b"], "guess": ["a", None, "", "b"]}


def test_items_without_a_prediction() -> None:
    with pytest.raises(assay.AssayError, match=r"row 2: there is no prediction \(2 of 4 items"):
        assay.classification(MISSING, predicted="guess")
    dropped = assay.classification(MISSING, "ACC", predicted="guess", missing="drop")
    assert dropped["ACC"]["classifier"] == 1
    assert dropped.warnings == ("items without a prediction: 2, left out",)
    assert dropped.conventions["missing"] == "drop"
    wrong = assay.classification(MISSING, "ACC", predicted="guess", missing="wrong")
    assert wrong["ACC"]["classifier"] == 0.5
    scores = {"truth": [1, 0, 1], "p": [0.5, None, 0.7]}
    with pytest.raises(assay.AssayError, match="a missing score is neither right nor wrong"):
        assay.classification(scores, score="p", missing="wrong")
    assert assay.classification(scores, "AP", score="p", missing="drop")["AP"]["classifier"] == 1
    scores["p"][1] = math.nan
    assert assay.classification(scores, "AP", score="p", missing="drop")["AP"]["classifier"] == 1


def test_numbers_without_a_prediction_are_left_out_or_refused() -> None:
    for gap in (None, math.nan):
        values = {"truth": [1.0, 2.0, 3.0], "predicted": [1.0, gap, 4.0]}
        with pytest.raises(assay.AssayError, match="row 2: there is no predict") as failure:
            assay.regression(values, "MAE")
        assert "missing=wrong" not in str(failure.value)
        assert assay.regression(values, "MAE", missing="drop")["MAE"]["predictor"] == 0.5


def test_lines_are_still_right_after_rows_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("truth,p\n1,0.5\n0,\n1,inf\n")
    with pytest.raises(assay.AssayError, match=r"scores.csv:4: the score is inf"):
        assay.classification(path, score="p", missing="drop")


def sample(size: int = 400, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    truth = random.choice(["cat", "dog", "fox"], size)
    segment = random.choice(["A", "B"], size)
    right = random.random(size) < np.where(segment == "A", 0.9, 0.6)
    return pl.DataFrame(
        {
            "truth": truth,
            "guess": np.where(right, truth, random.choice(["cat", "dog", "fox"], size)),
            "segment": segment,
            "region": random.choice(["n", "s"], size),
        }
    )


def test_slices_are_what_each_part_alone_gives() -> None:
    frame = sample()
    names = "ACC F MCC"
    scores = assay.classification(frame, names, predicted="guess", by=["segment", "segment,region"])
    assert scores.slices[:2] == ("segment=A", "segment=B")
    assert "segment=A, region=s" in scores.slices
    assert scores.conventions["slices"]["segment=A"] == (frame["segment"] == "A").sum()
    alone = assay.classification(frame.filter(segment="A"), names, predicted="guess")
    for measure in names.split():
        one, other = scores.of(measure, "segment=A")[0], alone.of(measure)[0]
        assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
    whole = assay.classification(frame, names, predicted="guess")
    assert scores["ACC"] == whole["ACC"]


def test_a_slice_without_a_class_says_so() -> None:
    data = {"truth": ["y", "n", "n", "n"], "guess": ["y", "n", "y", "n"], "s": list("aabb")}
    scores = assay.classification(
        data, "TPR", predicted="guess", positive="y", by=["s"], interval=None
    )
    assert scores.of("TPR", "s=b")[0].undefined == {"no item belongs to the class": 1}


def test_largest_gaps_and_the_table_of_slices() -> None:
    from assay.reports.text.result_text import Layout
    from assay.reports.text.slice_tables import gap_rows, slice_rows

    scores = assay.classification(sample(), "ACC ERR", predicted="guess", by=["segment"])
    gaps = gap_rows(scores, 4)
    assert gaps[1][0] in ("ACC", "ERR")
    assert {cell.rpartition(" ")[0] for cell in gaps[1][5:7]} == {"segment=A", "segment=B"}
    rows = slice_rows(scores, Layout())
    assert [row[0] for row in rows] == ["slice", "segment=A", "segment=B"]


def test_robustness_by_degree() -> None:
    truth = ["a", "b"] * 50
    worse = ["a"] * 50 + truth[50:]
    data = {"truth": truth, "guess_50": worse, "guess_0": truth, "guess_100": ["a"] * 100}
    scores = assay.robustness(data, "guess_*", "ACC", interval=None)
    assert scores["ACC"] == {"0": 1.0, "50": 0.75, "100": 0.5}
    assert list(scores["ACC"]) == ["0", "50", "100"]
    with pytest.raises(assay.AssayError, match="matches 0 of the columns"):
        assay.robustness(data, "gess_*")


def test_everything_travels_through_json_and_parquet(tmp_path: Path) -> None:
    scores = assay.classification(sample(), predicted="guess", by=["segment"])
    content = json.loads(scores.to_json())
    assert content["conventions"]["positive"] is None
    scores.save(tmp_path / "scores.parquet")
    assert assay.load(tmp_path / "scores.parquet").summary().equals(scores.summary())


def values_of(run: object, data: object, name: str, **options: object) -> list[float]:
    """A number under our own conventions and under those of scikit-learn."""
    found = [run(data, name, profile=each, interval=None, **options) for each in PROFILES]
    return [each.results[0].value for each in found]


PROFILES = ("assay", "sklearn")
SILENT = {"truth": [0, 0, 1], "guess": [0, 0, 0]}
TOO_MANY = {"truth": [0, 0], "guess": [0, 1], "score": [0.5, 0.2]}
SURE = {"truth": [0, 1], "score": [1.0, 0.5]}
FLAT = {"truth": [2.0, 2.0], "predicted": [1.0, 2.0]}
ZERO = {"truth": [0.0, 1.0], "predicted": [1.0, 1.0]}


def differences() -> dict[str, tuple[list[float], float]]:
    """For each measure: ours under both profiles, and theirs."""
    said = {"predicted": "guess"}
    silent = SILENT["truth"], SILENT["guess"]
    empty = assay.confusion([[0, 0], [0, 3]], rows="actual", labels=["yes", "no"])
    return {
        "PPV": (
            values_of(assay.classification, SILENT, "P(average=macro)", **said),
            metrics.precision_score(*silent, average="macro", zero_division=0),
        ),
        "TPR": (
            values_of(assay.classification, TOO_MANY, "R(average=macro)", **said),
            metrics.recall_score([0, 0], [0, 1], average="macro", zero_division=0),
        ),
        "F": (
            values_of(assay.classification, SILENT, "F(average=macro)", **said),
            metrics.f1_score(*silent, average="macro"),
        ),
        "Jaccard": (
            values_of(assay.classification, empty, "Jaccard"),
            metrics.jaccard_score([0] * 3, [0] * 3, zero_division=0),
        ),
        "MCC": (
            values_of(assay.classification, SILENT, "MCC", **said),
            metrics.matthews_corrcoef(*silent),
        ),
        "AP": (
            values_of(assay.classification, TOO_MANY, "AP", score="score", **said),
            metrics.average_precision_score([0, 0], [0.5, 0.2]),
        ),
        "LogLoss": (
            values_of(assay.classification, SURE, "LogLoss", score="score"),
            metrics.log_loss(*SURE.values()),
        ),
        "D2_LogLoss": (
            values_of(assay.classification, SURE, "D2_LogLoss", score="score"),
            metrics.d2_log_loss_score(*SURE.values()),
        ),
        "R2": (values_of(assay.regression, FLAT, "R2"), metrics.r2_score(*FLAT.values())),
        "D2_AE": (
            values_of(assay.regression, FLAT, "D2_AE"),
            metrics.d2_absolute_error_score(*FLAT.values()),
        ),
        "EV": (
            values_of(assay.regression, FLAT, "EV"),
            metrics.explained_variance_score(*FLAT.values()),
        ),
        "MAPE": (
            values_of(assay.regression, ZERO, "MAPE"),
            metrics.mean_absolute_percentage_error(*ZERO.values()),
        ),
    }


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_difference_of_the_profile_sklearn_is_one() -> None:
    found = differences()
    assert set(found) == {each.measure for each in TABLE_PROFILES["sklearn"]}
    for name, ((plain, sklearn), expected) in found.items():
        assert sklearn == pytest.approx(expected, rel=1e-12), name
        assert plain != pytest.approx(expected, rel=1e-12), name


@pytest.mark.shared
def test_yardstick_two_classes(shared_data: Path) -> None:
    folder = shared_data / "yardstick"
    expected = json.loads((folder / "expected.json").read_text())["results"]["two_class_example"]
    names = {
        "ACC": "accuracy",
        "BA": "bal_accuracy",
        "P": "precision",
        "R": "recall",
        "specificity": "specificity",
        "F": "f1",
        "kappa": "kappa",
        "MCC": "mcc",
        "AUC": "roc_auc",
        "AP": "average_precision",
        "LogLoss": "log_loss",
        "Brier": "brier",
    }
    scores = assay.classification(
        folder / "two_class_example.csv",
        list(names),
        predicted="predicted",
        score="Class1",
        positive="Class1",
        interval=None,
    )
    for result, theirs in zip(scores.results, names.values(), strict=True):
        assert result.value == pytest.approx(expected[theirs], rel=1e-12), theirs
    matrix = assay.confusion(folder / "two_class_example.csv", truth="truth", predicted="predicted")
    # Theirs lists the second class first.
    assert matrix.matrix[0][::-1, ::-1].tolist() == expected["confusion_rows_truth"]


def test_intervals_of_counts_are_those_of_their_sum() -> None:
    frame = sample()
    scores = assay.classification(frame, "TP ACC", predicted="guess")
    counts, share = scores.results
    assert counts.low == pytest.approx(share.low * frame.height, abs=2)
    assert counts.high == pytest.approx(share.high * frame.height, abs=2)


SCORED = {
    "sick": [1, 0, 1, 0, 1, 0],
    "p": [0.9, 0.2, 0.6, 0.7, 0.8, 0.1],
    "ml": [9, 2, 6, 7, 8, 1],
}


def test_a_threshold_decides_by_scores() -> None:
    said = {"sick": SCORED["sick"], "guess": [1, 0, 0, 1, 1, 0]}
    by_score = assay.classification(SCORED, "MCC F", truth="sick", score="p", threshold=0.7)
    by_class = assay.classification(said, "MCC F", truth="sick", predicted="guess")
    assert by_score["MCC"] == by_class["MCC"]
    assert by_score["F"] == by_class["F"]
    assert by_score.conventions["decided_at"] == 0.7
    assert score_notes(by_score)[0].endswith("if the score is at or above 0.7")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"score": "ml"}, "`threshold`, for which 'assay threshold' finds a number"),
        ({"predicted": "sick", "threshold": 0.5}, "a `threshold` decides by scores"),
    ],
)
def test_decisions_that_scores_alone_do_not_give(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        assay.classification(SCORED, "MCC", truth="sick", **given)


def test_a_threshold_parts_two_classes() -> None:
    three = {"truth": ["a", "b", "c"], "score": [0.1, 0.2, 0.3]}
    with pytest.raises(DataError, match="a `threshold` separates two classes, found 3: a, b"):
        assay.classification(three, "MCC", score="score", positive="a", threshold=0.2)
