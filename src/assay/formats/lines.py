"""Columns parted by white space, one row a line: fast where lines are regular, exact where not.

A piece of a file in which single blanks (or tabs) part the same number of fields on each line goes
to the CSV reader as it is. Otherwise its white space is made regular first. Only a piece that is
still odd is read line by line, to find the line of a complaint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.errors import FormatError
from assay.formats.inputs import Input

BLANK, TAB, NEWLINE = 32, 9, 10
COMMENT = b"#"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLOCK = 1 << 18
_WHITE = np.zeros(256, dtype=np.bool_)
_WHITE[[9, 10, 11, 12, 13, 32]] = True


@dataclass(frozen=True)
class Layout:
    """The columns of a line, in their order; names that begin with ``_`` are not wanted."""

    names: tuple[str, ...]
    form: str
    """What a line should look like, for a complaint."""
    most: int | None = None
    """The greatest number of fields; None if what follows is passed over."""
    hint: str = ""
    """What to think of when a line has another number of fields."""
    numbers: tuple[str, ...] = ("score", "grade", "probability")


@dataclass(frozen=True)
class Shape:
    """What a glance at the bytes of a piece tells."""

    lines: int
    """How many lines there are, if they are regular: who reads them sees whether it is so."""
    fields: int
    regular: bool
    separator: str = " "


def read_lines(
    file: Input, layout: Layout, wanted: Sequence[str] | None = None
) -> Iterator[pl.DataFrame]:
    """The wanted columns of a file, some rows at a time."""
    columns = wanted or [name for name in layout.names if not name.startswith("_")]
    line, rows = 1, 0
    for piece in _clean_pieces(file):
        shape = glance(piece)
        frame = _parsed(piece, shape, layout, columns)
        if frame is None:
            frame = _read_carefully(piece, layout, columns, file.name, line)
        line += shape.lines if frame.height == shape.lines else piece.count(b"\n")
        rows += frame.height
        yield frame
    if rows == 0:
        raise FormatError(f"the file has no lines to read; {layout.form}", file.name)


def _clean_pieces(file: Input) -> Iterator[bytes]:
    for number, piece in enumerate(file.pieces()):
        cleaned = piece.removeprefix(BYTE_ORDER_MARK) if number == 0 else piece
        if b"\0" in cleaned:
            refuse_binary(cleaned, file.name)
        if b"\r" in cleaned:
            cleaned = cleaned.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield cleaned if cleaned.endswith(b"\n") else cleaned + b"\n"


def refuse_binary(content: bytes, name: str) -> None:
    """Complain about bytes that are not lines of text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("this is UTF-16 text; save the file as UTF-8", name)
    raise FormatError("this looks like a binary file; lines of text are expected", name)


def glance(piece: bytes) -> Shape:
    """Whether each line has as many fields as the first, with one blank or tab between them."""
    content = np.frombuffer(piece, dtype=np.uint8)
    white = below = beside = 0
    for start in range(0, len(content), _BLOCK):
        block = content[start : start + _BLOCK + 1]
        is_white = block <= BLANK
        beside += int(np.count_nonzero(is_white[1:] & is_white[:-1]))
        white += int(np.count_nonzero(is_white[:_BLOCK]))
        below += int(np.count_nonzero(block[:_BLOCK] < BLANK))
    first = piece[: piece.find(b"\n")]
    fields = len(first.split())
    tabs = b"\t" in first
    lines = white // fields if tabs and fields else below
    regular = (
        beside == 0
        and content[0] > BLANK
        and white == lines * fields
        and below == (white if tabs else lines)
        and not (COMMENT in piece and (piece.startswith(COMMENT) or b"\n#" in piece))
    )
    return Shape(lines, fields, regular, "\t" if tabs else " ")


def _parsed(
    piece: bytes, shape: Shape, layout: Layout, columns: Sequence[str]
) -> pl.DataFrame | None:
    """The columns of a piece by the CSV reader; None where it needs a closer look."""
    if not shape.regular:
        piece = _regular(piece)
        if not piece:
            return _empty(layout, columns)
        shape = glance(piece)
    if shape.fields < len(layout.names) or (layout.most and shape.fields > layout.most):
        return None
    if not shape.regular and layout.most:
        return None
    exact = shape.regular and layout.most is None
    try:
        frame = pl.read_csv(
            piece,
            has_header=False,
            separator=shape.separator,
            quote_char=None,
            schema=_schema(layout, shape.fields if exact else len(layout.names)),
            columns=sorted(layout.names.index(name) for name in columns) if exact else None,
            truncate_ragged_lines=not shape.regular,
        )
    except pl.exceptions.PolarsError:
        return None
    if any(column.null_count() for column in frame.iter_columns()):
        return None
    if shape.regular and frame.height != shape.lines:
        return None
    return _typed(frame.select(columns))


