"""What users of pandas, PyTerrier and scikit-learn try first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError, UsageError
from assay.reports.text.result_text import Layout, write

TRUTH = np.array([0, 0, 1, 1, 1, 0, 1, 0])
SCORE = np.array([0.1, 0.6, 0.35, 0.8, 0.9, 0.2, 0.7, 0.4])
QRELS = pd.DataFrame({"qid": ["1", "1", "2", "2"], "docno": list("abab"), "label": [1, 0, 0, 1]})
RUN = pd.DataFrame(
    {
        "qid": ["1", "1", "2", "2"],
        "docno": list("abab"),
        "score": [2.0, 1.0, 2.0, 1.0],
        "query": ["first text", "first text", "second text", "second text"],
    }
)
KINDS = {"1": "long", "2": "short"}


def test_thresholds_take_scores_as_classifiers_do() -> None:
    found = assay.threshold(TRUTH, y_score=SCORE)
    named = assay.threshold({"truth": TRUTH, "score": SCORE})
    assert found["youden"].threshold == named["youden"].threshold == 0.7
    assert assay.threshold(TRUTH, SCORE)["youden"].threshold == 0.7


def test_measures_may_follow_the_true_classes() -> None:
    found = assay.classification(TRUTH, ["AUC", "ACC"], y_score=SCORE, interval=None)
    assert found["AUC"]["classifier"] == pytest.approx(metrics.roc_auc_score(TRUTH, SCORE))
    with pytest.raises(UsageError, match="1 value for 2 true values"):
        assay.classification(["a", "b"], ["a"])


def test_sample_weight_is_the_weight() -> None:
    weight = np.linspace(0.5, 2, len(TRUTH))
    found = assay.classification(TRUTH, y_score=SCORE, sample_weight=weight, measures="AUC")
    expected = metrics.roc_auc_score(TRUTH, SCORE, sample_weight=weight)
    assert found["AUC"]["classifier"] == pytest.approx(expected)
    errors = assay.regression(TRUTH, SCORE, "MAE", sample_weight=weight)["MAE"]["predictor"]
    expected = metrics.mean_absolute_error(TRUTH, SCORE, sample_weight=weight)
    assert errors == pytest.approx(expected)


def test_the_table_of_classes_is_that_of_scikit_learn() -> None:
    truth, predicted = list("aabbbcca"), list("abbbccca")
    scores = assay.classification(truth, predicted)
    precision, recall, f, support = metrics.precision_recall_fscore_support(truth, predicted)
    table = scores.per_class()
    assert table["class"].to_list() == ["a", "b", "c"]
    for name, expected in zip(
        ("PPV", "TPR", "F", "support"), (precision, recall, f, support), strict=True
    ):
        assert table[name].to_list() == pytest.approx(expected.tolist())
    assert "by class" in scores._repr_html_()
    with pytest.raises(UsageError, match="classifiers"):
        assay.regression(TRUTH, SCORE).per_class()


def test_confusion_matrices_by_system() -> None:
    scores = assay.classification([0, 1, 1, 0], {"lr": [0, 1, 0, 0], "rf": [1, 1, 1, 0]}, "ACC")
    found = {name: each.frame().rows() for name, each in scores.confusion().items()}
    assert found == {"lr": [("0", 2, 0), ("1", 1, 1)], "rf": [("0", 1, 1), ("1", 0, 2)]}
    with pytest.raises(assay.AssayError, match="only scores of classifiers that were computed"):
        assay.regression(TRUTH, SCORE).confusion()


def test_decimal_commas_by_option(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    pd.DataFrame({"y": TRUTH, "p": SCORE}).to_csv(path, sep=";", decimal=",", index=False)
    found = assay.classification(path, "AUC", truth="y", score="p", decimal_comma=True)
    assert found["AUC"]["classifier"] == pytest.approx(metrics.roc_auc_score(TRUTH, SCORE))
    options: dict[str, Any] = {"truth": "y", "predicted": "p", "decimal_comma": True}
    two = assay.regression({"a": path, "b": str(path)}, "MAE", **options)["MAE"]
    assert two == pytest.approx(dict.fromkeys("ab", metrics.mean_absolute_error(TRUTH, SCORE)))
    with pytest.raises(assay.AssayError, match="decimal_comma"):
        assay.classification(path, "AUC", truth="y", score="p")


def test_a_frame_with_a_column_for_each_assessor() -> None:
    ratings = [[1, 1], [2, 2], [0, 1], [1, 1], [0, 0]]
    frame = pd.DataFrame(ratings, columns=["ann", "bob"])
    found = assay.agreement(frame, "kappa")["kappa"]["assessors"]
    assert found == pytest.approx(metrics.cohen_kappa_score(frame.ann, frame.bob))
    with pytest.raises(UsageError, match="assessors=paper,who"):
        assay.agreement(pd.DataFrame({"paper": ["a", "b"], "who": ["x", "y"], "gr": [1, 2]}))


@pytest.mark.parametrize(
    "by",
    [
        pd.Series(KINDS, name="kind"),
        "kind",
        pd.DataFrame({"qid": ["1", "2"], "query": ["x", "y"], "kind": ["long", "short"]}),
    ],
    ids=["series", "column", "topics"],
)
def test_slices_of_queries(by: Any) -> None:
    run = RUN.assign(kind=RUN.qid.map(KINDS))
    scores = assay.retrieval(QRELS, {"bm25": run}, "RR HR@1", by=by)
    parts = {each.slice: each.value for each in scores.results if each.measure == "RR"}
    assert parts == {"all": 0.75, "kind=long": 1.0, "kind=short": 0.5}
    assert scores["Success@1"] == {"bm25": 0.5}


def test_the_number_of_a_document_in_an_index_is_not_its_id() -> None:
    """PyTerrier's frames have docno, and docid, the number in its index."""
    numbered = RUN.assign(docid=[7, 8, 7, 8], rank=[0, 1, 0, 1])
    assert assay.retrieval(QRELS, numbered, "RR")["RR"] == {"run": 0.75}
    by_number = assay.retrieval({"1": {"7": 1}}, numbered.drop(columns="docno"), "RR")
    assert by_number["RR"] == {"run": 1.0}


