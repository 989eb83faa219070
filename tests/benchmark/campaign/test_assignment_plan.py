"""Assignments are balanced, connected, within capacity, and the same for the same seed."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmark.campaign.assignment_plan import AssignmentSettings, plan_assignments
from assay.benchmark.campaign.assignments import PoolItems, mix_in_gold, order_queues
from assay.core.errors import DataError

SIZES = st.lists(st.integers(1, 30), min_size=1, max_size=8)


def _topics(sizes: list[int]) -> list[int]:
    return [topic for topic, size in enumerate(sizes) for _ in range(size)]


@given(SIZES, st.integers(2, 6), st.sampled_from([0.0, 0.1, 0.3, 1.0]), st.integers(0, 99))
def test_equal_assessors_get_equal_loads_and_are_connected(
    sizes: list[int], people: int, overlap: float, seed: int
) -> None:
    topics = _topics(sizes)
    settings = AssignmentSettings(overlap, seed=seed)
    if 0 < math.ceil(len(topics) * overlap - 1e-9) < people - 1:
        with pytest.raises(DataError, match="cannot connect"):
            plan_assignments(topics, [None] * people, settings)
        return
    plan = plan_assignments(topics, [None] * people, settings)
    assert plan == plan_assignments(topics, [None] * people, settings)
    loads = Counter(person for persons in plan for person in persons)
    assert all(len(set(persons)) == len(persons) >= 1 for persons in plan)
    assert max(loads.values()) - min(loads[person] for person in range(people)) <= 1
    if overlap:
        assert _is_connected(plan, people)


@given(
    SIZES,
    st.lists(st.one_of(st.none(), st.integers(1, 60)), min_size=3, max_size=6),
    st.sampled_from([0.0, 0.2, 1.0]),
    st.integers(2, 3),
    st.randoms(use_true_random=False),
)
def test_capacities_are_kept_and_refusals_are_right(
    sizes: list[int], capacities: list[int | None], overlap: float, per_item: int, random: Random
) -> None:
    topics = _topics(sizes)
    authors = {topic: random.randrange(len(capacities)) for topic in range(0, len(sizes), 2)}
    wanted = math.ceil(len(topics) * overlap - 1e-9)
    most = [len(topics) if each is None else each for each in capacities]
    settings = AssignmentSettings(overlap, per_item)
    enough = all(
        sum(min(each, count) for each in most) >= needed
        for count, needed in (
            (wanted, wanted * per_item),
            (len(topics), len(topics) + wanted * (per_item - 1)),
        )
    )
    if not enough or 0 < wanted < len(capacities) - 1:
        with pytest.raises(DataError, match=r"too few|cannot connect"):
            plan_assignments(topics, capacities, settings, authors)
        return
    plan = plan_assignments(topics, capacities, settings, authors)
    loads = Counter(person for persons in plan for person in persons)
    assert all(each is None or loads[who] <= each for who, each in enumerate(capacities))
    assert sum(map(len, plan)) == len(topics) + wanted * (per_item - 1)


def _is_connected(plan: list[tuple[int, ...]], people: int) -> bool:
    seen, line = {0}, [0]
    for person in line:
        for persons in plan:
            if person in persons:
                line += [each for each in persons if each not in seen]
                seen |= set(persons)
    return len(seen) == people


def test_authors_get_their_topics_first() -> None:
    plan = plan_assignments(_topics([10, 10]), [None, None], AssignmentSettings(), {0: 1, 1: 0})
    assert plan == [(1,)] * 10 + [(0,)] * 10


def test_the_smallest_change_is_named() -> None:
    with pytest.raises(DataError, match=r"12 judgments of 10 items .* 2 too few; .* capacity of 2"):
        plan_assignments(_topics([10]), [5, 5], AssignmentSettings(0.2))
    with pytest.raises(DataError, match=r"1 overlapping item cannot connect 3 assessors; .* of 2"):
        plan_assignments(_topics([10]), [None] * 3, AssignmentSettings(0.1))
    # One of them can judge each item only once.
    with pytest.raises(DataError, match="20 judgments of 10 items"):
        plan_assignments(_topics([10]), [100, 5], AssignmentSettings(1.0))


def test_gold_items_are_mixed_in_and_never_beside_each_other() -> None:
    pool = PoolItems(np.arange(45), np.ones(45, np.int64), np.arange(45) < 5)
    queue = list(range(45))
    settings = AssignmentSettings(gold=10)
    mixed = mix_in_gold(queue, pool, settings, np.random.default_rng(1))
    golden = [place for place, each in enumerate(mixed) if each < 5]
    assert len(golden) == 4
    assert all(after - before > 1 for before, after in itertools.pairwise(golden))
    assert sorted(set(mixed) - set(range(5))) == list(range(5, 45))


def test_topics_come_one_after_the_other_in_random_order_within() -> None:
    pool = PoolItems(np.arange(40), np.arange(40) // 10, np.zeros(40, bool))
    queue = order_queues(pool, [(0,)] * 40, AssignmentSettings(), 1)[0]
    topics = [int(pool.topics[each]) for each in queue]
    assert sum(a != b for a, b in itertools.pairwise(topics)) == 3
    assert queue != sorted(queue)
    assert sorted(queue) == list(range(40))
