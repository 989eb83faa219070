"""Latin squares, and Williams designs, which also balance what comes before what."""

from __future__ import annotations


def latin_square(size: int) -> list[list[int]]:
    """Return rows in which each number is once in each place."""
    return [[(start + place) % size for place in range(size)] for start in range(size)]


def williams_design(size: int) -> list[list[int]]:
    """Return rows in which each number is equally often in each place and after each other one.

    An even size needs as many rows as numbers, an odd size above 1 twice as many.

    >>> williams_design(4)
    [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    """
    first = [0]
    for step in range(1, size):
        first.append(step // 2 + 1 if step % 2 else size - step // 2)
    rows = [[(start + each) % size for each in first] for start in range(size)]
    return rows if size % 2 == 0 or size == 1 else [*rows, *(row[::-1] for row in rows)]


SQUARES = {"williams": williams_design, "latin": latin_square}
"""The rows of a design, by its name."""
