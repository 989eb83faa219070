"""The columns of a line, and reading lines one by one to find what does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from assay.core.errors import FormatError
from assay.core.phrases import decimal_comma_hint
from assay.formats.text.whitespace import COMMENT

_NUMBER = re.compile(
    r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)", re.I | re.A
)


@dataclass(frozen=True)
class LineLayout:
    """The columns of a line, in their order; names that begin with ``_`` are not wanted."""

    names: tuple[str, ...]
    form: str
    """What a line should look like, for a complaint."""
    most: int | None = None
    """The greatest number of fields; None if what follows is passed over."""
    hint: str = ""
    """What to think of when a line has another number of fields."""
    numbers: tuple[str, ...] = ("score", "grade", "probability")

    def schema(self, fields: int = 0) -> dict[str, pl.DataType]:
        """The types of the columns, and text for fields beyond them."""
        surplus = [f"_{n}" for n in range(len(self.names), fields)]
        return {
            name: pl.Float64() if name in self.numbers else pl.String()
            for name in (*self.names, *surplus)
        }


def add_rank(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns with the rank as a whole number, if it is there; nothing where it is none."""
    if "rank" not in frame.columns:
        return frame
    return frame.with_columns(pl.col("rank").cast(pl.Int64, strict=False))


def content_lines(piece: bytes, first: int) -> Iterator[tuple[int, list[bytes]]]:
    """The lines that say something: their numbers and fields."""
    for number, line in enumerate(piece.split(b"\n"), first):
        fields = line.split()
        if fields and not fields[0].startswith(COMMENT):
            yield number, fields


def select_valid_lines(
    piece: bytes,
    layout: LineLayout,
    columns: Sequence[str],
    name: str,
    first: int,
    all_of_them: bool = True,
) -> tuple[pl.DataFrame, list[int], list[FormatError]]:
    """The lines that fit, their numbers, and complaints about the others."""
    places = [layout.names.index(each) for each in columns]
    found: list[list[str]] = []
    lines: list[int] = []
    complaints: list[FormatError] = []
    for line, fields in content_lines(piece, first):
        try:
            _check_line(fields, layout, name, line)
            found.append([decode_text(fields[place], name, line) for place in places])
            lines.append(line)
        except FormatError as complaint:
            complaints.append(complaint)
            if not all_of_them:
                break
    frame = pl.DataFrame(found, schema=dict.fromkeys(columns, pl.String()), orient="row")
    declared = layout.schema()
    typed = add_rank(frame.with_columns(pl.col(each).cast(declared[each]) for each in columns))
    return typed, lines, complaints


def _check_line(fields: list[bytes], layout: LineLayout, name: str, line: int) -> None:
    least, most = len(layout.names), layout.most
    if len(fields) < least or (most and len(fields) > most):
        count = f"{len(fields)} field{'s' if len(fields) != 1 else ''}"
        raise FormatError(
            f"{count} where {least} are expected; {layout.form}{layout.hint}", name, line
        )
    for what in layout.numbers:
        if what in layout.names:
            text = decode_text(fields[layout.names.index(what)], name, line)
            if not _is_number(text):
                said = f"the {what} is '{text}', but a number is expected{decimal_comma_hint(text)}"
                raise FormatError(said, name, line)


def _is_number(text: str) -> bool:
    """Whether the reader of columns takes it for a number, as Python nearly does."""
    return bool(_NUMBER.fullmatch(text))


def decode_text(field: bytes, name: str, line: int) -> str:
    """The bytes as text, or a complaint about the line."""
    try:
        return field.decode()
    except UnicodeDecodeError:
        raise FormatError(
            "this line is not UTF-8 text; convert the file (iconv -f latin1 -t utf-8)", name, line
        ) from None
