"""Sharing the items of a pool among assessors: balanced, connected, within capacity.

Every assessor gets a quota in proportion to the capacity. Topics are given whole, authors first,
and are divided only where a quota is full. Some items of every part of a topic get further
assessors, chosen so that all assessors are connected by items that two of them judge.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.benchmark.campaign.assessor_graph import connect_assessors
from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, UsageError
from assay.core.phrases import quantity


@dataclass(frozen=True)
class AssignmentSettings:
    """How items are shared: ``overlap`` is a share of the items, or their number from 1 on."""

    overlap: float = 0.0
    per_item: int = 2
    """How many assessors judge an overlapping item."""
    gold: float = 0.0
    """Gold items for each 100 others."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.overlap < 0 or (self.overlap > 1 and self.overlap != int(self.overlap)):
            raise UsageError(
                f"overlap is a share from 0 to 1 or a number of items, not {self.overlap:g}"
            )
        if self.per_item < 2:
            raise UsageError(f"an overlapping item has 2 or more assessors, not {self.per_item}")
        if not 0 <= self.gold <= 50:
            raise UsageError(f"gold is a number from 0 to 50 for each 100 items, not {self.gold:g}")


@dataclass
class _Loads:
    """How many items each assessor has, may have, and should have."""

    capacity: Ints
    quota: Ints
    load: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.load = np.zeros_like(self.capacity)

    def best(self, allowed: Ints) -> int | None:
        """Return the allowed assessor with the most room below the quota, then the capacity."""
        room = (self.quota - self.load)[allowed]
        if len(room) and room.max() > 0:
            return int(allowed[int(room.argmax())])
        allowed = allowed[self.load[allowed] < self.capacity[allowed]]
        if not len(allowed):
            return None
        share = self.load[allowed] / self.capacity[allowed]
        return int(allowed[int(share.argmin())])


def plan_assignments(
    topics: Sequence[int] | Ints,
    capacities: Sequence[int | None],
    settings: AssignmentSettings,
    authors: Mapping[int, int] | None = None,
) -> list[tuple[int, ...]]:
    """Return the assessors of each item, the first of whom has the topic.

    ``topics`` has the topic of each item; ``capacities`` how many items each assessor takes, None
    for any number; ``authors`` the assessor who wrote a topic.
    """
    if not capacities:
        raise UsageError("there is no assessor to assign items to; let some join")
    if settings.per_item > len(capacities) and settings.overlap:
        raise UsageError(
            f"{settings.per_item} assessors for an item are more than there are:"
            f" {len(capacities)}; let more join, or ask for fewer"
        )
    names, codes = np.unique(np.asarray(topics, dtype=np.int64), return_inverse=True)
    places = {int(name): place for place, name in enumerate(names)}
    random = np.random.default_rng(settings.seed)
    wanted = _overlap_count(len(codes), settings)
    loads = _loads(capacities, len(codes), wanted, settings.per_item)
    written = {places[topic]: each for topic, each in (authors or {}).items() if topic in places}
    first = _primary(codes, loads, written)
    chosen = _overlapping(codes, first, wanted, len(capacities), random)
    return _second(first, chosen, loads, settings)


def _overlap_count(items: int, settings: AssignmentSettings) -> int:
    if settings.overlap <= 1 and settings.overlap != 1.0:
        return math.ceil(items * settings.overlap - 1e-9)
    return items if settings.overlap == 1.0 else int(settings.overlap)


def _loads(capacities: Sequence[int | None], items: int, wanted: int, assessors: int) -> _Loads:
    """Return quotas in proportion to capacities; refuse what exceeds them, with what would do.

    Nobody judges an item twice. By the theorem of Gale and Ryser the items can be shared if and
    only if the capacities suffice for the overlapping items alone, and for all.
    """
    demand = items + wanted * (assessors - 1)
    most = np.array([items if each is None else each for each in capacities], dtype=np.int64)
    for count, needed in ((wanted, wanted * assessors), (items, demand)):
        taken = int(np.minimum(most, count).sum())
        if taken < needed:
            missing = needed - taken
            raise DataError(
                f"{quantity(needed, 'judgment')} of {quantity(count, 'item')} are needed, but the"
                f" assessors take {taken}: {missing} too few; raise capacities by {missing} in all"
                f" (each by {math.ceil(missing / len(capacities))}), let an assessor with a"
                f" capacity of {missing} join, or ask for less overlap"
            )
    even = max(math.ceil(demand / len(capacities)), 1)
    weight = np.array([even if each is None else each for each in capacities], dtype=np.float64)
    most = np.minimum(most, items)
    return _Loads(most, _proportional(weight, demand, most))


def _proportional(weight: Floats, total: int, most: Ints) -> Ints:
    """Divide a total in proportion to weights, at most so many each; largest remainders first."""
    quota = np.zeros(len(weight), dtype=np.int64)
    while (left := total - int(quota.sum())) > 0:
        open_ = np.flatnonzero(quota < most)
        if not len(open_):
            break
        exact = left * weight[open_] / weight[open_].sum()
        add = np.floor(exact).astype(np.int64)
        order = np.argsort(-(exact - add), kind="stable")[: left - int(add.sum())]
        add[order] += 1
        quota[open_] = np.minimum(quota[open_] + add, most[open_])
    return quota


