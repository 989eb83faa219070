"""Options as people write them: names of intervals, tests, corrections and figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.formats.test_other_files import write_workbook

import assay
from assay.core.errors import UsageError

QUERIES = [f"q{n}" for n in range(12)]
QRELS = {query: {"a": 2, "b": 1} for query in QUERIES}
ONE = {query: {"a": 2.0, "b": 1.0} for query in QUERIES}
TWO = {q: {"a": 1.0, "b": 2.0 if n % 3 else 0.5} for n, q in enumerate(QUERIES)}
RUNS = {"one": ONE, "two": TWO}


@pytest.fixture(scope="module")
def scores() -> assay.Scores:
    """Return the scores of two runs."""
    return assay.retrieval(QRELS, RUNS, ["nDCG@10", "AP"])


@pytest.mark.parametrize("name", ["bca", "t", "percentile"])
def test_an_interval_is_named_by_its_method(name: str) -> None:
    named = assay.retrieval(QRELS, RUNS, "nDCG@10", interval=name)
    given = assay.retrieval(QRELS, RUNS, "nDCG@10", interval=assay.Bootstrap(method=name))
    assert named == given


def test_no_interval_may_be_written_as_false() -> None:
    without = assay.retrieval(QRELS, RUNS, "nDCG@10", interval=None)
    assert assay.retrieval(QRELS, RUNS, "nDCG@10", interval=False) == without


def test_an_interval_is_named_by_its_level() -> None:
    named = assay.retrieval(QRELS, RUNS, "nDCG@10", interval=0.9)
    given = assay.retrieval(QRELS, RUNS, "nDCG@10", interval=assay.Bootstrap(confidence=0.9))
    assert named == given


@pytest.mark.parametrize("given", [1.5, 95, "bcd"])
def test_other_intervals_are_refused(given: Any) -> None:
    with pytest.raises(UsageError, match="bca"):
        assay.retrieval(QRELS, RUNS, "nDCG@10", interval=given)


def test_a_measure_that_an_option_makes_the_same_is_measured_once() -> None:
    found = assay.retrieval(QRELS, RUNS, ["R@1", "R(rel=2)@1"], rel=2, interval=None)
    assert found.measures == ("R(rel=2)@1",)


@pytest.mark.parametrize(
    ("test", "correct", "meant"),
    [("ttest_rel", "fdr_bh", ("t", "bh")), ("permutation", "FDR", ("randomization", "bh"))],
)
def test_names_of_other_libraries(
    scores: assay.Scores, test: str, correct: str, meant: tuple[str, str]
) -> None:
    named = assay.compare(scores, test=test, correct=correct)
    assert named.pairs.equals(assay.compare(scores, test=meant[0], correct=meant[1]).pairs)
    assert any(f"is called {meant[0]} here" in note for note in named.warnings)


def test_figures_by_query_need_only_saved_scores(scores: assay.Scores, tmp_path: Path) -> None:
    scores.save(tmp_path / "scores.parquet")
    loaded = assay.load(tmp_path / "scores.parquet")
    for kind in ("per-query", "scatter"):
        assert loaded.plot(kind).title == scores.plot(kind).title
        other = loaded.plot(kind, measure="AP", first="two", second="one")
        assert "AP" in other.title
    change = loaded.plot("per-query", first="one", second="two").points["change"]["change"]
    values = loaded.per_query().filter(pl.col("measure") == "nDCG@10")
    by_system = values.partition_by("system", as_dict=True)
    expected = by_system["two",]["value"] - by_system["one",]["value"]
    assert sorted(change) == pytest.approx(sorted(expected.to_list()))


def test_unknown_options_of_figures_name_the_known_ones(scores: assay.Scores) -> None:
    with pytest.raises(UsageError, match="no option 'start'; there are measure, first, second"):
        scores.plot("per-query", start="one")


def test_notes_say_over_what_slices_are_corrected(scores: assay.Scores) -> None:
    sliced = assay.compare(scores, by={q: q[-1] for q in QUERIES})
    assert "corrected over all slices together" in str(sliced)
    assert "all slices together" not in str(assay.compare(scores))


def test_json_of_pandas_by_columns_is_read(tmp_path: Path) -> None:
    columns = {"query": {"0": "q0"}, "doc": {"0": "a"}, "score": {"0": 1.5}}
    (tmp_path / "run.json").write_text(json.dumps(columns))
    from_file = assay.retrieval(QRELS, tmp_path / "run.json", "AP")
    assert from_file["AP"] == assay.retrieval(QRELS, {"q0": {"a": 1.5}}, "AP")["AP"]


def test_workbooks_are_checked(tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    rows: dict[str, list[object]] = {"query": ["1", "1"], "doc": ["a", "b"], "grade": [1, 0]}
    write_workbook(tmp_path / "qrels.xlsx", rows)
    found = assay.check(str(tmp_path / "qrels.xlsx"), [])
    assert not [each for each in found.findings if each.severity == "error"]


def test_what_is_to_be_typed_is_code_on_pages(scores: assay.Scores, tmp_path: Path) -> None:
    three = assay.retrieval(QRELS, RUNS | {"three": TWO}, ["nDCG@10", "AP"])
    assay.compare(three).report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "<code>family=all</code>" in page
    assert "`family" not in page


def test_other_names_of_figures() -> None:
    figure = assay.plot("reliability", [0, 1, 1, 0], [0.2, 0.7, 0.9, 0.4])
    assert figure.svg == assay.plot("calibration", [0, 1, 1, 0], [0.2, 0.7, 0.9, 0.4]).svg


def test_an_unknown_figure_of_scores_names_those_of_the_task() -> None:
    scores = assay.regression([1, 2, 3, 4], [1, 2, 4, 4], "MAE", interval=None)
    with pytest.raises(UsageError, match=r"residuals") as refused:
        scores.plot("residual_plot")
    assert "click-models" not in str(refused.value)


def test_costs_in_parentheses() -> None:
    truth, p = [0, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.6]
    one = assay.threshold(truth, p, "cost(fp=1,fn=20)", interval=None)
    assert one.threshold == assay.threshold(truth, p, "cost:fp=1,fn=20", interval=None).threshold
    assert one.threshold == 0.35
