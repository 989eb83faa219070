"""A table in a file, some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from assay.core.errors import FormatError


def read_chunks(path: str | Path, rows: int) -> Iterator[pl.DataFrame]:
    """The rows of a CSV, TSV or Parquet file, so many at a time, in the order of the file."""
    ending = Path(path).suffix.casefold()
    try:
        if ending == ".parquet":
            lazy = pl.scan_parquet(path)
        else:
            separator = "\t" if ending in (".tsv", ".tab") else ","
            lazy = pl.scan_csv(path, separator=separator)
        for part in lazy.collect_batches(chunk_size=rows, maintain_order=True):
            if part.height:
                yield part
    except FileNotFoundError:
        raise FormatError("there is no such file; check the path", str(path)) from None
    except pl.exceptions.PolarsError as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", str(path)) from failure
