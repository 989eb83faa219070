"""Explanations show the number that the task itself gives, and say why there is none."""

from __future__ import annotations

import pytest

import assay
from assay.core.errors import DataError
from assay.tasks.holes import holes
from assay.tasks.judging import judge_next
from assay.tasks.ties import ties

QRELS = {"1": {"a": 3, "b": 1, "c": 0}, "2": {"a": 1, "d": 0}}
RUN = {"1": {"b": 3.0, "x": 2.0, "a": 1.0}}
TWO = {"truth": ["no", "yes", "yes", "no", "no"], "guess": ["no", "yes", "no", "no", "no"]}
THREE = {"truth": ["a", "b", "c", "a", "b"], "guess": ["a", "b", "b", "c", "b"]}


def test_the_parameters_of_a_profile_hold_for_every_task() -> None:
    scores = assay.retrieval(QRELS, RUN, "nDCG@3", profile="gdeval", bootstrap=None)
    name, value = scores.measures[0], scores.results[0].value
    assert name == "nDCG(gain=exp)@3"
    explained = assay.explain_retrieval(QRELS, RUN, "nDCG@3", "1", "gdeval")
    assert (explained.measure, explained.value) == (name, value)
    for report in (holes, ties):
        row = report(QRELS, RUN, "nDCG@3", profile="gdeval").measures.row(0, named=True)
        assert (row["measure"], row["value"]) == (name, value)
    other = {"1": {"a": 3.0, "b": 2.0, "y": 1.0}}
    rows = judge_next(QRELS, RUN, other, "nDCG@3", profile="gdeval")
    assert rows["now"][0] == pytest.approx(value - 1)


def test_the_positive_class_is_settled_as_in_classification() -> None:
    scores = assay.classification(TWO, "F", predicted="guess", bootstrap=None)
    explained = assay.explain_classification(TWO, "F", "truth", "guess")
    assert explained.value == scores.results[0].value == pytest.approx(2 / 3)
    assert explained.table["value"][:3].to_list() == [1, 0, 1]
    assert explained.about.endswith("positive class yes")


def test_a_mean_over_classes_is_explained_class_by_class() -> None:
    scores = assay.classification(THREE, "F", predicted="guess", bootstrap=None)
    explained = assay.explain_classification(THREE, "F", "truth", "guess")
    assert explained.value == scores.results[0].value
    assert explained.table["class"].unique().sort().to_list() == ["a", "b", "c"]


def test_a_query_that_is_not_answered_is_said_to_be_so() -> None:
    with pytest.raises(DataError, match="the run does not answer the query '2'"):
        assay.explain_retrieval(QRELS, RUN, "AP", "2")


def test_the_policy_for_no_relevant_documents_holds() -> None:
    none = {"1": {"a": 0}}
    assert assay.explain_retrieval(none, RUN, "AP", "1", "trec_eval-10").value == 0
