"""Lines of fields separated by white space: fast where lines are regular, exact where not.

A piece of a file whose lines all have the same number of fields, separated by single spaces or
tabs, goes to the CSV reader as it is. Otherwise its white space is normalized first. Only a piece
that is still irregular is read line by line, which finds the line of an error.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import polars as pl

from assay.core.errors import FormatError
from assay.core.phrases import decimal_comma_hint, quantity
from assay.core.tables import Source
from assay.formats.input_files import BYTE_ORDER_MARK, COMMENT, Input
from assay.formats.whitespace import PieceShape, inspect_piece, normalize_whitespace

READ_AHEAD = 3
"""How many pieces are parsed before they are needed."""
MAX_ERRORS = 100
"""How many errors a survey of a file keeps."""
_NUMBER = re.compile(
    r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)", re.I | re.A
)


@dataclass(frozen=True)
class LineLayout:
    """The columns of a line, in order; columns whose names begin with ``_`` are not returned."""

    names: tuple[str, ...]
    form: str
    """What a line should look like, for error messages."""
    most: int | None = None
    """The greatest number of fields; None if further fields are ignored."""
    hint: str = ""
    """What may be wrong when a line has another number of fields."""
    numbers: tuple[str, ...] = ("score", "grade", "probability")

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are returned."""
        return [name for name in self.names if not name.startswith("_")]

    def schema(self, fields: int = 0) -> dict[str, pl.DataType]:
        """Return the types of the columns, and text for fields beyond them."""
        surplus = [f"_{n}" for n in range(len(self.names), fields)]
        return {
            name: pl.Float64() if name in self.numbers else pl.String()
            for name in (*self.names, *surplus)
        }

    def check(self, fields: list[bytes], file: str, line: int) -> None:
        """Raise an error if a line has the wrong number of fields, or text in place of a number."""
        if len(fields) < len(self.names) or (self.most and len(fields) > self.most):
            raise FormatError(
                f"{quantity(len(fields), 'field')} where {len(self.names)} are expected;"
                f" {self.form}{self.hint}",
                file,
                line,
            )
        for name in self.numbers:
            if name in self.names:
                text = decode_text(fields[self.names.index(name)], file, line)
                if not _NUMBER.fullmatch(text):
                    raise FormatError(
                        f"the {name} is '{text}', but a number is expected"
                        f" (query {fields[0].decode(errors='replace')}){decimal_comma_hint(text)}",
                        file,
                        line,
                    )


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
    return Source(file.name, lambda row: _line_of_row(file, row), lambda: file.digest)


def read_lines(
    file: Input, layout: LineLayout, columns: Sequence[str] | None = None
) -> Iterator[pl.DataFrame]:
    """Yield the wanted columns of a file, some rows at a time."""
    wanted = columns or layout.columns
    line, rows = 1, 0
    for piece, shape, frame in _parse_ahead(_clean_pieces(file), layout, wanted):
        if frame is None:
            frame, _, errors = _read_by_line(piece, layout, wanted, file.name, line, most_errors=1)
            if errors:
                raise errors[0]
        line += shape.lines if frame.height == shape.lines else piece.count(b"\n")
        rows += frame.height
        yield frame
    if rows == 0:
        raise FormatError(f"the file has no lines to read; {layout.form}", file.name)


def read_all_lines(file: Input, layout: LineLayout) -> tuple[pl.DataFrame, Source]:
    """Return the columns of a file and their source."""
    return pl.concat(list(read_lines(file, layout))), line_source(file)


def survey_lines(file: Input, layout: LineLayout) -> LineSurvey:
    """Return all rows that can be read, with their lines, and the errors of the other lines."""
    columns = [name for name in layout.names if name != "_iteration"]
    frames: list[pl.DataFrame] = []
    numbers: list[pl.Series] = []
    errors: list[FormatError] = []
    line, unread = 1, 0
    for piece in _clean_pieces(file):
        shape = inspect_piece(piece)
        frame = _parse_piece(piece, shape, layout, columns) if shape.regular else None
        lines: Sequence[int] = range(line, line + shape.lines)
        if frame is None:
            frame, lines, found = _read_by_line(piece, layout, columns, file.name, line)
            errors += found[: max(MAX_ERRORS - len(errors), 0)]
            unread += len(found)
        frames.append(frame)
        numbers.append(pl.Series("line", lines, pl.Int64))
        line += piece.count(b"\n")
    return LineSurvey(pl.concat(frames), pl.concat(numbers), errors, unread)


