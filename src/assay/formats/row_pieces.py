"""The rows of long delimited files in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from assay.formats.input_files import BYTE_ORDER_MARK, Input

_QUOTE = b'"'


class RowPiece(NamedTuple):
    """Whole rows of a file as they are written."""

    content: bytes
    has_quotes: bool

    def is_regular(self, separator: str, width: int, only_count: bool = False) -> bool:
        """Return whether every line has so many fields, where there are no quotes.

        Whoever knows that no line has fewer fields may ``only_count`` them all.
        """
        content = np.frombuffer(self.content, dtype=np.uint8)
        ends, between = content == ord("\n"), content == ord(separator)
        is_cut = not self.content.endswith(b"\n")
        lines = int(np.count_nonzero(ends)) + is_cut
        if lines + int(np.count_nonzero(between)) != lines * width:
            return False
        if only_count:
            return True
        is_end = ends[np.flatnonzero(ends | between)]
        is_end = np.append(is_end, True) if is_cut else is_end
        return bool(is_end[width - 1 :: width].all())


def header_line(start: bytes) -> bytes:
    """Return the first line that is not blank, with its end."""
    return start.lstrip(b" \r\n").split(b"\n", 1)[0] + b"\n"


def row_pieces(file: Input, header: bytes, size: int) -> Iterator[RowPiece]:
    """Yield the rows below the header; a line end within quotes does not end a piece."""
    left: list[bytes] = []
    is_first, quotes = True, 0
    for piece in file.pieces(size):
        rows = piece
        if is_first:
            rows = piece.removeprefix(BYTE_ORDER_MARK).lstrip(b" \r\n")[len(header) :]
            is_first = False
        quotes += rows.count(_QUOTE)
        left.append(rows)
        if quotes % 2 == 0:
            yield RowPiece(left[0] if len(left) == 1 else b"".join(left), quotes > 0)
            left, quotes = [], 0
    if left:
        yield RowPiece(b"".join(left), has_quotes=True)
