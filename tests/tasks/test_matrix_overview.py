"""The overview of a matrix, and methods given as counts; numbers of the lectures and of scipy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError, DataError, UsageError
from assay.reports.text.interpretation import carried_by_negatives

CANCER = assay.confusion([[20, 180], [10, 1820]], rows="predicted", labels=["yes", "no"])
METHODS = "method,tp,fp,fn,tn\nA,95,30,5,70\nB,40,80,60,20\nC,90,70,10,30\nD,60,5,40,95\n"
MODELS = (
    "method,retrieved,relevant_retrieved,relevant,corpus\n"
    "M1,80,80,100,120\nM2,90,70,100,120\nM3,120,100,100,120\nM4,0,0,100,120\nM5,50,50,100,120\n"
)


def test_every_rate_has_its_place_in_both_orientations() -> None:
    predicted = assay.overview(CANCER, "predicted", digits=2).overview.rows()
    assert predicted[0] == ("true (T = 200)", "TP = 20", "FP = 180", "PPV = 0.10", "FDR = 0.90")
    assert predicted[1][1:] == ("FN = 10", "TN = 1820", "FOR = 0.01", "NPV = 0.99")
    assert predicted[2] == ("of the column", "TPR = 0.67", "FPR = 0.09", "ACC = 0.91", "")
    assert predicted[3] == ("", "FNR = 0.33", "TNR = 0.91", "", "ERR = 0.09")
    actual = assay.overview(CANCER, "actual", digits=2).overview.rows()
    assert actual[0] == ("positive: yes (P = 30)", "TP = 20", "FN = 10", "TPR = 0.67", "FNR = 0.33")
    assert actual[1][1:] == ("FP = 180", "TN = 1820", "FPR = 0.09", "TNR = 0.91")
    assert actual[2] == ("of the column", "PPV = 0.10", "FOR = 0.01", "ACC = 0.91", "")


def test_the_first_line_names_the_positive_class_of_a_matrix_without_labels() -> None:
    counts = [[20, 180], [10, 1820]]
    given: Any = counts
    second = assay.overview(assay.confusion(counts, rows="predicted"))
    assert "positive: 1 (P = 2000)" in str(second).splitlines()[0]
    assert "(`positive` names another)" in second.notes[0]
    first = assay.overview(assay.confusion(counts, rows="predicted", positive="0"))
    assert "positive: 0 (P = 30)" in str(first).splitlines()[0]
    with pytest.raises(UsageError, match="not of a list"):
        assay.overview(given)


def test_prevalences_in_percent_and_the_option_that_names_the_positive_class(
    tmp_path: Path,
) -> None:
    path = tmp_path / "m.csv"
    path.write_text(",yes,no\nyes,20,180\nno,10,1820\n")
    given = ("confusion", str(path), "--rows", "predicted", "--prevalence")
    percent = call(*given, "10%,0.2")
    assert percent.out == call(*given, "0.1,0.2").out
    assert "(--positive names another)" in percent.out


def test_predictive_values_at_another_prevalence_by_bayes() -> None:
    found = assay.overview(CANCER, prevalence=[0.3]).prevalences
    assert found is not None
    hit, false = 0.3 * 20 / 30, 0.7 * 180 / 2000
    missed, cleared = 0.3 * 10 / 30, 0.7 * 1820 / 2000
    expected = (0.3, hit / (hit + false), cleared / (cleared + missed), hit + cleared)
    assert found.row(0) == pytest.approx(expected)


def test_the_overview_refuses_more_classes_and_shares_above_one() -> None:
    three = assay.confusion([[1, 0, 0], [0, 1, 0], [0, 0, 1]], rows="actual")
    with pytest.raises(UsageError, match="3 classes"):
        assay.overview(three)
    with pytest.raises(UsageError, match="from 0 to 1"):
        assay.overview(CANCER, prevalence=[2])


def test_methods_are_evaluated_and_compared_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "methods.csv"
    path.write_text(METHODS)
    done = call("confusion", str(path), "-m", "TPR FPR PPV NPV ACC", "--resamples", "0")
    assert done.code == 0, done.err
    assert done.out.index("worse than chance") < done.out.index("rules in")
    pairs = call("confusion", str(path), "--pairs", "-m", "TPR", "--format", "csv")
    assert pairs.code == 0, pairs.err
    assert "TPR,A,D,-0.35" in pairs.out


def test_pairs_have_fishers_exact_test() -> None:
    evidence = assay.ConfusionEvidence.read(METHODS_FRAME)
    found = assay.compare_methods(dict(evidence.members), "ACC TPR").pairs
    row = found.filter(pl.col("rate") == "TPR").row(0, named=True)
    assert row["p"] == pytest.approx(stats.fisher_exact([[95, 5], [60, 40]]).pvalue)
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    ends = proportion.confint_proportions_2indep(60, 100, 95, 100, method="newcomb")
    assert (row["low"], row["high"]) == pytest.approx(ends)


METHODS_FRAME = {
    "method": ["A", "D"],
    "tp": [95, 60],
    "fp": [30, 5],
    "fn": [5, 40],
    "tn": [70, 95],
}


def test_sets_of_documents_as_counts(tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_text(MODELS)
    scores = assay.ConfusionEvidence.read(str(path)).scores("ACC R", interval=None)
    accuracy = [round(value, 2) for value in scores["ACC"].values()]
    assert accuracy == [0.83, 0.58, 0.83, 0.17, 0.58]
    path.write_text("method,retrieved,relevant_retrieved,relevant,corpus\nM,5,9,10,20\n")
    with pytest.raises(DataError, match=r"models.csv:2: 9 documents .* no sets have these sizes"):
        assay.ConfusionEvidence.read(str(path))


def test_a_method_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "methods.csv"
    path.write_text("method,tp,fp,fn,tn\nA,1,1,1,1\nA,2,2,2,2\n")
    done = call("confusion", str(path))
    assert done.code == 1
    assert "methods.csv:3: the method 'A' occurs twice" in done.err


def test_accuracy_that_comes_from_the_negatives_is_named(tmp_path: Path) -> None:
    path = tmp_path / "family.csv"
    path.write_text("predicted,woman,man,child\nwoman,13,4,2\nman,2,15,1\nchild,5,1,57\n")
    done = call("confusion", str(path), "--rows", "predicted", "--resamples", "0")
    part = done.out.split("accuracy from other classes")[1].split("\n\n")[0]
    assert "woman: accuracy 87% because 74 items of other classes are rejected" in part
    assert "65% are found, and 68% of its predictions hold" in part
    assert "child" not in part


def test_the_items_of_other_classes_may_be_a_sum_of_weights() -> None:
    counts = np.array([[13, 2, 5], [4, 15, 1], [2, 1, 57]]) * 1.5 / 74
    weighted = assay.confusion(counts.tolist(), labels=["woman", "man", "child"], rows="actual")
    assert "because 1.5 items of other classes are rejected" in carried_by_negatives(weighted)[0]


def test_methods_that_cannot_be_compared_are_named() -> None:
    counts = {"method": ["A", "B"], "tp": [0, 10], "fp": [1, 2], "fn": [0, 4], "tn": [5, 6]}
    found = assay.compare_methods(counts, "TPR", confidence=0.995)
    assert found.pairs.is_empty()
    assert "TPR of A is undefined" in str(found)
    assert "Newcombe's 99.5% interval" in str(found)
    with pytest.raises(DataError, match="not a whole number"):
        assay.compare_methods(counts | {"tp": [0.9, 10.5]}, "TPR")
    with pytest.raises(UsageError, match="1 method given"):
        assay.compare_methods({name: own[:1] for name, own in counts.items()})


def test_counts_without_true_negatives() -> None:
    data = {"method": ["A", "B", "none"], "tp": [7, 4, 0], "fp": [7, 2, 0], "fn": [13, 16, 5]}
    found = assay.ConfusionEvidence.read(data).scores("P R F JI ACC MCC TNR NPV prevalence")
    values = {(each.system, each.measure): each for each in found.results}
    assert [values["A", name].value for name in ("PPV", "TPR", "F", "Jaccard")] == pytest.approx(
        [7 / 14, 7 / 20, 14 / 34, 7 / 27]
    )
    for name in ("ACC", "MCC", "TNR", "NPV", "prevalence"):
        each = values["A", name]
        assert math.isnan(each.value)
        assert math.isnan(each.low)
        assert set(each.reasons) == {"tn is not given"}
    assert values["none", "PPV"].reasons == ("no item was predicted to be of the class",)
    sets = {"method": ["A"], "retrieved": [14], "relevant_retrieved": [7], "relevant": [20]}
    other = assay.ConfusionEvidence.read(sets).scores("P R F JI")
    assert [each.value for each in other.results] == [
        values["A", name].value for name in ("PPV", "TPR", "F", "Jaccard")
    ]
    # The interval of a share of 14 items is Wilson's, as with any number of true negatives.
    whole = assay.ConfusionEvidence.read(data | {"tn": [900, 900, 900]}).scores("P R")
    assert [(each.low, each.high) for each in whole.results if each.system == "A"] == [
        (values["A", name].low, values["A", name].high) for name in ("PPV", "TPR")
    ]


def test_counts_without_true_negatives_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("tp,fp,fn\n7,7,13\n")
    done = call("confusion", str(path), "-m", "P ACC")
    assert done.code == 0, done.err
    assert "ACC is undefined for 1 of 1 sets: tn is not given" in done.out
    assert "nan" not in done.out
    shown = call("confusion", str(path), "--overview")
    assert "undefined: FOR, NPV, FPR, TNR, ACC, ERR, prevalence: tn is not given" in shown.out
    two = {"method": ["A", "B"], "tp": [7, 4], "fp": [7, 2], "fn": [13, 16]}
    pairs = assay.compare_methods(two)
    assert "ACC of A is undefined: tn is not given" in pairs.notes
    assert set(pairs.pairs["rate"]) == {"TPR", "PPV"}
    with pytest.raises(AssayError, match="tn is not given for A"):
        assay.plot("methods", two)


def test_an_overview_says_why_f_is_undefined() -> None:
    matrix = assay.confusion([[0, 0], [100, 20]], rows="predicted", labels=["yes", "no"])
    notes = assay.overview(matrix).notes
    assert "undefined: PPV, FDR, F: no item was predicted to be of the class" in notes
    assert "F from counts, 2 TP / (2 TP + FP + FN), is 0: F(form=count)" in notes
