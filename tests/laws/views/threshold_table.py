"""The laws of scores and thresholds: marks P and N with a score each."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number, summary

from assay.core.names import Measure
from assay.core.tables import Decisions
from assay.evidence.builders.from_decisions import build_threshold_table
from assay.evidence.views.threshold_table import ThresholdTable
from assay.testing import scored

Items = list[tuple[str, int]]
items = st.lists(st.tuples(st.sampled_from("PN"), st.integers(-4, 4)), min_size=2, max_size=12)


def build(example: Items) -> ThresholdTable:
    return scored("".join(mark for mark, _ in example), [score / 4 for _, score in example])


def rows(example: Items) -> Items:
    return [("P", 1), ("N", 0), *example]


def of_rows(lines: Items) -> ThresholdTable:
    frame = pl.DataFrame(lines, schema=["truth", "score"], orient="row")
    return build_threshold_table(Decisions.of(frame), "P")


def split(example: Items) -> list[Items]:
    return [example[::2], example[1::2]]


def _raised(measure: Measure, example: tuple[Items, int]) -> bool:
    """Raising the score of a positive item never hurts."""
    listed, place = example
    place %= len(listed)
    mark, score = listed[place]
    if mark == "N":
        return True
    better = [*listed[:place], (mark, score + 1), *listed[place + 1 :]]
    return not_worse(measure, summary(measure, build(listed)), summary(measure, build(better)))


def _stretched(measure: Measure, listed: Items) -> bool:
    """Only the order of the scores matters, not their size."""
    stretched = [(mark, 8 * score + 3) for mark, score in listed]
    return same_number(summary(measure, build(listed)), summary(measure, build(stretched)))


def _shuffled(measure: Measure, listed: Items) -> bool:
    """The order of the items does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(sorted(listed))))


def _recounted(measure: Measure, listed: Items) -> bool:
    """Tables counted again at once give what each gives alone."""
    view = build(listed)
    both = np.stack((view.cells, 2 * view.cells))
    together = measure(view.reweight(both))
    return np.array_equal(
        together, [measure(view)[0], measure(build(listed * 2))[0]], equal_nan=True
    )


LAWS = ViewLaws(
    view=ThresholdTable,
    examples=items,
    build=build,
    rows=rows,
    of_rows=of_rows,
    split=split,
    laws=[
        Law("raising", st.tuples(items, st.integers(0, 11)), _raised),
        Law("stretching", items, _stretched),
        Law("order of items", items, _shuffled),
        Law("counted again", items, _recounted),
    ],
)
