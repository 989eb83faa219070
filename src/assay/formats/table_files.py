"""Tables of any task in files: Parquet, JSON lines, or a header line with columns below it."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assay.core.tables import Source
from assay.formats import delimited, json_lines, parquet
from assay.formats.format import FileHead
from assay.formats.text.input_files import Input


def read_table(path: str | Path) -> tuple[pl.DataFrame, Source]:
    """The columns of a file, and where they came from."""
    head = FileHead.of(Input(path))
    for form in (parquet, json_lines):
        if form.FORMAT.tells(head, None):
            return form.read_frame(head)
    return delimited.read_frame(head)
