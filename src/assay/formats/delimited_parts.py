"""Delimited files that are read in parts, for files larger than memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import polars as pl

from assay.formats.files.delimited import column_types, read_header
from assay.formats.input_files import BYTE_ORDER_MARK, Input

PART = 12 << 20
"""The size of a part in bytes: about a million short rows."""
_QUOTE = b'"'


def delimited_parts(file: Input, columns: Collection[str] | None = None) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file with a header in order, with the types of its start.

    All columns are read where not all that are named are there. Whole numbers are kept as text, so
    that the label 007 stays 007, and so is all of a file with a column that is empty at first. The
    next part is read while one is in use.
    """
    names, separator = read_header(file)
    sample = file.start[: file.start.rfind(b"\n") + 1]
    types = column_types(sample, names, separator, as_text=False) or {}
    read = {name: pl.String() if dtype.is_integer() else dtype for name, dtype in types.items()}
    chosen = [name for name in names if columns is None or name in columns]
    if columns is not None and not {*columns} <= {*names}:
        chosen = names
    header = sample.lstrip(b" \r\n").split(b"\n", 1)[0] + b"\n"

    def parse(rows: bytes) -> pl.DataFrame:
        """Return the columns of some rows."""
        return pl.read_csv(
            header + rows,
            separator=separator,
            columns=chosen,
            schema_overrides=read,
            infer_schema=False,
        )

    pending: Future[pl.DataFrame] | None = None
    with ThreadPoolExecutor(1) as reader:
        for rows in _whole_rows(file, len(header)):
            following = reader.submit(parse, rows)
            if pending is not None:
                yield pending.result()
            pending = following
        if pending is not None:
            yield pending.result()


def _whole_rows(file: Input, header: int) -> Iterator[bytes]:
    """Yield the rows below the header; a line end within quotes does not end a part."""
    before, is_first = b"", True
    for piece in file.pieces(PART):
        rows = before + piece if before else piece
        if is_first:
            rows, is_first = rows.removeprefix(BYTE_ORDER_MARK).lstrip(b" \r\n")[header:], False
        before = rows if rows.count(_QUOTE) % 2 else b""
        if not before:
            yield rows
    if before:
        yield before
