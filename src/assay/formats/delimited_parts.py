"""Delimited files that are read in parts, for files larger than memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import polars as pl

from assay.core.map_ahead import map_ahead
from assay.formats.files.delimited import read_header
from assay.formats.input_files import Input
from assay.formats.plain_columns import column_types
from assay.formats.row_pieces import RowPiece, header_line, row_pieces

PART = 4 << 20
"""The size of a part in bytes: hundreds of thousands of short rows."""


def delimited_parts(file: Input, columns: Collection[str] | None = None) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file with a header in order, with the types of its start.

    All columns are read where not all that are named are there. Whole numbers are kept as text, so
    that the label 007 stays 007, and so is all of a file with a column that is empty at first. The
    next parts are read while one is in use.
    """
    names, separator = read_header(file)
    sample = file.start[: file.start.rfind(b"\n") + 1]
    types = column_types(sample, names, separator, as_text=False) or {}
    read = {name: pl.String() if dtype.is_integer() else dtype for name, dtype in types.items()}
    chosen = [name for name in names if columns is None or name in columns]
    if columns is not None and not {*columns} <= {*names}:
        chosen = names
    header = header_line(sample)

    def parse(rows: RowPiece) -> pl.DataFrame:
        """Return the columns of some rows."""
        return pl.read_csv(
            header + rows.content,
            separator=separator,
            columns=chosen,
            schema_overrides=read,
            infer_schema=False,
        )

    yield from map_ahead(parse, row_pieces(file, header, PART))
