"""Arguments that a function does not take are explained."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

import assay
from assay.core.arguments import explains_arguments
from assay.core.conventions import Conventions, Policies

QRELS, RUN = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["c"]}


def test_an_unknown_argument_names_all() -> None:
    with pytest.raises(assay.AssayError, match=r"margin.*Did you mean correct") as raised:
        assay.compare([], corrections="holm")  # type: ignore[call-arg]
    assert isinstance(raised.value, TypeError)
    with pytest.raises(assay.AssayError, match="compare: there is no argument 'foo'"):
        assay.compare([], foo=1)  # type: ignore[call-arg]


def test_options_are_named_beside_arguments() -> None:
    with pytest.raises(assay.AssayError, match=r"'queries' .*units.*judged_only"):
        assay.retrieval(QRELS, RUN, "AP", queries={})  # type: ignore[call-arg]


def test_arguments_that_do_not_fit_are_listed() -> None:
    with pytest.raises(assay.AssayError, match=r"multiple values.*scores, measure, query"):
        assay.explain(QRELS, RUN, measure="AP", query="q1")  # type: ignore[misc]


def test_other_type_errors_stay() -> None:
    @explains_arguments
    def add(first: int, second: str) -> int:
        return first + second

    with pytest.raises(TypeError, match="unsupported operand"):
        add(1, "2")


def test_public_functions_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(assay.retrieval)) is assay.retrieval


def test_a_policy_may_be_an_argument() -> None:
    scores = assay.retrieval(QRELS, RUN, "AP", missing_queries="skip")
    assert scores.conventions["missing_queries"] == "skip"
    fields = {each.name for each in dataclasses.fields(Conventions)}
    assert set(Policies.__annotations__) == fields - {
        "profile",
        "order",
        "depth",
        "defaults",
        "needed",
    }
    with pytest.raises(assay.AssayError, match="set twice"):
        assay.retrieval(QRELS, RUN, "AP", order="file", policies={"order": "rank"})
