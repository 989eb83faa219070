"""The rankings of several systems as one view, for what is computed query by query.

With a few dozen queries most of the time goes into calling a formula, not into the formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from assay.evidence.views.rankings import Rankings

MAX_ENTRIES = 1 << 18
"""Documents in the lists and pools of a batch, roughly: they stay in the cache."""


@dataclass(frozen=True)
class SystemBatch:
    """Several systems, the queries of one after those of another."""

    systems: tuple[str, ...]
    views: tuple[Rankings, ...]
    whole: Rankings = field(init=False)
    """The rankings of all; a query has its name once for each system."""
    parts: list[slice] = field(init=False)
    """Where the queries of each system stand."""

    def __post_init__(self) -> None:
        first, *others = self.views
        ends = np.cumsum([0, *(len(view.queries) for view in self.views)]).tolist()
        self.__dict__.update(
            whole=first.join(others) if others else first,
            parts=[slice(*pair) for pair in pairwise(ends)],
        )


def batch_systems(views: Iterable[tuple[str, Rankings]]) -> Iterator[SystemBatch]:
    """Yield the systems in their order, as many together as there is room for.

    Lists in a batch have about the same length: weights are computed for the longest, and the last
    bit of a number must not depend on the other systems.
    """
    held: list[tuple[str, Rankings]] = []
    size = 0
    for name, view in views:
        more = len(view.hits.rank) + len(view.pool.rank)
        full = size + more > MAX_ENTRIES
        if held and (full or _padded_length(view) != _padded_length(held[0][1])):
            yield SystemBatch(*zip(*held, strict=True))
            held, size = [], 0
        held.append((name, view))
        size += more
    if held:
        yield SystemBatch(*zip(*held, strict=True))


def _padded_length(view: Rankings) -> int:
    """Return the exponent of the power of two that the longest list needs: weights have it."""
    return (int(view.retrieved.max(initial=1)) - 1).bit_length()
