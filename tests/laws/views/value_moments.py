"""The laws of moments: what pairs of numbers are summed up to."""

from __future__ import annotations

import numpy as np
from tests.laws.law import Law, ViewLaws, same_number, summary
from tests.laws.views.value_pairs import Pairs, of_rows, pairs, rows

from assay.core.names import Measure
from assay.evidence.views.value_moments import ValueMoments
from assay.testing import values


def build(example: Pairs) -> ValueMoments:
    return values([truth for truth, _ in example], [said for _, said in example]).moments


def _shuffled(measure: Measure, listed: Pairs) -> bool:
    """The order of the items does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


def _merged(measure: Measure, listed: Pairs) -> bool:
    """Parts, added, give the number of the whole."""
    one, other = build(listed), build([(2 * truth, said + 1) for truth, said in listed])
    both = listed + [(2 * truth, said + 1) for truth, said in listed]
    found = [summary(measure, view) for view in (build(both), one + other)]
    return bool(np.isclose(*found, rtol=1e-12, atol=1e-12, equal_nan=True))


LAWS = ViewLaws(
    view=ValueMoments,
    examples=pairs,
    build=build,
    rows=rows,
    of_rows=lambda lines: of_rows(lines).moments,
    laws=[
        Law("order of items", pairs, _shuffled),
        Law("parts", pairs, _merged),
    ],
)
