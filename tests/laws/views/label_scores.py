"""The laws of scores of labels: true letters and a score of each of three labels for each item."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.evidence.views.label_scores import LabelScores

Items = list[tuple[str, tuple[int, int, int]]]
LABELS = "abc"
letters = st.sets(st.sampled_from(LABELS)).map(lambda chosen: "".join(sorted(chosen)))
numbers = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
items = st.lists(st.tuples(letters, numbers), min_size=1, max_size=8)


def build(example: Items) -> LabelScores:
    truth = np.asarray([[each in own for each in LABELS] for own, _ in example], dtype=bool)
    score = np.asarray([row for _, row in example], dtype=np.float64)
    return LabelScores.of(tuple(LABELS), truth, score)


def _shuffled(measure: Measure, listed: Items) -> bool:
    """The order of the items does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


def _merged(measure: Measure, listed: Items) -> bool:
    """Parts, added, give the number of the whole."""
    both = build(listed) + build(listed[::-1])
    return same_number(summary(measure, build(listed + listed[::-1])), summary(measure, both))


def _stretched(measure: Measure, listed: Items) -> bool:
    """Only the order of the scores matters."""
    wider = [(own, tuple(2 * each + 1 for each in row)) for own, row in listed]
    return same_number(summary(measure, build(listed)), summary(measure, build(wider)))


LAWS = ViewLaws(
    view=LabelScores,
    examples=items,
    build=build,
    rows=lambda listed: listed,
    of_rows=build,
    laws=[
        Law("order of items", items, _shuffled),
        Law("parts", items, _merged),
        Law("stretching", items, _stretched),
    ],
)
