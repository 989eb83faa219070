"""The worked examples of the lectures: confusion matrices, scores and thresholds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call

import assay


def outcomes(tp: float, fp: float, fn: float, tn: float) -> Any:
    """The matrix of a yes-or-no question."""
    return assay.confusion([[tp, fp], [fn, tn]], rows="predicted", labels=["yes", "no"])


def percent(matrix: Any, *names: str, digits: int = 0) -> list[float]:
    scores = assay.classification(matrix, list(names), interval=None)
    return [100 * each.value for each in scores.results]


def rounded(found: list[float], expected: list[float], digits: int = 0) -> None:
    """Within half a unit of the last digit printed (82.5 counts as 83)."""
    half = 0.5 * 10**-digits + 1e-9
    assert all(abs(one - other) <= half for one, other in zip(found, expected, strict=True)), found


CANCER = outcomes(tp=20, fp=180, fn=10, tn=1820)
RATES = ("PPV", "NPV", "TPR", "TNR", "ACC", "FDR", "FOR", "prevalence")


def test_cancer_test() -> None:
    rounded(percent(CANCER, "PPV", "TPR", "TNR", "FDR"), [10, 67, 91, 90])
    # The lecture prints a prevalence of 1.4 %.
    found = percent(CANCER, "prevalence", "NPV", "ACC", "FOR")
    rounded(found, [1.5, 99.5, 90.6, 0.5], digits=1)


def test_the_oracle_that_always_says_no() -> None:
    oracle = outcomes(tp=0, fp=0, fn=30, tn=2000)
    rounded(percent(oracle, "ACC", "NPV", "TPR", "TNR"), [98.5, 98.5, 0, 100], digits=1)
    # The lecture prints 0.
    result = assay.classification(oracle, "PPV", interval=None).results[0]
    assert math.isnan(result.value)
    assert result.undefined == {"no item was predicted to be of the class": 1}


def test_the_cancer_test_rules_out_by_npv_and_not_by_sensitivity() -> None:
    found = assay.interpret_matrix(CANCER)
    assert found.verdicts == ("rules out",)
    assert "NPV (99.5 %) is high" in found.text
    assert "sensitivity (66.7 %) is not" in found.text
    assert "Only 1.5 % of the items are positive" in found.text


def test_woman_against_the_rest_does_not_rule_out() -> None:
    matrix = assay.confusion(FAMILY, rows="predicted", labels=NAMES)
    rounded(percent(matrix.collapse("woman"), "TPR", "NPV"), [65, 91])
    assert assay.interpret_matrix(matrix.collapse("woman")).verdicts == ("neither",)
    assert assay.interpret_matrix(matrix.against_rest("woman")).verdicts == ("neither",)


def test_t_and_f_are_the_predicted_positives_and_negatives() -> None:
    # The rows of the table in the lecture: True (200) and False (1830).
    names = ("predicted_positives", "predicted_negatives", "right", "wrong")
    scores = assay.classification(CANCER, list(names), interval=None)
    assert [each.value for each in scores.results] == [
        200,
        1830,
        1840,
        190,
    ]
    labels = {name: assay.measure(name, "classification").definition.label for name in names}
    assert labels["predicted_positives"] == "predicted positives (T)"
    assert labels["predicted_negatives"] == "predicted negatives (F)"
    assert "(T)" not in labels["right"]
    assert "(F)" not in labels["wrong"]


def test_virus_test() -> None:
    virus = outcomes(tp=595, fp=4965, fn=105, tn=94335)
    rounded(percent(virus, "PPV", "TPR", "TNR", "ACC"), [11, 85, 95, 95])
    # P over the whole population; the fractions printed there are those of the cancer test.
    rounded(percent(virus, "prevalence", "NPV"), [0.7, 99.9], digits=1)


FAMILY = [[13, 4, 2], [2, 15, 1], [5, 1, 57]]
NAMES = ["woman", "man", "child"]


def test_woman_man_child() -> None:
    matrix = assay.confusion(FAMILY, rows="predicted", labels=NAMES)
    rounded(percent(matrix, "ACC", "ERR"), [85, 15])
    names = ("PPV", "NPV", "TPR", "TNR", "ACC")
    rounded(percent(matrix.against_rest(["woman"]), *names), [68, 91, 65, 93, 87])
    rounded(percent(matrix.against_rest(["child"]), *names), [90, 92, 95, 85, 91])


def test_woman_man_child_through_the_command(tmp_path: Path) -> None:
    lines = [",".join([name, *map(str, row)]) for name, row in zip(NAMES, FAMILY, strict=True)]
    path = tmp_path / "matrix.csv"
    path.write_text("\n".join(["predicted," + ",".join(NAMES), *lines]) + "\n")
    words = ["confusion", str(path), "--rows", "predicted", "--collapse", "woman", "--digits", "2"]
    done = call(*words, "--resamples", "0", "-m", "PPV NPV TPR TNR ACC")
    assert done.code == 0, done.err
    measures = done.out.partition("\n\n")[2].splitlines()[:6]
    table = dict(line.split()[:2] for line in measures)
    assert {name: table[name] for name in ("PPV", "NPV", "TPR", "ACC")} == {
        "PPV": "0.68",
        "NPV": "0.91",
        "TPR": "0.65",
        "ACC": "0.87",
    }


def test_both_orientations_are_read_and_printed() -> None:
    rows = [[5, 0, 0], [1, 3, 0], [1, 2, 4]]
    matrix = assay.confusion(rows, rows="actual", labels=["a", "b", "c"])
    assert assay.classification(matrix, "ACC", interval=None)["ACC"]["classifier"] == 0.75
    turned = matrix.frame("predicted")
    again = assay.confusion(turned, rows="predicted")
    assert np.array_equal(again.matrix, matrix.matrix)
    assert turned.columns[0] == "predicted"


METHODS = {
    "A": (outcomes(95, 30, 5, 70), [95, 30, 76, 93, 83], "rules out"),
    "B": (outcomes(40, 80, 60, 20), [40, 80, 33, 25, 30], "worse than chance"),
    "C": (outcomes(90, 70, 10, 30), [90, 70, 56, 75, 60], "biased to yes"),
    "D": (outcomes(60, 5, 40, 95), [60, 5, 92, 70, 78], "rules in"),
}


@pytest.mark.parametrize("method", METHODS)
def test_four_methods_and_their_reading(method: str) -> None:
    matrix, expected, verdict = METHODS[method]
    rounded(percent(matrix, "TPR", "FPR", "PPV", "NPV", "ACC"), expected)
    assert [each for each in assay.interpret_matrix(matrix).verdicts if each != "neither"] == [
        verdict
    ]


def test_method_b_negated() -> None:
    matrix = METHODS["B"][0]
    rounded(percent(matrix.negate(), "TPR", "FPR"), [60, 20])
    assert "TPR 60.0 % and FPR 20.0 %" in assay.interpret_matrix(matrix).text


def test_sets_of_documents_given_as_counts() -> None:
    models = [(80, 80), (90, 70), (120, 100), (0, 0), (50, 50)]
    views = [outcomes(hit, said - hit, 100 - hit, 20 - said + hit) for said, hit in models]

    def row(name: str) -> list[float]:
        return [round(percent(view, name)[0] / 100, 2) for view in views]

    nothing = math.nan
    assert row("P") == pytest.approx([1, 0.78, 0.83, nothing, 1], nan_ok=True)
    assert row("R") == [0.8, 0.7, 1, 0, 0.5]
    # The lecture truncates the fourth to .16.
    assert row("ACC") == [0.83, 0.58, 0.83, 0.17, 0.58]
    assert row("F") == pytest.approx([0.89, 0.74, 0.91, nothing, 0.67], nan_ok=True)
    assert row("F(form=count)")[3] == 0


def test_mcc_and_jaccard() -> None:
    matrix = METHODS["A"][0]
    rounded(percent(matrix, "MCC", "Jaccard"), [67, 73])
    assert round(percent(matrix, "Jaccard(percent=true)")[0] / 100) == 73


ITEMS = (
    "P .90, P .80, N .70, P .60, P .55, P .54, N .53, N .52, P .51, N .50,"
    " P .40, N .39, P .38, N .37, N .36, N .35, P .34, N .33, P .30, N .10"
)
MARKS = [item.split() for item in ITEMS.split(",")]
# Worked out by hand from the marks: TP, FP, FN, TN, TPR, FPR, ACC at or above each score.
TABLE = """
.90  1  0  9 10 .1 .0 .55
.80  2  0  8 10 .2 .0 .60
.70  2  1  8  9 .2 .1 .55
.60  3  1  7  9 .3 .1 .60
.55  4  1  6  9 .4 .1 .65
.54  5  1  5  9 .5 .1 .70
.53  5  2  5  8 .5 .2 .65
.52  5  3  5  7 .5 .3 .60
.51  6  3  4  7 .6 .3 .65
.50  6  4  4  6 .6 .4 .60
.40  7  4  3  6 .7 .4 .65
.39  7  5  3  5 .7 .5 .60
.38  8  5  2  5 .8 .5 .65
.37  8  6  2  4 .8 .6 .60
.36  8  7  2  3 .8 .7 .55
.35  8  8  2  2 .8 .8 .50
.34  9  8  1  2 .9 .8 .55
.33  9  9  1  1 .9 .9 .50
.30 10  9  0  1 1. .9 .55
.10 10 10  0  0 1. 1. .50
"""
DATA = {
    "sick": ["yes" if mark == "P" else "no" for mark, _ in MARKS],
    "glucose": [float(score) for _, score in MARKS],
}


def test_the_table_of_twenty_rows() -> None:
    found = assay.threshold(DATA, truth="sick", score="glucose", interval=None).table
    expected = [[float(cell) for cell in line.split()] for line in TABLE.strip().splitlines()]
    names = ["threshold", "TP", "FP", "FN", "TN", "TPR", "FPR", "ACC"]
    assert found.select(names).to_numpy() == pytest.approx(np.asarray(expected))


def test_area_and_goals() -> None:
    scores = assay.classification(DATA, "AUC", truth="sick", score="glucose")
    assert scores["AUC"]["classifier"] == pytest.approx(0.68)
    goals = ["accuracy", "youden", "corner", "f:1"]
    chosen = assay.threshold(DATA, goals, truth="sick", score="glucose", interval=None)
    best = chosen["accuracy"]
    assert (best.threshold, best.value) == (0.54, 0.7)
    assert [best.rates[name] for name in ("TP", "FP", "FN", "TN")] == [5, 1, 5, 9]
    assert chosen["youden"].threshold == 0.54
    assert chosen["youden"].value == pytest.approx(0.4)
    assert chosen["corner"].ties == (0.51, 0.40)
    assert chosen["corner"].value == pytest.approx(0.5)
    assert chosen["f:1"].threshold == 0.38
    assert round(chosen["f:1"].value, 2) == 0.70


def test_strictly_above_chooses_the_next_score() -> None:
    chosen = assay.threshold(
        DATA, "accuracy", truth="sick", score="glucose", rule="above", interval=None
    )
    assert chosen["accuracy"].threshold == 0.53
    assert chosen["accuracy"].value == 0.7


def test_thresholds_through_the_command(tmp_path: Path) -> None:
    path = tmp_path / "sick.csv"
    rows = zip(DATA["sick"], DATA["glucose"], strict=True)
    path.write_text("sick,glucose\n" + "".join(f"{one},{two}\n" for one, two in rows))
    words = ["threshold", str(path), "--truth", "sick", "--score", "glucose", "--resamples", "0"]
    done = call(*words, "--goal", "corner", "--goal", "accuracy")
    assert done.code == 0, done.err
    assert "a tie of 0.51, 0.4, of which the highest is shown" in done.out
    assert "accuracy     0.5400" in done.out


def test_log_loss_over_items_and_classes_with_clipped_forecasts() -> None:
    data = {"truth": ["a", "b", "a"], "q_a": [0.8, 0.4, 0.0], "q_b": [0.2, 0.6, 1.0]}
    scores = assay.classification(data, "LogLossSum LogLoss", probabilities="q_*", interval=None)
    total, mean = (each.value for each in scores.results)
    # Of two classes each item counts twice; the certain error counts −log 1e-15.
    expected = -math.log(0.8) - math.log(0.6) - math.log(1e-15)
    assert total == pytest.approx(2 * expected, rel=1e-4)  # 1 − (1 − 1e-15) in binary
    assert mean == pytest.approx(expected / 3)
    wide = assay.entropy(data, probabilities="q_*", truth="truth", clip=0.1)
    assert wide.summary["cross_entropy"][0] == pytest.approx(
        (-math.log(0.8) - math.log(0.6) - math.log(0.1)) / 3
    )


def test_cross_entropy_of_two_distributions() -> None:
    data = {"p_a": [0.5], "p_b": [0.5], "q_a": [0.25], "q_b": [0.75]}
    found = assay.entropy(data, probabilities="q_*", true="p_*").summary["cross_entropy"][0]
    assert found == pytest.approx(-0.5 * math.log(0.25) - 0.5 * math.log(0.75))


def test_mean_squared_error() -> None:
    data = {"truth": [1.0, 2.0, 4.0], "predicted": [1.5, 2.0, 3.0]}
    assert assay.regression(data, "MSE", interval=None).results[0].value == pytest.approx(1.25 / 3)
