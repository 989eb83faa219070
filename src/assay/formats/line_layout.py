"""The columns of lines separated by white space, and fast parsing of pieces of a file.

A piece whose lines all have the same number of fields, separated by single spaces or tabs, goes to
the CSV reader as it is. Otherwise its white space is normalized first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.errors import FormatError
from assay.core.frozen_dataclass import dataclass
from assay.core.phrases import decimal_comma_hint, quantity
from assay.formats.input_files import COMMENT

BLANK, NEWLINE = 32, 10
_BLOCK = 1 << 18
_WHITE = (9, 10, 11, 12, 13)
"""What separates fields besides the space: tab, newline, vertical tab, form feed, return."""
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

    def schema(self, fields: int = 0) -> dict[str, pl.DataType]:
        """Return the types of the columns, and text for fields beyond them."""
        surplus = [f"_{n}" for n in range(len(self.names), fields)]
        return {
            name: pl.Float64() if name in self.numbers else pl.String()
            for name in (*self.names, *surplus)
        }

    def convert(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return columns of text in their types; a rank that is not a whole number is null."""
        schema = self.schema()
        types = {name: schema[name] for name in frame.columns if frame.schema[name] != schema[name]}
        ranks = [pl.col("rank").cast(pl.Int64, strict=False)] * ("rank" in frame.columns)
        return frame.cast(types).with_columns(ranks)  # type: ignore[arg-type]

    def check(self, fields: list[bytes], file: str, line: int) -> None:
        """Raise an error if a line has the wrong number of fields, or text in place of a number."""
        if len(fields) < len(self.names) or (self.most and len(fields) > self.most):
            found = quantity(len(fields), "field")
            message = f"{found} where {len(self.names)} are expected; {self.form}{self.hint}"
            raise FormatError(message, file, line)
        for name in self.numbers:
            if name not in self.names:
                continue
            text = decode_text(fields[self.names.index(name)], file, line)
            if not _NUMBER.fullmatch(text):
                query = fields[0].decode(errors="replace")
                raise FormatError(
                    f"the {name} is '{text}', but a number is expected (query {query})"
                    + decimal_comma_hint(text),
                    file,
                    line,
                )


def decode_text(content: bytes, file: str, line: int = 1) -> str:
    """Return bytes as text; raise an error with the line if they are not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as failure:
        line += content.count(b"\n", 0, failure.start)
        message = "this line is not UTF-8 text; convert the file (iconv -f latin1 -t utf-8)"
        raise FormatError(message, file, line) from None


@dataclass(frozen=True)
class PieceShape:
    """The shape of the lines of a piece."""

    lines: int
    """The number of lines, if they are regular; the reader of the piece checks it."""
    fields: int
    regular: bool
    separator: str


def parse_piece(
    piece: bytes,
    layout: LineLayout,
    columns: Sequence[str],
    regular_only: bool = False,
    clean: Callable[[bytes], bytes] | None = None,
) -> tuple[bytes, int, pl.DataFrame | None]:
    """Return a piece, its number of lines, and its columns; None if it must be read by line.

    Lines that have as many control characters as line feeds, and fields separated by single
    spaces, need not be cleaned first.
    """
    shape = _inspect_piece(piece)
    if clean is not None:
        if shape.regular and shape.separator == " ":
            frame = _parse_fields(piece, shape, layout, columns)
            if frame is not None:
                return piece, shape.lines, frame
        cleaned = clean(piece)
        if cleaned is not piece:
            piece, shape = cleaned, _inspect_piece(cleaned)
    content, parsed = piece, shape
    if not shape.regular:
        normalized = None if regular_only else _normalize_whitespace(piece)
        if normalized is None:
            return piece, shape.lines, None
        if not normalized:
            empty = pl.DataFrame(schema=dict.fromkeys(columns, pl.String()))
            return piece, shape.lines, layout.convert(empty)
        content, parsed = normalized, _inspect_piece(normalized)
    return piece, shape.lines, _parse_fields(content, parsed, layout, columns)


def _parse_fields(
    content: bytes, shape: PieceShape, layout: LineLayout, columns: Sequence[str]
) -> pl.DataFrame | None:
    """Return columns by the CSV reader; None if a line has too few or too many fields."""
    if shape.fields < len(layout.names) or (
        layout.most and (shape.fields > layout.most or not shape.regular)
    ):
        return None
    exact = shape.regular and layout.most is None
    try:
        frame = pl.read_csv(
            content,
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
    return layout.convert(frame.select(columns))


def _inspect_piece(piece: bytes) -> PieceShape:
    """Return whether each line has as many fields as the first, separated by one space or tab."""
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
        and bool((content[:1] > BLANK).any())
        and white == lines * fields
        and below == (white if tabs else lines)
        and not (COMMENT in piece and (piece.startswith(COMMENT) or b"\n#" in piece))
    )
    return PieceShape(lines, fields, regular, "\t" if tabs else " ")


def _normalize_whitespace(piece: bytes) -> bytes | None:
    """Return the piece with one space between fields, without blank lines and comments.

    None if it has other control characters, which belong to fields.
    """
    content = np.frombuffer(piece, dtype=np.uint8)
    white = content <= BLANK
    if not np.isin(content[content < BLANK], _WHITE).all():
        return None
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
    return _drop_comments(result[keep])


def _drop_comments(content: NDArray[np.uint8]) -> bytes:
    first = np.concatenate(([0], np.flatnonzero(content == NEWLINE) + 1))
    is_comment = content[first[:-1]] == COMMENT[0]
    if is_comment.any():
        content = content[np.repeat(~is_comment, np.diff(first))]
    return content.tobytes()