def test_documents_of_queries_as_arrays_and_series() -> None:
    lists = RUN.groupby("qid").docno.apply(list)
    judged = {"1": np.array(["a"]), "2": np.array(["b"])}
    expected = assay.retrieval({"1": ["a"], "2": ["b"]}, {"r": {"1": list("ab"), "2": list("ab")}})
    assert assay.retrieval(judged, {"r": lists}) == expected
    assert assay.retrieval(pd.Series(judged), {"r": lists.apply(np.array)}) == expected
    assert assay.retrieval(judged, lists)["RR"] == {"docno": 0.75}


def test_a_column_of_slices_that_does_not_exist() -> None:
    with pytest.raises(UsageError, match="no such column"):
        assay.retrieval(QRELS, RUN, "RR", by="kind")


def test_one_run_is_explained_by_its_name() -> None:
    assert assay.explain_retrieval(QRELS, {"bm25": RUN}, "RR", "2").value == 0.5
    with pytest.raises(UsageError, match="one run"):
        assay.explain_retrieval(QRELS, {"a": RUN, "b": RUN}, "RR", "2")


def test_a_fitted_search_is_compared_like_its_results() -> None:
    features = SCORE[:, None].repeat(4, axis=0)
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=4)
    search.fit(features, TRUTH.repeat(4))
    assert str(assay.compare(search)) == str(assay.compare(search.cv_results_))


def test_estimators_do_not_see_columns_of_slices_they_were_not_fitted_on() -> None:
    known = pd.DataFrame({"x": SCORE})
    sliced = known.assign(part=["a", "b"] * 4)
    for model, measure in ((LogisticRegression(), "ACC"), (LinearRegression(), "MAE")):
        model.fit(known, TRUTH)
        found = assay.evaluate(model, sliced, TRUTH, measure, by="part", interval=None)
        assert found[measure] == assay.evaluate(model, known, TRUTH, measure)[measure]
        assert found.slices == ("part=a", "part=b")


def test_figures_of_other_tasks_are_refused() -> None:
    scores = assay.classification(TRUTH, y_score=SCORE)
    assert scores.plot("gain").title.startswith("Cumulative gain")
    with pytest.raises(UsageError, match="cannot be drawn for classification"):
        scores.plot("residuals")


