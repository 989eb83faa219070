"""Problems of click logs: what cannot be read or belongs nowhere is named with its line."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.behavior.logs.log_files import (
    log_problems,
    shown_lists,
    write_lines,
    write_lists,
    write_yandex_2011,
)

import assay
from assay.behavior.logs.click_log import open_log
from assay.behavior.logs.log_format import LogSettings
from assay.core.errors import DataError, FormatError, UsageError


def test_yandex_clicks_without_a_list_and_outside_it_have_their_line(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "log",
        "0\t0\tC\ta",
        "0\t1\tQ\tq\t3\ta\tb",
        "0\t2\tC\tz",
        "1\t0\tQ\tq\t3",
        "0\t0\tQ\tq\t3\ta\tb",
    )
    assert log_problems(path) == {
        "click outside the list": (1, f"{path}:3"),
        "click without a list": (1, f"{path}:1"),
        "list without documents": (1, f"{path}:4"),
        "two sessions under one id": (1, f"{path}:5"),
        "clock jump": (1, f"{path}:5"),
    }


def test_yandex_a_click_belongs_to_the_latest_list_that_shows_it(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "log",
        "0\t0\tQ\tq\t3\ta\tb",
        "0\t1\tQ\tr\t3\tb\tc",
        "0\t2\tC\tb",
        "0\t3\tC\ta",
    )
    assert shown_lists(path) == [("q", ["a", "b"], [1, 0]), ("r", ["b", "c"], [1, 0])]


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
    path = write_lines(tmp_path / "log", "0\t0\tQ\tq\t3\ta", line)
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
    assert log_problems(table)[problem] == (1, "the log, row 2")
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
    assert set(log_problems(table)) == {
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
    problems = log_problems(table)
    assert set(problems) == {"possible bot", "long pause"}
    assert problems["long pause"] == (1, "the log, row 62")


def test_files_of_two_formats_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"looks like yandex, but .* like lists"):
        assay.read_clicks([write_lists(tmp_path / "a"), write_yandex_2011(tmp_path / "b")])


def test_settings_are_checked(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a log\n")
    with pytest.raises(UsageError, match="there is no column of a log 'dok'"):
        assay.read_clicks(_table(), columns={"dok": "doc"})
    with pytest.raises(UsageError, match="there is no log format 'yandx'"):
        open_log(tmp_path / "x", LogSettings("yandx")).table()
    with pytest.raises(UsageError, match="the base of the ranks is 0 or 1"):
        assay.read_clicks(_table(), base=2)


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


def test_the_line_of_a_second_user_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(
        "session,query,rank,doc,click,user\ns,q,1,a,0,u\ns,q,2,b,1,u\ns,q,3,c,0,v\nt,q,1,a,0,w\n"
    )
    assert log_problems(path)["two sessions under one id"] == (1, f"{path}:4")
