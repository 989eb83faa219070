"""Long delimited files are read at once; whatever is irregular in them is found all the same."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from assay.core.errors import FormatError
from assay.formats.containers import to_frame
from assay.formats.files.delimited import read_header
from assay.formats.plain_columns import read_plain_columns
from assay.formats.input_files import Input

ROWS = 8000
"""Enough for a file that is longer than its start."""


def write(folder: Path, rows: list[str], header: str = "id,label,score,note") -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def regular(count: int = ROWS) -> list[str]:
    return [f"{n},{'yes' if n % 3 else 'no'},0.{n:05d},text {n}" for n in range(1, count + 1)]


def read_plainly(path: Path, wanted: list[str] | None = None) -> pl.DataFrame | None:
    file = Input(path)
    return read_plain_columns(file, *read_header(file), wanted, as_text=False)


def test_wanted_columns_alone(tmp_path: Path) -> None:
    path = write(tmp_path, regular())
    frame = read_plainly(path, ["score", "label"])
    assert frame is not None
    assert frame.schema == {"label": pl.String, "score": pl.Float64}
    assert frame.height == ROWS
    assert frame["score"].sum() == pytest.approx(sum(n / 1e5 for n in range(1, ROWS + 1)))
    assert to_frame(str(path), "a table", ["label"])[0].columns == ["label"]


def test_all_columns_have_the_types_of_all_rows(tmp_path: Path) -> None:
    frame = read_plainly(write(tmp_path, regular()))
    assert frame is not None
    assert frame.dtypes == [pl.Int64, pl.String, pl.Float64, pl.String]
    assert frame["id"].to_list() == list(range(1, ROWS + 1))


def test_a_column_that_is_missing_shows_all_columns(tmp_path: Path) -> None:
    frame, _ = to_frame(str(write(tmp_path, regular())), "a table", ["label", "lable"])
    assert frame.columns == ["id", "label", "score", "note"]


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("7001 ,yes,0.5,text", "id", 7001),
        ("7001, yes,0.5,text", "label", "yes"),
        ("7001,yes ,0.5,text", "label", "yes"),
        ("007,yes,0.5,text", "id", "007"),
        ("7.5,yes,0.5,text", "id", 7.5),
        ("x7,yes,0.5,text", "id", "x7"),
        ("7001,yes,nan,text", "score", "nan"),
        ("7001,yes,high,text", "score", "high"),
        ("7001,yes,,text", "score", None),
        ('7001,"yes, or no",0.5,text', "label", "yes, or no"),
        ("7001,yes", "score", None),
    ],
)
def test_irregular_rows(tmp_path: Path, line: str, column: str, expected: object) -> None:
    rows = regular()
    rows[7000] = line
    frame, source = to_frame(str(write(tmp_path, rows)), "a table", [column])
    found = frame[column][7000]
    assert found == expected or str(found) == str(expected)
    assert frame.height == ROWS
    assert source.place(7000).endswith("table.csv:7002")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("7001,yes,0.5,text,more", "table.csv:7002: 5 fields where the header has 4"),
        ("id,label,score,note", "table.csv:7002: the header is repeated here"),
    ],
)
@pytest.mark.parametrize("wanted", ["label", "note"])
def test_errors_name_the_line(tmp_path: Path, line: str, message: str, wanted: str) -> None:
    rows = regular()
    rows[7000] = line
    with pytest.raises(FormatError, match=message):
        to_frame(str(write(tmp_path, rows)), "a table", [wanted])


@pytest.mark.parametrize("wanted", ["label", "note"])
@pytest.mark.parametrize(("short", "long"), [(100, 7000), (7000, 100), (7000, 7001)])
def test_more_fields_are_found_where_another_row_has_as_many_fewer(
    tmp_path: Path, short: int, long: int, wanted: str
) -> None:
    rows = regular()
    rows[short] = "1,yes,0.5"
    rows[long] = "2,yes,0.5,text,more"
    with pytest.raises(FormatError, match=f"table.csv:{long + 2}: 5 fields where the header has 4"):
        to_frame(str(write(tmp_path, rows)), "a table", [wanted])


def test_a_last_line_without_an_end_is_regular(tmp_path: Path) -> None:
    path = write(tmp_path, regular())
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    frame = read_plainly(path, ["label"])
    assert frame is not None
    assert frame.height == ROWS


@pytest.mark.parametrize("ending", [b"\r\n", b"\r"])
def test_line_endings(tmp_path: Path, ending: bytes) -> None:
    path = write(tmp_path, regular())
    path.write_bytes(path.read_bytes().replace(b"\n", ending))
    frame, _ = to_frame(str(path), "a table", ["label", "note"])
    assert frame["note"].to_list()[-1] == f"text {ROWS}"


def test_names_with_brackets_are_no_pattern(tmp_path: Path) -> None:
    path = write(tmp_path, regular()).rename(tmp_path / "table[1].csv")
    assert to_frame(str(path), "a table")[0].height == ROWS
