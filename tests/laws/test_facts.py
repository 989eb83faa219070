"""Each declared fact of a ranking measure, on all small rankings and for all its variants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace

import numpy as np
import pytest
from tests.laws.small_rankings import SmallLists, all_assignments, small_lists

from assay.core.arrays import Floats, sum_at
from assay.core.catalogue import catalogue
from assay.core.facts import Facts
from assay.core.names import Measure, declared_variants, measure
from assay.engine.bounds import BoundsFinder, Numbers
from assay.engine.document_weights import weight_table
from assay.engine.measure_facts import facts_of, levels_of
from assay.evidence.views.rankings import Hits, Rankings

SLACK = 1e-12
MEASURES = [
    each
    for definition in catalogue().values()
    if definition.view is Rankings and definition.aggregate != "whole"
    for each in declared_variants(definition)
]
SCALES = [(0.0, 1.0, 2.0, 3.0), (0.0, 2.0), (-1.0, 0.0, 1.0, 2.0), (0.0, 0.5, 1.5, 4.0)]


def _cases(one: Measure, grades: tuple[float, ...]) -> tuple[SmallLists, ...]:
    cutoff = getattr(one.bound, "cutoff", None)
    return small_lists(grades, cutoff if isinstance(cutoff, int) else None)


def _values(one: Measure, cases: Sequence[SmallLists]) -> Floats:
    with np.errstate(all="ignore"):
        return np.concatenate([one(case.view) for case in cases])


def _same(values: Floats, others: Floats) -> bool:
    """Whether these are the same numbers, and there are any."""
    agreed = np.allclose(values, others, rtol=1e-12, atol=SLACK, equal_nan=True)
    return bool(agreed and not np.isnan(values).all())


def _unjudged_as_zero(one: Measure, grades: tuple[float, ...]) -> bool:
    cases = _cases(one, grades)
    values = _values(one, cases)
    return all(
        _same(values, _values(one, [case.with_useless(mark) for case in cases]))
        for mark in (np.nan, 0.0)
    )


def _ignores_pool(one: Measure, grades: tuple[float, ...]) -> bool:
    cases = _cases(one, grades)
    groups = [_values(one, [replace(case, rest=rest) for case in cases]) for rest in _rests(grades)]
    defined = ~np.isnan(groups).any(axis=0)
    return bool(defined.any()) and all(
        _same(groups[0][defined], each[defined]) for each in groups[1:]
    )


def _rests(grades: tuple[float, ...]) -> list[tuple[float, ...]]:
    return [(), tuple(grades), (grades[-1],) * 4]


def _sum_over_documents(one: Measure, grades: tuple[float, ...]) -> bool:
    cases = _cases(one, grades)
    values = _values(one, cases)
    sums = []
    for case in cases:
        alone = one(_each_alone(case.view))
        sums.append(sum_at(case.view.hits.query, alone, len(case.view.queries)))
    return _same(values, np.where(np.isnan(values), np.nan, np.concatenate(sums)))


def _each_alone(view: Rankings) -> Rankings:
    """Return each document as the only judged one that was retrieved."""
    hits = Hits(np.arange(len(view.hits.rank) + 1), view.hits.rank, view.hits.grade)
    taken = view.take(view.hits.query)
    return replace(taken, hits=hits, tie_first=hits.rank, tie_last=hits.rank, row=hits.rank)


def _fixed_weights(one: Measure, grades: tuple[float, ...]) -> bool:
    cases = _cases(one, grades)
    known = tuple(grade for grade in grades if grade >= 0)
    table = weight_table(one, known, max(int(case.view.retrieved.max()) for case in cases))
    if not np.isfinite(table.table).all() or table.table[-1, 1] <= 0:
        return False
    with np.errstate(all="ignore"):
        sums = [table.factor(case.view) * table.sums(case.view.hits) for case in cases]
    return _same(_values(one, cases), np.concatenate(sums))


def _rises_with_order(one: Measure, grades: tuple[float, ...]) -> bool:
    steps = []
    for case in _cases(one, grades):
        before = one(case.view)
        for rows, swapped in case.swaps():
            after = one(swapped.view)
            undefined = np.isnan(before[rows]) & np.isnan(after)
            steps.append((after - before[rows])[~undefined])
    change = np.concatenate(steps)
    # Where only one of two orders is defined, the step is NaN, and the fact does not hold.
    return len(change) > 0 and bool(np.all(change >= -SLACK) or np.all(change <= SLACK))


def _bounds_hold(one: Measure, grades: tuple[float, ...], numbers: Numbers) -> bool:
    """Whether mixed views bound the value of every way to fill the holes."""
    positive = [grade for grade in grades if grade > 0]
    scale = (positive[0], positive[len(positive) // 2], positive[-1])
    if levels_of(np.asarray(positive), one) is None:
        return False
    return all(
        _within(one, each.view.take(part), (least[part], most[part]), positive, numbers, opened)
        for each in all_assignments(scale)
        for now in [one(each.view)]
        for least, most in [each.extremes(one)]
        for opened in (False, True)
        for part in [np.flatnonzero((np.isnan(now) == opened) & ~np.isnan(least))]
        if len(part)
    )


def _within(
    one: Measure,
    view: Rankings,
    ends: tuple[Floats, Floats],
    grades: list[float],
    numbers: Numbers,
    opened: bool,
) -> bool:
    bounding = BoundsFinder(view, np.asarray([0.0, *grades]), opened=opened)
    now = np.full(len(ends[0]), np.nan) if opened else one(view)
    found = bounding.mixed_bounds(one, now, numbers)
    inside = (found.low <= ends[0] + SLACK) & (found.high >= ends[1] - SLACK)
    return bool(inside.all())


def _judgments_undefine(one: Measure, grades: tuple[float, ...]) -> bool:
    positive = [grade for grade in grades if grade > 0]
    scale = (positive[0], positive[len(positive) // 2], positive[-1])
    for each in all_assignments(scale):
        lost = np.logical_or.reduceat(np.isnan(one(each.filled)), each.starts)
        if np.any(lost & ~np.isnan(one(each.view))):
            return True
    return False


def _reads_below_cutoff(one: Measure, grades: tuple[float, ...]) -> bool:
    cutoff = getattr(one.bound, "cutoff", None)
    if not isinstance(cutoff, int):
        return False
    for case in _cases(one, grades):
        whole = case.view
        cut = replace(
            whole.only(whole.hits.rank <= cutoff), retrieved=np.minimum(whole.retrieved, cutoff)
        )
        if one(whole).tobytes() != one(cut).tobytes():
            return True
    return False


LAWS: dict[str, Callable[[Measure, tuple[float, ...]], bool]] = {
    "unjudged_as_zero": _unjudged_as_zero,
    "ignores_pool": _ignores_pool,
    "sum_over_documents": _sum_over_documents,
    "fixed_weights": _fixed_weights,
    "rises_with_order": _rises_with_order,
    "rises_with_grades": lambda one, grades: _bounds_hold(one, grades, "one by one"),
    "falls_with_pool": lambda one, grades: _bounds_hold(one, grades, "in blocks"),
    "judgments_undefine": _judgments_undefine,
    "reads_below_cutoff": _reads_below_cutoff,
}


def test_every_fact_has_a_law() -> None:
    assert sorted(LAWS) == sorted(each.name for each in fields(Facts))


def _reached(one: Measure, grades: tuple[float, ...]) -> bool:
    """Whether the measure has a value above 0 at all with these grades."""
    values = _values(one, _cases(one, grades))
    return bool(np.any(values[~np.isnan(values)] != 0))


LUCK = {
    ("ignores_pool", "IPrec@0.1"): "only pools of more than ten relevant documents matter",
    ("falls_with_pool", "Rprec_mult@2"): "not used: its extremes are declared",
}
"""Facts that small rankings suggest, but that are not declared."""


def _concerns(one: Measure, name: str) -> bool:
    """Whether a fact that is not declared could be used for the measure."""
    return name not in ("rises_with_grades", "falls_with_pool") or (
        one.definition.better == "higher" and not one.definition.over_holes
    )


@pytest.mark.parametrize("one", MEASURES, ids=str)
def test_facts_hold_and_none_is_missing(one: Measure) -> None:
    every = {grades: facts_of(one, grades) for grades in SCALES if _reached(one, grades)}
    for name, law in LAWS.items():
        # How the value depends on the pool's size is only asked together with the grades.
        known = {
            grades: facts
            for grades, facts in every.items()
            if name != "falls_with_pool" or facts.rises_with_grades
        }
        declared = [grades for grades, facts in known.items() if getattr(facts, name)]
        for grades in declared:
            assert law(one, grades), f"{name} is declared, but false with grades {grades}"
        if known and not declared and _concerns(one, name) and (name, str(one)) not in LUCK:
            assert not all(law(one, grades) for grades in known), f"{name} is not declared"


def test_a_false_fact_is_found() -> None:
    found = {
        "AP": ("sum_over_documents", "ignores_pool", "fixed_weights"),
        "bpref": ("unjudged_as_zero",),
        "G": ("rises_with_order", "rises_with_grades"),
        "Q(beta=10)": ("rises_with_grades",),
        "yaap": ("falls_with_pool",),
        "nDCG": ("judgments_undefine",),
    }
    for name, facts in found.items():
        for fact in facts:
            assert not LAWS[fact](measure(name, "retrieval"), SCALES[0]), (name, fact)


def test_facts_depend_on_settings_and_grades() -> None:
    def facts(name: str, *grades: float) -> Facts:
        return facts_of(measure(name, "retrieval"), grades)

    assert facts("AP", 0, 1).unjudged_as_zero
    assert not facts("AP(rel=0)", 0, 1).unjudged_as_zero
    assert not facts("DCG(gain={0:1})", 0, 1).unjudged_as_zero
    assert facts("DCG(gain={1:1,2:3})", 0, 1, 2).rises_with_order
    assert not facts("DCG(gain={1:3,2:1})", 0, 1, 2).rises_with_order
    assert facts("G", 0, 2).rises_with_order
    assert not facts("G", 0, 1, 2).rises_with_order
    assert facts("AP(judged_only=yes)", 0, 1) == Facts()
