"""Feather, the file form of Arrow: columns named query, doc, and grade or score."""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl

from assay.core.errors import FormatError
from assay.core.table_bytes import feather_bytes
from assay.core.tables import Judgments, Run, Source
from assay.formats.files.parquet import hide_panic_reports
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.table_columns import Kind

MAGIC = b"ARROW1"


class Feather(Format):
    """A Feather (Arrow IPC) file."""

    name = "feather"
    about = "a Feather (Arrow) file with columns query, doc, and score or grade"
    endings = (".feather", ".arrow")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the file begins with the letters of Arrow."""
        return file.start.startswith(MAGIC)

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return the columns and their source."""
        content = file.content()
        failures = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)
        try:
            if not content.endswith(MAGIC):
                raise ValueError("its end is missing")
            with hide_panic_reports():
                frame = pl.read_ipc(io.BytesIO(content))
        except failures as failure:
            raise FormatError(
                "this Feather file cannot be read: it is damaged; fetch or write it again",
                file.name,
            ) from failure
        return frame, Source(file.name, digest=file.digest)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield all rows as one file."""
        yield feather_bytes(rows)


FORMAT = Feather()
