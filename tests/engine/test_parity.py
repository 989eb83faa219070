"""Engine parity: every measure gives the same results from parts as from the whole."""

from __future__ import annotations

from functools import cache, reduce
from operator import add

import numpy as np
import pytest
from tests.laws.law import same

from assay import testing
from assay.core.catalogue import catalogue
from assay.core.errors import NeedsInput
from assay.core.names import Measure, declared_variants
from assay.core.names import measure as measure_named
from assay.engine.formula_values import FormulaValues, MeasuredQueries
from assay.engine.local import compute_values, evaluate, select_evidence
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


@pytest.mark.parametrize("measure", RANKINGS)
def test_values_computed_in_pieces(measure: Measure) -> None:
    whole = testing.rankings("+-+?2|3", "?-~+", "3210|1", "|+", "--|-", "2+2+|22", "3" + "?" * 200)
    expected = evaluate(whole, [measure], "s")[0]
    for count in (1, 2, 7, 1000):  # Pieces beyond the queries are empty.
        pieces = [whole.take(places) for places in np.array_split(np.arange(7), count)]
        nothing = compute_values(select_evidence(whole.take([]), measure), measure)
        values = FormulaValues.joined(
            [
                compute_values(select_evidence(each, measure), measure) if each.queries else nothing
                for each in pieces
            ]
        )
        measured = MeasuredQueries(whole.queries, {measure: values}, whole.missing)
        assert evaluate(measured, [measure], "s")[0] == expected


CUTOFFS = [f"retrieval.{name}" for name in ("nDCG@10", "AP", "RR", "bpref", "GMAP", "num_ret")]


@cache
def pieces_of_lists(queries: int, count: int) -> tuple[Rankings, list[Rankings]]:
    drawn = np.random.default_rng(26).choice(list("0123?"), (queries, 12))
    whole = testing.rankings(*("".join(row) + "|21" for row in drawn))
    return whole, [whole.take(places) for places in np.array_split(np.arange(queries), count)]


@pytest.mark.parametrize("name", CUTOFFS)
@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_a_thousand_pieces_with_queries(name: str, count: int) -> None:
    same_in_pieces(measure_named(name), 2000, count)


@pytest.mark.slow
@pytest.mark.parametrize("measure", RANKINGS)
@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_a_thousand_pieces_of_the_whole_catalogue(measure: Measure, count: int) -> None:
    same_in_pieces(measure, 1000, count)


def same_in_pieces(measure: Measure, queries: int, count: int) -> None:
    whole, pieces = pieces_of_lists(queries, count)
    values = FormulaValues.joined(
        [compute_values(select_evidence(each, measure), measure) for each in pieces]
    )
    measured = MeasuredQueries(whole.queries, {measure: values}, whole.missing)
    found, expected = (evaluate(each, [measure], "s")[0] for each in (measured, whole))
    assert found.values.tobytes() == expected.values.tobytes()
    assert found == expected


def test_what_was_not_computed_is_refused() -> None:
    measured = MeasuredQueries(("q1",), {}, np.zeros(1, dtype=bool))
    with pytest.raises(NeedsInput, match="RR was not computed where the runs are"):
        evaluate(measured, [measure_named("RR")], "s")
    with pytest.raises(NeedsInput, match="'hits' is needed"):
        _ = measured.hits
