"""Slices by several columns: each alone, or crossed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import UsageError

QUERIES = pl.DataFrame({"qid": list("1234"), "type": list("aabb"), "half": list("xyxy")})
QRELS = {query: {"d": 1} for query in "1234"}
RUNS = {
    "new": {query: {"d": 2.0, "e": 1.0} for query in "1234"},
    "old": {query: {"d": 1.0, "e": 2.0} for query in "1234"},
}
CROSSED = ("type=a, half=x", "type=a, half=y", "type=b, half=x", "type=b, half=y")
ALONE = ("type=a", "type=b", "half=x", "half=y")
ITEMS = QUERIES.with_columns(truth=pl.Series([0, 1, 0, 1]), predicted=pl.Series([0, 1, 1, 1]))


@pytest.mark.parametrize(
    ("by", "slices"),
    [
        ("type,half", CROSSED),
        (["type,half"], CROSSED),
        ([["type", "half"]], CROSSED),
        ([("type", "half")], CROSSED),
        (["type", "half"], ALONE),
        (["half", ["half", "type"]], ("half=x", "half=y", "half=x, type=a", "half=x, type=b")),
    ],
)
def test_a_list_has_each_column_and_an_inner_one_crosses(by: Any, slices: tuple[str, ...]) -> None:
    queries = assay.retrieval(QRELS, RUNS, "RR", by=by, units=QUERIES)
    items = assay.classification(ITEMS, measures="ACC", truth="truth", predicted="predicted", by=by)
    assert queries.slices[:4] == items.slices[:4] == slices


@pytest.mark.parametrize("by", [[3], [[1, 2]], [None]])
def test_what_names_no_column_is_refused(by: Any) -> None:
    with pytest.raises(UsageError, match="`by` has the names of columns, not a"):
        assay.retrieval(QRELS, RUNS, "RR", by=by, units=QUERIES)


def test_comparisons_and_gates_cross_columns_of_units() -> None:
    scores = assay.retrieval(QRELS, RUNS, "RR")
    for by in ("type,half", [["type", "half"]]):
        pairs = assay.compare(scores, by=by, units=QUERIES).pairs
        assert tuple(pairs["slice"]) == ("all", *CROSSED)
    checks = assay.gate(scores, floor=0.5, by="type,half", units=QUERIES).checks
    assert {each.slice for each in checks} == {"all", *CROSSED}
    with pytest.raises(UsageError, match="cross them with by='type,half'"):
        assay.compare(scores, by=["type", "half"], units=QUERIES)
    own = assay.retrieval(QRELS, RUNS, "RR", by=["type", "type,half"], units=QUERIES)
    pairs = assay.compare(own, by="type,half").pairs
    assert tuple(pairs["slice"]) == ("all", *CROSSED)
    unknown = QUERIES.with_columns(half=pl.Series(["x", None, "x", "y"]))
    pairs = assay.compare(scores, by="type,half", units=unknown).pairs
    assert tuple(pairs["slice"]) == ("all", "(no slice)", CROSSED[0], *CROSSED[2:])


def test_the_command_line_crosses_columns_of_units(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    QUERIES.write_csv("units.csv")
    assay.retrieval(QRELS, RUNS, "RR").save("s.parquet")
    words = ("s.parquet", "--units", "units.csv", "--by", "type,half", "--format", "json")
    assert all(each in call("compare", *words).out for each in CROSSED)
    assert all(each in call("gate", *words, "--floor", "0.1").out for each in CROSSED)
