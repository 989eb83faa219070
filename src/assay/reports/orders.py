"""What the page of a correlation is about: two orders of the same things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.core.tables import Orders
from assay.engine.scores import Scores
from assay.evidence.from_orders import joined_leaderboards, joined_runs, order_pairs, pairs_in_both
from assay.evidence.orders import OrderPairs
from assay.formats import containers
from assay.reports.subjects import read_once
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked
from assay.tasks.columns import columns_of
from assay.tasks.correlation import (
    correlation,
    correlation_of_leaderboards,
    correlation_of_runs,
    leaderboard,
)


@dataclass(frozen=True)
class CorrelationSubject:
    """Two orders, under their names, and how far they agree."""

    scores: Scores
    pairs: OrderPairs
    names: tuple[str, str]

    @classmethod
    def of_table(
        cls,
        data: Any,
        measures: Asked = None,
        *,
        bootstrap: Bootstrap | None = None,
        **columns: Any,
    ) -> CorrelationSubject:
        """Two columns of one table: ``item``, ``first`` and ``second`` name them, or ``group``."""
        table = read_once(data, "the orders")
        scores = correlation(table, measures, bootstrap=bootstrap, **columns)
        pairs = order_pairs(Orders.of(*columns_of(table, columns, "the orders")))
        return cls(scores, pairs, (columns["first"], columns["second"]))

    @classmethod
    def of_leaderboards(
        cls,
        one: Any,
        two: Any,
        measures: Asked = None,
        *,
        item: str | None = None,
        value: str | None = None,
        bootstrap: Bootstrap | None = None,
    ) -> CorrelationSubject:
        """Two tables of systems with a number each."""
        first, second = read_once(one, "the leaderboard"), read_once(two, "the leaderboard")
        scores = correlation_of_leaderboards(
            first, second, measures, item=item, value=value, bootstrap=bootstrap
        )
        boards = leaderboard(first, item, value), leaderboard(second, item, value)
        names = first.source.name, second.source.name
        return cls(scores, pairs_in_both(joined_leaderboards(*boards)), names)

    @classmethod
    def of_runs(
        cls, one: Any, two: Any, measures: Asked = None, *, bootstrap: Bootstrap | None = None
    ) -> CorrelationSubject:
        """Two runs, query by query."""
        first, second = containers.runs([one, two])
        scores = correlation_of_runs(first, second, measures, bootstrap=bootstrap)
        return cls(scores, pairs_in_both(joined_runs(first, second)), (first.name, second.name))
