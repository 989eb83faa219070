"""Scores: the one result type."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import assay
from assay.cli.application import application
from assay.core.errors import DataError, FormatError, OutputError, UnknownMeasure, UsageError

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 0}, "q3": {"d": 1}}
RUN = {"q1": {"a": 3.0, "b": 2.0}, "q2": {"c": 1.0}}


@pytest.fixture(scope="module")
def scores() -> assay.Scores:
    return assay.retrieval(QRELS, {"one": RUN, "two": {"q1": {"x": 1.0}}}, "AP P@1")


def test_undefined_is_not_zero_and_carries_its_reason(scores: assay.Scores) -> None:
    per_query = scores.per_query().filter(system="one", measure="AP")
    values = dict(zip(per_query["query"], per_query["value"], strict=True))
    assert values["q1"] == 1
    assert math.isnan(values["q2"]), "no relevant document: undefined for every system"
    assert values["q3"] == 0, "not answered: zero, so that silence never pays"
    assert per_query.filter(query="q2")["reason"].item() == "no relevant document is known"
    assert scores["AP"]["one"] == 0.5
    row = scores.summary().row(0, named=True)
    assert (row["units"], row["undefined"]) == (3, 1)
    assert row["reasons"] == "no relevant document is known (1)"


def test_reasons_reach_json_as_null_with_a_reason(scores: assay.Scores) -> None:
    content = json.loads(scores.to_json())
    assert list(content) == ["task", "summary", "per_unit", "conventions", "warnings"]
    gone = [row for row in content["per_unit"] if row["value"] is None]
    assert {row["reason"] for row in gone} == {"no relevant document is known"}
    assert content["warnings"][0].startswith("one: 1 of 3 judged queries")


def test_every_summary_has_an_interval(scores: assay.Scores) -> None:
    for row in scores.summary().iter_rows(named=True):
        assert row["low"] <= row["value"] <= row["high"]


def test_scores_come_back_as_they_were_saved(scores: assay.Scores, tmp_path: Path) -> None:
    scores.save(tmp_path / "scores.parquet")
    again = assay.load(tmp_path / "scores.parquet")
    assert again.to_json() == scores.to_json()
    assert again.summary().equals(scores.summary(), null_equal=True)


def test_what_is_not_a_scores_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "not.parquet").write_text("hello")
    with pytest.raises(FormatError, match="not a scores file"):
        assay.load(tmp_path / "not.parquet")
    with pytest.raises(FormatError, match="there is no such file"):
        assay.load(tmp_path / "missing.parquet")


def test_a_measure_that_was_not_asked_for(scores: assay.Scores) -> None:
    with pytest.raises(UnknownMeasure, match=r"'P@2' was not measured; there are AP, P@1"):
        scores["P@2"]


def test_a_measure_is_found_under_any_of_its_names(scores: assay.Scores) -> None:
    assert scores["map"] == scores["AP"]
    assert scores["P_1"] == scores["P@1"]


def test_pandas_and_polars(scores: assay.Scores) -> None:
    assert list(scores.to_pandas().columns) == scores.to_polars().columns


def test_conventions_travel_along(scores: assay.Scores) -> None:
    assert scores.conventions["ties"] == "document descending"
    assert scores.conventions["missing_queries"] == "zero"
    assert scores.conventions["interval"]["seed"] == 1
    assert set(scores.conventions["inputs"]) == {"qrels", "one", "two"}


def test_a_slice_that_was_not_measured_is_told_apart_from_a_measure(scores: assay.Scores) -> None:
    with pytest.raises(UsageError, match="AP was not measured on a slice 'nosuch'; there are all"):
        scores.of("AP", "nosuch")


def test_two_results_under_one_name_are_refused(scores: assay.Scores) -> None:
    with pytest.raises(DataError, match="one has two results of AP on the slice all"):
        replace(scores, results=(*scores.results, scores.results[0]))


def test_scores_without_results_come_back(tmp_path: Path) -> None:
    empty = assay.Scores("retrieval", (), {})
    empty.save(tmp_path / "empty.parquet")
    assert assay.load(tmp_path / "empty.parquet") == empty
    assert json.loads(empty.to_json())["summary"] == []


def test_infinity_is_a_word_in_json(scores: assay.Scores) -> None:
    endless = replace(scores.results[0], values=np.full(3, math.inf), value=math.inf)
    content = replace(scores, results=(endless,)).to_json()
    assert "Infinity" not in content
    assert json.loads(content)["summary"][0]["value"] == "inf"


def test_a_place_that_cannot_be_written_is_refused_first(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("truth,predicted\na,a\n")
    arguments = ["classification", str(tmp_path / "items.csv"), "--predicted", "predicted"]
    nowhere = tmp_path / "nowhere" / "x.parquet"
    found = CliRunner().invoke(application, [*arguments, "--save", str(nowhere)])
    assert isinstance(found.exception, FormatError) or found.exit_code == 1
    assert found.stdout == ""
    with pytest.raises(OutputError, match=r"there is no folder .*; make it first"):
        assay.Scores("retrieval", (), {}).save(nowhere)


def test_wide_tables_have_a_column_for_each_measure() -> None:
    judged = {"q2": {"a": 1}, "q10": {"b": 1}}
    runs = {"one": {"q2": ["a", "b"], "q10": ["a", "b"]}, "two": {"q2": ["b", "a"], "q10": ["b"]}}
    scores = assay.retrieval(judged, runs, "RR P@1", interval=None)
    assert scores.per_query(wide=True).rows() == [
        ("one", "q2", 1.0, 1.0),
        ("one", "q10", 0.5, 0.0),
        ("two", "q2", 0.5, 0.0),
        ("two", "q10", 1.0, 1.0),
    ]
    sliced = assay.retrieval(judged, runs, "RR", by={"q2": "x", "q10": "y"}, interval=None)
    assert sliced.per_query(wide=True).columns == ["system", "slice", "query", "RR"]
    assert sliced.to_polars(wide=True).rows()[1] == ("one", "slice=x", 1.0)


def test_wide_tables_keep_kinds_of_units_apart() -> None:
    """The class 1 and the item 1 have rows of their own."""
    scores = assay.classification([0, 1], [1, 1], "Brier TPR", y_score=[0.5, 1.0], interval=None)
    wide = scores.per_unit(wide=True)
    assert wide.columns == ["system", "kind", "unit", "Brier", "TPR"]
    assert wide.filter(pl.col("unit") == "1").rows() == [
        ("classifier", "item", "1", 0.25, None),
        ("classifier", "class", "1", None, 1.0),
    ]


def test_equality_is_about_what_was_measured_and_how(tmp_path: Path) -> None:
    rows = [(query, doc, grade) for query, own in QRELS.items() for doc, grade in own.items()]
    qrels = pl.DataFrame(rows, schema=["query", "doc", "grade"], orient="row")
    scored = [(query, doc, score) for query, own in RUN.items() for doc, score in own.items()]
    run = pl.DataFrame(scored, schema=["query", "doc", "score"], orient="row")
    for name, frame in (("qrels", qrels), ("run", run)):
        frame.write_csv(tmp_path / f"{name}.csv")
        frame.write_ipc(tmp_path / f"{name}.feather")
    expected = assay.retrieval(QRELS, {"run": RUN}, "AP P@1")
    forms = [(qrels, run), (qrels.to_pandas(), run.to_pandas())]
    forms += [(tmp_path / f"qrels.{end}", tmp_path / f"run.{end}") for end in ("csv", "feather")]
    for judged, listed in forms:
        found = assay.retrieval(judged, {"run": listed}, "AP P@1")
        assert found == expected
        assert hash(found) == hash(expected)
    digests = assay.retrieval(*forms[-1], "AP P@1").conventions["inputs"]
    assert digests != expected.conventions["inputs"], "which both keep"
    assert assay.retrieval(QRELS, {"run": RUN}, "P@1 AP") == expected, "in any order"
    assert assay.retrieval(QRELS, {"other": RUN}, "AP P@1") != expected
    assert assay.retrieval(QRELS, {"run": RUN}, "AP P@1", interval=None) != expected
    assert assay.retrieval(QRELS, {"run": RUN}, "AP P@1", order="rank") != expected
    worse = RUN | {"q1": {"a": 1.0, "b": 2.0}}
    assert assay.retrieval(QRELS, {"run": worse}, "AP P@1") != expected
