"""Engine parity: every measure gives the same results from parts as from the whole."""

from __future__ import annotations

from functools import reduce
from operator import add

import pytest
from tests.laws.law import same

from assay import testing
from assay.core.catalogue import catalogue
from assay.core.names import Measure, declared_variants
from assay.engine.local import evaluate
from assay.evidence.views.rankings import Rankings

RANKINGS = [
    pytest.param(each, id=each.name)
    for definition in catalogue().values()
    if definition.view is Rankings
    for each in declared_variants(definition)
]


@pytest.mark.parametrize("measure", RANKINGS)
def test_rankings_in_parts(measure: Measure) -> None:
    whole = testing.rankings("+-+?2|3", "?-~+", "3210|1", "|+", "--|-", "2+2+|22")
    parts = [whole.take([number]) for number in (3, 0, 5, 1, 4, 2)]
    assert same(evaluate(whole, [measure], "s")[0], evaluate(reduce(add, parts), [measure], "s")[0])


def test_a_query_split_over_two_parts_is_refused() -> None:
    from assay.core.errors import AlignmentError

    view = testing.rankings("+-")
    with pytest.raises(AlignmentError, match="the query q1 is split over two parts"):
        view + view


def test_what_is_not_a_sum_of_parts_says_so() -> None:
    view = testing.orders([1, 2], [2, 1])
    with pytest.raises(NotImplementedError, match="must be seen as a whole"):
        view + view
