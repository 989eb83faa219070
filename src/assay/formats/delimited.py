"""Tables in files: CSV, TSV and Parquet."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Source
from assay.formats.files import read_bytes


def read_table(path: str | Path) -> tuple[pl.DataFrame, Source]:
    """The columns of a file with a header line, and where they came from."""
    ending = Path(str(path).removesuffix(".gz")).suffix.casefold()
    content, digest = read_bytes(path)
    if not content.strip():
        raise FormatError(
            "the file is empty; a line with the names of the columns is expected", str(path)
        )
    try:
        if ending == ".parquet":
            return pl.read_parquet(io.BytesIO(content)), Source(str(path), digest=digest)
        separator = "\t" if ending in (".tsv", ".tab") else ","
        frame = pl.read_csv(content, separator=separator, infer_schema_length=None)
    except (pl.exceptions.PolarsError, ValueError) as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", str(path)) from failure
    return frame, Source(str(path), pl.Series("line", range(2, frame.height + 2)), digest)