def _schema(layout: Layout, fields: int = 0) -> dict[str, pl.DataType]:
    surplus = {f"_{n}": pl.String() for n in range(len(layout.names), fields)}
    return {
        name: pl.Float64() if name in layout.numbers else pl.String() for name in layout.names
    } | surplus


def _empty(layout: Layout, columns: Sequence[str]) -> pl.DataFrame:
    schema = _schema(layout)
    return _typed(pl.DataFrame(schema={name: schema[name] for name in columns}))


def _typed(frame: pl.DataFrame) -> pl.DataFrame:
    if "rank" not in frame.columns:
        return frame
    return frame.with_columns(pl.col("rank").cast(pl.Int64, strict=False))


def _regular(piece: bytes) -> bytes:
    """The piece with one blank between fields, without blank lines and comments."""
    content = np.frombuffer(piece, dtype=np.uint8)
    white = _WHITE[content]
    ends = np.flatnonzero(white[1:] & ~white[:-1]) + 1
    if not len(ends):
        return b""
    keep = ~white
    keep[ends] = True
    breaks = np.flatnonzero(content == NEWLINE)
    breaks = breaks[breaks >= ends[0]]
    result = content.copy()
    result[ends] = BLANK
    result[ends[np.searchsorted(ends, breaks, side="right") - 1]] = NEWLINE
    return _without_comments(result[keep])


def _without_comments(content: NDArray[np.uint8]) -> bytes:
    first = np.concatenate(([0], np.flatnonzero(content == NEWLINE) + 1))
    remarks = np.flatnonzero(content[first[:-1]] == COMMENT[0])
    if len(remarks):
        keep = np.ones(len(content) + 1, dtype=np.int8)
        change = np.zeros(len(content) + 1, dtype=np.int8)
        change[first[remarks]] += 1
        change[first[remarks + 1]] -= 1
        content = content[(keep - np.cumsum(change, dtype=np.int8))[:-1] > 0]
    return content.tobytes()


def content_lines(piece: bytes, first: int) -> Iterator[tuple[int, list[bytes]]]:
    """The lines that say something: their numbers and fields."""
    for number, line in enumerate(piece.split(b"\n"), first):
        fields = line.split()
        if fields and not fields[0].startswith(COMMENT):
            yield number, fields


def _read_carefully(
    piece: bytes, layout: Layout, columns: Sequence[str], name: str, first: int
) -> pl.DataFrame:
    """The columns line by line, or a complaint about the first line that does not fit."""
    found: dict[str, list[str]] = {each: [] for each in columns}
    chosen = [(layout.names.index(each), found[each]) for each in columns]
    numbers = [(layout.names.index(each), each) for each in layout.numbers if each in layout.names]
    for line, fields in content_lines(piece, first):
        _check_count(fields, layout, name, line)
        for place, what in numbers:
            _check_number(fields[place], what, name, line)
        for place, column in chosen:
            column.append(_decoded(fields[place], name, line))
    frame = pl.DataFrame(found, schema=dict.fromkeys(columns, pl.String()))
    declared = _schema(layout)
    return _typed(frame.with_columns(pl.col(each).cast(declared[each]) for each in columns))


def _check_count(fields: list[bytes], layout: Layout, name: str, line: int) -> None:
    least, most = len(layout.names), layout.most
    if len(fields) < least or (most and len(fields) > most):
        count = f"{len(fields)} field{'s' if len(fields) != 1 else ''}"
        expected = f"{least}" if least == most else f"at least {least}"
        raise FormatError(
            f"{count} where {expected} are expected; {layout.form}{layout.hint}", name, line
        )


def _check_number(field: bytes, what: str, name: str, line: int) -> None:
    text = _decoded(field, name, line)
    if pl.Series([text]).cast(pl.Float64, strict=False).null_count():
        raise FormatError(f"the {what} is '{text}', but a number is expected", name, line)


def _decoded(field: bytes, name: str, line: int) -> str:
    try:
        return field.decode()
    except UnicodeDecodeError:
        raise FormatError(
            "this line is not UTF-8 text; convert the file (iconv -f latin1 -t utf-8)", name, line
        ) from None


def line_of_row(file: Input, row: int) -> int:
    """The line on which a row stands; only a complaint asks for it."""
    line = 1
    for piece in _clean_pieces(file):
        rows = sum(1 for _ in content_lines(piece, line))
        if row < rows:
            return next(islice(content_lines(piece, line), row, None))[0]
        row -= rows
        line += piece.count(b"\n")
    return line