def test_wide_tables_name_their_rows_again() -> None:
    found = assay.fairness(TRUTH, y_score=SCORE, by=["a", "b"] * 4, min_size=1)
    below = write(found, "table", Layout(width=60)).split("\n\n")[1].splitlines()
    assert below[0].split()[:2] == ["by", "criterion"]
    assert "equal opportunity" in below[2]


def test_runs_and_judgments_with_decimal_commas(tmp_path: Path) -> None:
    judged, run, table = (tmp_path / name for name in ("qrels.txt", "a.run", "b.csv"))
    judged.write_text("1 0 d1 1\n1 0 d2 0,5\n2 0 d3 1\n")
    run.write_text("1 Q0 d1 1 0,75 t\n1 Q0 d2 2 0,5 t\n2 Q0 d3 1 -1,5e-1 t\n")
    table.write_text("query;doc;score\n1;d2;0,9\n1;d1;0,8\n2;d3;1\n")
    points = {"1": {"d1": 1, "d2": 0.5}, "2": {"d3": 1}}
    plain = {
        "a": {"1": {"d1": 0.75, "d2": 0.5}, "2": {"d3": -0.15}},
        "b": {"1": {"d2": 0.9, "d1": 0.8}, "2": {"d3": 1.0}},
    }
    expected = assay.retrieval(points, plain, "nDCG@3 RR")
    found = assay.retrieval(judged, {"a": run, "b": table}, "nDCG@3 RR", decimal_comma=True)
    assert found.per_unit().equals(expected.per_unit())
    frame = pd.read_csv(table, sep=";", dtype=str)
    again = assay.retrieval(judged, {"a": str(run), "b": frame}, "nDCG@3 RR", decimal_comma=True)
    assert again.per_unit().equals(expected.per_unit())
    files = ("retrieval", str(judged), str(run), str(table))
    shown = call(*files, "-m", "RR", "--decimal-comma", "--format", "csv")
    assert shown.out.splitlines()[1].startswith("t,all,RR,1.0,")
    refused = call(*files)
    assert "or see --decimal-comma" in refused.err
    run.write_text("1 Q0 d1 1 0,75 t\n1 Q0 d2 2 0,x t\n")
    with pytest.raises(AssayError, match=r"a\.run:2: the score is '0,x'"):
        assay.retrieval(judged, run, decimal_comma=True)


def test_labels_that_look_like_sets_are_named() -> None:
    found = assay.classification(["news;sport", "sport", "news"], ["news", "sport;news", "news"])
    assert any("'news;sport' is counted as one class" in note for note in found.warnings)
    apart = assay.classification(["a;b", "c"], ["c", "a;b"])
    assert not any("`sets`" in note for note in apart.warnings)


