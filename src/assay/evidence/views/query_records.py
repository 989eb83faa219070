"""Views of queries: how parts are joined, and what views with a record for each query share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.errors import AlignmentError
from assay.evidence.views.view import View, missing_units

Record = TypeVar("Record")


def refuse_split_query(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """Complain about a query that stands in two parts."""
    if shared := set(one) & set(other):
        raise AlignmentError(
            f"the query {min(shared)} is split over two parts: a ranking must come whole"
        )


def bytewise_order(queries: tuple[str, ...]) -> Ints:
    """The places of the queries in bytewise order."""
    names = [query.encode() for query in queries]
    return np.asarray(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


def repeat_units(counts: Floats) -> Ints:
    """The place of each unit, as often as its count says."""
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

    def each(self, value: Callable[[Record], Any]) -> Floats:
        """The value of each query."""
        return np.asarray([value(one) for one in self.records], dtype=np.float64)

    def seen(self, change: Callable[[Record], Record]) -> Self:
        """The same queries with each record changed."""
        return replace(self, records=tuple(change(one) for one in self.records))

    def take(self, chosen: Ints) -> Self:
        """Some of the queries, in that order, perhaps repeatedly."""
        places = np.asarray(chosen, dtype=np.int64)
        return replace(
            self,
            queries=tuple(self.queries[n] for n in places.tolist()),
            records=tuple(self.records[n] for n in places.tolist()),
            missing=missing_units(self)[places],
        )

    def reweight(self, counts: Floats) -> Self:
        """Each query as often as its count says."""
        return self.take(repeat_units(counts))

    def __add__(self, other: Self) -> Self:
        """The union of two parts that share no query, in bytewise order of the queries."""
        refuse_split_query(self.queries, other.queries)
        joined = replace(
            self,
            queries=self.queries + other.queries,
            records=self.records + other.records,
            missing=np.concatenate((missing_units(self), missing_units(other))),
        )
        return joined.take(bytewise_order(joined.queries))
