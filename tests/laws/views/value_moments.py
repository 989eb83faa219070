"""The laws of moments: what pairs of numbers are summed up to."""

from __future__ import annotations

from tests.laws.law import Law, ViewLaws, same_number, summary
from tests.laws.views.value_pairs import Pairs, of_rows, pairs, rows

from assay.core.names import Measure
from assay.evidence.views.value_pairs import ValueMoments
from assay.testing import values


def build(example: Pairs) -> ValueMoments:
    return values([truth for truth, _ in example], [said for _, said in example]).moments


def _shuffled(measure: Measure, listed: Pairs) -> bool:
    """The order of the items does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


LAWS = ViewLaws(
    view=ValueMoments,
    examples=pairs,
    build=build,
    rows=rows,
    of_rows=lambda lines: of_rows(lines).moments,
    laws=[
        Law("order of items", pairs, _shuffled),
    ],
)
