"""The laws of groupings: clusters as words of the classes of their members."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.core.tables import Assignments
from assay.evidence.builders.from_assignments import build_contingency
from assay.evidence.views.contingency import Contingency
from assay.testing import clusters

words = st.lists(st.text("xod", min_size=1, max_size=6), min_size=1, max_size=4)


def build(example: list[str]) -> Contingency:
    return clusters(*example)


def rows(example: list[str]) -> list[tuple[str, str]]:
    return [(f"k{n}", letter) for n, word in enumerate(example) for letter in word]


def of_rows(lines: list[tuple[str, str]]) -> Contingency:
    frame = pl.DataFrame(lines, schema=["cluster", "class"], orient="row")
    return build_contingency(Assignments.of(frame))


def _renamed(measure: Measure, example: list[str]) -> bool:
    """Calling clusters and classes otherwise changes nothing."""
    swap = str.maketrans("xod", "dxo")
    renamed = [word.translate(swap) for word in reversed(example)]
    return same_number(summary(measure, build(example)), summary(measure, build(renamed)))


def _merged(measure: Measure, example: list[str]) -> bool:
    """Parts of the items, added, give the same bits as the whole."""
    first, second = [w[: len(w) // 2] for w in example], [w[len(w) // 2 :] for w in example]
    both = build(first) + build(second)
    return same_number(summary(measure, build(example)), summary(measure, both))


def _recounted(measure: Measure, example: list[str]) -> bool:
    """Tables counted again at once give what each gives alone."""
    view = build(example)
    together = measure(view.reweight(np.stack((view.cells, 3 * view.cells))))
    alone = [measure(view)[0], measure(build([word * 3 for word in example]))[0]]
    return np.array_equal(together, alone, equal_nan=True)


LAWS = ViewLaws(
    view=Contingency,
    examples=words,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[
        Law("renaming", words, _renamed),
        Law("parts", words, _merged),
        Law("counted again", words, _recounted),
    ],
)
