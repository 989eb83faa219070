"""Cost beside quality: as a column of the runs or as a table, in every table and comparison."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

from assay import load, retrieval
from assay.core.errors import AssayError
from assay.tasks.retrieval.costs import pareto_front, quality_and_cost

QRELS = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
GOOD = {query: {"a": 2.0, "b": 1.0} for query in QRELS}
POOR = {query: {"b": 2.0, "a": 1.0} for query in QRELS}
BOTH = {"good": GOOD, "poor": POOR}


def test_the_pareto_front() -> None:
    quality, cost = np.asarray([0.5, 0.6, 0.4, 0.6]), np.asarray([1.0, 2.0, 2.0, 3.0])
    assert pareto_front(quality, cost).tolist() == [True, True, False, False]
    assert pareto_front(np.asarray([np.nan, 0.1]), np.asarray([1.0, 1.0])).tolist() == [False, True]


def test_a_table_of_costs_by_system() -> None:
    costs = {"system": ["good", "good", "poor"], "cost": [2.0, 4.0, 1.0]}
    found = quality_and_cost(retrieval(QRELS, BOTH, "RR", cost=costs))
    assert found.rows() == [("poor", 0.5, 1.0, True), ("good", 1.0, 3.0, True)]


def test_costs_by_query_have_an_interval_and_gaps_are_counted() -> None:
    rows = [("good", "1", 2.0), ("good", "2", 6.0), *(("poor", each, 1.0) for each in QRELS)]
    costs = pl.DataFrame(rows, schema=["system", "query", "seconds"], orient="row")
    good, poor = retrieval(QRELS, BOTH, "RR", cost=costs).of("seconds")
    assert (good.value, good.undefined) == (4.0, {"no cost is given": 1})
    assert (good.low, good.high) == pytest.approx((0, 4 + 2 * 63.6567), abs=1e-3)  # t of .995
    assert (poor.interval, poor.better) == ("no width", "lower")
    assert math.isnan(poor.low)


def test_every_measure_has_its_front() -> None:
    costs = {"system": ["good", "poor"], "cost": [1.0, 2.0]}
    scores = retrieval(QRELS, BOTH, "RR R@2", cost=costs)
    assert scores.conventions["front"] == {"RR": ["good"], "R@2": ["good"]}
    assert quality_and_cost(scores)["front"].to_list() == ["RR, R@2", ""]


@pytest.mark.parametrize(
    ("costs", "complaint"),
    [
        ({"system": ["good"], "cost": [-1]}, "row 1: the cost is '-1'"),
        ({"system": ["goood"], "cost": [1]}, "no cost for good. Did you mean goood"),
        ({"system": ["good"], "price": [1], "size": [2]}, "no column 'cost'"),
        ("time", "no further columns"),
        ("nowhere.csv", "no such file"),
    ],
)
def test_bad_costs_are_refused(costs: Any, complaint: str) -> None:
    with pytest.raises(AssayError, match=complaint):
        retrieval(QRELS, {"good": GOOD}, "RR", cost=costs)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two TREC runs with a seventh field and one table of each kind that has names."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{query} 0 a 1\n" for query in QRELS]
    Path("qrels").write_text("".join(lines))
    Path("x.run").write_text(
        "".join(f"{q} Q0 a 1 2 x 0.{q}\n{q} Q0 b 2 1 x 0.{q}\n" for q in QRELS)
    )
    Path("y.run").write_text(
        "".join(f"{q} Q0 b 1 2 y 7 0.05\n{q} Q0 a 2 1 y 7 0.05\n" for q in QRELS)
    )
    Path("z.csv").write_text("query,doc,score,time\n1,a,2,1\n1,b,1,\n2,a,1,2\n3,a,1,3\n")
    table = pl.read_csv("z.csv", schema_overrides={"query": pl.String})
    table.write_parquet("p.parquet")
    table.write_ndjson("j.jsonl")
    return tmp_path


@pytest.mark.parametrize("run", ["z.csv", "p.parquet", "j.jsonl"])
def test_a_column_of_the_run(folder: Path, run: str) -> None:
    scores = retrieval("qrels", [run, "x.run"], "RR", cost="time")
    assert [each.value for each in scores.of("time")] == pytest.approx([2.0, 0.2])


def test_a_field_of_a_trec_run_goes_by_its_number(folder: Path) -> None:
    scores = retrieval("qrels", ["x.run"], "RR", cost="7")
    assert scores["column 7"] == pytest.approx({"x": 0.2})
    assert retrieval("qrels", ["y.run"], "RR", cost="8")["column 8"] == pytest.approx({"y": 0.05})


@pytest.mark.parametrize(
    ("run", "column", "complaint"),
    [
        ("y.run", "time", "y.run: the fields of a TREC run have no names: 'time'"),
        ("x.run", "9", "'9' is not one of 7 to 7"),
        ("z.csv", "tim", "z.csv: there is no column 'tim'.* Did you mean time"),
        ("bad.csv", "time", "bad.csv:3: the time of query 1 is 3, but 1 above"),
        ("word.csv", "time", "word.csv:2: the cost is 'fast', but a number from 0"),
        ("-", "time", "standard input"),
    ],
)
def test_what_is_wrong_with_a_column_is_told(
    folder: Path, run: str, column: str, complaint: str
) -> None:
    Path("bad.csv").write_text("query,doc,score,time\n1,a,2,1\n1,b,1,3\n")
    Path("word.csv").write_text("query,doc,score,time\n1,a,2,fast\n")
    with pytest.raises(AssayError, match=complaint):
        retrieval("qrels", [run], "RR", cost=column)


def test_the_commands_show_cost_and_front(folder: Path) -> None:
    asked = ("retrieval", "qrels", "x.run", "z.csv", "-m", "RR R@1", "--cost", "time")
    shown = call(*asked, "--save", "scores.parquet").out
    assert "0.2000 [.000, .773]" in shown  # .2 + 9.925 · .1/√3
    assert shown.splitlines()[-2].split() == ["x", "1", "1", "0.2000", "RR,", "R@1"]
    kept = json.loads(call(*asked, "--format", "json").out)
    assert kept["conventions"]["front"]["RR"] == ["x"]
    assert load("scores.parquet").conventions["cost"] == "time"
    for arguments in (("retrieval", *asked[1:4]), ("scores.parquet",)):
        extra = ("--cost", "time") if arguments[0] == "retrieval" else ()
        told = call("compare", *arguments, "-m", "RR", *extra)
        assert told.code == 0, told.err
        assert "time (lower is better)" in told.out
        assert told.out.splitlines()[-1].split() == ["z", "1", "2"]
    assert (
        "| x | 1 | 0.2000 | yes |"
        in call("cost", *asked[1:4], *asked[6:], "-m", "RR", "--format", "markdown").out
    )