def _primary(codes: Ints, loads: _Loads, authors: Mapping[int, int]) -> Ints:
    """Give topics to their authors and then, the largest first, to who has most room."""
    sizes = np.bincount(codes)
    by_topic = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    first = np.full(len(codes), -1, dtype=np.int64)
    everybody = np.arange(len(loads.capacity))

    def give(topic: int, person: int, begin: int) -> int:
        """Give a topic to an assessor, up to the quota; return where its rest begins."""
        room = int((loads.quota - loads.load)[person])
        end = min(begin + room, starts[topic + 1])
        first[by_topic[begin:end]] = person
        loads.load[person] += end - begin
        return int(end)

    begin = {topic: int(starts[topic]) for topic in range(len(sizes))}
    order = sorted(range(len(sizes)), key=lambda topic: (-sizes[topic], topic))
    for topic in order:
        if topic in authors:
            begin[topic] = give(topic, authors[topic], begin[topic])
    for topic in order:
        while begin[topic] < starts[topic + 1]:
            person = loads.best(everybody)
            if person is None:  # pragma: no cover (capacities were checked)
                raise DataError("the capacities do not suffice; raise them")
            begin[topic] = give(topic, person, begin[topic])
    return first


def _overlapping(
    codes: Ints, first: Ints, wanted: int, people: int, random: np.random.Generator
) -> list[int]:
    """Choose the items with several assessors: some of each part of a topic."""
    if not wanted:
        return []
    if wanted < people - 1:
        raise DataError(
            f"{quantity(wanted, 'overlapping item')} cannot connect {people} assessors;"
            f" ask for an overlap of {people - 1} items or more"
        )
    part = codes * people + first
    shuffled = random.permutation(len(codes))
    _, _starts, sizes = np.unique(part[shuffled], return_index=True, return_counts=True)
    by_part = shuffled[np.argsort(part[shuffled], kind="stable")]
    place = np.empty(len(codes))
    offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    number = np.repeat(np.arange(len(sizes)), sizes)
    within = np.arange(len(codes)) - offsets[number]
    # The first of each part come first, so that every assessor has an item to share.
    place[by_part] = (within + 0.5) / sizes[number] * (within > 0)
    place[[int(np.flatnonzero(first == person)[0]) for person in np.unique(first)]] = -1
    return [int(each) for each in np.lexsort((shuffled.argsort(), place))[:wanted]]


def _second(
    first: Ints, chosen: Sequence[int], loads: _Loads, settings: AssignmentSettings
) -> list[tuple[int, ...]]:
    """Add assessors to the chosen items: unconnected ones first, then the rarest pairs."""
    people = len(loads.capacity)
    people_of: list[tuple[int, ...]] = [(each,) for each in first.tolist()]
    group = np.arange(people)
    shared = np.zeros((people, people))
    apart = people > 1  # until all are connected, and so in group 0
    for item in chosen:
        for _ in range(settings.per_item - 1):
            have = list(people_of[item])
            pairs = shared[have[0]] if len(have) == 1 else shared[have].sum(axis=0)
            cost = 10 * pairs + loads.load / loads.capacity
            if apart:
                cost += 1e13 * np.isin(group, group[have])
            person = _find_room(have, cost, people_of, loads)
            people_of[item] = (*people_of[item], person)
            loads.load[person] += 1
            shared[have, person] += 1
            shared[person, have] += 1
            if apart:
                joined = group[[*have, person]]
                group[np.isin(group, joined)] = joined.min()
                apart = bool(group.any())
    connect_assessors(people_of, people)
    return people_of


def _find_room(
    have: list[int], cost: Floats, people_of: list[tuple[int, ...]], loads: _Loads
) -> int:
    """Return who judges an item next: at the least cost, within the quota or else the capacity."""
    for most in (loads.quota, loads.capacity):
        allowed = np.where(loads.load < most, cost, math.inf)
        allowed[have] = math.inf
        best = int(allowed.argmin())
        if math.isfinite(allowed[best]):
            return best
        if (free := _make_room(people_of, have, loads, most)) is not None:
            return free
    raise DataError(
        "no assessor may judge one more overlapping item; raise a capacity by 1, or ask for an"
        " overlap of one item less"
    )


def _make_room(
    people_of: list[tuple[int, ...]], have: list[int], loads: _Loads, most: Ints
) -> int | None:
    """Free an assessor who is not among those of an item, by moving other items on.

    Breadth first over assessors: from one who has an item to one who could take it, until one has
    room.
    """
    people = len(most)
    before: dict[int, tuple[int, int] | None] = {
        each: None for each in range(people) if each not in have
    }
    line = list(before)
    for person in line:
        if loads.load[person] < most[person]:
            return _move_along(people_of, before, person, loads)
        for item, held in enumerate(people_of):
            if len(before) == people:
                break
            if person in held:
                for other in range(people):
                    if other not in held and other not in before:
                        before[other] = (person, item)
                        line.append(other)
    return None


def _move_along(
    people_of: list[tuple[int, ...]],
    before: Mapping[int, tuple[int, int] | None],
    person: int,
    loads: _Loads,
) -> int:
    """Move each item of the path to the next assessor; return the assessor who is free then."""
    while (step := before[person]) is not None:
        earlier, item = step
        people_of[item] = tuple(person if each == earlier else each for each in people_of[item])
        loads.load[person] += 1
        loads.load[earlier] -= 1
        person = earlier
    return person
