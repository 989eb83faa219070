"""Parquet: columns named query, doc, and grade or score (or as other tools name them)."""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats.columns import judgments_of, kind_of, run_of
from assay.formats.format import Format, Head, Kind

MAGIC = b"PAR1"


def read_frame(head: Head) -> tuple[pl.DataFrame, Source]:
    """The columns, and where they came from."""
    file = head.file
    try:
        frame = pl.read_parquet(io.BytesIO(file.content()))
    except (pl.exceptions.PolarsError, OSError, ValueError) as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"this Parquet file cannot be read: {reason}", file.name) from failure
    return frame, Source(file.name, digest=lambda: file.digest)


def read_run(head: Head) -> Run:
    """A run from columns."""
    return run_of(*read_frame(head), name=head.file.stem)


def kind(head: Head) -> Kind | None:
    """What the columns tell."""
    return kind_of(read_frame(head)[0].columns)


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """All rows as one file."""
    out = io.BytesIO()
    rows.write_parquet(out)
    yield out.getvalue()


FORMAT = Format(
    name="parquet",
    about="a Parquet file with columns query, doc, and score or grade",
    endings=(".parquet", ".pq"),
    tells=lambda head, kind: head.content.startswith(MAGIC),
    read_run=read_run,
    read_qrels=lambda head: judgments_of(*read_frame(head)),
    write=write,
    kind=kind,
)
