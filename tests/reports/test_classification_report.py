"""The report of a classifier: matrix, reading, baselines, clusters of confusion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import assay
from assay.evidence.views.confusion import Confusion
from assay.reports.figures.matrix_figures import confusion_figure
from assay.reports.pages.classification import classification_page
from assay.reports.pages.matrix_tables import confusion_table
from assay.reports.text.confusion_clusters import cluster_confusions
from assay.reports.text.confusion_text import (
    baselines,
    class_rows,
    classification_report,
    matrix_rows,
    most_frequent_confusions,
)
from assay.reports.text.interpretation import RateLimits, interpret_matrix, missed_classes
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.testing import confusion, outcomes


def test_margins_name_the_rates_of_their_orientation() -> None:
    view = confusion([[13, 2, 5], [4, 15, 1], [2, 1, 57]], labels=["woman", "man", "child"])
    actual, predicted = matrix_rows(view, "actual"), matrix_rows(view, "predicted")
    assert actual[0] == ["actual ↓ predicted →", "woman", "man", "child", "total", "TPR"]
    assert actual[1] == ["woman", "13", "2", "5", "20", "0.65"]
    assert actual[-1][:2] == ["PPV", "0.68"]
    assert predicted[0][0] == "predicted ↓ actual →"
    assert predicted[1] == ["woman", "13", "4", "2", "19", "0.68"]
    assert predicted[-1] == ["TPR", "0.65", "0.75", "0.95", "", "0.85 = ACC"]


def test_a_table_of_two_classes_names_the_rates_of_both() -> None:
    # TP 13, FN 7, FP 6, TN 74: TPR 13/20, TNR 74/80, PPV 13/19, NPV 74/81.
    view = outcomes(tp=13, fp=6, fn=7, tn=74)
    actual, predicted = matrix_rows(view, "actual"), matrix_rows(view, "predicted")
    assert [row[-1] for row in actual[1:3]] == ["0.65 = TPR", "0.93 = TNR"]
    assert actual[-1] == ["", "0.68 = PPV", "0.91 = NPV", "", "0.87 = ACC"]
    assert [row[-1] for row in predicted[1:3]] == ["0.68 = PPV", "0.91 = NPV"]
    assert predicted[-1][:3] == ["", "0.65 = TPR", "0.93 = TNR"]
    assert "TPR" not in actual[0]


def test_the_positive_class_may_be_the_second() -> None:
    view = Confusion.of(np.asarray([[74.0, 6], [7, 13]]), ("no", "yes"), "yes")
    assert [row[-1] for row in matrix_rows(view, "actual")[1:3]] == ["0.93 = TNR", "0.65 = TPR"]
    for shown in (confusion_figure(view).svg, str(confusion_table(view))):
        assert all(name in shown for name in ("TNR", "TPR", "NPV", "PPV"))
        assert "recall" not in shown


def test_a_rare_class_that_is_missed_is_pointed_out() -> None:
    view = outcomes(tp=1, fp=2, fn=8, tn=989)
    said = "Class 'yes' has 9 of 1,000 items and recall 0.11 (1 of 9), beside an accuracy of 0.99"
    assert said in classification_report(view)
    assert said not in classification_report(outcomes(tp=8, fp=2, fn=1, tn=989))
    counts = [[500, 0, 0], [0, 491, 0], [8, 0, 1]]
    several = classification_report(confusion(counts, labels=["a", "b", "c"]))
    assert "Class 'c' has 9 of 1,000 items and recall 0.11 (1 of 9)" in several
    assert "Class 'a'" not in several


def test_a_page_points_out_a_rare_class_that_is_missed() -> None:
    data = {
        "truth": ["common"] * 991 + ["rare"] * 9,
        "predicted": ["common"] * 999 + ["rare"],
    }
    columns = ClassificationColumns(predicted="predicted")
    evidence = ClassificationEvidence.read(data, columns)
    page = classification_page(evidence, evidence.scores("ACC", interval=None))
    assert "has 9 of 1,000 items and recall 0.11 (1 of 9), beside an accuracy of 0.99" in page


def test_the_worst_of_many_missed_classes_are_named() -> None:
    size = 8
    counts = np.zeros((size, size))
    counts[0, 0], counts[1:, 0] = 993, 1
    view = Confusion.of(counts, tuple("abcdefgh"))
    assert len(missed_classes(view)) == 6
    assert missed_classes(view)[-1] == "2 more rare classes have a recall as low."


@pytest.mark.parametrize(("fpr", "prevalence"), [(0.01, 0.01), (0.05, 0.1), (0.3, 0.2)])
def test_a_high_npv_alone_does_not_rule_out(fpr: float, prevalence: float) -> None:
    positive, negative = 10000 * prevalence, 10000 * (1 - prevalence)
    view = outcomes(0.65 * positive, fpr * negative, 0.35 * positive, (1 - fpr) * negative)
    assert "rules out" not in interpret_matrix(view).verdicts


def test_a_high_npv_rules_out_where_a_no_changes_much() -> None:
    # TPR .88 and FPR .02: LR- is .12 / .98 = .122, NPV 98/101.
    assert interpret_matrix(outcomes(tp=22, fp=2, fn=3, tn=98)).verdicts == (
        "rules in",
        "rules out",
    )


def test_the_most_frequent_confusions_come_first() -> None:
    view = confusion([[10, 5, 0], [1, 10, 0], [0, 2, 10]], labels=["a", "b", "c"])
    assert [row[:3] for row in most_frequent_confusions(view)[1:]] == [
        ["a", "b", "5"],
        ["c", "b", "2"],
        ["b", "a", "1"],
    ]


def blocks(order: list[int]) -> Confusion:
    """Six classes in three pairs that are taken for each other, in any order."""
    matrix = np.eye(6) * 20
    for one, other in ((0, 3), (1, 4), (2, 5)):
        matrix[one, other] = matrix[other, one] = 9
    matrix[0, 1] = matrix[1, 0] = 2
    labels = [f"c{place}" for place in order]
    return Confusion.of(matrix[np.ix_(order, order)], tuple(labels))


@pytest.mark.parametrize("seed", range(5))
def test_clusters_of_confusion_stand_together(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(6).tolist()
    clustered = cluster_confusions(blocks(order))
    found = clustered.confusion.labels
    places = {label: place for place, label in enumerate(found)}
    for one, other in (("c0", "c3"), ("c1", "c4"), ("c2", "c5")):
        assert abs(places[one] - places[other]) == 1, found
    assert clustered.confusion.matrix.sum() == blocks(order).matrix.sum()
    named = {frozenset(each.labels) for each in clustered.clusters}
    assert named == {frozenset(pair) for pair in (("c0", "c3"), ("c1", "c4"), ("c2", "c5"))}
    for each in clustered.clusters:
        assert found[each.start : each.stop] == each.labels
        assert each.mistakes == 18
        assert each.share == pytest.approx(18 / 58)
        assert each.accuracy == pytest.approx(138 / 178)


def test_equal_confusion_makes_no_cluster() -> None:
    view = confusion([[9, 1, 1], [1, 9, 1], [1, 1, 9]], labels=["a", "b", "c"])
    assert cluster_confusions(view).clusters == ()


def test_no_mistakes_no_clusters() -> None:
    view = confusion([[3, 0, 0], [0, 2, 0], [0, 0, 1]], labels=["a", "b", "c"])
    assert cluster_confusions(view).clusters == ()
    assert cluster_confusions(view).confusion is view


def test_cut_offs_can_be_set_and_are_told() -> None:
    method = outcomes(tp=85, fp=10, fn=15, tn=90)
    assert interpret_matrix(method).verdicts == ("neither",)
    kinder = interpret_matrix(method, RateLimits(high=0.8))
    assert kinder.verdicts == ("rules in", "rules out")
    assert "high ≥ 0.8" in kinder.text


def test_prevalence_and_bias_are_told() -> None:
    rare, common = outcomes(5, 5, 5, 185), outcomes(185, 5, 5, 5)
    assert "Only 5.0 % of the items are positive" in interpret_matrix(rare).text
    assert "95.0 % of the items are positive" in interpret_matrix(common).text
    assert not interpret_matrix(outcomes(50, 50, 50, 50)).warnings
    assert "biased to no" in interpret_matrix(outcomes(30, 15, 70, 85)).verdicts


def test_a_reading_of_one_class_only_does_not_fail() -> None:
    assert interpret_matrix(outcomes(0, 0, 0, 10)).text
    assert interpret_matrix(outcomes(10, 0, 0, 0)).text
    assert interpret_matrix(outcomes(0, 0, 0, 0)).text


def test_baselines_keep_the_truth() -> None:
    view = confusion([[13, 2, 5], [4, 15, 1], [2, 1, 57]], labels=["woman", "man", "child"])
    (name, majority), *rest = baselines(view).items()
    assert name == "majority class (child)"
    assert not rest
    assert np.array_equal(majority.matrix.sum(axis=2), view.matrix.sum(axis=2))
    assert majority.matrix[0][:, 2].tolist() == [20, 20, 60]


def test_the_whole_report_and_a_matrix_too_large_for_a_terminal() -> None:
    small = classification_report(outcomes(95, 30, 5, 70))
    assert "reading of 'yes'" in small
    assert "always no (no)" in small
    large = classification_report(confusion(np.eye(40).tolist()))
    assert "40 classes: the matrix is too large" in large


def test_a_row_for_each_class_as_scikit_learn_has_it() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    truth = ["a"] * 30 + ["b"] * 12 + ["c"] * 5
    guess = ["a"] * 25 + ["b"] * 5 + ["b"] * 9 + ["c"] * 3 + ["c"] * 2 + ["a"] * 3
    oracle = metrics.classification_report(truth, guess, output_dict=True)
    frame = {"truth": truth, "predicted": guess}
    columns = ClassificationColumns(predicted="predicted")
    matrix = ClassificationEvidence.read(frame, columns).first.confusion
    assert matrix is not None
    head, *rows = class_rows(matrix, digits=6)
    assert head == ["class", "PPV", "TPR", "F", "ACC", "prevalence", "support"]
    names = {"mean": "macro avg", "weighted mean": "weighted avg"}
    assert [row[0] for row in rows] == ["a", "b", "c", "mean", "weighted mean"]
    for name, *numbers in rows:
        known = oracle[names.get(name, name)]
        expected = [known[key] for key in ("precision", "recall", "f1-score", "support")]
        found = [float(each) for each in (*numbers[:3], numbers[-1])]
        assert found == pytest.approx(expected, abs=1e-6)
        if name in "abc":
            hit = metrics.accuracy_score([t == name for t in truth], [g == name for g in guess])
            shares = [hit, truth.count(name) / len(truth)]
            assert [float(each) for each in numbers[3:5]] == pytest.approx(shares, abs=1e-6)
    assert "by class" in classification_report(matrix)


def test_a_page_of_counts_has_matrices_the_roc_plane_and_a_reading(tmp_path: Path) -> None:
    methods = {"method": ["A", "B"], "tp": [95, 40], "fp": [30, 80], "fn": [5, 60], "tn": [70, 20]}
    evidence = assay.ConfusionEvidence.read(methods)
    page = assay.report(evidence, tmp_path / "methods.html").read_text()
    assert "<h1>Confusion matrices</h1>" in page
    assert "Methods by their true and false positive rates" in page
    assert "A: It rules out: sensitivity (95.0 %) and NPV (93.3 %) are high" in page
    assert "B: It is worse than chance" in page
    assert all(f">{count}</td>" in page for count in (95, 30, 5, 70, 40, 80, 60, 20))
    assert "cannot be compared" not in page


def test_a_page_of_sets_without_true_negatives_has_dashes(tmp_path: Path) -> None:
    sets = {"method": ["A"], "retrieved": [14], "relevant_retrieved": [7], "relevant": [20]}
    page = assay.report(assay.ConfusionEvidence.read(sets), tmp_path / "sets.html").read_text()
    assert "<h1>Confusion matrix</h1>" in page
    assert ">nan<" not in page
    assert "predicted negative: –" in page
    assert "Reading" not in page
