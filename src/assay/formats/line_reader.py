"""Reading lines of fields separated by white space: fast where lines are regular, exact where not.

Pieces of a file are parsed in threads. Only a piece that is irregular is read line by line, which
finds the line of an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice

import polars as pl

from assay.core.errors import FormatError
from assay.core.frozen_dataclass import dataclass
from assay.core.tables import Source
from assay.formats.input_files import BYTE_ORDER_MARK, COMMENT, Input
from assay.formats.line_layout import LineLayout, decode_text, parse_piece

READ_AHEAD = 3
"""How many pieces are parsed before they are needed."""
MAX_ERRORS = 100
"""How many errors a survey of a file keeps."""


@dataclass(frozen=True)
class LineSurvey:
    """The readable rows of a file, and everything that is wrong with the others."""

    rows: pl.DataFrame
    lines: pl.Series
    errors: list[FormatError]
    unread: int
    """How many lines have errors; only the first errors are kept."""


def line_source(file: Input) -> Source:
    """Return the source of the rows of a file; line numbers are found when an error needs one."""
    return Source(file.name, partial(_line_of_row, file), file.digest)


def read_all_lines(file: Input, layout: LineLayout) -> tuple[pl.DataFrame, Source]:
    """Return the columns of a file and their source."""
    source = line_source(file)
    columns = [name for name in layout.names if not name.startswith("_")]
    return pl.concat(list(read_lines(file, layout, columns))), source


def read_lines(file: Input, layout: LineLayout, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Yield the wanted columns of a file, some rows at a time."""
    line, rows = 1, 0
    for piece, lines, frame in _parse_ahead(file, layout, columns):
        if frame is None:
            frame, _, errors = _read_by_line(piece, layout, columns, file.name, line, most_errors=1)
            if errors:
                raise errors[0]
        line += lines if frame.height == lines else piece.count(b"\n")
        rows += frame.height
        yield frame
    if rows == 0:
        raise FormatError(f"the file has no lines to read; {layout.form}", file.name)


def survey_lines(file: Input, layout: LineLayout) -> LineSurvey:
    """Return all rows that can be read, with their lines, and the errors of the other lines."""
    columns = [name for name in layout.names if name != "_iteration"]
    frames: list[pl.DataFrame] = []
    numbers: list[pl.Series] = []
    errors: list[FormatError] = []
    line, unread = 1, 0
    for piece in _clean_pieces(file):
        _, count, frame = parse_piece(piece, layout, columns, regular_only=True)
        lines: Sequence[int] = range(line, line + count)
        if frame is None:
            frame, lines, found = _read_by_line(piece, layout, columns, file.name, line)
            errors += found[: max(MAX_ERRORS - len(errors), 0)]
            unread += len(found)
        frames.append(frame)
        numbers.append(pl.Series("line", lines, pl.Int64))
        line += piece.count(b"\n")
    return LineSurvey(pl.concat(frames), pl.concat(numbers), errors, unread)


def refuse_binary(content: bytes, file: str) -> None:
    """Raise an error about bytes that are not lines of text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("this is UTF-16 text; save the file as UTF-8", file)
    raise FormatError("this looks like a binary file; lines of text are expected", file)


def _clean_pieces(file: Input) -> Iterator[bytes]:
    """Yield pieces of complete lines that end in line feeds; refuse what is not text."""
    return (_clean_piece(piece, file) for piece in _text_pieces(file))


def _text_pieces(file: Input) -> Iterator[bytes]:
    """Yield pieces of complete lines, without a byte order mark."""
    for number, piece in enumerate(file.pieces()):
        yield piece.removeprefix(BYTE_ORDER_MARK) if number == 0 else piece


def _clean_piece(piece: bytes, file: Input) -> bytes:
    """Return a piece whose lines end in line feeds; refuse what is not text."""
    if b"\0" in piece:
        refuse_binary(piece, file.name)
    if b"\x0b" in piece:  # It would divide an id.
        message = "there is a vertical tab in this line; separate fields by spaces or tabs"
        raise FormatError(message, file.name, _line_of_byte(file, b"\x0b"))
    if b"\r" in piece:
        piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return piece if piece.endswith(b"\n") else piece + b"\n"


def _line_of_byte(file: Input, byte: bytes) -> int:
    """Return the first line that has a byte."""
    line = 1
    for piece in file.pieces():
        lines = piece.partition(byte)[0].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line += lines.count(b"\n")
        if byte in piece:
            break
    return line


def _parse_ahead(
    file: Input, layout: LineLayout, columns: Sequence[str]
) -> Iterator[tuple[bytes, int, pl.DataFrame | None]]:
    """Yield each piece with its lines and columns; the next ones are parsed in threads."""
    with ThreadPoolExecutor(READ_AHEAD) as parsers:
        waiting: deque[Future[tuple[bytes, int, pl.DataFrame | None]]] = deque()
        clean = partial(_clean_piece, file=file)
        for piece in _text_pieces(file):
            waiting.append(parsers.submit(parse_piece, piece, layout, columns, clean=clean))
            if len(waiting) > READ_AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _read_by_line(
    piece: bytes,
    layout: LineLayout,
    columns: Sequence[str],
    file: str,
    first: int,
    most_errors: int | None = None,
) -> tuple[pl.DataFrame, list[int], list[FormatError]]:
    """Return the valid lines of a piece, their numbers, and the errors of the others."""
    places = [layout.names.index(name) for name in columns]
    rows: list[list[str]] = []
    lines: list[int] = []
    errors: list[FormatError] = []
    for line, fields in _content_lines(piece, first):
        try:
            layout.check(fields, file, line)
            rows.append([decode_text(fields[place], file, line) for place in places])
            lines.append(line)
        except FormatError as error:
            errors.append(error)
            if len(errors) == most_errors:
                break
    frame = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String()), orient="row")
    return layout.convert(frame), lines, errors


def _content_lines(piece: bytes, first: int) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the numbers and fields of the lines that are neither blank nor comments."""
    for number, line in enumerate(piece.split(b"\n"), first):
        fields = line.split()
        if fields and not fields[0].startswith(COMMENT):
            yield number, fields


def _line_of_row(file: Input, row: int) -> int:
    """Return the line of a row."""
    line = 1
    for piece in _clean_pieces(file):
        rows = sum(1 for _ in _content_lines(piece, line))
        if row < rows:
            return next(islice(_content_lines(piece, line), row, None))[0]
        row -= rows
        line += piece.count(b"\n")
    return line
