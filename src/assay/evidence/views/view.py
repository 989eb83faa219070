"""What every view of the evidence can do.

A view holds many units at once, as flat arrays, so that a measure is a few vectorized lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.errors import AlignmentError
from assay.core.frozen_dataclass import dataclass, replace

Views: TypeAlias = Mapping[Any, Callable[[], Any]]
"""How to build each kind of view that the input allows."""


class View:
    """The base of all views; a subclass says which task and which kind of unit it is about."""

    task: ClassVar[str]
    unit_kind: ClassVar[str] = "set"
    selections: ClassVar[tuple[str, ...]] = ()
    """Names of the choices of evidence that every measure of the view takes as a flag."""

    missing: Bools | None = None
    """Units that the system does not answer at all; None where there can be no such units."""

    @property
    def has_blocks(self) -> bool:
        """Whether there are so many items, which count once, that they are evaluated in blocks."""
        return False

    def block(self, span: slice) -> Self:
        """Return some of the items."""
        raise NotImplementedError(f"{type(self).__name__} is not evaluated in blocks")

    @property
    def units(self) -> Sequence[str]:
        """The names of the units, in bytewise order where they are names of things."""
        raise NotImplementedError

    @property
    def support(self) -> Floats | None:
        """The weight of each unit in a weighted average, where that means something."""
        return None

    @property
    def cells(self) -> Floats | None:
        """The counts over which resampling draws; None where the units themselves are drawn."""
        return None

    @property
    def effective(self) -> float | None:
        """How many items of equal weight the cells are worth; None where the cells count items."""
        return None

    def by(self, unit: str | None) -> Self:
        """Return the same evidence with units of another kind, such as the classes of a matrix."""
        if unit in (None, self.unit_kind):
            return self
        raise NotImplementedError(f"{type(self).__name__} has no units of the kind {unit}")

    def select(self, choice: str) -> Self:
        """Return the evidence under one of the view's ``selections``."""
        raise NotImplementedError(f"{type(self).__name__} has no selection {choice}")

    def reweight(self, counts: Floats) -> Self:
        """The view with its cells (or units) counted again: one new unit for each row of counts.

        Where units are drawn, ``counts`` is one row, and units are repeated or left out.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot be counted again")

    def unthinned(self) -> Self:
        """The view with all of its cells, where ``cells`` and ``reweight`` thin long ones."""
        return self

    def thinned_cells(self, cells: Ints) -> Ints:
        """Return the places of cells of the unthinned view among ``cells``."""
        return cells

    def ideal(self) -> Self:
        """Return the view that a perfect system would have given, under the same truth."""
        raise NotImplementedError(f"{type(self).__name__} has no ideal")

    def __add__(self, other: Self) -> Self:
        raise NotImplementedError(
            f"{type(self).__name__} is not a sum of parts: it must be seen as a whole"
        )


class NamedSets(View):
    """A view whose units are sets with names; a subclass has the field ``names``."""

    names: Sequence[str]

    @property
    def units(self) -> Sequence[str]:
        """The names of the units."""
        return self.names


def join_fields(one: View, other: View, *names: str) -> dict[str, Any]:
    """Return fields of two parts joined: tuples added, arrays concatenated along the last axis."""
    joined = {}
    for name in names:
        both = getattr(one, name), getattr(other, name)
        is_names = isinstance(both[0], tuple)
        joined[name] = both[0] + both[1] if is_names else np.concatenate(both, axis=-1)
    return joined


def bytewise(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in bytewise order."""
    return tuple(sorted(names, key=str.encode))


def places_among(names: Sequence[str], known: Sequence[str]) -> Ints:
    """Return the place of each name among the known ones."""
    place = {name: n for n, name in enumerate(known)}
    return np.asarray([place[name] for name in names], dtype=np.int64)


def missing_units(view: View) -> Bools:
    """For each unit whether the system does not answer it."""
    return np.zeros(len(view.units), dtype=bool) if view.missing is None else view.missing


Record = TypeVar("Record")


def refuse_split_query(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """Raise an error for a query that occurs in two parts."""
    if shared := set(one) & set(other):
        raise AlignmentError(
            f"the query {min(shared)} is split over two parts: a ranking must come whole"
        )


def bytewise_order(queries: tuple[str, ...]) -> Ints:
    """Return the places of the queries in bytewise order."""
    names = [query.encode() for query in queries]
    return np.asarray(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


def repeat_units(counts: Floats) -> Ints:
    """Return the place of each unit, as often as its count says."""
    times = np.ravel(counts).astype(np.int64)
    return np.repeat(np.arange(len(times)), times)


@dataclass(frozen=True)
class QueryRecords(View, Generic[Record]):
    """All that a measure can see of each query, as one record."""

    unit_kind: ClassVar[str] = "query"

    queries: tuple[str, ...]
    records: tuple[Record, ...]
    missing: Bools | None = None
    """Queries that the run does not answer at all; None if it answers all."""

    @property
    def units(self) -> tuple[str, ...]:
        """The queries, in bytewise order."""
        return self.queries

    def per_query(self, value: Callable[[Record], Any]) -> Floats:
        """Return the value of each query."""
        return np.asarray([value(one) for one in self.records], dtype=np.float64)

    def map_records(self, change: Callable[[Record], Record]) -> Self:
        """Return the same queries with each record changed."""
        return replace(self, records=tuple(change(one) for one in self.records))

    def take(self, chosen: Ints) -> Self:
        """Return some of the queries, in that order, perhaps repeatedly."""
        places = np.asarray(chosen, dtype=np.int64)
        return replace(
            self,
            queries=tuple(self.queries[n] for n in places.tolist()),
            records=tuple(self.records[n] for n in places.tolist()),
            missing=missing_units(self)[places],
        )

    def reweight(self, counts: Floats) -> Self:
        """Return each query as often as its count says."""
        return self.take(repeat_units(counts))

    def __add__(self, other: Self) -> Self:
        """Return the union of two parts that share no query, in bytewise order of the queries."""
        refuse_split_query(self.queries, other.queries)
        joined = replace(
            self,
            queries=self.queries + other.queries,
            records=self.records + other.records,
            missing=np.concatenate((missing_units(self), missing_units(other))),
        )
        return joined.take(bytewise_order(joined.queries))
