"""Delimited files read in parts have the rows of the whole, wherever a part ends."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from assay.formats import delimited_parts as parts_module
from assay.formats.delimited_parts import delimited_parts
from assay.formats.input_files import Input


def write(folder: Path, rows: list[str], start: str = "", end: str = "\n") -> Path:
    path = folder / "table.csv"
    path.write_bytes((start + "\n".join(["id,label,score", *rows]) + end).encode())
    return path


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_module, "PART", 1000)


@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_parts_have_all_rows_in_order(tmp_path: Path, start: str, end: str) -> None:
    rows = [f"{n:03d},{'yes' if n % 3 else 'no'},0.{n:05d}" for n in range(3000)]
    parts = list(delimited_parts(Input(write(tmp_path, rows, start, end))))
    assert len(parts) > 10
    whole = pl.concat(parts)
    assert whole["id"].to_list() == [f"{n:03d}" for n in range(3000)]
    assert whole["score"].to_list() == [float(f"0.{n:05d}") for n in range(3000)]


def test_line_ends_within_quotes_do_not_end_a_part(tmp_path: Path) -> None:
    rows = [f'{n},"a\n""b"", {n}",0.5' for n in range(1, 2001)]
    parts = list(delimited_parts(Input(write(tmp_path, rows))))
    assert len(parts) > 10
    assert pl.concat(parts)["label"].to_list() == [f'a\n"b", {n}' for n in range(1, 2001)]


def test_columns_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, [f"{n},x,0.5" for n in range(500)])
    named = list(delimited_parts(Input(path), ["score", "label"]))
    assert {tuple(part.columns) for part in named} == {("label", "score")}
    every = list(delimited_parts(Input(path), ["score", "lable"]))
    assert {tuple(part.columns) for part in every} == {("id", "label", "score")}


def test_a_line_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    rows = [f"{n},x,0.5" for n in range(9000)]
    rows[8000] = "8000,x,high"
    with pytest.raises(pl.exceptions.PolarsError):
        list(delimited_parts(Input(write(tmp_path, rows))))
