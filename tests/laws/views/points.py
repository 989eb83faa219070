"""The laws of points in clusters: a letter for the cluster of each, and two coordinates."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import strategies as st
from tests.laws.law import TOLERANCE, Law, ViewLaws, summary

from assay.core.names import Measure
from assay.core.tables import Source
from assay.evidence.builders.from_points import build_points
from assay.evidence.views.points import Points
from assay.testing import placed

Listed = list[tuple[str, int, int]]
listed = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(1, 9), st.integers(-9, 9)),
    min_size=1,
    max_size=8,
)


def build(example: Listed) -> Points:
    return placed("".join(letter for letter, _, _ in example), [[x, y] for _, x, y in example])


def rows(example: Listed) -> Listed:
    return example


def of_rows(lines: Listed) -> Points:
    table = np.asarray([[x, y] for _, x, y in lines], dtype=np.float64)
    return build_points(
        table, pl.Series("cluster", [letter for letter, _, _ in lines]), None, Source("points")
    )


def _close(one: float, other: float) -> bool:
    both = np.isnan(one) and np.isnan(other)
    return bool(both or abs(one - other) <= 1e3 * TOLERANCE * max(1.0, abs(one)))


def _shuffled(measure: Measure, example: Listed) -> bool:
    """The order in which the points are listed does not matter."""
    return _close(summary(measure, build(example)), summary(measure, build(example[::-1])))


def _renamed(measure: Measure, example: Listed) -> bool:
    """Calling the clusters otherwise changes nothing."""
    renamed = [(letter.translate(str.maketrans("abc", "cab")), x, y) for letter, x, y in example]
    return _close(summary(measure, build(example)), summary(measure, build(renamed)))


LAWS = ViewLaws(
    view=Points,
    examples=listed,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[Law("order of points", listed, _shuffled), Law("renaming", listed, _renamed)],
)
