"""Tables that cannot be evaluated get a message with the file."""

from __future__ import annotations

import math
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.terminal import call

from assay.core.arrays import exact_mean

RUN = "q Q0 a 1 2 x\nq Q0 b 2 1 x\n"
CASES = [
    ("compare t.csv", "t.csv", "query,system,AP\n", "t.csv: the table has no rows"),
    ("compare t.csv", "t.csv", "query,system,AP\n1,a,1\n,a,2\n", "t.csv:3: the query is missing"),
    ("compare t.csv", "t.csv", "query,system,AP\n1,a,1\n2,,2\n", "t.csv:3: the system is missing"),
    ("fuse a.run t.json", "t.json", "{}", "t.json: the run has no documents"),
    ("confusion t.csv --rows actual", "t.csv", "x\n", "t.csv: the matrix has no rows"),
    (
        "retrieval q.txt t.json",
        "t.json",
        '{"q": {"a": 1' + "0" * 400 + "}}",
        "document a for query q",
    ),
    (
        "classification t.csv --truth y --predicted p --weight w",
        "t.csv",
        "y,p,w\na,a,1\nb,b,1e308\n",
        "t.csv:3: the weight is 1e+308; at most 1e+100 can be added up",
    ),
    (
        "retrieval t.txt a.run",
        "t.txt",
        "q 0 a 1\nq 0 b 1e308\n",
        "t.txt:2: the grade is 1e+308; at most 1e+100 can be added up",
    ),
    ("check t.json a.run", "t.json", '{"a":' * 50_000, "t.json"),
    ("classification t.jsonl --sets", "t.jsonl", '{"a":' * 50_000, "t.jsonl:1: the JSON is nested"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.run").write_text(RUN)
    Path("q.txt").write_text("q 0 a 1\n")


@pytest.mark.parametrize(("command", "name", "content", "said"), CASES, ids=range(len(CASES)))
def test_a_table_that_cannot_be_read(command: str, name: str, content: str, said: str) -> None:
    Path(name).write_text(content)
    done = call(*command.split())
    assert done.code == 1
    assert said in " ".join((done.err + done.out).split())


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("doc", [1, 2], "text is"),
        ("doc", timedelta(1), "text is"),
        ("doc", b"\xff\x00", "text is"),
        ("score", [1, 2], "numbers are"),
        ("score", b"\xff\x00", "numbers are"),
    ],
)
def test_columns_of_other_types(column: str, value: Any, expected: str) -> None:
    columns = {"query": ["q"], "doc": ["a"], "score": [1.0]} | {column: [value]}
    pl.DataFrame(columns).write_parquet("t.parquet")
    done = call("retrieval", "q.txt", "t.parquet")
    said = " ".join(done.err.split())
    assert done.code == 1
    assert f"t.parquet, row 1: the column '{column}' has values of type" in said
    assert f"{expected} expected" in said


@pytest.mark.parametrize("column", ["system", "query", "value"])
def test_plain_tables_of_scores_and_costs_with_lists(column: str) -> None:
    columns: dict[str, Any] = {"query": ["q", "r"], "system": ["x", "y"], "value": [1.0, 2.0]}
    pl.DataFrame(columns | {column: [[1], [2]]}).write_parquet("t.parquet")
    for command in ("compare t.parquet", "cost q.txt a.run --cost t.parquet"):
        done = call(*command.split())
        assert done.code == 1
        said = " ".join(done.err.split())
        assert f"t.parquet, row 1: the column '{column}' has values of type List(Int64)" in said


def test_the_mean_of_large_numbers_is_finite() -> None:
    assert exact_mean([1.5e308, 1.5e308]) == 1.5e308
    assert exact_mean([1.5e308, 1e308, -1e308, 0.5e308]) == 0.5e308
    assert math.isnan(exact_mean([]))


def test_weights_of_units_can_be_added_up() -> None:
    rows = "".join(f"{n},{name},0.{n}\n" for n in range(1, 5) for name in ("a", "b"))
    Path("s.csv").write_text("query,system,AP\n" + rows)
    Path("u.csv").write_text("query,traffic\n1,2\n2,1e308\n3,1\n4,1\n")
    done = call("compare", "s.csv", "--units", "u.csv", "--weight-by", "traffic")
    assert done.code == 1
    said = "u.csv: the column 'traffic' has 1e+308; at most 1e+100 can be added up"
    assert said in " ".join(done.err.split())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", ["1e308", "5e-324"])
def test_numbers_of_extreme_size_are_drawn_and_summarized(value: str) -> None:
    rows = "".join(f"{'yes' if n % 2 else 'no'},{value},{value},{n}\n" for n in range(12))
    Path("t.csv").write_text("sick,p,y,yhat\n" + rows)
    drawn = ("plot", "densities", "t.csv", "--truth", "sick", "--score", "p", "--positive", "yes")
    assert call(*drawn, "-o", "d.svg").code == 0
    done = call("regression", "t.csv", "--truth", "y", "--predicted", "yhat", "--residuals")
    assert done.code == 0, done.err
    assert "nan" not in done.out
