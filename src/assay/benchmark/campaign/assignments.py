"""Assigning the items of the pool to assessors, and the order of their queues."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from typing import Any

import numpy as np
from sqlalchemy import Connection

from assay.benchmark.campaign.assignment_plan import AssignmentSettings, plan_assignments
from assay.benchmark.campaign.session import Session, known_person
from assay.benchmark.store import items
from assay.benchmark.store import topics as store
from assay.benchmark.store.people import Person, list_people
from assay.core.arrays import Bools, Ints
from assay.core.errors import UsageError


@dataclass(frozen=True)
class PoolItems:
    """The items that are assigned: their numbers, topics, and whether their grade is known."""

    ids: Ints
    topics: Ints
    gold: Bools

    @classmethod
    def read(cls, connection: Connection, state: str) -> PoolItems:
        """Read the items of the topics in a state; refuse to go on without any."""
        ids, topics, gold = items.item_keys(connection, state)
        if not ids:
            raise UsageError(f"there is no item of a {state} topic; make the pool first")
        known = np.array([each is not None for each in gold], dtype=bool)
        return cls(np.array(ids, dtype=np.int64), np.array(topics, dtype=np.int64), known)


def assign(
    session: Session,
    settings: AssignmentSettings,
    *,
    assessors: Sequence[str] = (),
    shared: bool = False,
) -> int:
    """Share the pool among assessors, all or the named ones; return the number of assignments.

    What has been judged or is held stays as it is; everything else is assigned anew. With
    ``shared``, items are not given to anybody in particular: who comes first judges them.
    In training, practice topics go to every assessor.
    """
    with session.database.read() as connection:
        phase = session.require(connection, "assign")
        state = "practice" if phase == "training" else "chosen"
        pool = PoolItems.read(connection, state)
        people = _assessors(connection, assessors)
        if settings.gold and (shared or not pool.gold.any()):
            reason = (
                "nobody has a queue of their own" if shared else "no item has a known grade yet"
            )
            raise UsageError(
                f"gold items cannot be mixed in: {reason}; declare known grades (assay campaign"
                " gold) and assign to assessors, or leave gold out"
            )
        authors = {
            topic.id: topic.author for topic in store.list_topics(connection) if topic.author
        }
    if phase == "training":
        plan = [tuple(range(len(people)))] * len(pool.ids)
    else:
        written = _authors(people, authors)
        capacities = [each.capacity for each in people]
        plan = plan_assignments(pool.topics, capacities, settings, written)
    queues = order_queues(pool, plan, settings, None if shared else len(people))
    items.drop_open_assignments(session.database)
    with session.database.write() as connection:
        session.require(connection, "assign")
        taken = items.assigned_pairs(connection)
        first = items.last_number(connection, "assignment") + 1
        place = items.last_position(connection) + 1
        session.record(connection, "assign", phase=phase, shared=shared, **vars(settings))
    added = _rows(queues, pool, people, taken, place)
    items.add_assignments(
        session.database, ((first + number, *row) for number, row in enumerate(added))
    )
    return len(added)


def _assessors(connection: Any, names: Sequence[str]) -> list[Person]:
    people = [known_person(connection, name, "assessor") for name in names]
    found = people or [each for each in list_people(connection, "assessor") if each.kind != "gold"]
    if not found:
        raise UsageError("there is no assessor; let somebody join with the role assessor")
    return found


def _authors(people: Sequence[Person], authors: Mapping[int, str]) -> dict[int, int]:
    places = {person.name: place for place, person in enumerate(people)}
    return {topic: places[name] for topic, name in authors.items() if name in places}


def order_queues(
    pool: PoolItems,
    plan: Sequence[tuple[int, ...]],
    settings: AssignmentSettings,
    people: int | None,
) -> dict[int | None, list[int]]:
    """Return the items of each assessor in the order of judging; None is for all together.

    Topics come one after the other, items within a topic in random order; gold items of the
    assessor's own topics are mixed in, never two in a row.
    """
    random = np.random.default_rng([settings.seed, 1])
    chance = random.random(len(pool.ids))
    person = np.fromiter(chain.from_iterable(plan), np.int64)
    item = np.repeat(np.arange(len(plan)), np.fromiter(map(len, plan), np.int64, len(plan)))
    if people is None:
        person = np.zeros_like(person)
    mixed = people is not None and settings.gold > 0 and bool(pool.gold.any())
    queues: dict[int | None, list[int]] = {}
    for each in np.unique(person).tolist():
        own = item[person == each]
        topics, code = np.unique(pool.topics[own], return_inverse=True)
        turn = random.permutation(len(topics))[code]
        ordered = own[np.lexsort((chance[own], turn))].tolist()
        queue = mix_in_gold(ordered, pool, settings, random) if mixed else ordered
        queues[None if people is None else each] = queue
    return queues


def mix_in_gold(
    queue: list[int], pool: PoolItems, settings: AssignmentSettings, random: np.random.Generator
) -> list[int]:
    """Return a queue with gold items at random places, none beside another."""
    gold = np.flatnonzero(pool.gold)
    plain = [each for each in queue if not pool.gold[each]]
    wanted = min(math.ceil(len(plain) * settings.gold / 100), len(gold), max(len(plain), 1))
    order = random.permutation(gold)
    own = np.isin(pool.topics[order], pool.topics[plain])
    chosen = [*order[own].tolist(), *order[~own].tolist()][:wanted]
    places = sorted(random.choice(len(plain) or 1, size=len(chosen), replace=False).tolist())
    mixed, start = [], 0
    for place, each in zip(places, chosen, strict=True):
        mixed += [*plain[start : place + 1], each]
        start = place + 1
    return mixed + plain[start:]


def _rows(
    queues: Mapping[int | None, Sequence[int]],
    pool: PoolItems,
    people: Sequence[Person],
    taken: set[tuple[int, int | None]],
    place: int,
) -> list[tuple[Any, ...]]:
    """Return item, topic, person, position and state of the assignments that do not exist yet."""
    added: list[tuple[Any, ...]] = []
    for person, queue in queues.items():
        number = None if person is None else people[person].id
        ids, topics = pool.ids[queue].tolist(), pool.topics[queue].tolist()
        rows = zip(ids, topics, repeat(number), count(place), repeat("open"), strict=False)
        added += (row for row in rows if number is None or (row[0], number) not in taken)
    return added
