"""Lines of fields parted by white space, for the small formats of preferences and samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Source
from assay.formats.text.input_files import Input


def read_columns(
    path: str | Path,
    names: tuple[str, ...],
    form: str,
    hint: Callable[[Sequence[str]], str] = lambda fields: "",
) -> tuple[pl.DataFrame, Source]:
    """The fields of each line as columns of text; blank lines and comments are passed over.

    ``hint`` says what a line with another number of fields may be.
    """
    file = Input(path)
    text = file.content().decode(errors="replace").splitlines()
    lines = pl.DataFrame({"line": range(1, len(text) + 1), "text": text})
    lines = lines.filter(~pl.col("text").str.contains(r"^\s*(#|$)"))
    if lines.is_empty():
        raise FormatError(f"the file has no lines to read; {form}", file.name)
    fields = lines["text"].str.extract_all(r"\S+")
    other = (fields.list.len() != len(names)).arg_true()
    if len(other):
        row = int(other[0])
        raise FormatError(
            f"{len(fields[row])} fields where {len(names)} are expected; {form}"
            + hint(fields[row].to_list()),
            file.name,
            int(lines["line"][row]),
        )
    columns = pl.DataFrame({name: fields.list.get(n) for n, name in enumerate(names)})
    return columns, Source(file.name, lines["line"], lambda: file.digest)


def parse_numbers(columns: pl.DataFrame, name: str, source: Source) -> pl.Series:
    """A column of text as numbers, or a complaint about the first that is none."""
    cast = columns[name].cast(pl.Float64, strict=False)
    bad = (cast.is_null() | cast.is_nan() | cast.is_infinite()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise FormatError(
            f"the {name} is '{columns[name][row]}', but a number is expected"
            f" (query {columns['query'][row]})",
            source.place(row),
        )
    return cast
