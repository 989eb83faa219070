"""The columns of long delimited files without any irregularity, as fast as they can be parsed."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import polars as pl

from assay.core.frozen_dataclass import dataclass, replace
from assay.core.map_ahead import map_ahead
from assay.formats.column_buffer import ColumnBuffer
from assay.formats.input_files import Input
from assay.formats.row_pieces import RowPiece, header_line, row_pieces

PIECE = 4 << 20
"""The bytes that are parsed at once."""


def read_plain_columns(
    file: Input, names: list[str], separator: str, wanted: Collection[str] | None, as_text: bool
) -> pl.DataFrame | None:
    """Return the wanted columns of a file, or all; None where every line must be looked at.

    This is as fast as the parser of Polars, for long files without any irregularity: the types are
    those of the first rows, every row has as many fields as the header, and no text has spaces
    around it. The reader that looks at every line knows what to do with others.
    """
    sample = file.start[: file.start.rfind(b"\n") + 1]
    if not sample or b"\r" in sample.replace(b"\r\n", b""):
        return None
    if wanted is not None and not {*wanted} <= {*names}:
        return None
    chosen = names if wanted is None else [name for name in names if name in wanted]
    types = column_types(sample, names, separator, as_text)
    if types is None or not chosen:
        return None
    columns = PlainColumns(header_line(sample), tuple(names), tuple(chosen), types, separator)
    try:
        found = columns.read(file)
        if found is QUOTED:  # A row that is too long is noticed where all of it is parsed.
            found = replace(columns, chosen=columns.names).read(file)
    except (pl.exceptions.PolarsError, ValueError):
        return None
    return found if isinstance(found, pl.DataFrame) else None


def column_types(
    sample: bytes, names: list[str], separator: str, as_text: bool
) -> dict[str, pl.DataType] | None:
    """Return the type of each column in the first rows; None if a column is empty there."""
    try:
        first = pl.read_csv(sample, separator=separator, infer_schema_length=None)
    except (pl.exceptions.PolarsError, ValueError):
        return None
    if first.columns != names or any(first[name].null_count() == first.height for name in names):
        return None
    return {name: pl.String() if as_text else dtype for name, dtype in first.schema.items()}


QUOTED = "quotes"
"""What is returned in place of some columns where there are quotes."""


class _ParsedPiece(NamedTuple):
    """What was parsed from some rows."""

    columns: pl.DataFrame
    has_quotes: bool
    is_regular: bool
    """Whether every line has as many fields as the header, if there are no quotes."""


@dataclass(frozen=True)
class PlainColumns:
    """The columns that are read from a file, and how."""

    header: bytes
    names: tuple[str, ...]
    """All columns of the file."""
    chosen: tuple[str, ...]
    types: dict[str, pl.DataType]
    separator: str

    def read(self, file: Input) -> pl.DataFrame | str | None:
        """Return the columns; None where something is irregular."""
        has_quotes, is_regular = False, True
        buffers: dict[str, ColumnBuffer] = {}
        for piece in map_ahead(self._parse, row_pieces(file, self.header, PIECE)):
            if piece is None:
                return None
            has_quotes |= piece.has_quotes
            is_regular &= piece.is_regular
            if has_quotes and self.chosen != self.names:
                return QUOTED
            if not buffers:
                expected = piece.columns.height * (file.stored_size() // PIECE + 2)
                buffers = {name: ColumnBuffer(self.types[name], expected) for name in self.chosen}
            for name, buffer in buffers.items():
                buffer.append(piece.columns[name])
        if not (has_quotes or is_regular):
            return None
        return pl.DataFrame([buffer.series(name) for name, buffer in buffers.items()])

    def _parse(self, piece: RowPiece) -> _ParsedPiece | None:
        """Return the columns of some rows; None where their values are irregular.

        Whole numbers are parsed as text first, which shows whether they are written as usual.
        """
        whole = [name for name in self.chosen if self.types[name].is_integer()]
        rows = pl.read_csv(
            self.header + piece.content,
            separator=self.separator,
            columns=list(self.chosen),
            schema={
                name: pl.String() if dtype.is_integer() else dtype
                for name, dtype in self.types.items()
            },
        )
        numbers = rows.select(pl.col(whole).cast(pl.Int64))
        if _is_irregular(rows, numbers, has_spaces=b" " in piece.content):
            return None
        is_regular = piece.has_quotes or self._has_whole_lines(piece, rows)
        return _ParsedPiece(rows.with_columns(numbers), piece.has_quotes, is_regular)

    def _has_whole_lines(self, piece: RowPiece, rows: pl.DataFrame) -> bool:
        """Return whether every line has as many fields as the header.

        If the last column is read, an empty field shows a line that is too short; if all are,
        Polars refuses one that is too long.
        """
        width = len(self.names)
        is_end_read = width > 1 and self.names[-1] in self.chosen
        if not is_end_read or any(rows[name].null_count() for name in self.chosen):
            return piece.is_regular(self.separator, width)
        if self.chosen == self.names:
            return True
        return piece.is_regular(self.separator, width, only_count=True)


def _is_irregular(rows: pl.DataFrame, numbers: pl.DataFrame, has_spaces: bool) -> bool:
    """Return whether there are spaces around text, a repeated header, or unusual numbers.

    Whole numbers are unusual if they are written with a sign or zeros in front, others if they are
    not finite.
    """
    texts = [name for name, dtype in rows.schema.items() if dtype == pl.String]
    checks = [~pl.col(n).is_finite() for n, dtype in rows.schema.items() if dtype.is_float()]
    if has_spaces:
        checks += [
            pl.col(name).str.starts_with(" ") | pl.col(name).str.ends_with(" ") for name in texts
        ]
    if len(texts) == rows.width:
        checks.append(pl.all_horizontal(pl.col(name) == name for name in texts))
    checks = [check.any().alias(str(place)) for place, check in enumerate(checks)]
    if checks and any(rows.select(checks).row(0)):
        return True
    lengths = rows.select(pl.col(numbers.columns).str.len_bytes().sum())
    return any(lengths[name][0] != _written_length(numbers[name]) for name in numbers.columns)


def _written_length(numbers: pl.Series) -> int:
    """Return how many characters whole numbers have, written without zeros in front."""
    known = numbers.drop_nulls().to_numpy()
    if not len(known):
        return 0
    negative = known < 0
    signs = int(np.count_nonzero(negative))
    sizes = np.where(negative, -known, known) if signs else known
    digits, largest = len(str(sizes.min())), int(sizes.max())
    length = len(known) * digits + signs
    while (power := 10**digits) <= largest:
        length += int(np.count_nonzero(sizes >= power))
        digits += 1
    return length
