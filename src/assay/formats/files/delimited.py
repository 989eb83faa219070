"""CSV and similar tables: a header with the names of the columns, and rows below it."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Collection, Iterator
from typing import ClassVar

import polars as pl

from assay.core.errors import FormatError
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run, Source
from assay.formats.files.trec import plain_number
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.line_layout import decode_text
from assay.formats.line_reader import refuse_binary
from assay.formats.plain_columns import read_plain_columns
from assay.formats.system_names import file_endings
from assay.formats.table_columns import Kind, is_known_column, is_numeric_name, table_kind

_SEPARATORS = (b"\t", b",", b";", b"|")


class Delimited(Format):
    """A header and rows, with a tab, a comma, a semicolon or a bar between columns."""

    name = "csv"
    about = "a header (query, doc, and score or grade); tabs or , ; | between columns"
    endings: ClassVar[tuple[str, ...]] = (".csv",)

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the first line has the names of known columns, or can only be a header.

        Tabs separate the fields of TREC files as well: then a line without any number is a header.
        """
        names, separator = read_header(file)
        if sum(is_known_column(name) for name in names) >= 2:
            return True
        is_other = b"\0" in file.start or file.first_byte in (b"{", b"[")
        if is_other or len(names) < 2 or not file.first_row:
            return False
        if separator == "\t":
            fields = (field.decode(errors="replace") for field in file.first_row)
            return not any(is_numeric_name(field) for field in fields)
        return (
            ".csv" in file_endings(file.path) or len(file.first_row) < 3
        )  # too few for a TREC file

    def kind(self, file: Input) -> Kind | None:
        """Return what the names of the columns show."""
        return table_kind(read_header(file)[0])

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return the columns as text, so that the id 007 stays 007; numbers are checked later."""
        return read_delimited(file, as_text=True)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield the rows below a header, whole grades without a point."""
        rows = rows.with_columns(plain_number("grade")) if "grade" in rows else rows
        yield rows.write_csv(None).encode()


def read_header(file: Input) -> tuple[list[str], str]:
    """Return the names of the columns, and what separates them: the first of tab , ; or | there."""
    line = file.start.lstrip(b" \r\n").split(b"\n", 1)[0].split(b"\r", 1)[0]
    separator = next((each for each in _SEPARATORS if each in line), b",").decode()
    text = line.decode(errors="replace")
    try:
        names = next(csv.reader([text], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:  # a name beyond the limit of the csv module
        names = text.split(separator)
    return [name.strip() for name in names], separator


def read_delimited(
    file: Input, as_text: bool = False, columns: Collection[str] | None = None
) -> tuple[pl.DataFrame, Source]:
    """Return the columns of a file with a header, at least those that are named, and their source.

    By default all columns are returned.
    """
    if b"\0" in file.start[:4096]:
        refuse_binary(file.start, file.name)
    names, separator = read_header(file)
    for place, name in enumerate(names, 1):
        if name and (first := names.index(name) + 1) < place:
            both = f"columns {first} and {place} are both called '{name}'"
            raise FormatError(f"{both}; rename or remove one of them", file.name, 1)
    if not file.is_whole:
        frame = read_plain_columns(file, names, separator, columns, as_text)
        if frame is not None:
            return frame, Source(file.name, _line_of_row, file.digest_in_background())
    content = file.text_content()
    source = Source(file.name, _line_of_row, file.digest())
    return _read_all_lines(content, file.name, separator, as_text), source


def _line_of_row(row: int) -> int:
    """Return the line of a row: they begin below the header."""
    return row + 2


def _read_all_lines(content: bytes, file: str, separator: str, as_text: bool) -> pl.DataFrame:
    """Return all columns; a line that cannot be read is an error."""
    try:
        if _has_padding(content, separator):
            content = _strip_spaces(content, separator)
        frame = pl.read_csv(
            content,
            separator=separator,
            infer_schema=not as_text,
            infer_schema_length=None,
        )
        frame = _keep_codes(frame, content, separator)
    except (pl.exceptions.PolarsError, ValueError, csv.Error) as failure:
        decode_text(content, file)
        _refuse_ragged(content, separator, file)
        frame = _read_huge_numbers(content, separator, file, failure)
    _refuse_repeated_header(frame, file)
    return frame


def _refuse_repeated_header(frame: pl.DataFrame, file: str) -> None:
    """Refuse a row that repeats the names of the columns, as in files put together."""
    if frame.width < 2 or any(dtype != pl.String for dtype in frame.dtypes):
        return
    same = frame.select(pl.all_horizontal(pl.col(name) == name for name in frame.columns))
    repeated = same.to_series().arg_true()
    if len(repeated):
        message = "the header is repeated here; remove the line, or keep the tables apart"
        raise FormatError(message, file, int(repeated[0]) + 2)


def _read_huge_numbers(
    content: bytes, separator: str, file: str, failure: Exception
) -> pl.DataFrame:
    """Return a table that has numbers beyond all integers, as text or as floats.

    Only broken quotes are left as a reason to refuse the table.
    """
    try:
        frame = pl.read_csv(content, separator=separator, infer_schema=False)
    except (pl.exceptions.PolarsError, ValueError):
        lines = enumerate(content.split(b"\n"), 1)
        line = next((number for number, line in lines if line.count(b'"') % 2), None)
        message = "the table cannot be read; is a quote not closed, or within a field?"
        raise FormatError(message, file, line) from failure
    numbers = frame.select(pl.all().cast(pl.Float64, strict=False))
    whole = [name for name in frame.columns if numbers[name].null_count() == 0]
    return frame.with_columns(numbers[name] for name in whole)


def _has_padding(content: bytes, separator: str) -> bool:
    """Return whether there are spaces around a field, as in ``query, doc``; not within quotes."""
    bare = re.sub(rb'"[^"]*"', b"", content) if b'"' in content else content
    between = separator.encode()
    ends = (b" " + between, between + b" ", b"\n ", b" \n", b" \r\n")
    return bare.startswith(b" ") or bare.endswith(b" ") or any(end in bare for end in ends)


def _strip_spaces(content: bytes, separator: str) -> bytes:
    """Return the rows without the spaces around fields."""
    text = io.StringIO(content.decode(), newline="")
    out = io.StringIO(newline="")
    rows = csv.reader(text, delimiter=separator, skipinitialspace=True)
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(
        [field.strip(" ") for field in row] for row in rows
    )
    return out.getvalue().encode()


def _refuse_ragged(content: bytes, separator: str, file: str) -> None:
    """Raise an error about the first row with more fields than the header, if there is one."""
    text = io.StringIO(content.decode(errors="replace"), newline="")
    rows = csv.reader(text, delimiter=separator)
    with contextlib.suppress(csv.Error):  # Then something else is wrong.
        expected = len(next(rows, []))
        for row in rows:
            if len(row) > expected:
                fields = quantity(len(row), "field")
                raise FormatError(f"{fields} where the header has {expected}", file, rows.line_num)


def _keep_codes(frame: pl.DataFrame, content: bytes, separator: str) -> pl.DataFrame:
    """Return the columns, with codes such as 007 as text: they are names, not numbers."""
    whole = [name for name, dtype in frame.schema.items() if dtype.is_integer()]
    if not whole:
        return frame
    written = pl.read_csv(content, separator=separator, columns=whole, infer_schema=False)
    codes = [name for name in whole if written[name].str.contains(r"^\s*[+-]?0\d").any()]
    return frame.with_columns(written[name] for name in codes)


FORMAT = Delimited()
