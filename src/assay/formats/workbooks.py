"""Excel and OpenDocument workbooks: the first sheet, as a table."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from assay.core.errors import FormatError, MissingExtra
from assay.core.tables import Source
from assay.formats.input_files import Input


def read_workbook(path: str | Path) -> tuple[pl.DataFrame, Source]:
    """Return the columns of the first sheet, whose first row has their names."""
    file = Input(path)
    try:
        import fastexcel
    except ImportError:
        raise MissingExtra("fastexcel", "excel") from None
    try:
        frame = pl.read_excel(io.BytesIO(file.content()), engine="calamine")
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError, ValueError) as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"this workbook cannot be read: {reason}", file.name) from failure
    return frame, Source(file.name, digest=file.digest)
