"""Assigning the items of the pool to assessors, and the order of their queues."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.benchmark.campaign.assignment_plan import AssignmentSettings, plan_assignments
from assay.benchmark.campaign.session import Session, known_person
from assay.benchmark.store import items
from assay.benchmark.store import topics as store
from assay.benchmark.store.people import Person, list_people
from assay.core.errors import UsageError


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
    with session.database.write() as connection:
        phase = session.require(connection, "assign")
        items.drop_open_assignments(connection)
        state = "practice" if phase == "training" else "chosen"
        rows = items.list_items(connection, (state,))
        if not rows:
            raise UsageError(f"there is no item of a {state} topic; make the pool first")
        people = _assessors(connection, assessors)
        authors = {
            topic.id: topic.author for topic in store.list_topics(connection) if topic.author
        }
        taken = items.assigned_pairs(connection)
        first = items.last_number(connection, "assignment") + 1
        place = items.last_position(connection) + 1
        session.record(connection, "assign", phase=phase, shared=shared, **vars(settings))
    if phase == "training":
        plan = [tuple(range(len(people)))] * len(rows)
    else:
        written = _authors(people, authors)
        capacities = [each.capacity for each in people]
        topics = [row["topic_id"] for row in rows]
        plan = plan_assignments(topics, capacities, settings, written)
    queues = order_queues(rows, plan, settings, None if shared else len(people))
    added = _rows(queues, rows, people, taken, place)
    items.add_assignments(
        session.database, [(first + number, *row) for number, row in enumerate(added)]
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
    rows: Sequence[Mapping[str, Any]],
    plan: Sequence[tuple[int, ...]],
    settings: AssignmentSettings,
    people: int | None,
) -> dict[int | None, list[int]]:
    """Return the items of each assessor in the order of judging; None is for all together.

    Topics come one after the other, items within a topic in random order; gold items of the
    assessor's own topics are mixed in, never two in a row.
    """
    random = np.random.default_rng([settings.seed, 1])
    chance = random.random(len(rows))
    found: dict[int | None, list[int]] = defaultdict(list)
    for number, persons in enumerate(plan):
        for each in persons:
            found[each if people is not None else None].append(number)
    gold = [number for number, row in enumerate(rows) if row["gold"] is not None]
    queues: dict[int | None, list[int]] = {}
    for person, queue in found.items():
        topics = sorted({rows[each]["topic_id"] for each in queue})
        turn = dict(zip(topics, random.permutation(len(topics)).tolist(), strict=True))
        ordered = sorted(queue, key=lambda each: (turn[rows[each]["topic_id"]], chance[each]))
        mixed = person is not None and settings.gold > 0 and len(gold) > 0
        queues[person] = mix_in_gold(ordered, rows, gold, settings, random) if mixed else ordered
    return queues


def mix_in_gold(
    queue: list[int],
    rows: Sequence[Mapping[str, Any]],
    gold: Sequence[int],
    settings: AssignmentSettings,
    random: np.random.Generator,
) -> list[int]:
    """Return a queue with gold items at random places, none beside another."""
    plain = [each for each in queue if rows[each]["gold"] is None]
    wanted = min(math.ceil(len(plain) * settings.gold / 100), len(gold), max(len(plain), 1))
    topics = {rows[each]["topic_id"] for each in plain}
    order = random.permutation(len(gold))
    own = [gold[each] for each in order if rows[gold[each]]["topic_id"] in topics]
    others = [gold[each] for each in order if rows[gold[each]]["topic_id"] not in topics]
    chosen = (own + others)[:wanted]
    places = sorted(random.choice(len(plain) or 1, size=len(chosen), replace=False).tolist())
    mixed, start = [], 0
    for place, each in zip(places, chosen, strict=True):
        mixed += [*plain[start : place + 1], each]
        start = place + 1
    return mixed + plain[start:]


def _rows(
    queues: Mapping[int | None, Sequence[int]],
    rows: Sequence[Mapping[str, Any]],
    people: Sequence[Person],
    taken: set[tuple[int, int | None]],
    place: int,
) -> list[tuple[Any, ...]]:
    """Return item, topic, person, position and state of the assignments that do not exist yet."""
    added = []
    for person, queue in queues.items():
        number = None if person is None else people[person].id
        for position, each in enumerate(queue):
            row = rows[each]
            if (row["id"], number) not in taken or number is None:
                added.append((row["id"], row["topic_id"], number, place + position, "open"))
    return added
