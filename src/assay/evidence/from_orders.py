"""Orders to pairs of orders."""

from __future__ import annotations

import polars as pl

from assay.core.arrays import offsets_of
from assay.core.tables import Orders
from assay.evidence.counting import (
    refuse_empty,
)
from assay.evidence.orders import OrderPairs


def order_pairs(orders: Orders) -> OrderPairs:
    """The two orders, group after group, items in bytewise order."""
    refuse_empty(orders)
    frame = orders.frame
    if "group" not in frame.columns:
        frame = frame.with_columns(group=pl.lit("all"))
    frame = frame.sort("group", "item")
    sizes = frame.group_by("group", maintain_order=True).len()
    return OrderPairs(
        groups=tuple(sizes["group"].to_list()),
        offsets=offsets_of(sizes["len"].cast(pl.Int64).to_numpy()),
        first=frame["first"].to_numpy(),
        second=frame["second"].to_numpy(),
    )
