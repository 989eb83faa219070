"""Two runs, two leaderboards, two evaluations: what a user compares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay import AssayError
from assay.tasks.correlation.correlation_evidence import CorrelationEvidence

ONE = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}, "q3": {"x": 1.0}}
TWO = {"q1": {"b": 3.0, "a": 2.0, "d": 1.0}, "q2": {"b": 1.0}}


def test_runs_are_compared_query_by_query() -> None:
    scores = CorrelationEvidence.read_runs(ONE, TWO).scores("tau overlap@2", interval=None)
    per_query = {(row["unit"], row["measure"]): row for row in scores.per_unit().to_dicts()}
    assert per_query["q1", "tau"]["value"] == -1
    assert per_query["q1", "overlap@2"]["value"] == 1
    assert per_query["q2", "overlap@2"]["value"] == 0
    assert "fewer than two" in per_query["q2", "tau"]["reason"]
    absent, shared = scores.warnings
    assert absent == "run: 1 of 3 queries is not in the other"
    assert shared.startswith("the runs share 2 documents, of 4 in run (1) and 4 in run (2):")


def test_runs_without_a_common_query_are_refused() -> None:
    with pytest.raises(AssayError, match="no query in common"):
        CorrelationEvidence.read_runs({"q1": {"a": 1.0}}, {"q2": {"a": 1.0}})


def test_leaderboards_are_joined_by_their_first_column() -> None:
    one = pl.DataFrame({"system": ["a", "b", "c"], "note": ["", "", ""], "ap": [0.5, 0.4, 0.3]})
    two = pl.DataFrame({"system": ["c", "b", "e"], "ap": [0.9, 0.2, 0.1]})
    evidence = CorrelationEvidence.read_leaderboards(one, two)
    scores = evidence.scores("tau RBO(bound=base)", interval=None)
    assert scores["tau"]["leaderboards"] == -1
    # a b c against c b e: agreement 0, 1/2, 2/3.
    expected = 0.1 * (0.9 / 2 + 0.81 * 2 / 3)
    assert scores["RBO(bound=base)"]["leaderboards"] == pytest.approx(expected)
    listed = evidence.inversions()
    assert listed.row(0)[:2] == ("b", "c")


def test_inversions_of_runs_name_the_query() -> None:
    assert CorrelationEvidence.read_runs(ONE, TWO).inversions().rows()[0][:3] == ("q1", "a", "b")


@pytest.mark.parametrize(
    ("board", "complaint"),
    [
        ({"s": ["a", "a"], "x": [1.0, 2.0]}, "row 2: the item a occurs twice, first at .*row 1"),
        ({"s": ["a", "b"], "x": ["p", "q"]}, "no column holds numbers"),
        ({"s": ["y", "z"], "x": [1.0, 2.0]}, "no item in common"),
        ({"s": ["a", "b"], "x": [1.0, float("nan")]}, "row 2: the value is nan"),
    ],
)
def test_bad_leaderboards_are_refused(board: Any, complaint: str) -> None:
    good = {"s": ["a", "b"], "x": [1.0, 2.0]}
    with pytest.raises(AssayError, match=complaint):
        CorrelationEvidence.read_leaderboards(good, board)


def test_an_item_listed_twice_in_one_order_is_refused() -> None:
    data = {"item": ["a", "a"], "first": [1, 2], "second": [1, 2]}
    with pytest.raises(AssayError, match="row 2: the item a occurs twice"):
        assay.correlation(data)


@pytest.mark.shared
def test_systems_under_two_qrels_and_two_measures(shared_data: Path) -> None:
    folder = shared_data / "trec_covid_round1"
    runs = sorted((folder / "runs").iterdir())[:5]
    qrels = folder / "qrels.txt"
    same = CorrelationEvidence.read_judgments(qrels, qrels, runs).scores("tau", interval=None)
    assert same["tau"]["systems"] == 1
    scores = assay.retrieval(qrels, runs, "AP nDCG@10", interval=None)
    by_hand = CorrelationEvidence.of_scores(scores, by="AP", other="nDCG@10").scores(interval=None)
    under_qrels = CorrelationEvidence.read_judgments(qrels, qrels, runs, "AP", "nDCG@10")
    asked = under_qrels.scores(interval=None)
    assert by_hand["tau"] == asked["tau"]


@pytest.mark.parametrize("measure", ["tau", "RBO", "overlap@2"])
@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"item": ["a", "b", "b", "a"]}, "row 3: the item b occurs twice, first at .*row 2"),
        ({"first": [1.0, 2.0, float("nan"), 4.0]}, "row 3: the first is nan; it must be finite"),
    ],
)
def test_measures_of_orders_and_of_rankings_refuse_the_same(
    measure: str, changed: Any, complaint: str
) -> None:
    data = {"item": list("abcd"), "first": [1.0, 2, 3, 4], "second": [1.0, 2, 3, 4]} | changed
    with pytest.raises(AssayError, match=complaint):
        assay.correlation(data, measure, interval=None)


def test_a_document_listed_twice_is_named_where_it_stands_again() -> None:
    rows = {"query": ["1"] * 4, "doc": ["a", "b", "c", "a"], "score": [4.0, 3, 2, 1]}
    again = {"query": ["1"] * 4, "doc": ["b", "a", "a", "b"], "score": [4.0, 3, 2, 1]}
    for run, complaint in ((rows, "row 4: the doc a"), (again, "row 3: the doc a of query 1")):
        with pytest.raises(AssayError, match=complaint):
            CorrelationEvidence.read_runs(pl.DataFrame(run), pl.DataFrame(rows))


def test_rows_are_items_without_a_column_of_them(tmp_path: Path) -> None:
    table = {"x": [1, 2, 3, 4], "y": [2, 1, 3, 4]}
    found = assay.correlation(table, measures="tau", item=None, first="x", second="y")
    assert found.results[0].value == pytest.approx(2 / 3)  # 5 of 6 pairs agree
    path = tmp_path / "pairs.csv"
    path.write_text("x,y\n1,2\n2,1\n3,3\n4,4\n")
    done = call("correlation", str(path), "--first", "x", "--second", "y", "-m", "tau")
    assert "0.6667" in done.out, done.err


def test_ranks_put_the_lowest_number_first(tmp_path: Path) -> None:
    table = {"item": list("abcd"), "first": [1, 2, 3, 4], "second": [2, 1, 3, 4]}
    # The first order is the truth: b is wrongly above a, then everything is in order.
    found = assay.correlation(table, measures="tauAP", ranks=True, interval=None)
    assert found.results[0].value == pytest.approx(2 / 3 * 2 - 1)
    assert assay.correlation(table, measures="tauAP", interval=None).results[0].value != (
        found.results[0].value
    )
    drawn = assay.plot("orders", table, ranks=True).points["ranks"]
    assert [drawn["first"].tolist(), drawn["second"].tolist()] == [[1, 2, 3, 4], [2, 1, 3, 4]]
    path = tmp_path / "ranks.csv"
    path.write_text("item,first,second\na,1,2\nb,2,1\nc,3,3\nd,4,4\n")
    columns = ("--item", "item", "--first", "first", "--second", "second", "--ranks")
    done = call("correlation", str(path), *columns, "-m", "tauAP")
    assert "0.3333" in done.out
    one = tmp_path / "one.csv"
    one.write_text("system,rank\na,1\nb,2\nc,3\nd,4\n")
    two = tmp_path / "two.csv"
    two.write_text("system,rank\na,2\nb,1\nc,3\nd,4\n")
    boards = call("correlation", str(one), str(two), "--ranks", "-m", "tauAP")
    assert "0.3333" in boards.out
    run = tmp_path / "a.run"
    run.write_text("q Q0 a 1 1 x\n")
    assert call("correlation", str(run), str(run), "--ranks").code == 2
