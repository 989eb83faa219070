"""Silence never pays, and every view of a run keeps to the same conventions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import assay
from assay.core.conventions import profile
from assay.core.errors import AlignmentError
from assay.core.names import measure
from assay.engine.local import measure_view
from assay.evidence.alignment.align import align
from assay.formats import containers
from assay.tasks.clustering.clustering import clustering
from assay.tasks.correlation.correlation_evidence import CorrelationEvidence
from assay.tasks.preferences import preferences

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
HALF = {"1": {"x": 3.0, "a": 2.0, "b": 1.0}}
BOTH = HALF | {"2": {"x": 3.0, "b": 2.0, "a": 1.0}}


def _rows(**columns: str) -> pl.DataFrame:
    """The judgments above as a table, with further columns."""
    rows = [
        {"query": query, "doc": doc, "grade": grade}
        for query, docs in QRELS.items()
        for doc, grade in docs.items()
    ]
    return pl.DataFrame(rows).with_columns(**{name: pl.lit(text) for name, text in columns.items()})


PREFERRED = _rows(group="g", subgroup="s").rename({"grade": "level"})


def _retrieval(judged: pl.DataFrame, name: str) -> Callable[..., assay.Scores]:
    def scores(run: Any, table: pl.DataFrame | None = None, **policies: Any) -> assay.Scores:
        given = judged if table is None else table
        return assay.retrieval(given, run, name, policies=policies, interval=None)

    return scores


def _preferences(run: Any, table: pl.DataFrame | None = None, **policies: Any) -> assay.Scores:
    conventions = profile("assay").change(**policies)
    given = PREFERRED if table is None else table
    return preferences(given, run, "ppref", profile=conventions, interval=None)


KINDS = {
    "rankings": (_retrieval(_rows(), "RR"), _rows()),
    "subtopics": (_retrieval(_rows(subtopic="s"), "ERR-IA@5"), _rows(subtopic="s")),
    "groups": (_retrieval(_rows(subtopic="s"), "AP_avgjg"), _rows(subtopic="s")),
    "samples": (_retrieval(_rows(stratum="s"), "infAP"), _rows(stratum="s")),
    "preferences": (_preferences, PREFERRED),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def test_undefined_stands_for_no_silence() -> None:
    scores = assay.retrieval(QRELS, HALF, "P(undefined=1) P", interval=None)
    for result in scores.results:
        assert result.values[1] == 0, "not answered: zero, whatever stands for undefined values"
    view = align(containers.to_judgments(QRELS), containers.to_run(BOTH), profile("assay")).rankings
    empty = replace(view, retrieved=view.retrieved * 0, hits=view.hits.where(view.hits.rank < 0))
    assert measure_view(empty, measure("P(undefined=1)", "retrieval")).values.tolist() == [1, 1]


def test_undefined_still_stands_for_what_the_truth_leaves_open() -> None:
    scores = assay.retrieval({"1": {"a": 0}}, HALF, "AP(undefined=1)", interval=None)
    assert scores.results[0].value == 1
    zero = assay.retrieval(
        {"1": {"a": 0}},
        HALF,
        "AP AP(undefined=1)",
        policies={"no_relevant": "zero"},
        interval=None,
    )
    assert [each.value for each in zero.results] == [0, 1]


@each_kind
def test_an_unanswered_query_is_zero_and_told(kind: str) -> None:
    ask, _ = KINDS[kind]
    scores = ask(HALF)
    assert scores.results[0].values[1] == 0
    assert scores.results[0].value == pytest.approx(scores.results[0].values[0] / 2)
    assert "run: 1 of 2 judged queries is not answered and scores zero" in scores.warnings
    assert scores.conventions["counts"]["run"]["unanswered queries"] == 1


@each_kind
def test_an_unanswered_query_is_refused_or_left_out_on_demand(kind: str) -> None:
    ask, _ = KINDS[kind]
    with pytest.raises(AlignmentError, match="1 of 2 judged queries is not answered"):
        ask(HALF, missing_queries="error")
    assert ask(HALF, missing_queries="skip").results[0].units == ("1",)


@each_kind
def test_a_run_none_of_whose_queries_is_judged_is_refused(kind: str) -> None:
    ask, _ = KINDS[kind]
    with pytest.raises(AlignmentError, match="none of its queries is judged"):
        ask({"01": HALF["1"]})


@each_kind
def test_lists_are_cut_and_condensed(kind: str) -> None:
    ask, _ = KINDS[kind]
    whole = ask(BOTH).results[0].values
    assert not ask(BOTH, depth=1).results[0].value > 0
    condensed = ask(BOTH, unjudged="drop").results[0].values
    assert condensed[0] > whole[0] if kind != "preferences" else condensed[0] == whole[0]
    with pytest.raises(AlignmentError, match="2 retrieved documents are unjudged"):
        ask(BOTH, unjudged="error")


@each_kind
def test_judgments_that_stand_twice_follow_the_policy(kind: str) -> None:
    ask, table = KINDS[kind]
    grade = "level" if kind == "preferences" else "grade"
    again = pl.concat([table, table.with_columns((1 - pl.col(grade)).alias(grade))])
    with pytest.raises(AlignmentError, match="occurs twice"):
        ask(BOTH, again)
    first, last = (ask(BOTH, again, duplicates=which) for which in ("first", "last"))
    assert first.results[0].values.tolist() == ask(BOTH).results[0].values.tolist()
    assert first.results[0].values.tolist() != last.results[0].values.tolist()
    assert any("4 duplicate judgments are left out" in each for each in first.warnings)


def test_tasks_that_build_on_retrieval_pass_its_warnings_on() -> None:
    runs = {"one": HALF | {"2": {"b": 1.0}}, "two": {"1": {"a": 1.0}}}
    evidence = CorrelationEvidence.read_judgments(QRELS, QRELS, runs, "RR")
    found = evidence.scores("tau", interval=None)
    assert "two: 1 of 2 judged queries is not answered and scores zero" in found.warnings
    data = {"k": ["x", "x", "y"], "topic": ["p", "p", "q"]}
    runs = {"k": {"1": {"a": 1.0, "b": 0.5}}}
    scores = clustering(
        data, "purity", cluster="k", classes="topic", qrels=QRELS, runs=runs, interval=None
    )
    assert "k: 1 of 2 judged queries is not answered and scores zero" in scores.warnings
