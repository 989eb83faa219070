"""Every format of click logs gives the same table, and nothing is left out silently."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import assay
from assay.behavior.clicks.list_builder import click_lists
from assay.behavior.logs.click_log import ClickLog, open_log
from assay.behavior.logs.files import impressions
from assay.behavior.logs.log_format import LogSettings, log_formats
from assay.core.errors import DataError, FormatError, UsageError

LISTS = [("q1", ["a", "b", "c"], [0, 1, 0]), ("q2", ["c", "a"], [1, 1]), ("q1", ["b", "a"], [0, 0])]


def _write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines) + "\n")
    return path


def _shown(log: object, **settings: object) -> list[tuple[str, list[str], list[int]]]:
    frame = assay.read_clicks(log, **settings).frame
    lists = frame.group_by("list", maintain_order=True).agg("query", "doc", "click")
    return sorted(
        (queries[0], docs, [min(click, 1) for click in clicks])
        for _, queries, docs, clicks in lists.iter_rows()
    )


def _impressions() -> dict[str, list[object]]:
    rows = [
        (f"s{n}", query, rank, doc, click)
        for n, (query, docs, clicks) in enumerate(LISTS)
        for rank, (doc, click) in enumerate(zip(docs, clicks, strict=True), 1)
    ]
    names = ("session", "query", "rank", "doc", "click")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _yandex_2011(path: Path) -> Path:
    return _write(
        path,
        "0\t0\tQ\tq1\t3\ta\tb\tc",
        "0\t5\tC\tb",
        "0\t9\tQ\tq2\t3\tc\ta",
        "0\t12\tC\ta",
        "0\t13\tC\tc",
        "1\t0\tQ\tq1\t3\tb\ta",
    )


def _yandex_2013(path: Path) -> Path:
    return _write(
        path,
        "0\tM\t4\tu7",
        "0\t0\tQ\t0\tq1\t1,2\ta,9\tb,9\tc,8",
        "0\t5\tC\t0\tb",
        "0\t9\tQ\t1\tq2\t3\tc,8\ta,9",
        "0\t12\tC\t1\ta",
        "0\t13\tC\t1\tc",
        "1\tM\t4\tu8",
        "1\t0\tQ\t0\tq1\t1,2\tb,9\ta,9",
        "1\t8\tT\t1\tq9\t1\tb,9\ta,9",
    )


def _tiangong(path: Path) -> Path:
    def query(name: str, docs: list[str], labels: list[object]) -> dict[str, object]:
        found = [{"docid": d, "label": x} for d, x in zip(docs, labels, strict=True)]
        return {"query_id": name, "text": f"about {name}", "clicks": found}

    queries = [query(name, docs, [bool(c) for c in clicks]) for name, docs, clicks in LISTS]
    graded = query("q9", ["a", "b"], [4, 0])
    return _write(
        path,
        {"session_id": "0", "query": queries[:2]},
        {"session_id": "1", "query": [queries[2], graded]},
    )


def _ubi(path: Path) -> Path:
    lines: list[object] = []
    for n, (query, docs, clicks) in enumerate(LISTS):
        ids = {"query_id": f"id{n}", "client_id": "u", "timestamp": f"2025-01-0{n + 1}T10:00:00Z"}
        hits = {"query_response_hit_ids": docs} if n else {}
        lines += [{"index": {"_index": "ubi_queries"}}, {**ids, "user_query": query, **hits}]
        for place, (doc, click) in enumerate(zip(docs, clicks, strict=True)):
            position: object = {"ordinal": place} if n else place
            attributes = {"object": {"object_id": doc}, "position": position}
            for action in ["impression"] * (n == 0) + ["click"] * click:
                event = {**ids, "action_name": action, "event_attributes": attributes}
                lines += [{"index": {"_index": "ubi_events"}}, event]
    return _write(path, *lines)


def _lists(path: Path) -> Path:
    return _write(
        path,
        *(
            {"session": f"s{n}", "query": query, "results": docs, "clicks": clicks}
            for n, (query, docs, clicks) in enumerate(LISTS)
        ),
    )


def _clickmodels(path: Path) -> Path:
    return _write(
        path,
        *(
            f"h{n}\t{query}\t1\t0.5\t{json.dumps(docs)}\t[false]\t{json.dumps([*clicks, 0])}"
            for n, (query, docs, clicks) in enumerate(LISTS)
        ),
    )


def _blocks(path: Path) -> Path:
    blocks = [
        f"{query}\t{','.join(docs)} : "
        + " , ".join(doc for doc, c in zip(docs, clicks, strict=True) if c)
        for query, docs, clicks in LISTS
    ]
    return _write(path, "; ".join(blocks) + "; ")


WRITERS = {
    "yandex": [_yandex_2011, _yandex_2013],
    "tiangong": [_tiangong],
    "ubi": [_ubi],
    "lists": [_lists],
    "clickmodels": [_clickmodels],
    "blocks": [_blocks],
}


def test_every_format_has_an_example_here() -> None:
    assert {*WRITERS, "impressions"} == set(log_formats())


@pytest.mark.parametrize(
    ("name", "write"), [(name, write) for name, all_ in WRITERS.items() for write in all_]
)
def test_formats_are_detected_and_agree(name: str, write: object, tmp_path: Path) -> None:
    path = write(tmp_path / "log")
    assert open_log(path).format == name
    assert _shown(path) == sorted(LISTS)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_tables_of_impressions_agree(ending: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(_impressions())
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
    assert _shown(path) == sorted(LISTS) == _shown(frame) == _shown(_impressions())


def test_order_of_rows_and_base_of_ranks_do_not_matter() -> None:
    frame = pl.DataFrame(_impressions())
    shuffled = frame.sample(fraction=1, shuffle=True, seed=3)
    from_zero = shuffled.with_columns(pl.col("rank") - 1)
    assert _shown(shuffled) == _shown(from_zero) == sorted(LISTS)
    named = frame.rename({"doc": "what", "click": "hit"})
    assert _shown(named, columns={"doc": "what", "click": "hit"}) == sorted(LISTS)


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_large_tables_are_read_in_parts(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"log.{ending}"
    frame = pl.DataFrame(_impressions()).with_columns(pl.col("rank") - 1)
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
    assert _shown(path) == sorted(LISTS)


def test_parquet_of_few_bytes_and_many_rows_is_read_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.parquet"
    pl.DataFrame(_impressions()).write_parquet(path)
    assert len(list(ClickLog(path).pieces())) == 1
    whole = click_lists(ClickLog(path).pieces())
    monkeypatch.setattr(impressions, "ROWS_AT_ONCE", 1)
    assert len(list(ClickLog(path).pieces())) > 1
    assert _shown(path) == sorted(LISTS)
    parts = click_lists(ClickLog(path).pieces())
    assert parts.pairs.equals(whole.pairs)
    for name in ("pair", "click", "count", "length"):
        assert np.array_equal(getattr(parts, name), getattr(whole, name))


def test_ubi_in_several_files_and_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _ubi(tmp_path / "log").read_text().splitlines()
    kept = [line for line in lines if "_index" not in line]
    one = _write(tmp_path / "queries", *(line for line in kept if "action_name" not in line))
    two = _write(
        tmp_path / "events",
        *({"_source": json.loads(line)} for line in kept if "action_name" in line),
    )
    assert _shown([one, two]) == sorted(LISTS)
    monkeypatch.setattr("assay.behavior.logs.files.ubi.AT_ONCE", 200)
    assert _shown([one, two]) == sorted(LISTS)


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
    path = _write(tmp_path / "log", *lines)
    assert _shown(path) == [("q", ["a", "b", "c"], [0, 1, 1])]
    assert ("ranks from 0" in _problems(path)) == (base == 0)


@pytest.mark.parametrize("value", ["first", 1.5, True, [1], {"ordinal": {"index": "x"}}])
def test_positions_of_ubi_are_whole_numbers(value: object, tmp_path: Path) -> None:
    event = {"action_name": "click", "query_id": "i", "event_attributes": {"position": value}}
    path = _write(tmp_path / "log", event)
    with pytest.raises(FormatError, match=r"log:1: the position '.*' is not a whole number"):
        assay.read_clicks(path)


def _problems(log: object) -> dict[str, tuple[int, str]]:
    found = assay.behavior.check(log).findings
    return {row["problem"]: (row["count"], row["first"]) for row in found.iter_rows(named=True)}


def test_yandex_clicks_without_a_list_and_outside_it_have_their_line(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "log",
        "0\t0\tC\ta",
        "0\t1\tQ\tq\t3\ta\tb",
        "0\t2\tC\tz",
        "1\t0\tQ\tq\t3",
        "0\t0\tQ\tq\t3\ta\tb",
    )
    assert _problems(path) == {
        "click outside the list": (1, f"{path}:3"),
        "click without a list": (1, f"{path}:1"),
        "list without documents": (1, f"{path}:4"),
        "two sessions under one id": (1, f"{path}:5"),
        "clock jump": (1, f"{path}:5"),
    }


def test_yandex_a_click_belongs_to_the_latest_list_that_shows_it(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "log",
        "0\t0\tQ\tq\t3\ta\tb",
        "0\t1\tQ\tr\t3\tb\tc",
        "0\t2\tC\tb",
        "0\t3\tC\ta",
    )
    assert _shown(path) == [("q", ["a", "b"], [1, 0]), ("r", ["b", "c"], [1, 0])]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0\tx\tQ\tq\t3\ta", "the time 'x' is not a whole number"),
        ("0\t1\tX\tq", r"expected a query \(Q\) or a click \(C\); found 4 fields"),
    ],
)
def test_lines_that_cannot_be_read_have_their_number(
    line: str, message: str, tmp_path: Path
) -> None:
    path = _write(tmp_path / "log", "0\t0\tQ\tq\t3\ta", line)
    with pytest.raises(FormatError, match=f"log:2: {message}"):
        assay.read_clicks(path, format="yandex")


def _table(**columns: object) -> dict[str, object]:
    return {"session": ["s", "s"], "query": ["q", "q"], "rank": [1, 2], "doc": ["a", "b"]} | {
        "click": [0, 1],
        **columns,
    }


@pytest.mark.parametrize(
    ("table", "problem", "message"),
    [
        (_table(rank=[1, -2]), "negative rank", "the log, row 2: 1 negative rank"),
        (_table(rank=[1, 1]), "two lists under one id", "the log, row 2: 1 rank that occurs twice"),
    ],
)
def test_errors_are_raised_when_used_and_listed_when_checked(
    table: object, problem: str, message: str
) -> None:
    assert _problems(table)[problem] == (1, "the log, row 2")
    assert assay.behavior.check(table).has_errors
    with pytest.raises(DataError, match=message):
        assay.read_clicks(table)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (_table(click=[0, -1]), "row 2: the click is -1"),
        (_table(click=[0, "maybe"]), "row 2: the click 'maybe' is not a whole number"),
        (_table(rank=[1, 1.5]), r"row 2: the rank '1.5' is not a whole number"),
        (_table(doc=["a", None]), "row 2: the doc is missing"),
        ({"session": ["s"], "query": ["q"], "document": ["d"]}, "none for the click among"),
    ],
)
def test_bad_tables_are_refused_with_their_row(table: object, message: str) -> None:
    with pytest.raises((DataError, FormatError), match=message):
        assay.read_clicks(table)


def test_warnings_of_tables() -> None:
    table = _table(
        rank=[1, 3],
        doc=["a", "a"],
        click=[2, 0],
        time=["2025-01-01 10:00:00", "2025-01-01 10:00:00"],
        click_time=["2025-01-01 09:00:00", None],
        user=["u", "v"],
    )
    assert set(_problems(table)) == {
        "gap in the ranks",
        "document twice in a list",
        "repeated click",
        "time without a zone",
        "click before the list",
        "two sessions under one id",
    }


def test_bots_and_pauses() -> None:
    lists = 60
    table = {
        "session": [f"s{n}" for n in range(lists)] + ["t", "t"],
        "query": ["q"] * (lists + 1) + ["r"],
        "doc": ["a"] * (lists + 2),
        "click": [0] * (lists + 2),
        "time": [float(n) for n in range(lists)] + [0.0, 90_000.0],
        "user": ["robot"] * lists + ["ann", "ann"],
    }
    problems = _problems(table)
    assert set(problems) == {"possible bot", "long pause"}
    assert problems["long pause"] == (1, "the log, row 62")


def test_files_of_two_formats_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"looks like yandex, but .* like lists"):
        assay.read_clicks([_lists(tmp_path / "a"), _yandex_2011(tmp_path / "b")])


def test_settings_are_checked(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a log\n")
    with pytest.raises(UsageError, match="there is no column of a log 'dok'"):
        assay.read_clicks(_table(), columns={"dok": "doc"})
    with pytest.raises(UsageError, match="there is no log format 'yandx'"):
        open_log(tmp_path / "x", LogSettings("yandx")).table()
    with pytest.raises(UsageError, match="the base of the ranks is 0 or 1"):
        assay.read_clicks(_table(), base=2)


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


def test_bytes_of_a_binary_table_are_not_taken_for_text(tmp_path: Path) -> None:
    """A Parquet file whose names look like lists separated by semicolons."""
    frame = pl.DataFrame(
        {
            "session": ["s"] * 4,
            "query": ["q\ta,b : b;", "q\ta,b : b;", "r", "r"],
            "rank": [1, 2, 1, 2],
            "doc": ["a", "b", "a", "c"],
            "click": [0, 1, 1, 0],
        }
    )
    frame.write_parquet(tmp_path / "log.parquet", compression="uncompressed")
    content = (tmp_path / "log.parquet").read_bytes()
    assert b"\t" in content
    table = assay.read_clicks(tmp_path / "log.parquet").frame
    assert table["click"].to_list() == [0, 1, 1, 0]
    frame.write_ipc(tmp_path / "log.feather", compression="uncompressed")
    assert assay.read_clicks(tmp_path / "log.feather").frame["doc"].to_list() == list("abac")


def test_lists_separated_by_semicolons_may_span_lines(tmp_path: Path) -> None:
    text = "q\ta,b,c : b;  q\tb,a : ;\nr\tx,y :\n y , x ; r\tx : x"
    (tmp_path / "log").write_text(text)
    table = assay.read_clicks(tmp_path / "log").frame
    assert table["doc"].to_list() == ["a", "b", "c", "b", "a", "x", "y", "x"]
    assert table["click"].to_list() == [0, 1, 0, 0, 0, 1, 1, 1]


def test_the_line_of_a_second_user_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(
        "session,query,rank,doc,click,user\ns,q,1,a,0,u\ns,q,2,b,1,u\ns,q,3,c,0,v\nt,q,1,a,0,w\n"
    )
    assert _problems(path)["two sessions under one id"] == (1, f"{path}:4")
