"""The columns of long delimited files, at the speed of the reader of Polars.

Only files without any irregularity are read this way: the types are those of the first rows, every
row has as many fields as the header, and no text has spaces around it. Whatever is found to differ
is left to the reader that looks at every line, which knows what to do, or where the error is.
"""

from __future__ import annotations

import io
from collections.abc import Collection

import numpy as np
import polars as pl

from assay.formats.input_files import Input

_QUOTE = '"'


def read_plain_columns(
    file: Input, names: list[str], separator: str, wanted: Collection[str] | None, as_text: bool
) -> pl.DataFrame | None:
    """Return the wanted columns of a file, or all; None where every line must be looked at."""
    sample = file.start[: file.start.rfind(b"\n") + 1]
    if file.is_whole or not sample or b"\r" in sample.replace(b"\r\n", b""):
        return None
    if wanted is not None and not {*wanted} <= {*names}:
        return None
    fields, quotes = file.count_bytes(separator.encode(), _QUOTE.encode())
    chosen = names if wanted is None or quotes else [name for name in names if name in wanted]
    types = _column_types(sample, names, separator, as_text)
    if types is None or not chosen:
        return None
    read = {name: pl.String() if dtype.is_integer() else dtype for name, dtype in types.items()}
    source = file.path if file.is_stored_plainly else io.BytesIO(file.content())
    try:
        lazy = pl.scan_csv(source, separator=separator, schema=read, glob=False)
        frame = lazy.select(chosen).collect()
        whole = [name for name in chosen if types[name].is_integer()]
        numbers = frame.select(pl.col(whole).cast(pl.Int64))
    except (pl.exceptions.PolarsError, ValueError, OSError):
        return None
    regular = quotes or fields == (frame.height + 1) * (len(names) - 1)
    if not regular or _is_irregular(frame, numbers):
        return None
    return frame if as_text else frame.with_columns(numbers)


def _column_types(
    sample: bytes, names: list[str], separator: str, as_text: bool
) -> dict[str, pl.DataType] | None:
    """Return the type of each column in the first rows; None if a column is empty there."""
    try:
        first = pl.read_csv(sample, separator=separator, infer_schema_length=None)
    except (pl.exceptions.PolarsError, ValueError):
        return None
    if first.columns != names or any(first[name].null_count() == first.height for name in names):
        return None
    return {name: pl.String() if as_text else dtype for name, dtype in first.schema.items()}


def _is_irregular(frame: pl.DataFrame, numbers: pl.DataFrame) -> bool:
    """Return whether there are spaces around text, a repeated header, or unusual numbers.

    Whole numbers are unusual if they are written with a sign or zeros in front, others if they are
    not finite.
    """
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    checks = [
        *(pl.col(name).str.starts_with(" ") | pl.col(name).str.ends_with(" ") for name in texts),
        *(pl.col(name) != numbers[name].cast(pl.String) for name in numbers.columns),
        *(~pl.col(n).is_finite() for n, dtype in frame.schema.items() if dtype.is_float()),
    ]
    if len(texts) == frame.width:
        checks.append(pl.all_horizontal(pl.col(name) == name for name in texts))
    found = frame.select(check.any().alias(str(place)) for place, check in enumerate(checks))
    return bool(np.any(found.row(0))) if checks else False
