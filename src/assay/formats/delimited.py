"""CSV and other tables of text: a line with the names of the columns, and rows below it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source
from assay.core.wording import counted
from assay.formats.columns import judgments_of, kind_of, known, run_of
from assay.formats.format import Format, Head, Kind
from assay.formats.lines import BYTE_ORDER_MARK, refuse_binary

_SEPARATORS = (b"\t", b",", b";", b"|")


def separator_of(head: Head) -> str:
    """What parts the columns of the header line: the first of tab , ; or | in it."""
    line = head.content[: head.content.find(b"\n")] if b"\n" in head.content else head.content
    return next((each for each in _SEPARATORS if each in line), b",").decode()


def header(head: Head) -> list[str]:
    """The names of the columns."""
    line = head.content.lstrip().split(b"\n", 1)[0].strip().decode(errors="replace")
    return [name.strip().strip('"') for name in line.split(separator_of(head))]


def read_frame(head: Head, as_text: tuple[str, ...] = ()) -> tuple[pl.DataFrame, Source]:
    """The columns of a file with a header line, and where they came from."""
    file = head.file
    content = file.content().removeprefix(BYTE_ORDER_MARK)
    if b"\0" in content[:4096]:
        refuse_binary(content, file.name)
    try:
        frame = pl.read_csv(
            content,
            separator=separator_of(head),
            infer_schema_length=None,
            schema_overrides=dict.fromkeys(as_text, pl.String()),
        )
        frame = _with_codes(frame, content, separator_of(head))
    except (pl.exceptions.PolarsError, ValueError) as failure:
        _refuse_ragged(content, separator_of(head), file.name)
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", file.name) from failure
    lines = pl.Series("line", range(2, frame.height + 2))
    return frame, Source(file.name, lines, lambda: file.digest)


def _refuse_ragged(content: bytes, separator: str, name: str) -> None:
    """Complain about the first row with more fields than the header, if that is what is wrong."""
    rows = csv.reader(io.StringIO(content.decode(errors="replace")), delimiter=separator)
    expected = len(next(rows, []))
    for row in rows:
        if len(row) > expected:
            fields = counted(len(row), "field")
            raise FormatError(f"{fields} where the header has {expected}", name, rows.line_num)


def _with_codes(frame: pl.DataFrame, content: bytes, separator: str) -> pl.DataFrame:
    """The columns, those of codes such as 007 as they stand: they are names, not numbers."""
    whole = [name for name, dtype in frame.schema.items() if dtype.is_integer()]
    if not whole:
        return frame
    written = pl.read_csv(content, separator=separator, columns=whole, infer_schema=False)
    codes = [name for name in whole if written[name].str.contains(r"^\s*[+-]?0\d").any()]
    return frame.with_columns(written[name] for name in codes)


def read_ids(head: Head) -> tuple[pl.DataFrame, Source]:
    """The columns with ids as they stand, so that 007 stays 007; numbers are checked later."""
    return read_frame(head, as_text=tuple(header(head)))


def tells(head: Head, kind: Kind | None) -> bool:
    """Whether the first line names at least a query and a document."""
    return sum(known(name) for name in header(head)) >= 2


def write_with(separator: str, rows: pl.DataFrame) -> Iterator[bytes]:
    """The rows below a header line."""
    yield rows.write_csv(None, separator=separator).encode()


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """The rows below a header line."""
    return write_with(",", rows)


FORMAT = Format(
    name="csv",
    about="a header line (query, doc, and score or grade); tabs or , ; | between",
    endings=(".csv",),
    tells=tells,
    read_run=lambda head: run_of(*read_ids(head), name=head.file.stem),
    read_qrels=lambda head: judgments_of(*read_ids(head)),
    write=write,
    kind=lambda head: kind_of(header(head)),
)
