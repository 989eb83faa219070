"""Every measure that may run in pieces gives the bits of the whole; the others are refused by name.

Queries are evaluated piece by piece and joined, as Spark and long inputs do; counts are added; the
sums of regression are exact, so that a file may be read in any parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from itertools import chain, pairwise
from operator import add
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.laws.views import (
    confusion,
    contingency,
    preference_pairs,
    rankings,
    rating_table,
    sampled_rankings,
    stopping_rankings,
    subtopic_rankings,
    threshold_table,
)

import assay
from assay.core.catalogue import catalogue
from assay.core.names import Measure, declared_variants
from assay.core.tables import Values
from assay.engine.formula_values import FormulaValues, MeasuredQueries
from assay.engine.local import compute_values, evaluate, select_evidence
from assay.engine.result import Result
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.judged_rankings import (
    JudgmentGroups,
    SampledRankings,
    SubtopicRankings,
)
from assay.evidence.views.preference_pairs import PreferencePairs
from assay.evidence.views.rankings import Rankings
from assay.evidence.views.rating_table import RatingTable
from assay.evidence.views.stopping_rankings import StoppingRankings
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_pairs import ValueMoments, build_value_pairs
from assay.tasks.classification.classes_in_parts import classification_in_parts
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.regression.values_in_parts import regression_in_parts

PIECES = (1, 2, 7, 1000)
UNITS = 1500
RANDOM = np.random.default_rng(26)


def measures_of(*views: Any) -> list[Any]:
    """All declared variants of the measures of some views, as parameters of a test."""
    return [
        pytest.param(each, id=each.name)
        for definition in catalogue().values()
        if definition.view in views
        for each in declared_variants(definition)
    ]


def draw(letters: str, length: int) -> str:
    return "".join(RANDOM.choice(list(letters), length))


def same(found: Result, expected: Result) -> None:
    assert found == expected
    assert found.values.tobytes() == expected.values.tobytes()


QUERIES: dict[Any, Callable[[], Any]] = {
    JudgmentGroups: lambda: JudgmentGroups(
        (), tuple(rankings.build([draw("+-?", 9) for _ in range(UNITS)]) for _ in range(3))
    ),
    PreferencePairs: lambda: preference_pairs.build(
        [("".join(RANDOM.permutation(list("abcdx"))), ["a>b", "c>d", "b>c"]) for _ in range(60)]
    ),
    SampledRankings: lambda: sampled_rankings.build([draw("?-+2~", 7) + "+" for _ in range(60)]),
    StoppingRankings: lambda: stopping_rankings.build([draw("?-+", 7) + "+" for _ in range(60)]),
    SubtopicRankings: lambda: subtopic_rankings.build(
        [RANDOM.choice(["a", "b", "ab", "abc", "?"], 5).tolist() for _ in range(60)]
    ),
}
"""Views of queries besides plain rankings, which ``test_parity.py`` evaluates in pieces."""


def take(view: Any, places: Any) -> Any:
    """Return some of the queries."""
    if not isinstance(view, JudgmentGroups):
        return view.take(places)
    groups = tuple(each.take(places) for each in view.groups)
    return JudgmentGroups(groups[0].queries, groups)


@cache
def query_pieces(view: Any, count: int) -> tuple[Any, list[Any]]:
    few = QUERIES[view]()
    whole = take(few, np.arange(UNITS) % (len(few.queries) or UNITS))
    return whole, [take(whole, places) for places in np.array_split(np.arange(UNITS), count)]


@pytest.mark.parametrize("count", PIECES)
@pytest.mark.parametrize("measure", measures_of(*QUERIES))
def test_queries_in_pieces(measure: Measure, count: int) -> None:
    whole, pieces = query_pieces(measure.definition.view, count)
    values = FormulaValues.joined(
        [compute_values(select_evidence(each, measure), measure) for each in pieces]
    )
    measured = MeasuredQueries(whole.queries, {measure: values}, np.zeros(UNITS, dtype=bool))
    found, expected = (evaluate(each, [measure], "s")[0] for each in (measured, whole))
    same(found, expected)


def rating_lines() -> list[list[tuple[str, str, str]]]:
    words = [draw("abc.", UNITS) for _ in range(3)]
    lines = rating_table.rows(["a" * UNITS, *words])
    items: dict[str, list[Any]] = {}
    for line in lines:
        items.setdefault(line[0], []).append(line)
    return list(items.values())


LINES: dict[Any, tuple[Callable[[], list[list[Any]]], Callable[[list[Any]], Any]]] = {
    Confusion: (lambda: [[tuple(draw("abc", 2))] for _ in range(UNITS)], confusion.of_rows),
    Contingency: (lambda: [[tuple(draw("abcde", 2))] for _ in range(UNITS)], contingency.of_rows),
    RatingTable: (rating_lines, rating_table.of_rows),
    ThresholdTable: (
        lambda: [
            [(mark, score)]
            for mark, score in zip(
                "PN" * (UNITS // 2), RANDOM.integers(0, 90, UNITS).tolist(), strict=True
            )
        ],
        threshold_table.of_rows,
    ),
}
"""Views whose counts add: the lines of each item, and what makes a view of lines."""


@cache
def summed_pieces(view: Any, count: int) -> tuple[Any, Any]:
    draw_lines, build = LINES[view]
    items = draw_lines()
    whole, *parts = (build([*chain(*each)]) for each in (items, *cuts(items, count)))
    return whole, reduce(add, parts)


def cuts(items: Sequence[Any], count: int) -> list[Any]:
    ends = np.linspace(0, len(items), count + 1).astype(int).tolist()
    return [items[a:b] for a, b in pairwise(ends)]


@pytest.mark.parametrize("count", PIECES)
@pytest.mark.parametrize("measure", measures_of(*LINES))
def test_counts_in_pieces(measure: Measure, count: int) -> None:
    whole, summed = summed_pieces(measure.definition.view, count)
    found, expected = (evaluate(each, [measure], "s")[0] for each in (summed, whole))
    same(found, expected)


def pairs(size: int) -> pl.DataFrame:
    """Numbers far from 0 and of very different sizes."""
    truth = 1e6 + RANDOM.normal(size=size) * 10.0 ** RANDOM.integers(-9, 6, size)
    return pl.DataFrame({"truth": truth, "predicted": truth + RANDOM.normal(size=size)})


VALUES = {"few": pairs(5_000), "many": pairs(120_000)}
"""Few values are sorted on one machine, many are not."""


@pytest.mark.parametrize("count", PIECES)
@pytest.mark.parametrize("size", VALUES)
def test_moments_in_pieces(size: str, count: int) -> None:
    whole, names = VALUES[size], [each.values[0] for each in measures_of(ValueMoments)]
    expected = assay.regression(whole, measures=names, interval=None)
    for table in (whole, whole.sample(fraction=1, shuffle=True, seed=1)):
        found = regression_in_parts(cuts(table, count), names)
        for one, other in zip(found.results, expected.results, strict=True):
            same(one, other)


REFUSED: dict[str, Callable[[Measure], Any]] = {
    "regression": lambda measure: regression_in_parts([VALUES["few"]], [measure]),
    "classification": lambda measure: classification_in_parts(
        [pl.DataFrame({"truth": ["a", "b"], "predicted": ["a", "a"], "score": [0.1, 0.2]})],
        [measure],
        ClassificationColumns(predicted="predicted", score="score", positive="a"),
    ),
}
IN_PIECES = {Rankings, ValueMoments, *QUERIES, *LINES}
OTHERS = [
    pytest.param(each, id=each.name)
    for definition in catalogue().values()
    if definition.view not in IN_PIECES and definition.task in REFUSED
    for each in declared_variants(definition)
]


@pytest.mark.parametrize("measure", OTHERS)
def test_what_needs_the_whole_is_refused_by_name(measure: Measure) -> None:
    with pytest.raises(assay.AssayError) as raised:
        REFUSED[measure.definition.task](measure)
    assert str(raised.value).startswith(f"{measure.name} needs ")


def test_no_other_view_is_added_up_by_an_engine() -> None:
    whole = {each.view for each in catalogue().values()} - IN_PIECES
    assert {each.__name__ for each in whole} == {
        *("Densities", "LabelScores", "LabelSets", "Memberships", "OrderPairs", "Points"),
        *("Probabilities", "RankedLists", "Spans", "ValuePairs"),
    }
    moments = build_value_pairs(Values.of(VALUES["few"])).moments
    with pytest.raises(NotImplementedError, match="ValueMoments is not a sum of parts"):
        moments + moments
