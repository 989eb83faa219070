"""The laws of densities: what a model gave to each held-out item."""

from __future__ import annotations

import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number, summary

from assay.core.names import Measure
from assay.core.tables import Values
from assay.evidence.views.densities import Densities
from assay.evidence.views.densities import build_densities as densities_of
from assay.testing import densities

Items = list[float]
items = st.lists(st.integers(0, 16).map(lambda n: n / 4), min_size=1, max_size=8)


def of_rows(lines: Items) -> Densities:
    return densities_of(Values.of(pl.DataFrame({"density": lines})))


def _shuffled(measure: Measure, listed: Items) -> bool:
    """The order of the items does not matter."""
    return same_number(
        summary(measure, densities(listed)), summary(measure, densities(listed[::-1]))
    )


def _likelier(measure: Measure, listed: Items) -> bool:
    """Holding what came twice as likely never hurts."""
    doubled = [2 * each for each in listed]
    return not_worse(
        measure, summary(measure, densities(listed)), summary(measure, densities(doubled))
    )


LAWS = ViewLaws(
    view=Densities,
    examples=items,
    build=densities,
    rows=lambda listed: listed,
    of_rows=of_rows,
    laws=[Law("order of items", items, _shuffled), Law("likelier", items, _likelier)],
    ideal_is_best=False,
)
