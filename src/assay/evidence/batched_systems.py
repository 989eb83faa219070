"""Stacks: the rankings of several systems as one view, for what is worked out query by query.

With a few dozen queries most of the time goes into calling a formula, not into the formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from assay.core.arrays import Ints, unit_offsets
from assay.evidence.views.rankings import Hits, Rankings

MAX_ENTRIES = 1 << 18
"""About so many documents in lists and pools are held together: as many as stay near at hand."""


@dataclass(frozen=True)
class SystemBatch:
    """Several systems, the queries of one after those of another."""

    systems: tuple[str, ...]
    views: tuple[Rankings, ...]

    @cached_property
    def whole(self) -> Rankings:
        """The rankings of all; a query has its name once for each system."""
        return _join_hits(self.views)

    @property
    def parts(self) -> list[slice]:
        """Where the queries of each system stand."""
        ends = unit_offsets(np.asarray([len(view.queries) for view in self.views])).tolist()
        return [slice(*ends[place : place + 2]) for place in range(len(self.views))]


def batch_systems(views: Iterable[tuple[str, Rankings]]) -> Iterator[SystemBatch]:
    """The systems in their order, as many together as there is room for.

    Only lists of about the same length: what is worked out for the longest, and with it the last
    bit of a number, must not depend on the other systems.
    """
    held: list[tuple[str, Rankings]] = []
    size = 0
    for name, view in views:
        more = len(view.hits.rank) + len(view.pool.rank)
        if held and (
            size + more > MAX_ENTRIES or _padded_length(view) != _padded_length(held[0][1])
        ):
            yield _join_systems(held)
            held, size = [], 0
        held.append((name, view))
        size += more
    if held:
        yield _join_systems(held)


def _padded_length(view: Rankings) -> int:
    """The power of two that the longest list needs, as weights are made for such lengths."""
    return (int(view.retrieved.max(initial=1)) - 1).bit_length()


def _join_systems(held: Sequence[tuple[str, Rankings]]) -> SystemBatch:
    return SystemBatch(tuple(name for name, _ in held), tuple(view for _, view in held))


def _join_hits(views: Sequence[Rankings]) -> Rankings:
    if len(views) == 1:
        return views[0]

    def all_of(name: str) -> Ints:
        return np.concatenate([getattr(view, name) for view in views])

    return replace(
        views[0],
        queries=tuple(chain.from_iterable(view.queries for view in views)),
        retrieved=all_of("retrieved"),
        hits=_concatenate([view.hits for view in views]),
        pool=_concatenate([view.pool for view in views]),
        missing=np.concatenate([view.missing for view in views]),
        tie_first=all_of("tie_first"),
        tie_last=all_of("tie_last"),
        row=all_of("row"),
    )


def _concatenate(parts: Sequence[Hits]) -> Hits:
    return Hits(
        unit_offsets(np.concatenate([np.diff(each.offsets) for each in parts])),
        np.concatenate([each.rank for each in parts]),
        np.concatenate([each.grade for each in parts]),
    )
