"""The laws of probabilities: a true class and odds of three classes for each item."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, summary

from assay.core.names import Measure
from assay.core.tables import Decisions
from assay.evidence.builders.from_probabilities import build_probabilities as forecasts_of
from assay.evidence.views.probabilities import Probabilities
from assay.testing import forecasts

Items = list[tuple[str, tuple[int, int, int]]]
odds = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 4))
items = st.lists(st.tuples(st.sampled_from("abc"), odds), min_size=2, max_size=8)


def build(example: Items) -> Probabilities:
    rows = [[part / sum(parts) for part in parts] for _, parts in example]
    return forecasts("".join(truth for truth, _ in example), rows)


def rows(example: Items) -> Items:
    return example


def of_rows(lines: Items) -> Probabilities:
    matrix = np.asarray([[part / sum(parts) for part in parts] for _, parts in lines])
    decisions = Decisions.of(pl.DataFrame({"truth": [truth for truth, _ in lines]}))
    return forecasts_of(decisions, matrix, ("a", "b", "c"))


def _shuffled(measure: Measure, listed: Items) -> bool:
    """The order of the items does not matter."""
    return bool(
        np.isclose(
            summary(measure, build(listed)),
            summary(measure, build(listed[::-1])),
            rtol=1e-12,
            atol=1e-15,
            equal_nan=True,
        )
    )


def _merged(measure: Measure, listed: Items) -> bool:
    """Parts, added, give the number of the whole."""
    half = len(listed) // 2
    both = build(listed[:half] or listed) + build(listed[half:] if half else listed)
    whole = build(listed) if half else build(listed * 2)
    return bool(
        np.isclose(summary(measure, whole), summary(measure, both), rtol=1e-12, equal_nan=True)
    )


def _repeated(measure: Measure, listed: Items) -> bool:
    """An item counted twice is the same as two items."""
    if measure.definition.unit == "item":
        return True
    view = build(listed)
    twice = measure(view.reweight(2 * view.weight))
    return bool(np.allclose(twice, measure(build(listed * 2)), rtol=1e-12, equal_nan=True))


LAWS = ViewLaws(
    view=Probabilities,
    examples=items,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[
        Law("order of items", items, _shuffled),
        Law("parts", items, _merged),
        Law("counted again", items, _repeated),
    ],
)
