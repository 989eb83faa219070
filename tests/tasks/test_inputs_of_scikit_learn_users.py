"""What users of scikit-learn and notebooks try first, and what they get."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import metrics

import assay
from assay.core.errors import UsageError
from assay.tasks.inputs.index_order import IndexOrderWarning

DRAWS = np.random.default_rng(1)
TRUTH = DRAWS.integers(0, 2, 120)
PROBABILITY = np.clip(0.3 * TRUTH + 0.7 * DRAWS.random(120), 0, 1)
CLUSTERS = DRAWS.integers(0, 3, 120)


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_system_without_probabilities_keeps_what_it_has(order: str) -> None:
    given = {"a": PROBABILITY, "b": 6 * PROBABILITY - 3}
    scores = assay.classification(TRUTH, y_score={name: given[name] for name in order})
    text, area = str(scores), metrics.roc_auc_score(TRUTH, PROBABILITY)
    assert scores["AUC"] == pytest.approx({"a": area, "b": area})
    assert set(scores["ACC"]) == {"a"}
    rows = [line.split() for line in text.splitlines()]
    assert ["b", "AUC", f"{area:.4f}"] in [row[:3] for row in rows]
    assert ["b", "ACC", "–", "–", "–"] in [row[:5] for row in rows]
    assert "b has no predicted classes or probabilities, and so no ACC, Brier, F" in text
    assert scores.to_markdown().count("| b |") == 1
    assert "b has no" in scores._repr_html_()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_of_a_frame_are_clusterings(make: Any) -> None:
    found = assay.clustering(TRUTH, make({"one": CLUSTERS, "two": TRUTH}), "ARI")["ARI"]
    expected = metrics.adjusted_rand_score(TRUTH, CLUSTERS)
    assert found == pytest.approx({"one": expected, "two": 1.0})
    with pytest.raises(UsageError, match="`labels_pred` has several columns; give a dict"):
        assay.clustering(TRUTH, np.c_[CLUSTERS, TRUTH])


def test_a_named_column_of_folds_has_folds() -> None:
    table = {"model": list("aaaaabbbbb"), "fold": [*range(5)] * 2, "ACC": [0.8, 0.9] * 5}
    found = assay.compare(assay.read_score_table(table, system_column="model", unit_column="fold"))
    assert found.conventions["test"] == "corrected-t"
    upper = {"Fold" if name == "fold" else name: each for name, each in table.items()}
    named = assay.read_score_table(upper, system_column="model", unit_column="Fold")
    assert named.results[0].unit_kind == "fold"


def test_ranges_are_slices() -> None:
    age = pd.Series(np.linspace(20, 80, 120), name="age")
    cut = pd.cut(age, [0, 40, 60, 100])
    scores = assay.classification(TRUTH, y_score=PROBABILITY, measures="ACC", by=cut)
    assert scores.slices == ("age=(0, 40]", "age=(40, 60]", "age=(60, 100]")
    expected = metrics.accuracy_score(TRUTH[age <= 40], PROBABILITY[age <= 40] >= 0.5)
    assert scores.of("ACC", "age=(0, 40]")[0].value == pytest.approx(expected)
    plain = assay.classification(TRUTH, y_score=PROBABILITY, measures="ACC", by=cut.astype(object))
    assert plain.to_dict() == scores.to_dict()


@pytest.mark.parametrize("by", ["age", ["age", "sex"]])
def test_a_name_beside_arrays_is_refused_as_a_name(by: Any) -> None:
    for evaluate in (assay.fairness, assay.classification):
        with pytest.raises(UsageError, match="`by=age` names a column, but the true values are"):
            evaluate(TRUTH, PROBABILITY > 0.5, by=by)


def test_counts_are_not_compared_between_slices() -> None:
    group = np.repeat(["a", "b"], [100, 20])
    asked = ["predicted_positives", "FP", "FPR"]
    scores = assay.classification(TRUTH, PROBABILITY > 0.5, asked, by={"group": group})
    assert scores.of("FP", "group=a")  # It is measured, but larger slices have more.
    assert assay.slice_gaps(scores)["measure"].to_list() == ["FPR"]
    assert set(assay.worst_slices(scores)["measure"]) <= {"FPR"}


CLASSES = DRAWS.integers(0, 3, 120)
MATRIX = DRAWS.dirichlet([1, 1, 1], 120)
GUESS = (PROBABILITY > 0.5).astype(int)


def test_names_of_other_libraries_for_arguments() -> None:
    names: dict[str, Any] = {"y_true": TRUTH, "y_proba": PROBABILITY, "pos_label": 0}
    found = assay.classification(**names, **{"metrics": "AUC"}, interval=None)
    area = 1 - metrics.roc_auc_score(TRUTH, PROBABILITY)
    assert found["AUC"]["classifier"] == pytest.approx(area)
    clusters: dict[str, Any] = {"labels_true": TRUTH, "labels_pred": CLUSTERS}
    assert assay.clustering(**clusters, measures="ARI")["ARI"]["clusters"] == pytest.approx(
        metrics.adjusted_rand_score(TRUTH, CLUSTERS)
    )
    scorer: dict[str, Any] = {"pos_label": 0}
    assert assay.scorer("F", **scorer).positive == 0
    groups: dict[str, Any] = {"sensitive_features": np.repeat(["a", "b"], 60)}
    named = assay.fairness(TRUTH, GUESS, **groups)
    assert named == assay.fairness(TRUTH, GUESS, by=groups["sensitive_features"])
    goal: dict[str, Any] = {"goal": "f1"}
    assert assay.threshold(TRUTH, PROBABILITY, **goal).chosen[0].goal == "f:1"
    weights: dict[str, Any] = {"sample_weight": np.linspace(1, 2, 120)}
    weighed = assay.threshold(TRUTH, PROBABILITY, **weights)
    assert weighed == assay.threshold(TRUTH, PROBABILITY, weight=weights["sample_weight"])


def test_arguments_that_do_not_exist_or_are_given_twice() -> None:
    wrong: dict[str, Any] = {"positve": 1}
    with pytest.raises(UsageError, match=r"no argument 'positve'.*positive"):
        assay.classification(TRUTH, GUESS, **wrong)
    twice: dict[str, Any] = {"y_true": TRUTH}
    with pytest.raises(UsageError, match="`y_true` is another name of the first argument"):
        assay.classification(TRUTH, GUESS, **twice)
    both: dict[str, Any] = {"pos_label": 1, "positive": 1}
    with pytest.raises(UsageError, match="`pos_label` is another name of `positive`"):
        assay.classification(TRUTH, GUESS, **both)


@pytest.mark.parametrize("third", [PROBABILITY, {"lr": PROBABILITY}, list(PROBABILITY)])
def test_scores_in_third_place_are_refused_as_scores(third: Any) -> None:
    with pytest.raises(UsageError, match="third argument names measures; give scores"):
        assay.classification(TRUTH, GUESS, third)


def test_columns_of_a_frame_are_classifiers() -> None:
    guesses = pd.DataFrame({"one": GUESS, "two": TRUTH})
    found = assay.classification(TRUTH, guesses, "ACC", interval=None)["ACC"]
    assert found == pytest.approx({"one": metrics.accuracy_score(TRUTH, GUESS), "two": 1.0})
    scores = pd.DataFrame({"one": PROBABILITY, "two": 1 - PROBABILITY / 2})
    areas = assay.classification(TRUTH, y_score=scores, measures="AUC", interval=None)["AUC"]
    area = metrics.roc_auc_score(TRUTH, PROBABILITY)
    assert areas == pytest.approx({"one": area, "two": 1 - area})
    own = pd.DataFrame(MATRIX, columns=[2, 0, 1])  # named after classes: probabilities
    loss = assay.classification(CLASSES, y_score=own, measures="LogLoss", interval=None)
    expected = metrics.log_loss(CLASSES, own[[0, 1, 2]].to_numpy())
    assert loss["LogLoss"]["classifier"] == pytest.approx(expected)
    with pytest.raises(UsageError, match="several columns; probabilities of classes are given as"):
        assay.classification(CLASSES, own)


def test_decision_values_of_several_classes_are_refused() -> None:
    with pytest.raises(UsageError, match="not of decision_function"):
        assay.classification(CLASSES, y_score=6 * MATRIX - 3)
    with pytest.raises(UsageError, match="`y_score` has 119 values for 120 true values"):
        assay.classification(CLASSES, y_score=MATRIX[:-1])


def test_several_targets_are_refused_with_what_to_do() -> None:
    with pytest.raises(UsageError, match="each target alone; sets of labels go to"):
        assay.classification(np.c_[TRUTH, TRUTH], np.c_[TRUTH, TRUTH])
    with pytest.raises(UsageError, match=r"each target alone$"):
        assay.regression(np.c_[TRUTH, TRUTH], np.c_[TRUTH, TRUTH])


def test_clusters_alone_with_their_points() -> None:
    points = DRAWS.random((120, 2))
    expected = metrics.silhouette_score(points, CLUSTERS)
    named: dict[str, Any] = {"labels_pred": CLUSTERS, "X": points}
    for scores in (
        assay.clustering(points, CLUSTERS),
        assay.clustering(CLUSTERS, features=points),
        assay.clustering({"clusters": CLUSTERS}, features=points),
        assay.clustering(**named),
    ):
        assert scores["silhouette"]["clusters"] == pytest.approx(expected)


def test_probabilities_of_labels_as_estimators_give_them() -> None:
    from scipy.sparse import csr_matrix

    truth = DRAWS.integers(0, 2, (60, 2))
    matrix = DRAWS.random((60, 2))
    listed = [np.c_[1 - column, column] for column in matrix.T]
    scores = assay.labelsets(truth, y_score=listed)
    assert scores["label_AUC"]["classifier"] == pytest.approx(metrics.roc_auc_score(truth, matrix))
    guess = (matrix >= 0.5).astype(int)
    sparse = assay.labelsets(
        csr_matrix(truth), csr_matrix(guess), "f1_micro f1_macro", interval=None
    )
    for name, average in (("f1_micro", "micro"), ("f1_macro", "macro")):
        expected = metrics.f1_score(truth, guess, average=average)
        assert sparse[name]["classifier"] == pytest.approx(expected)
    with pytest.raises(UsageError, match="in row 2 label 1 is 3"):
        assay.labelsets([[0, 1], [1, 3]], np.array([[0, 1], [1, 1]]), classes=["0", "1"])


def test_folds_without_a_name_take_that_of_a_measure() -> None:
    folds = {"a": np.array([0.98, 0.99, 1.0, 1.0]), "b": np.array([0.9, 0.95, 0.97, 1.0])}
    found = assay.compare(folds, "AUC")
    assert found.systems["measure"].unique().to_list() == ["AUC"]
    assert found.systems["high"].max() == 1.0  # the bound of the measure
    unnamed = assay.compare(folds)
    assert unnamed.systems["high"].to_numpy().max() > 1
    assert any("'score' is not the name of a measure" in note for note in unnamed.warnings)
    assert not any("'score'" in note for note in found.warnings)
    with pytest.raises(UsageError, match="second argument names measures; give several systems"):
        assay.compare(folds["a"], folds["b"])
    with pytest.raises(UsageError, match="an array has the scores of one system"):
        assay.compare(folds["a"])


def test_columns_of_a_compared_table_are_named() -> None:
    table = {"who": list("aaabbb"), "where": [*"xyz"] * 2, "ACC": [0.5, 0.6, 0.7, 0.6, 0.7, 0.9]}
    found = assay.compare(pd.DataFrame(table), system_column="who", unit_column="where")
    assert dict(found.systems.select("system", "value").iter_rows()) == pytest.approx(
        {"a": 0.6, "b": 2.2 / 3}
    )


def test_one_threshold_and_its_goal_as_it_was_written() -> None:
    one = assay.threshold(TRUTH, PROBABILITY, "f1")
    assert one.threshold == one["f1"].threshold == one["f:1"].threshold
    with pytest.raises(UsageError, match=r"2 goals: f:1, youden; .*found\['f:1'\].threshold"):
        _ = assay.threshold(TRUTH, PROBABILITY, ["f1", "youden"]).threshold


def test_figures_of_arrays_and_of_one_of_several_systems() -> None:
    drawn = assay.plot("roc", TRUTH, PROBABILITY)
    named: dict[str, Any] = {"y_true": TRUTH, "y_score": PROBABILITY}
    assert drawn.svg == assay.plot("ROC", **named).svg
    scores = assay.classification(TRUTH, y_score={"a": PROBABILITY, "b": PROBABILITY**2})
    assert assay.plot("roc", scores).title == scores.plot("roc").title
    only = assay.classification(TRUTH, y_score={"b": PROBABILITY**2})
    assert scores.plot("thresholds", system="b").svg == only.plot("thresholds").svg
    assert scores.plot("precision_recall").title == scores.plot("pr").title
    with pytest.raises(UsageError, match="no system 'c'"):
        scores.plot("roc", system="c")
    with pytest.raises(UsageError, match="found 2: a, b; choose one"):
        scores.plot("thresholds")
    with pytest.raises(UsageError, match="cannot be drawn for classification; there are"):
        scores.plot("histogram")
    with pytest.raises(UsageError, match="needs data"):
        assay.plot("roc")
    residuals = assay.plot("residuals", TRUTH, PROBABILITY)
    assert residuals.svg == assay.regression(TRUTH, PROBABILITY).plot("residuals").svg


def test_tagged_tokens_by_their_lines(tmp_path: Any) -> None:
    text = "EU I-ORG I-ORG\nrejects O O\n\nPeter I-PER I-PER\nBlackburn I-PER O\n"
    (tmp_path / "tags.txt").write_text(text)
    (tmp_path / "tags.conll").write_text(text)
    found = [assay.spans(tmp_path / f"tags.{end}", interval=None) for end in ("txt", "conll")]
    assert found[0].to_dict() == found[1].to_dict() == {"F": 0.5, "P": 0.5, "R": 0.5}
    (tmp_path / "plain.txt").write_text("truth,predicted\na,b\n")
    with pytest.raises(Exception, match="list of spans, or of tags"):
        assay.spans(tmp_path / "plain.txt")


def test_a_dict_of_one_system_names_it() -> None:
    sets = [["a"] if each else ["b"] for each in TRUTH]
    tags = [["B-x"] if each else ["O"] for each in TRUTH]
    matrix = np.stack([1 - PROBABILITY, PROBABILITY], axis=1)
    for scores in (
        assay.classification(TRUTH, {"lr": TRUTH}, "ACC", interval=None),
        assay.classification(TRUTH, y_score={"lr": PROBABILITY}, measures="ACC", interval=None),
        assay.classification(TRUTH, y_score={"lr": matrix}, measures="ACC", interval=None),
        assay.regression(TRUTH, {"lr": PROBABILITY}, "MAE", interval=None),
        assay.clustering(TRUTH, {"lr": CLUSTERS}, "ARI", interval=None),
        assay.labelsets(sets, {"lr": sets}, "F", interval=None),
        assay.spans(tags, {"lr": tags}, "F", interval=None),
    ):
        assert scores.systems == ("lr",), scores.task


@pytest.mark.parametrize("make", [list, pd.Series, pl.Series])
def test_columns_of_label_sets(make: Any) -> None:
    truth, guess = [["db", "ml"], ["ml"], [], ["ir"]], [["db"], ["ml"], ["ir"], ["ir"]]
    expected = assay.labelsets(truth, guess, interval=None).to_dict()
    assert assay.labelsets(make(truth), make(guess), interval=None).to_dict() == expected
    texts = [make([";".join(each) for each in sets]) for sets in (truth, guess)]
    assert assay.labelsets(*texts, interval=None).to_dict() == expected


def test_sets_in_a_series() -> None:
    truth = pd.Series([{"db", "ml"}, {"ml"}])
    assert assay.labelsets(truth, truth, "subset", interval=None)["subset"] == {"classifier": 1}


def test_a_table_with_a_column_for_each_system_takes_the_name_of_its_measure() -> None:
    table = pd.DataFrame({"dataset": range(6), "svm": DRAWS.random(6), "rf": DRAWS.random(6)})
    found = assay.compare(table, "RMSE").systems
    assert found["measure"].unique().to_list() == ["RMSE"]
    assert found["better"].unique().to_list() == ["lower"]


def test_an_index_in_another_order_is_noticed() -> None:
    truth = pd.Series([0, 1, 1, 0], index=[7, 3, 9, 1])
    guess = pd.Series([0, 1, 0, 0], index=[7, 3, 9, 1])
    with pytest.warns(IndexOrderWarning, match=r"y_pred.loc\[y_true.index\]"):
        assay.classification(truth, {"lr": guess.sort_index()}, "ACC", interval=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assay.classification(truth, guess, "ACC", interval=None)
        assay.classification(truth, guess.reset_index(drop=True), "ACC", interval=None)
        assay.regression(truth, guess.to_numpy(), "MAE", interval=None)
