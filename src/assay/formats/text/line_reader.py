"""Columns parted by white space, one row a line: fast where lines are regular, exact where not.

A piece of a file in which single blanks (or tabs) part the same number of fields on each line goes
to the CSV reader as it is. Otherwise its white space is made regular first. Only a piece that is
still odd is read line by line, to find the line of a complaint.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import polars as pl

from assay.core.errors import FormatError
from assay.formats.text.input_files import Input
from assay.formats.text.line_layout import LineLayout, add_rank, content_lines, select_valid_lines
from assay.formats.text.whitespace import PieceShape, inspect_piece, normalize_whitespace

READ_AHEAD = 3
"""How many pieces are parsed before they are asked for."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_lines(
    file: Input, layout: LineLayout, wanted: Sequence[str] | None = None
) -> Iterator[pl.DataFrame]:
    """The wanted columns of a file, some rows at a time."""
    columns = wanted or [name for name in layout.names if not name.startswith("_")]
    line, rows = 1, 0
    for piece, shape, frame in _parse_ahead(_clean_pieces(file), layout, columns):
        if frame is None:
            frame = _read_carefully(piece, layout, columns, file.name, line)
        line += shape.lines if frame.height == shape.lines else piece.count(b"\n")
        rows += frame.height
        yield frame
    if rows == 0:
        raise FormatError(f"the file has no lines to read; {layout.form}", file.name)


def _parse_ahead(
    pieces: Iterator[bytes], layout: LineLayout, columns: Sequence[str]
) -> Iterator[tuple[bytes, PieceShape, pl.DataFrame | None]]:
    """Each piece with its shape and columns; the next ones are parsed while this one is used."""

    def look(piece: bytes) -> tuple[bytes, PieceShape, pl.DataFrame | None]:
        shape = inspect_piece(piece)
        return piece, shape, _parse_piece(piece, shape, layout, columns)

    with ThreadPoolExecutor(READ_AHEAD) as parsers:
        waiting: deque[Future[tuple[bytes, PieceShape, pl.DataFrame | None]]] = deque()
        for piece in pieces:
            waiting.append(parsers.submit(look, piece))
            if len(waiting) > READ_AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


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


def _parse_piece(
    piece: bytes, shape: PieceShape, layout: LineLayout, columns: Sequence[str]
) -> pl.DataFrame | None:
    """The columns of a piece by the CSV reader; None where it needs a closer look."""
    if not shape.regular:
        regular = normalize_whitespace(piece)
        if regular is None:
            return None
        if not regular:
            return _empty(layout, columns)
        piece = regular
        shape = inspect_piece(piece)
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
            schema=layout.schema(shape.fields if exact else 0),
            columns=sorted(layout.names.index(name) for name in columns) if exact else None,
            truncate_ragged_lines=not shape.regular,
        )
    except pl.exceptions.PolarsError:
        return None
    if any(column.null_count() for column in frame.iter_columns()):
        return None
    if shape.regular and frame.height != shape.lines:
        return None
    return add_rank(frame.select(columns))


def _empty(layout: LineLayout, columns: Sequence[str]) -> pl.DataFrame:
    schema = layout.schema()
    return add_rank(pl.DataFrame(schema={name: schema[name] for name in columns}))


@dataclass(frozen=True)
class LineSurvey:
    """What a file of lines holds as far as it can be read, and all that is wrong with it."""

    rows: pl.DataFrame
    lines: pl.Series
    complaints: list[FormatError]
    unread: int
    """How many lines are complained about; only the first complaints are kept."""


def survey_lines(file: Input, layout: LineLayout, at_most: int = 100) -> LineSurvey:
    """All lines that can be read, with their numbers, and complaints about those that cannot."""
    columns = [name for name in layout.names if name not in ("_iteration",)]
    frames, numbers = [_empty(layout, columns)], [pl.Series("line", [], dtype=pl.Int64)]
    complaints: list[FormatError] = []
    line, unread = 1, 0
    for piece in _clean_pieces(file):
        shape = inspect_piece(piece)
        frame = _parse_piece(piece, shape, layout, columns) if shape.regular else None
        lines = list(range(line, line + shape.lines)) if frame is not None else []
        if frame is None:
            frame, lines, found = select_valid_lines(piece, layout, columns, file.name, line)
            complaints += found[: max(at_most - len(complaints), 0)]
            unread += len(found)
        frames.append(frame)
        numbers.append(pl.Series("line", lines, dtype=pl.Int64))
        line += piece.count(b"\n")
    return LineSurvey(pl.concat(frames), pl.concat(numbers), complaints, unread)


def _read_carefully(
    piece: bytes, layout: LineLayout, columns: Sequence[str], name: str, first: int
) -> pl.DataFrame:
    """The columns line by line, or a complaint about the first line that does not fit."""
    frame, _, complaints = select_valid_lines(
        piece, layout, columns, name, first, all_of_them=False
    )
    if complaints:
        raise complaints[0]
    return frame


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
