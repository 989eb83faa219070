"""Parquet: columns named query, doc, and grade or score (or as other tools name them).

A checksum can be added between the data and the footer, where readers of Parquet do not look: the
footer is found from the end of the file, and says where the data begins. A program that writes the
table again leaves it out.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from assay.core.errors import FormatError
from assay.core.table_bytes import parquet_bytes
from assay.core.tables import Judgments, Run, Source
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.table_columns import Kind

MAGIC = b"PAR1"
CHECKSUM_MARK = b"\xffASSAY\xfeSHA256\xff"
"""What precedes the checksum; it is not UTF-8, so that no text has it."""
_CHECKSUM_SIZE = len(CHECKSUM_MARK) + hashlib.sha256().digest_size
_FOOTER_END = 8
"""Bytes after the footer: its length, and the four letters of the format."""
_STANDARD_ERROR = 2
_ONE_AT_A_TIME = threading.Lock()
Read = TypeVar("Read")


class Parquet(Format):
    """A Parquet file."""

    name = "parquet"
    about = "a Parquet file with columns query, doc, and score or grade"
    endings = (".parquet", ".pq")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the file begins with the four letters of Parquet."""
        return file.start.startswith(MAGIC)

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return the columns and their source."""
        return read_columns(file)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield all rows as one file."""
        yield parquet_bytes(rows)


def read_columns(
    file: Input, columns: Collection[str] | None = None
) -> tuple[pl.DataFrame, Source]:
    """Return the columns of a file and their source; those that are not named may be left out."""

    def read(source: Path | io.BytesIO) -> pl.DataFrame:
        """Return the named columns, or all if one of them is missing."""
        lazy = pl.scan_parquet(source, glob=False)
        names = lazy.collect_schema().names()
        if columns is not None and {*columns} <= {*names}:
            lazy = lazy.select(name for name in names if name in columns)
        return lazy.collect()

    content = file.path if file.is_stored_plainly else file.content()
    if _is_altered(content):
        raise FormatError(
            "this file of saved scores is damaged: its bytes changed after it was saved; restore it"
            " from a copy, or save the scores again",
            file.name,
        )
    return decode(content, file.name, read), Source(file.name, digest=file.digest)


def decode(content: bytes | Path, name: str, reader: Callable[[Any], Read]) -> Read:
    """Return what a Polars function reads from a Parquet file; refuse a damaged file.

    The end of a file has the length of the footer and the four letters with which the file begins.
    It is checked first, since Polars panics over a file that is cut off.
    """
    size, end = _size_and_end(content)
    footer = int.from_bytes(end[:4], "little")
    if not end.endswith(MAGIC) or not 0 < footer <= size - 12:
        raise FormatError(
            "this Parquet file cannot be read: its end is missing or damaged; fetch or write it"
            " again",
            name,
        )
    failures = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)
    try:
        with hide_panic_reports():
            return reader(content if isinstance(content, Path) else io.BytesIO(content))
    except failures as failure:
        raise FormatError(
            f"this Parquet file cannot be read: {_reason(failure)}; fetch or write it again", name
        ) from failure


def _size_and_end(content: bytes | Path) -> tuple[int, bytes]:
    """Return how many bytes there are, and the last of them."""
    if not isinstance(content, Path):
        return len(content), content[-_FOOTER_END:]
    with content.open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(size - _FOOTER_END, 0))
        return size, file.read()


def _reason(failure: Exception) -> str:
    """Return why a file cannot be decoded: what is not supported, or that it is damaged."""
    first = (str(failure).splitlines() or [""])[0]
    return (
        first if re.search("(?i)not.supported|unsupported|implemented", first) else "it is damaged"
    )


@contextmanager
def hide_panic_reports() -> Iterator[None]:
    """Silence standard error while a file is decoded.

    Polars reports a panic from compiled code, before Python can catch the exception; so the file
    descriptor is redirected.
    """
    with _ONE_AT_A_TIME:
        try:
            original = os.dup(_STANDARD_ERROR)
        except OSError:  # closed: nothing can be reported
            yield
            return
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, _STANDARD_ERROR)
        os.close(nothing)
        try:
            yield
        finally:
            os.dup2(original, _STANDARD_ERROR)
            os.close(original)


def add_checksum(content: bytes) -> bytes:
    """Return a Parquet file with a checksum of all its bytes before the footer."""
    place = len(content) - _FOOTER_END - int.from_bytes(content[-8:-4], "little")
    checksum = hashlib.sha256(content).digest()
    return b"".join((content[:place], CHECKSUM_MARK, checksum, content[place:]))


def matches_checksum(content: bytes) -> bool | None:
    """Return whether a file is as it was when its checksum was added; None if it has none."""
    place = content.rfind(CHECKSUM_MARK)
    if place < 0:
        return None
    rest = content[:place] + content[place + _CHECKSUM_SIZE :]
    checksum = content[place + len(CHECKSUM_MARK) : place + _CHECKSUM_SIZE]
    return hashlib.sha256(rest).digest() == checksum


def _is_altered(content: bytes | Path) -> bool:
    """Return whether a file has a checksum before its footer that does not match."""
    size, end = _size_and_end(content)
    place = size - _FOOTER_END - int.from_bytes(end[:4], "little") - _CHECKSUM_SIZE
    if place < 0:
        return False
    if isinstance(content, Path):
        with content.open("rb") as file:
            file.seek(place)
            if file.read(len(CHECKSUM_MARK)) != CHECKSUM_MARK:
                return False
        content = content.read_bytes()
    return content.startswith(CHECKSUM_MARK, place) and not matches_checksum(content)


FORMAT = Parquet()
