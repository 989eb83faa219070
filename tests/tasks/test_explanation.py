"""Explanations show the number that the task itself gives, and say why there is none."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError
from assay.tasks.agreement import AgreementEvidence
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.correlation.correlation_evidence import CorrelationEvidence, OrderColumns
from assay.tasks.explanation.table_explanations import explain_system
from assay.tasks.regression.regression import RegressionEvidence
from assay.tasks.retrieval.holes import holes
from assay.tasks.retrieval.judge_next import judge_next
from assay.tasks.retrieval.ties import ties

QRELS = {"1": {"a": 3, "b": 1, "c": 0}, "2": {"a": 1, "d": 0}}
RUN = {"1": {"b": 3.0, "x": 2.0, "a": 1.0}}
TWO = {"truth": ["no", "yes", "yes", "no", "no"], "guess": ["no", "yes", "no", "no", "no"]}
THREE = {"truth": ["a", "b", "c", "a", "b"], "guess": ["a", "b", "b", "c", "b"]}


def test_the_parameters_of_a_profile_hold_for_every_task() -> None:
    scores = assay.retrieval(QRELS, RUN, "nDCG@3", profile="gdeval", interval=None)
    name, value = scores.measures[0], scores.results[0].value
    assert name == "nDCG(gain=exp)@3"
    explained = assay.explain_retrieval(QRELS, RUN, "nDCG@3", "1", profile="gdeval")
    assert (explained.measure, explained.value) == (name, value)
    for report in (holes, ties):
        row = report(QRELS, RUN, "nDCG@3", profile="gdeval").measures.row(0, named=True)
        assert (row["measure"], row["value"]) == (name, value)
    other = {"1": {"a": 3.0, "b": 2.0, "y": 1.0}}
    rows = judge_next(QRELS, RUN, other, "nDCG@3", profile="gdeval")
    assert rows["now"][0] == pytest.approx(value - 1)


def test_the_positive_class_is_settled_as_in_classification() -> None:
    scores = assay.classification(TWO, "F", predicted="guess", interval=None)
    explained = assay.explain_classification(TWO, "F", "truth", "guess")
    assert explained.value == scores.results[0].value == pytest.approx(2 / 3)
    assert explained.table["value"][:3].to_list() == [1, 0, 1]
    assert explained.about.endswith("positive class yes")


def test_a_mean_over_classes_is_explained_class_by_class() -> None:
    scores = assay.classification(THREE, "F", predicted="guess", interval=None)
    explained = assay.explain_classification(THREE, "F", "truth", "guess")
    assert explained.value == scores.results[0].value
    assert explained.table["class"].unique().sort().to_list() == ["a", "b", "c"]


def test_a_query_that_is_not_answered_is_said_to_be_so() -> None:
    with pytest.raises(DataError, match="the run does not answer the query '2'"):
        assay.explain_retrieval(QRELS, RUN, "AP", "2")


def test_the_policy_for_no_relevant_documents_holds() -> None:
    none = {"1": {"a": 0}}
    assert assay.explain_retrieval(none, RUN, "AP", "1", profile="trec_eval-10").value == 0


def test_what_was_not_retrieved_is_named() -> None:
    explained = assay.explain_retrieval(QRELS, {"1": {"b": 3.0, "x": 2.0}}, "AP", "1")
    assert explained.notes == (
        "R = 2 relevant documents are known (grade 1 or more); retrieved: 1",
        "not retrieved: a (grade 3)",
    )


VALUES = {"truth": [1.0, 2.0, 4.0], "predicted": [1.0, 3.0, 4.0]}
RATINGS = {
    "item": ["1", "1", "2", "2", "3", "3"],
    "assessor": ["a", "b"] * 3,
    "label": ["x", "x", "y", "x", "y", "y"],
}
ORDERS = {"item": ["a", "b", "c"], "first": [3.0, 2.0, 1.0], "second": [3.0, 1.0, 2.0]}


def explain_values(data: Any, measure: str) -> Any:
    return explain_system(RegressionEvidence.read(data), measure)


def explain_orders(data: Any, measure: str) -> Any:
    columns = {name: name for name in ("item", "first", "second")}
    return explain_system(CorrelationEvidence.read_table(data, columns), measure)


def explain_ratings(data: Any, measure: str) -> Any:
    return explain_system(AgreementEvidence.read(data), measure)


@pytest.mark.parametrize(
    ("explain", "evaluate", "data", "measure"),
    [
        (explain_values, assay.regression, VALUES, "R2"),
        (explain_values, assay.regression, VALUES, "MSE"),
        (explain_ratings, assay.agreement, RATINGS, "kappa"),
        (explain_ratings, assay.agreement, RATINGS, "alpha"),
        (explain_orders, assay.correlation, ORDERS, "tau"),
        (explain_orders, assay.correlation, ORDERS, "RBO(p=0.9)"),
    ],
)
def test_every_task_explains_its_own_number(
    explain: Any, evaluate: Any, data: dict[str, list[Any]], measure: str
) -> None:
    explained = explain(data, measure)
    assert explained.value == evaluate(data, measure, interval=None).results[0].value
    assert explained.table.height > 0


def test_several_pairs_are_listed_one_by_one() -> None:
    three = {name: [*column, *column[:2]] for name, column in RATINGS.items()}
    three["assessor"][-2:] = ["c", "d"]
    explained = explain_ratings(three, "kappa")
    assert explained.table.columns[0] == "pair"
    assert explained.table.height == 6


def test_several_runs_and_profiles_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    for name, first in (("one", "a"), ("two", "b")):
        Path(f"{name}.run").write_text(f"1 Q0 {first} 1 2 {name}\n")
    done = call(
        "explain", "retrieval", "qrels.txt", "one.run", "two.run", "-m", "AP", "--query", "1"
    )
    assert done.code == 0, done.err
    assert done.out.startswith("AP, query 1\n")
    assert "one: AP = 1.0000" in done.out
    assert "two: AP = 0.0000" in done.out
    assert "two: not retrieved: a (grade 1)" in done.out
    Path("c.csv").write_text("t,p\na,a\nb,a\nc,a\n")
    named = ("c.csv", "-m", "F", "--truth", "t", "--predicted", "p", "--profiles")
    lines = call("explain", "classification", *named).out.splitlines()
    assert lines[1].split() == ["assay", "0.5000"]
    assert lines[2].split()[:3] == ["sklearn", "0.1667", "F"]


def test_a_list_in_which_nothing_counts_is_shown() -> None:
    run = {"1": {"c": 3.0, "x": 2.0, "y": 1.0}}
    made = assay.explain_retrieval(QRELS, run, "ERR(gmax=3)@2", "1")
    assert made.value == 0
    assert made.table.to_dict(as_series=False) == {
        "rank": [1, 2],
        "document": ["c", "x"],
        "grade": [0, None],
        "satisfies": [0, 0],
        "is reached": [1, 1],
        "part": [0, 0],
        "sum": [0, 0],
    }


def test_expected_reciprocal_rank_shows_documents_that_do_not_satisfy() -> None:
    run = {"1": {"a": 3.0, "c": 2.0, "x": 1.5, "b": 1.0}}
    made = assay.explain_retrieval({"1": {"a": 3, "c": 0, "b": 2}}, run, "ERR(gmax=3)", "1")
    assert made.table["document"].to_list() == ["a", "c", "x", "b"]
    assert made.table["satisfies"].to_list() == [7 / 8, 0, 0, 3 / 8]
    assert made.table["is reached"].to_list() == [1, 1 / 8, 1 / 8, 1 / 8]
    assert made.table["sum"].to_list() == pytest.approx([7 / 8] * 3 + [7 / 8 + 3 / 64 / 4])


def test_items_of_an_error_are_in_their_order() -> None:
    found = assay.regression([1.0, 3.0, 2.0] * 4, [2.0, 3.0, 5.0] * 4, "MSE", interval=None)
    made = assay.explain(found, "MSE")
    assert made.table["item"].to_list() == [str(number) for number in range(1, 13)]
    assert made.table["square"].to_list()[:3] == [1, 0, 9]
    assert made.table["mean so far"].to_list()[-1] == pytest.approx(10 / 3)


SCORED = {"truth": ["yes", "no", "yes", "no"], "score": [0.9, 0.7, 0.6, 0.2]}


def test_areas_show_their_pairs_and_precisions() -> None:
    given: dict[str, Any] = {"truth": "truth", "score": "score", "positive": "yes"}
    area = assay.explain_classification(SCORED, "AUC", **given)
    assert area.table.row(-1, named=True) == {
        "score": 0.2,
        "positives": 0,
        "negatives": 1,
        "beats negatives": 0.5,
        "pairs won": 0,
        "won so far (U)": 3,
        "all pairs": 4,
        "AUC": 0.75,
    }
    part = assay.explain_classification(SCORED, "AUC(max_fpr=0.5)", **given)
    assert part.table["AUC"][-1] == pytest.approx(part.value)
    precision = assay.explain_classification(SCORED, "AP", **given)
    assert precision.table["AP"].to_list() == pytest.approx([1 / 2, 1 / 2, 5 / 6, 5 / 6])


@pytest.mark.parametrize("name", ["ACC", "ERR", "BA", "kappa", "TPR", "PPV", "Jaccard"])
def test_decisions_show_their_counts(name: str) -> None:
    made = assay.explain_classification(TWO, name, "truth", "guess", "yes")
    assert made.table.row(-1)[-1] == pytest.approx(made.value)
    several = assay.explain_classification(THREE, name, "truth", "guess")
    assert several.table.height >= 3


def test_the_standard_measures_of_every_task_show_their_work() -> None:
    explained = ("agreement", "classification", "clustering", "correlation", "regression")
    silent = [
        each.key
        for task in (*explained, "retrieval")
        for each in assay.catalogue().of_task(task)
        if each.standard and not each.tracer
    ]
    # A density is given without what came, of which a table could be made.
    assert silent == ["regression.LogLik"]


def test_every_rank_is_shown_also_of_documents_that_are_not_relevant() -> None:
    marks = "++-+-+------+-"
    qrels = {"q": {f"d{n}": int(mark == "+") for n, mark in enumerate(marks, 1)}}
    run = {"q": {f"d{n}": float(-n) for n in range(1, 15)}}
    table = assay.explain_retrieval(qrels, run, "P", "q").table
    assert table["rank"].to_list() == list(range(1, 15))
    printed = [1, 1, 0.67, 0.75, 0.60, 0.67, 0.57, 0.50, 0.44, 0.40, 0.36, 0.33, 0.38, 0.36]
    assert [round(each, 2) for each in table["precision"]] == printed
    assert table["recall"].to_list() == [0.2, 0.4, 0.4, 0.6, 0.6, *[0.8] * 7, 1, 1]


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("bpref", "sum", [0, 0.25, 0.25, 0.25, 0.25]),
        ("RBP_residual(p=0.5)", "remains", [0.5, 0.25, 0.25, 0.1875, 0.1875]),
        ("Judged", "share", [1, 1, 2 / 3, 3 / 4, 3 / 5]),
        ("Unjudged@10", "share", [0, 0, 1 / 3, 1 / 4, 2 / 5, 2 / 10]),
        ("Q", "blended ratio", [0, 2 / 4, 0, 0, 0]),
        ("P+", "mean down to it", [None, 0.5, 0.5, 0.5, 0.5]),
        ("binG", "part", [0, 0.5 / math.log2(3), 0, 0, 0]),
        ("AUPRC(form=steps)", "area", [0, 0.25, 0.25, 0.25, 0.25]),
    ],
)
def test_formulas_that_count_few_documents_show_the_ranks_of_the_others_too(
    name: str, column: str, expected: list[float | None]
) -> None:
    qrels = {"q": {"d1": 0, "d2": 1, "d4": 0, "missed": 1}}
    run = {"q": {f"d{n}": float(-n) for n in range(1, 6)}}
    found = assay.explain_retrieval(qrels, run, name, "q").table
    assert found["rank"].to_list()[:5] == [1, 2, 3, 4, 5]
    values = found[column].fill_nan(None).to_list()
    assert values == [None if each is None else pytest.approx(each) for each in expected]


def test_a_long_list_shows_every_rank_only_if_asked() -> None:
    qrels = {"q": {"d3": 1, "d70": 1, "d99": 0}}
    run = {"q": {f"d{n}": float(-n) for n in range(1, 101)}}
    short = assay.explain_retrieval(qrels, run, "AP", "q")
    assert short.table["rank"].to_list() == [3, 70, 100]
    assert short.notes[-1].startswith("97 ranks that bring nothing are left out")
    whole = assay.explain_retrieval(qrels, run, "AP", "q", every_rank=True)
    assert whole.table["rank"].to_list() == list(range(1, 101))
    assert whole.table["sum"][-1] == short.table["sum"][-1] == whole.value
    judged = assay.explain_retrieval(qrels, run, "Judged", "q")
    assert judged.table["rank"].to_list() == [3, 70, 99, 100]


def test_the_sum_of_log_losses_is_shown_item_by_item() -> None:
    data = {"truth": ["a", "b"], "p_a": [0.8, 0.4], "p_b": [0.2, 0.6]}
    evidence = ClassificationEvidence.read(data, ClassificationColumns(probabilities="p_*"))
    found = explain_system(evidence, "LogLossSum").table
    own = [-math.log(0.8), -math.log(0.6)]
    assert found["loss of the class"].to_list() == pytest.approx(own)
    assert found["loss of the others"].to_list() == pytest.approx(own)
    assert found["sum so far"].to_list() == pytest.approx([2 * own[0], 2 * sum(own)])


def test_two_orders_are_explained_by_ranks() -> None:
    data = {"item": list("abc"), "x": [1, 2, 3], "y": [2, 1, 3]}
    evidence = CorrelationEvidence.read(data, OrderColumns("item", "x", "y", ranks=True))
    found = explain_system(evidence, "tau").table
    assert found.select("rank", "other rank").rows() == [(1, 2), (2, 1), (3, 3)]