def test_features_are_separated_by_commas(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("c,x,y\n1,0,0\n1,0,1\n2,5,5\n2,5,6\n")
    given = (str(path), "--cluster", "c", "--features")
    done = call("clustering", *given, "x,y")
    assert done.code == 0
    assert done.out == call("clustering", *given, "x", "--features", "y").out
    drawn = tmp_path / "s.svg"
    assert call("plot", "silhouette", *given, "x, y", "-o", str(drawn)).code == 0
    assert drawn.exists()
    refused = call("clustering", *given, "x,z")
    assert (refused.code, "no column is called 'z' among c, x, y" in refused.err) == (2, True)


def test_a_score_of_one_half_says_which_class_is_predicted() -> None:
    truth, scores = [1, 0, 1, 0], [0.9, 0.5, 0.5, 0.2]
    said = "a score of exactly 0.5 (2 items) favors neither class and is predicted '0'"
    found = assay.classification(truth, "ACC", y_score=scores)
    assert found["ACC"] == {"classifier": 0.75}
    assert said in " ".join(str(found).split())
    assert "exactly 0.5" not in str(assay.classification(truth, "AUC", y_score=scores))
    at = assay.classification(truth, "ACC", y_score=scores, threshold=0.5)
    assert (at["ACC"], "exactly 0.5" in str(at)) == ({"classifier": 0.75}, False)
    table = {"t": ["a", "b"], "p_a": [0.4, 0.1], "p_b": [0.4, 0.9], "p_c": [0.2, 0.0]}
    wide = assay.classification(table, "ACC", truth="t", probabilities="p_*")
    assert "highest probability for 1 item: the first is predicted" in " ".join(str(wide).split())


def test_an_area_does_not_mention_predicted_classes() -> None:
    truth, scores = [1, 0, 1, 0], [0.9, 0.4, 0.6, 0.7]
    assert "predicted class:" not in str(assay.classification(truth, "AUC", y_score=scores))
    assert "predicted class:" in str(assay.classification(truth, "AUC ACC", y_score=scores))


def test_a_frame_of_predicted_numbers_has_a_system_in_each_column() -> None:
    actual = np.array([1.0, 2.0, 4.0])
    frame = pd.DataFrame({"low": actual - 1, "high": actual + 2})
    assert assay.regression(actual, frame, "MAE")["MAE"] == {"low": 1.0, "high": 2.0}
    with pytest.raises(UsageError, match="give a dict of the name of each system"):
        assay.regression(actual, frame.to_numpy(), "MAE")


def test_either_word_for_an_average_is_taken() -> None:
    predicted = (SCORE > 0.5).astype(int)
    for name in ("F(mean=macro)", "macro_F1", "f1_macro"):
        assert assay.classification(TRUTH, predicted, name).measures == ("F(average=macro)",)
    for mean in ("weighted", "micro"):
        assert str(assay.measure(f"AUC_OvR(average={mean})")) == f"AUC_OvR(mean={mean})"
    with pytest.raises(AssayError, match="average=arithmetic is not one of macro"):
        assay.measure("F(average=arithmetic)", "classification")
    with pytest.raises(AssayError, match="has no parameter 'mean'"):
        assay.measure("F(mean=arithmetic)", "classification")


def test_words_find_the_measure_and_the_figure() -> None:
    with pytest.raises(AssayError, match="Did you mean ECE or MCE"):
        assay.classification(TRUTH, "calibration", y_score=SCORE)
    with pytest.raises(UsageError, match="Did you mean confusion"):
        assay.classification(TRUTH, y_score=SCORE).plot("matrix")


def test_each_label_has_its_rates_areas_and_support() -> None:
    labels = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
    scores = np.array([[0.9, 0.2, 0.1], [0.3, 0.8, 0.2], [0.4, 0.1, 0.3], [0.2, 0.3, 0.1]])
    found = assay.labelsets(labels, y_score=scores, measures="label_AUC label_F")
    table = found.per_class()
    assert table["support"].to_list() == [2, 2, 0]
    for place in (0, 1):
        row = table.row(place, named=True)
        actual, own = labels[:, place], scores[:, place]
        assert row["AUC"] == pytest.approx(metrics.roc_auc_score(actual, own))
        assert row["AP"] == pytest.approx(metrics.average_precision_score(actual, own))
        assert row["F"] == pytest.approx(metrics.f1_score(actual, own >= 0.5))
    assert np.isnan(table.row(2, named=True)["AUC"])
    assert np.nanmean(table["AUC"]) == pytest.approx(found["label_AUC"]["classifier"])
    plain = assay.labelsets(labels, labels).per_class()
    assert plain.columns == ["system", "label", "PPV", "TPR", "F", "support"]


def test_each_type_of_span_has_its_rates_and_support() -> None:
    actual = [[(0, 2, "PER"), (5, 9, "LOC"), (11, 12, "LOC")], [(3, 4, "PER")]]
    one = [[(0, 2, "PER"), (5, 9, "LOC")], [(3, 4, "LOC"), (7, 8, "ORG")]]
    table = assay.spans(actual, {"one": one, "two": actual}, interval=None).per_class()
    assert table.columns == ["system", "type", "PPV", "TPR", "F", "support"]
    rows = {row[:2]: row[2:] for row in table.iter_rows()}
    assert rows["one", "LOC"] == (0.5, 0.5, 0.5, 2)
    assert rows["one", "PER"] == (1, 0.5, pytest.approx(2 / 3), 2)
    assert rows["one", "ORG"][0] == 0
    assert np.isnan(rows["one", "ORG"][1])
    assert rows["one", "ORG"][3] == 0
    assert rows["two", "LOC"] == (1, 1, 1, 2)
