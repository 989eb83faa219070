"""Tables of impressions: CSV, TSV, JSON lines or Parquet with session, query, rank, doc, click."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from assay.behavior.logs.click_table import LINE
from assay.behavior.logs.impression_columns import (
    impression_rows,
    name_columns,
    number_lists,
)
from assay.behavior.logs.log_findings import Findings
from assay.behavior.logs.log_format import LogFormat, LogSettings, RawPiece
from assay.core.errors import FormatError
from assay.core.tables import Source
from assay.formats.containers import read_table
from assay.formats.files.delimited import read_header
from assay.formats.input_files import Input

AT_ONCE = 1 << 28
"""Files of more bytes are read in parts: in each, the sessions with some of the hashes."""
ROWS_AT_ONCE = 1 << 22
"""Parquet files of more rows are read in parts, too: compressed, they have few bytes."""


class Impressions(LogFormat):
    """A row for each impression."""

    name = "impressions"
    about = "CSV, TSV, JSON lines or Parquet with the columns session, query, rank, doc, click"

    def matches(self, file: Input) -> bool:
        """Return whether nothing else matches: this is the default."""
        return False

    def read(
        self, files: Sequence[Input], settings: LogSettings, findings: Findings
    ) -> Iterator[RawPiece]:
        """Yield the lists of each file; a large file is read in parts by session."""
        for file in files:
            for frame, source, base in table_parts(file, settings):
                yield replace(table_piece(frame, source, settings, findings), base=base)


def table_piece(
    frame: pl.DataFrame, source: Source, settings: LogSettings, findings: Findings
) -> RawPiece:
    """Return the lists of a table of impressions, and how its rows are located."""
    found = name_columns(frame, settings.columns, source.name)
    rows = impression_rows(frame, found, source, findings)
    return RawPiece(number_lists(rows), source.place)


def table_parts(
    file: Input, settings: LogSettings
) -> Iterator[tuple[pl.DataFrame, Source, int | None]]:
    """Yield the rows of a file, their source and the lowest rank, in parts of whole sessions.

    The lowest rank is None for a file that is read at once: its rows show it.
    """
    parts = _count_parts(file)
    if parts <= 1:
        yield *read_table(file.path), None
        return
    rows = scan_table(file).with_row_index(LINE)
    empty = pl.DataFrame(schema=dict.fromkeys(rows.collect_schema().names(), pl.String))
    found = name_columns(empty, settings.columns, file.name)
    key = pl.col(found.get("session", found.get("list", ""))).cast(pl.String)
    first = 1 if file.start.startswith(b"PAR1") or file.first_byte == b"{" else 2
    base = _lowest_rank(rows, found.get("rank"), file)
    for part in range(parts):
        frame = _collect(rows.filter(key.hash(seed=1) % parts == part), file).sort(LINE)
        lines = frame[LINE].cast(pl.Int64) + first
        yield frame.drop(LINE), Source(file.name, lines), base


def _count_parts(file: Input) -> int:
    """Return in how many parts a file is read, by its bytes and, in Parquet, its rows."""
    if file.name == "standard input":
        return 1
    parts = math.ceil(Path(file.name).stat().st_size / AT_ONCE)
    if file.start.startswith(b"PAR1"):
        rows = _collect(scan_table(file).select(pl.len()), file).item()
        parts = max(parts, math.ceil(rows / ROWS_AT_ONCE))
    return parts


def _lowest_rank(rows: pl.LazyFrame, rank: str | None, file: Input) -> int:
    """Return 0 if a rank of the file is 0, else 1."""
    if rank is None:
        return 1
    zeros = (pl.col(rank).cast(pl.Float64, strict=False) == 0).any()
    return 0 if _collect(rows.select(zeros), file).item() else 1


def _collect(rows: pl.LazyFrame, file: Input) -> pl.DataFrame:
    try:
        return rows.collect(engine="streaming")
    except pl.exceptions.PolarsError as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", file.name) from failure


def scan_table(file: Input) -> pl.LazyFrame:
    """Return a file as a lazy table."""
    if file.start.startswith(b"PAR1"):
        return pl.scan_parquet(file.path)
    if file.first_byte == b"{":
        return pl.scan_ndjson(file.path)
    return pl.scan_csv(file.path, separator=read_header(file)[1], infer_schema_length=10_000)


FORMAT = Impressions()
