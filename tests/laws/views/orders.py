"""The laws of two orders: a number in each for every item."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number, summary

from assay.core.names import Measure
from assay.evidence.drawing import orders
from assay.evidence.orders import OrderPairs

Pairs = list[tuple[int, int]]
pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8)


def build(example: Pairs) -> OrderPairs:
    return orders([first for first, _ in example], [second for _, second in example])


def _shuffled(measure: Measure, listed: Pairs) -> bool:
    """The order in which the items are listed does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


def _ideal(measure: Measure, listed: Pairs) -> bool:
    """Nothing agrees better with an order than itself."""
    view = build(listed)
    return not_worse(measure, summary(measure, view), summary(measure, view.ideal()))


LAWS = ViewLaws(
    view=OrderPairs,
    examples=pairs,
    build=build,
    laws=[Law("order of items", pairs, _shuffled), Law("ideal", pairs, _ideal)],
)
