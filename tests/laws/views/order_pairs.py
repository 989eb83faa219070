"""The laws of two orders: a number in each for every item."""

from __future__ import annotations

import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.evidence.order_rows import Orders, order_rows
from assay.evidence.views.order_pairs import OrderPairs, build_order_pairs
from assay.testing import orders

Pairs = list[tuple[int, int]]
pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8)


def build(example: Pairs) -> OrderPairs:
    return orders([first for first, _ in example], [second for _, second in example])


def rows(example: Pairs) -> list[tuple[str, int, int]]:
    return [(f"i{n}", *both) for n, both in enumerate(example)]


def of_rows(lines: list[tuple[str, int, int]]) -> OrderPairs:
    frame = pl.DataFrame(lines, schema=["item", "first", "second"], orient="row")
    return build_order_pairs(order_rows(Orders.of(frame)))


def _shuffled(measure: Measure, listed: Pairs) -> bool:
    """The order in which the items are listed does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


LAWS = ViewLaws(
    view=OrderPairs,
    examples=pairs,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[Law("order of items", pairs, _shuffled)],
)
