"""Every format of click logs gives the same table, and nothing is left out silently."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.behavior.logs.log_files import (
    LISTS,
    WRITERS,
    impression_columns,
    log_problems,
    shown_lists,
    write_lines,
    write_ubi,
)

import assay
from assay.behavior.clicks.list_builder import ListBuilder, click_lists
from assay.behavior.logs.click_log import ClickLog, open_log
from assay.behavior.logs.files import impressions
from assay.behavior.logs.log_format import log_formats
from assay.core.errors import FormatError


def test_every_format_has_an_example_here() -> None:
    assert {*WRITERS, "impressions"} == set(log_formats())


@pytest.mark.parametrize(
    ("name", "write"), [(name, write) for name, all_ in WRITERS.items() for write in all_]
)
def test_formats_are_detected_and_agree(name: str, write: object, tmp_path: Path) -> None:
    path = write(tmp_path / "log")
    assert open_log(path).format == name
    assert shown_lists(path) == sorted(LISTS)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_tables_of_impressions_agree(ending: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(impression_columns())
    path = tmp_path / f"log.{ending}"
    match ending:
        case "csv":
            frame.write_csv(path)
        case "tsv":
            frame.write_csv(path, separator="\t")
        case "jsonl":
            frame.write_ndjson(path)
        case _:
            frame.write_parquet(path)
    assert (
        shown_lists(path)
        == sorted(LISTS)
        == shown_lists(frame)
        == shown_lists(impression_columns())
    )


def test_order_of_rows_and_base_of_ranks_do_not_matter() -> None:
    frame = pl.DataFrame(impression_columns())
    shuffled = frame.sample(fraction=1, shuffle=True, seed=3)
    from_zero = shuffled.with_columns(pl.col("rank") - 1)
    assert shown_lists(shuffled) == shown_lists(from_zero) == sorted(LISTS)
    named = frame.rename({"doc": "what", "click": "hit"})
    assert shown_lists(named, columns={"doc": "what", "click": "hit"}) == sorted(LISTS)


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_large_tables_are_read_in_parts(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"log.{ending}"
    frame = pl.DataFrame(impression_columns()).with_columns(pl.col("rank") - 1)
    frame = frame.sample(fraction=1, shuffle=True, seed=5)
    match ending:
        case "csv":
            frame.write_csv(path)
        case "jsonl":
            frame.write_ndjson(path)
        case _:
            frame.write_parquet(path)
    monkeypatch.setattr(impressions, "AT_ONCE", 60)
    log = ClickLog(path)
    assert len(list(log.pieces())) > 1
    assert shown_lists(path) == sorted(LISTS)


def test_parquet_of_few_bytes_and_many_rows_is_read_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.parquet"
    pl.DataFrame(impression_columns()).write_parquet(path)
    assert len(list(ClickLog(path).pieces())) == 1
    whole = click_lists(ClickLog(path).pieces())
    monkeypatch.setattr(impressions, "ROWS_AT_ONCE", 1)
    assert len(list(ClickLog(path).pieces())) > 1
    assert shown_lists(path) == sorted(LISTS)
    parts = click_lists(ClickLog(path).pieces())
    assert parts.pairs.equals(whole.pairs)
    for name in ("pair", "click", "count", "length"):
        assert np.array_equal(getattr(parts, name), getattr(whole, name))


def test_ubi_in_several_files_and_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = write_ubi(tmp_path / "log").read_text().splitlines()
    kept = [line for line in lines if "_index" not in line]
    one = write_lines(tmp_path / "queries", *(line for line in kept if "action_name" not in line))
    two = write_lines(
        tmp_path / "events",
        *({"_source": json.loads(line)} for line in kept if "action_name" in line),
    )
    assert shown_lists([one, two]) == sorted(LISTS)
    monkeypatch.setattr("assay.behavior.logs.files.ubi.AT_ONCE", 200)
    assert shown_lists([one, two]) == sorted(LISTS)


@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize(
    "position",
    [int, float, str, lambda n: {"ordinal": n}, lambda n: {"ordinal": {"index": n}}],
    ids=["number", "float", "text", "1.3", "1.0"],
)
def test_positions_of_ubi(position: Callable[[int], object], base: int, tmp_path: Path) -> None:
    """The schemas 1.0 to 1.2 have ``ordinal.index`` and click_through, 1.3 has ``ordinal``."""
    ids = {"query_id": "id", "timestamp": "2025-01-01T10:00:00Z"}
    lines: list[object] = [{**ids, "user_query": "q"}]
    events = [("impression", 2, "c"), ("impression", 0, "a"), ("impression", 1, "b")]
    for action, place, doc in [*events, ("click_through", 1, None), ("click", 2, "c")]:
        attributes: dict[str, object] = {"position": position(place + base)}
        attributes |= {"object": {"object_id": doc}} if doc else {"xy": {"x": 3, "y": 4}}
        lines.append({**ids, "action_name": action, "event_attributes": attributes})
    path = write_lines(tmp_path / "log", *lines)
    assert shown_lists(path) == [("q", ["a", "b", "c"], [0, 1, 1])]
    assert ("ranks from 0" in log_problems(path)) == (base == 0)


@pytest.mark.parametrize("value", ["first", 1.5, True, [1], {"ordinal": {"index": "x"}}])
def test_positions_of_ubi_are_whole_numbers(value: object, tmp_path: Path) -> None:
    event = {"action_name": "click", "query_id": "i", "event_attributes": {"position": value}}
    path = write_lines(tmp_path / "log", event)
    with pytest.raises(FormatError, match=r"log:1: the position '.*' is not a whole number"):
        assay.read_clicks(path)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "lists", "clicked", "outside"),
    [
        ("oneQueryTrain", 244, 220, 3),
        ("oneQueryTrain.jsonl", 244, 220, 3),
        ("oneQueryTest", 269, 240, 10),
        ("oneQueryTest.jsonl", 269, 240, 10),
        ("click_log_sample.tsv", 3, 4, 0),
        ("click_log_sample_extended_format.tsv", 3, 4, 0),
    ],
)
def test_real_logs(file: str, lists: int, clicked: int, outside: int, shared_data: Path) -> None:
    log = open_log(shared_data / "clicks" / file)
    table = log.table()
    assert table.lists == lists
    assert (table.frame["click"] > 0).sum() == clicked
    found = {row["problem"]: row["count"] for row in log.findings.frame().iter_rows(named=True)}
    assert found.get("click outside the list", 0) == outside


@pytest.mark.shared
@pytest.mark.parametrize("file", ["serp_sample.json", "serp_sample2.json"])
def test_result_pages_without_clicks_are_not_a_log(file: str, shared_data: Path) -> None:
    with pytest.raises(FormatError, match=f"{file}:1: .* there are no clicks"):
        assay.read_clicks(shared_data / "clicks" / file)


@pytest.mark.shared
def test_real_ubi_log(shared_data: Path) -> None:
    """Counted with a few lines of Python over the raw records."""
    log = open_log(shared_data / "ubi" / "ubi_queries_events.ndjson.gz")
    table = log.table()
    found = {row["problem"]: row["count"] for row in log.findings.frame().iter_rows(named=True)}
    sample = table.frame.filter(pl.col("rank") == 1)
    assert found["ranks from 0"] == 1000, "the 200 lists of five impressions with ordinals from 0"
    assert found["click without a list"] == 11, "the events item_click have no query record"
    assert table.lists == sample.height == 278
    clicks = int(table.frame["click"].sum()) + found["click outside the list"]
    assert clicks == 287 - 20, "20 clicks are in the 6 lists without a query"


def test_lists_separated_by_semicolons_may_span_lines(tmp_path: Path) -> None:
    text = "q\ta,b,c : b;  q\tb,a : ;\nr\tx,y :\n y , x ; r\tx : x"
    (tmp_path / "log").write_text(text)
    table = assay.read_clicks(tmp_path / "log").frame
    assert table["doc"].to_list() == ["a", "b", "c", "b", "a", "x", "y", "x"]
    assert table["click"].to_list() == [0, 1, 0, 0, 0, 1, 1, 1]


def test_lists_that_were_counted_elsewhere() -> None:
    logs = [
        {"session": list("aaab"), "query": list("ppqp"), "doc": list("xyyx"), "rank": [1, 2, 3, 1]},
        {"session": list("ccdd"), "query": list("pppp"), "doc": list("xyyx"), "rank": [1, 2, 1, 2]},
        {"session": list("e"), "query": list("q"), "doc": list("y"), "rank": [3]},
    ]
    frames = [pl.DataFrame(each).with_columns(click=pl.col("rank") % 2) for each in logs]
    whole = click_lists(ClickLog(pl.concat(frames)).pieces())
    joined = ListBuilder()
    for frame in frames[::-1]:
        part = ListBuilder()
        for piece in ClickLog(frame).pieces():
            part.add(piece)
        joined.add_counted(*part.counted())
    found = joined.build()
    assert found.pairs.equals(whole.pairs)
    for name in ("pair", "click", "count", "length", "rank"):
        assert np.array_equal(getattr(found, name), getattr(whole, name)), name
