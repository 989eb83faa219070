"""CSV and other tables of text: a line with the names of the columns, and rows below it."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterator

import polars as pl

from assay.core.errors import FormatError
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run, Source
from assay.formats.column_names import (
    frame_to_judgments,
    frame_to_run,
    is_known_column,
    is_numeric_name,
    table_kind,
)
from assay.formats.format import FileHead, Format, Kind
from assay.formats.text.line_layout import decode_text
from assay.formats.text.line_reader import BYTE_ORDER_MARK, refuse_binary
from assay.formats.trec import plain_number

_SEPARATORS = (b"\t", b",", b";", b"|")


def detect_separator(head: FileHead) -> str:
    """What parts the columns of the header line: the first of tab , ; or | in it."""
    line = head.content[: head.content.find(b"\n")] if b"\n" in head.content else head.content
    return next((each for each in _SEPARATORS if each in line), b",").decode()


def read_header(head: FileHead) -> list[str]:
    """The names of the columns, without the blanks around them."""
    line = head.content.lstrip(b" \r\n").split(b"\n", 1)[0].split(b"\r", 1)[0]
    rows = csv.reader(
        [line.decode(errors="replace")], delimiter=detect_separator(head), skipinitialspace=True
    )
    return [name.strip() for name in next(rows, [])]


def read_frame(head: FileHead, as_text: bool = False) -> tuple[pl.DataFrame, Source]:
    """The columns of a file with a header line, and where they came from."""
    file, separator = head.file, detect_separator(head)
    content = file.content().removeprefix(BYTE_ORDER_MARK)
    if b"\0" in content[:4096]:
        refuse_binary(content, file.name)
    _refuse_repeated(read_header(head), file.name)
    try:
        if _has_padding(content, separator):
            content = _strip_blanks(content, separator)
        frame = pl.read_csv(
            content,
            separator=separator,
            infer_schema=not as_text,
            infer_schema_length=None,
        )
        frame = _keep_codes(frame, content, separator)
    except (pl.exceptions.PolarsError, ValueError, csv.Error) as failure:
        _refuse_other_text(content, file.name)
        _refuse_ragged(content, separator, file.name)
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", file.name) from failure
    lines = pl.Series("line", range(2, frame.height + 2))
    return frame, Source(file.name, lines, lambda: file.digest)


def _refuse_repeated(names: list[str], file: str) -> None:
    """Complain about a name that two columns have: which of them is meant cannot be told."""
    for place, name in enumerate(names, 1):
        if name and (first := names.index(name) + 1) < place:
            raise FormatError(
                f"two columns, number {first} and {place}, are called '{name}'; rename or remove"
                " one of them",
                file,
                1,
            )


def _has_padding(content: bytes, separator: str) -> bool:
    """Whether blanks stand around a name or a field, as in ``query, doc``; not within quotes."""
    bare = re.sub(rb'"[^"]*"', b"", content) if b'"' in content else content
    between = separator.encode()
    ends = (b" " + between, between + b" ", b"\n ", b" \n", b" \r\n")
    return bare.startswith(b" ") or bare.endswith(b" ") or any(each in bare for each in ends)


def _strip_blanks(content: bytes, separator: str) -> bytes:
    """The same rows without the blanks around fields, which are then no part of them."""
    text = io.StringIO(content.decode(), newline="")
    out = io.StringIO(newline="")
    rows = csv.reader(text, delimiter=separator, skipinitialspace=True)
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(
        [field.strip(" ") for field in row] for row in rows
    )
    return out.getvalue().encode()


def _refuse_other_text(content: bytes, name: str) -> None:
    """Complain about the first line that is not UTF-8, if that is what is wrong."""
    for number, line in enumerate(content.split(b"\n"), 1):
        decode_text(line, name, number)


def _refuse_ragged(content: bytes, separator: str, name: str) -> None:
    """Complain about the first row with more fields than the header, if that is what is wrong."""
    text = io.StringIO(content.decode(errors="replace"), newline="")
    rows = csv.reader(text, delimiter=separator)
    with contextlib.suppress(csv.Error):  # Then something else is wrong.
        expected = len(next(rows, []))
        for row in rows:
            if len(row) > expected:
                fields = quantity(len(row), "field")
                raise FormatError(f"{fields} where the header has {expected}", name, rows.line_num)


def _keep_codes(frame: pl.DataFrame, content: bytes, separator: str) -> pl.DataFrame:
    """The columns, those of codes such as 007 as they stand: they are names, not numbers."""
    whole = [name for name, dtype in frame.schema.items() if dtype.is_integer()]
    if not whole:
        return frame
    written = pl.read_csv(content, separator=separator, columns=whole, infer_schema=False)
    codes = [name for name in whole if written[name].str.contains(r"^\s*[+-]?0\d").any()]
    return frame.with_columns(written[name] for name in codes)


def read_ids(head: FileHead) -> tuple[pl.DataFrame, Source]:
    """The columns with ids as they stand, so that 007 stays 007; numbers are checked later."""
    return read_frame(head, as_text=True)


def is_delimited(head: FileHead, kind: Kind | None) -> bool:
    """Whether the first line names a query and a document, or can be nothing but a header line."""
    return sum(is_known_column(name) for name in read_header(head)) >= 2 or _is_header(head)


def _is_header(head: FileHead) -> bool:
    """Whether the first line is parted as tables are, and not as lines of white space.

    Tabs part both: then a line without any number names columns.
    """
    names = read_header(head)
    is_other = b"\0" in head.content or head.first in (b"{", b"[")
    if is_other or len(names) < 2 or not head.rows:
        return False
    if detect_separator(head) == "\t":
        return not any(is_numeric_name(field.decode(errors="replace")) for field in head.rows[0])
    return ".csv" in head.file.endings or len(head.rows[0]) < 3  # no line of TREC


def write_separated(separator: str, rows: pl.DataFrame) -> Iterator[bytes]:
    """The rows below a header line."""
    yield rows.write_csv(None, separator=separator).encode()


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """The rows below a header line, whole grades without a point."""
    return write_separated(
        ",", rows.with_columns(plain_number("grade")) if "grade" in rows else rows
    )


FORMAT = Format(
    name="csv",
    about="a header line (query, doc, and score or grade); tabs or , ; | between",
    endings=(".csv",),
    tells=is_delimited,
    read_run=lambda head: frame_to_run(*read_ids(head), name=head.file.stem),
    read_qrels=lambda head: frame_to_judgments(*read_ids(head)),
    write=write,
    kind=lambda head: table_kind(read_header(head)),
)
