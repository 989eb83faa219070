"""Parquet: columns named query, doc, and grade or score (or as other tools name them)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import TypeVar

import polars as pl

from assay.core.errors import FormatError
from assay.core.output_files import parquet_bytes
from assay.core.tables import Judgments, Run, Source
from assay.formats.column_names import frame_to_judgments, frame_to_run, table_kind
from assay.formats.format import FileHead, Format, Kind
from assay.formats.panic_reports import hide_panic_reports

MAGIC = b"PAR1"
Read = TypeVar("Read")


def read_frame(head: FileHead) -> tuple[pl.DataFrame, Source]:
    """Return the columns, and where they came from."""
    file = head.file
    frame = decode(file.content(), file.name, pl.read_parquet)
    return frame, Source(file.name, digest=lambda: file.digest)


def decode(content: bytes, name: str, reader: Callable[[io.BytesIO], Read]) -> Read:
    """Return what a Polars function reads from a Parquet file; refuse a damaged file."""
    _refuse_truncated(content, name)
    try:
        with hide_panic_reports():
            return reader(io.BytesIO(content))
    except (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        OSError,
        ValueError,
    ) as failure:
        reason = (str(failure).splitlines() or ["it is damaged"])[0]
        raise FormatError(f"this Parquet file cannot be read: {reason}", name) from failure


def _refuse_truncated(content: bytes, name: str) -> None:
    """Complain about a file that lacks its end, over which the reader of Parquet would panic.

    A file ends with the length of its last part, which describes the rest, and the four letters
    with which it begins.
    """
    described = int.from_bytes(content[-8:-4], "little")
    if not content.endswith(MAGIC) or not 0 < described <= len(content) - 12:
        raise FormatError(
            "this Parquet file cannot be read: its end is missing or damaged; fetch or write it"
            " again",
            name,
        )


def read_run(head: FileHead) -> Run:
    """A run from columns."""
    return frame_to_run(*read_frame(head), name=head.file.stem)


def kind(head: FileHead) -> Kind | None:
    """What the columns tell."""
    return table_kind(read_frame(head)[0].columns)


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """All rows as one file."""
    yield parquet_bytes(rows)


FORMAT = Format(
    name="parquet",
    about="a Parquet file with columns query, doc, and score or grade",
    endings=(".parquet", ".pq"),
    tells=lambda head, kind: head.content.startswith(MAGIC),
    read_run=read_run,
    read_qrels=lambda head: frame_to_judgments(*read_frame(head)),
    write=write,
    kind=kind,
)
