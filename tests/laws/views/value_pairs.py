"""The laws of predicted numbers: pairs of a true and a predicted one."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.core.tables import Values
from assay.evidence.builders.from_values import build_value_pairs
from assay.evidence.views.value_pairs import ValuePairs
from assay.testing import values

Pairs = list[tuple[float, float]]
number = st.integers(1, 40).map(lambda n: n / 8)
pairs = st.lists(st.tuples(number, number), min_size=2, max_size=10)


def build(example: Pairs) -> ValuePairs:
    return values([truth for truth, _ in example], [said for _, said in example])


def rows(example: Pairs) -> Pairs:
    return example


def of_rows(lines: Pairs) -> ValuePairs:
    return build_value_pairs(
        Values.of(pl.DataFrame(lines, schema=["truth", "predicted"], orient="row"))
    )


def _shuffled(measure: Measure, listed: Pairs) -> bool:
    """The order of the items does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


def _merged(measure: Measure, listed: Pairs) -> bool:
    """Parts, added, give the number of the whole."""
    half = len(listed) // 2
    both = build(listed[:half]) + build(listed[half:])
    return bool(
        np.isclose(
            summary(measure, build(listed)), summary(measure, both), rtol=1e-12, equal_nan=True
        )
    )


LAWS = ViewLaws(
    view=ValuePairs,
    examples=pairs,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[
        Law("order of items", pairs, _shuffled),
        Law("parts", pairs, _merged),
    ],
)
