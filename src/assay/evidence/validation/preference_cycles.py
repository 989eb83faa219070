"""Preferences that go round in a circle: refused with the way round and the line that closes it."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
import polars as pl

from assay.core.arrays import Bools
from assay.core.errors import AlignmentError
from assay.core.tables import Preferences

_SHOWN = 6
"""So many documents of a circle are named."""


def refuse_cycles(
    stated: Bools, implied: Bools, rows: pl.DataFrame, docs: pl.Series, preferences: Preferences
) -> None:
    """Complain if a document is preferred to itself by what the preferences of a group imply."""
    circular = np.flatnonzero(implied.diagonal())
    if not len(circular):
        return
    names = [str(docs[each]) for each in _shortest_cycle(stated, int(circular[0]))]
    closing = max(_row_of_preference(rows, better, worse) for better, worse in pairwise(names))
    way = " over ".join(names if len(names) <= _SHOWN else [*names[:_SHOWN], "…"])
    raise AlignmentError(
        f"{preferences.source.place(closing)}: query {rows['query'][0]}, group {rows['group'][0]}:"
        f" the preferences go round in a circle, {way}; take one of them out. Opinions that"
        " contradict each other belong to different groups: query, group, subgroup, document, level"
    )


def _shortest_cycle(stated: Bools, start: int) -> list[int]:
    """The shortest way from a document back to itself, that document at both ends."""
    before: dict[int, int] = {}
    waiting = deque([start])
    while start not in before:
        one = waiting.popleft()
        for other in np.flatnonzero(stated[one]).tolist():
            if other not in before:
                before[other] = one
                waiting.append(other)
    way = [start, before[start]]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def _row_of_preference(rows: pl.DataFrame, better: str, worse: str) -> int:
    """The row by which one document is preferred to another, where they first are compared so."""
    above, below = (rows.filter(pl.col("doc") == doc) for doc in (better, worse))
    both = above.join(below, on="subgroup", suffix="_other")
    said = both.filter(pl.col("level") > pl.col("level_other"))
    return int(said.select(pl.max_horizontal("row", "row_other").min()).item())
