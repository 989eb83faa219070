"""JudgmentGroups: the rankings of one system as several assessors judge them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.evidence.views.rankings import Rankings
from assay.evidence.views.view import View, bytewise, missing_units, refuse_split_query


@dataclass(frozen=True)
class JudgmentGroups(View):
    """One set of rankings for each group of judgments, over the queries that it judged."""

    task: ClassVar[str] = "retrieval"
    unit_kind: ClassVar[str] = "query"

    queries: tuple[str, ...]
    groups: tuple[Rankings, ...]
    no_relevant: str = "undefined"
    """Whether a group without a relevant document is ignored, or counts ``zero``."""
    missing: Bools | None = None
    """Queries that the run does not answer at all; None if it answers all."""

    @property
    def units(self) -> tuple[str, ...]:
        """The queries that some group judged, in bytewise order."""
        return self.queries

    def mean(self, measure: Callable[[Rankings], Floats]) -> Floats:
        """Return the mean over the groups that judged a query; NaN where none can be measured."""
        table = np.full((len(self.groups), len(self.queries)), np.nan)
        for row, group in zip(table, self.groups, strict=True):
            values = measure(group)
            row[self._places(group)] = (
                np.nan_to_num(values) if self.no_relevant == "zero" else values
            )
        defined = ~np.isnan(table)
        sums = np.where(defined, table, 0.0).sum(axis=0)
        return np.divide(
            sums, defined.sum(axis=0), out=np.full(len(sums), np.nan), where=defined.any(axis=0)
        )

    def ideal(self) -> Self:
        """For each group the list that is perfect in its eyes."""
        return replace(self, missing=None, groups=tuple(group.ideal() for group in self.groups))

    def __add__(self, other: Self) -> Self:
        """Return the union of two parts that share no query; groups pair up in their order."""
        refuse_split_query(self.queries, other.queries)
        flags = np.concatenate((missing_units(self), missing_units(other))).tolist()
        missing = dict(zip(self.queries + other.queries, flags, strict=True))
        queries = bytewise(missing)
        return replace(
            self,
            queries=queries,
            groups=self.groups + other.groups,
            missing=np.asarray([missing[query] for query in queries], dtype=bool),
        )

    def _places(self, group: Rankings) -> Ints:
        place = {query: n for n, query in enumerate(self.queries)}
        return np.asarray([place[query] for query in group.queries], dtype=np.int64)
