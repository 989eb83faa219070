"""Correlation: two orders of the same things to Scores."""

from __future__ import annotations

from typing import Any

from assay.core.tables import Orders
from assay.engine.scores import Scores
from assay.evidence.from_orders import order_pairs
from assay.evidence.orders import OrderPairs
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import columns_of

NEEDS = {OrderPairs: "two orders of the same items"}


def correlation(
    data: Any,
    measures: Asked = None,
    *,
    item: str = "item",
    first: str = "first",
    second: str = "second",
    group: str | None = None,
    name: str = "orders",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Compare two orders of the same items, given by a number in each (higher is earlier).

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns.
    """
    columns = {"item": item, "first": first, "second": second, "group": group}
    orders = Orders.of(*columns_of(data, columns, "the orders"))
    views = {OrderPairs: lambda: order_pairs(orders)}
    asked = chosen(measures, "correlation", views, NEEDS)
    return Scores(
        task="correlation",
        results=tuple(scored(name, asked, views, bootstrap)),
        conventions=described({"orders": orders}, bootstrap),
    )
