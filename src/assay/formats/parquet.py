"""Parquet: columns named query, doc, and grade or score (or as other tools name them)."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats.columns import judgments_of, kind_of, run_of
from assay.formats.format import Format, Head, Kind

MAGIC = b"PAR1"


def read_frame(head: Head) -> tuple[pl.DataFrame, Source]:
    """The columns, and where they came from."""
    file = head.file
    content = file.content()
    try:
        with _no_outcry():
            frame = pl.read_parquet(io.BytesIO(content))
    except (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        OSError,
        ValueError,
    ) as failure:
        reason = (str(failure).splitlines() or ["it is damaged"])[0]
        raise FormatError(f"this Parquet file cannot be read: {reason}", file.name) from failure
    return frame, Source(file.name, digest=lambda: file.digest)


@contextmanager
def _no_outcry() -> Iterator[None]:
    """Keeps the reader of Parquet, which panics over a damaged file, from writing that to stderr.

    It writes to the file descriptor itself, past Python; what it means is in the exception.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


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