def decode_text(field: bytes, file: str, line: int) -> str:
    """Return bytes as text; raise an error with the line if they are not UTF-8."""
    try:
        return field.decode()
    except UnicodeDecodeError:
        raise FormatError(
            "this line is not UTF-8 text; convert the file (iconv -f latin1 -t utf-8)", file, line
        ) from None


def refuse_binary(content: bytes, file: str) -> None:
    """Raise an error about bytes that are not lines of text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("this is UTF-16 text; save the file as UTF-8", file)
    raise FormatError("this looks like a binary file; lines of text are expected", file)


def _clean_pieces(file: Input) -> Iterator[bytes]:
    line = 1
    for number, piece in enumerate(file.pieces()):
        cleaned = piece.removeprefix(BYTE_ORDER_MARK) if number == 0 else piece
        if b"\0" in cleaned:
            refuse_binary(cleaned, file.name)
        if b"\x0b" in cleaned:
            _refuse_vertical_tab(cleaned, file.name, line)
        if b"\r" in cleaned:
            cleaned = cleaned.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line += cleaned.count(b"\n")
        yield cleaned if cleaned.endswith(b"\n") else cleaned + b"\n"


def _refuse_vertical_tab(piece: bytes, file: str, first: int) -> None:
    """Raise an error about a vertical tab, which would divide an id."""
    message = "there is a vertical tab in this line; separate fields by spaces or tabs"
    raise FormatError(message, file, first + piece.count(b"\n", 0, piece.index(b"\x0b")))


def _parse_ahead(
    pieces: Iterator[bytes], layout: LineLayout, columns: Sequence[str]
) -> Iterator[tuple[bytes, PieceShape, pl.DataFrame | None]]:
    """Yield each piece with its shape and columns; the next ones are parsed in threads."""

    def parse(piece: bytes) -> tuple[bytes, PieceShape, pl.DataFrame | None]:
        """Return a piece with its shape and columns."""
        shape = inspect_piece(piece)
        return piece, shape, _parse_piece(piece, shape, layout, columns)

    with ThreadPoolExecutor(READ_AHEAD) as parsers:
        waiting: deque[Future[tuple[bytes, PieceShape, pl.DataFrame | None]]] = deque()
        for piece in pieces:
            waiting.append(parsers.submit(parse, piece))
            if len(waiting) > READ_AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _parse_piece(
    piece: bytes, shape: PieceShape, layout: LineLayout, columns: Sequence[str]
) -> pl.DataFrame | None:
    """Return the columns of a piece by the CSV reader; None if it must be read by line."""
    if not shape.regular:
        normalized = normalize_whitespace(piece)
        if normalized is None:
            return None
        if not normalized:
            return _typed(pl.DataFrame(schema=dict.fromkeys(columns, pl.String())), layout)
        piece = normalized
        shape = inspect_piece(piece)
    if shape.fields < len(layout.names) or (
        layout.most and (shape.fields > layout.most or not shape.regular)
    ):
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
    return _typed(frame.select(columns), layout)


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
    return _typed(frame, layout), lines, errors


def _typed(frame: pl.DataFrame, layout: LineLayout) -> pl.DataFrame:
    """Return the columns in their types; a rank that is not a whole number is null."""
    schema = layout.schema()
    texts = [name for name in frame.columns if frame.schema[name] != schema[name]]
    frame = frame.with_columns(pl.col(name).cast(schema[name]) for name in texts)
    if "rank" not in frame.columns:
        return frame
    return frame.with_columns(pl.col("rank").cast(pl.Int64, strict=False))


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
