"""Long delimited files are read at once; whatever is irregular in them is found all the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl
import pytest

from assay.core.errors import FormatError
from assay.formats import plain_columns
from assay.formats.containers import to_frame
from assay.formats.files.delimited import read_header
from assay.formats.input_files import Input
from assay.formats.plain_columns import read_plain_columns

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


@pytest.fixture
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_columns, "PIECE", 3000)


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize("wanted", [None, ["id", "score"], ["label", "note"]])
@pytest.mark.parametrize("quoted", [(), (5,), (7000,)])
def test_pieces_have_the_columns_of_the_whole(
    tmp_path: Path, wanted: list[str] | None, quoted: tuple[int, ...]
) -> None:
    rows = regular()
    for row in quoted:
        rows[row] = f'{row + 1},"yes,\nno",0.5,text'
    path = write(tmp_path, rows)
    frame = read_plainly(path, wanted)
    whole = pl.read_csv(path, infer_schema_length=None)
    assert frame is not None
    known = frame.columns
    assert known == whole.columns if quoted or wanted is None else known == wanted
    assert frame.equals(whole.select(known))
    assert frame.schema == whole.select(known).schema


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize("row", [0, 3000, 7999])
def test_numbers_that_are_missing_stay_so(tmp_path: Path, row: int) -> None:
    rows = regular()
    rows[row] = f"{row + 1},yes,,text"
    rows[row - 1] = ",yes,0.5,text"
    frame = read_plainly(write(tmp_path, rows))
    assert frame is not None
    assert frame["score"].is_null().arg_true().to_list() == [row]
    assert frame["id"].is_null().arg_true().to_list() == [(row - 1) % ROWS]
    assert frame["id"].dtype == pl.Int64


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize("written", ["007", "+7", "-0", "00", "0x7", "7 ", "-007"])
def test_whole_numbers_that_are_written_otherwise_are_text(tmp_path: Path, written: str) -> None:
    rows = regular()
    rows[4000] = f"{written},yes,0.5,text"
    assert read_plainly(write(tmp_path, rows)) is None


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize("written", ["0", "-7", "123456789012345678", "-9999"])
def test_whole_numbers_of_any_length(tmp_path: Path, written: str) -> None:
    rows = regular()
    rows[4000] = f"{written},yes,0.5,text"
    frame = read_plainly(write(tmp_path, rows))
    assert frame is not None
    assert frame["id"][4000] == int(written)


@pytest.mark.usefixtures("short_pieces")
def test_a_quote_that_is_not_closed_is_refused(tmp_path: Path) -> None:
    rows = regular()
    rows[4000] = '4001,7",0.5,text'
    with pytest.raises(FormatError, match=r"csv:4002: the table cannot be read; is a quote"):
        to_frame(str(write(tmp_path, rows)), "a table", ["label"])


@pytest.mark.usefixtures("short_pieces")
def test_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, regular())
    _, source = to_frame(str(path), "a table")
    assert callable(source.digest)
    assert source.digest() == f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
