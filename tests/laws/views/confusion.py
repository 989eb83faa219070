"""The laws of confusion matrices: rows of counts, truth in rows."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number, summary

from assay.core.names import Measure
from assay.core.tables import Decisions
from assay.engine.local import measure_view
from assay.evidence.builders.from_decisions import build_confusion as counted
from assay.evidence.views.confusion import Confusion
from assay.testing import confusion

Rows = list[list[int]]
LETTERS = "abcd"


def square(size: int) -> st.SearchStrategy[Rows]:
    row = st.lists(st.integers(0, 6), min_size=size, max_size=size)
    return st.lists(row, min_size=size, max_size=size)


matrices = st.integers(2, 4).flatmap(square)


def build(rows: Rows) -> Confusion:
    return confusion(rows, labels=LETTERS[: len(rows)])


def rows(matrix: Rows) -> list[tuple[str, str]]:
    cells = [(a, b, count) for a, row in enumerate(matrix) for b, count in enumerate(row)]
    return [("a", "b"), *((LETTERS[a], LETTERS[b]) for a, b, n in cells for _ in range(n))]


def of_rows(lines: list[tuple[str, str]]) -> Confusion:
    frame = pl.DataFrame(lines, schema=["truth", "predicted"], orient="row")
    return counted(Decisions.of(frame))


def split(rows: Rows) -> list[Rows]:
    first = [[count // 2 for count in row] for row in rows]
    return [
        first,
        [[c - f for c, f in zip(*pair, strict=True)] for pair in zip(rows, first, strict=True)],
    ]


def _renamed(measure: Measure, rows: Rows) -> bool:
    """Calling the classes otherwise changes nothing."""
    order = list(range(len(rows)))[::-1]
    renamed = [[rows[a][b] for b in order] for a in order]
    return same_number(summary(measure, build(rows)), summary(measure, build(renamed)))


def _corrected(measure: Measure, example: tuple[Rows, int, int]) -> bool:
    """Putting one item into its true class never hurts.

    A class that is measured on one side only changes the mean for that reason alone. Then those
    that are measured on both sides are compared.
    """
    rows, truth, said = example
    truth, said = truth % len(rows), said % len(rows)
    if truth == said or rows[truth][said] == 0:
        return True
    better = [list(row) for row in rows]
    better[truth][said] -= 1
    better[truth][truth] += 1
    before, after = (measure_view(build(each), measure).values for each in (rows, better))
    both = ~np.isnan(before) & ~np.isnan(after)
    if np.array_equal(np.isnan(before), np.isnan(after)):
        whole = [summary(measure, build(each)) for each in (rows, better)]
        return not_worse(measure, *whole)
    if both.any():
        return not_worse(measure, before[both].mean(), after[both].mean())
    return True


def _recounted(measure: Measure, rows: Rows) -> bool:
    """Matrices counted again at once give what each gives alone."""
    view = build(rows)
    doubled = [[2 * count for count in row] for row in rows]
    both = np.asarray([np.ravel(rows), np.ravel(doubled)], dtype=np.float64)
    together = measure(view.reweight(both).by(measure.definition.unit))
    alone = [measure(build(each).by(measure.definition.unit)) for each in (rows, doubled)]
    return np.array_equal(together, np.concatenate(alone), equal_nan=True)


LAWS = ViewLaws(
    view=Confusion,
    examples=matrices,
    build=build,
    rows=rows,
    of_rows=of_rows,
    split=split,
    laws=[
        Law("renaming", matrices, _renamed),
        Law("correction", st.tuples(matrices, st.integers(0, 3), st.integers(0, 3)), _corrected),
        Law("counted again", matrices, _recounted),
    ],
)
