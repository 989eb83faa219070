"""White space between the fields of lines: whether it is regular, and how to normalize it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.formats.input_files import COMMENT

BLANK, NEWLINE = 32, 10
_BLOCK = 1 << 18
_WHITE = (9, 10, 11, 12, 13)
"""What separates fields besides the space: tab, newline, vertical tab, form feed, return."""


@dataclass(frozen=True)
class PieceShape:
    """The shape of the lines of a piece."""

    lines: int
    """The number of lines, if they are regular; the reader of the piece checks it."""
    fields: int
    regular: bool
    separator: str = " "


def inspect_piece(piece: bytes) -> PieceShape:
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
        and content[0] > BLANK
        and white == lines * fields
        and below == (white if tabs else lines)
        and not (COMMENT in piece and (piece.startswith(COMMENT) or b"\n#" in piece))
    )
    return PieceShape(lines, fields, regular, "\t" if tabs else " ")


def normalize_whitespace(piece: bytes) -> bytes | None:
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
    comments = np.flatnonzero(content[first[:-1]] == COMMENT[0])
    if len(comments):
        keep = np.ones(len(content) + 1, dtype=np.int8)
        change = np.zeros(len(content) + 1, dtype=np.int8)
        change[first[comments]] += 1
        change[first[comments + 1]] -= 1
        content = content[(keep - np.cumsum(change, dtype=np.int8))[:-1] > 0]
    return content.tobytes()
