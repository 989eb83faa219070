"""One person's own work: flags, preferences, items that were shown, progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, insert, select

from assay.benchmark.store.account_schema import flag, item_shown, pair, preference
from assay.benchmark.store.judgments import COLUMNS
from assay.benchmark.store.rows import first_row, insert_row
from assay.benchmark.store.schema import (
    assignment,
    event,
    item,
    judgment,
    person,
    progress,
    standing,
    topic,
)


def record_shown(connection: Connection, item_id: int, person_id: int, now: float) -> None:
    """Record that an item which anybody may judge was shown to a person."""
    if not was_shown(connection, item_id, person_id):
        values = {"item_id": item_id, "person_id": person_id, "created": now}
        connection.execute(insert(item_shown).values(**values))


def was_shown(connection: Connection, item_id: int, person_id: int) -> bool:
    """Return whether an item which anybody may judge was shown to a person."""
    where = and_(item_shown.c.item_id == item_id, item_shown.c.person_id == person_id)
    return connection.execute(select(item_shown.c.item_id).where(where)).first() is not None


def add_own_assignment(connection: Connection, item_id: int, topic_id: int, person_id: int) -> int:
    """Add an assignment for a judgment whose item was given to somebody else; return its place."""
    place = connection.execute(
        select(func.max(assignment.c.position)).where(assignment.c.item_id == item_id)
    ).scalar_one()
    values = {
        "item_id": item_id,
        "topic_id": topic_id,
        "person_id": person_id,
        "position": place or 0,
        "state": "done",
    }
    last = connection.execute(select(func.max(assignment.c.id))).scalar() or 0
    connection.execute(insert(assignment).values(id=last + 1, **values))
    return place or 0


def own_assignment(
    connection: Connection, item_id: int, person_id: int
) -> Mapping[str, Any] | None:
    """Return the assignment of an item that a person has or holds."""
    mine = (assignment.c.person_id == person_id) | (assignment.c.holder_id == person_id)
    query = select(assignment).where(assignment.c.item_id == item_id, mine)
    return first_row(connection, query.limit(1))


def own_judgments(
    connection: Connection, person_id: int, before: int | None = None, limit: int | None = None
) -> list[dict[str, Any]]:
    """Return a person's judgments that stand, the newest first."""
    query = select(*COLUMNS, judgment.c.request).select_from(judgment)
    query = query.join(item, item.c.id == judgment.c.item_id).join(topic)
    query = query.join(person, person.c.id == judgment.c.person_id)
    query = query.join(standing, standing.c.judgment_id == judgment.c.id)
    query = query.where(judgment.c.person_id == person_id, judgment.c.kind != "adjudication")
    if before is not None:
        query = query.where(judgment.c.id < before)
    query = query.order_by(judgment.c.id.desc())
    if limit is not None:
        query = query.limit(limit)
    return [dict(row) for row in connection.execute(query).mappings()]


def own_progress(connection: Connection, person_id: int) -> list[Mapping[str, Any]]:
    """Return what of each topic is assigned to a person, done, and in how many seconds."""
    return [dict(row) for row in connection.execute(_OWN_PROGRESS, {"b_me": person_id}).mappings()]


_OWN_PROGRESS = (
    select(progress, topic.c.name.label("topic"))
    .join(topic, topic.c.id == progress.c.topic_id)
    .where(progress.c.person_id == bindparam("b_me"))
)


def find_flag(connection: Connection, person_id: int, request: str) -> bool:
    """Return whether a request has added a flag already."""
    where = and_(flag.c.person_id == person_id, flag.c.request == request)
    return connection.execute(select(flag.c.id).where(where)).first() is not None


def add_flag(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a flag to an item; return its number."""
    return insert_row(connection, flag, values)


def list_flags(connection: Connection) -> list[dict[str, Any]]:
    """Return the flags in the order in which they were added."""
    query = (
        select(
            flag.c.id,
            topic.c.name.label("query"),
            item.c.doc,
            person.c.name.label("assessor"),
            flag.c.reason,
            flag.c.created,
        )
        .join(item, item.c.id == flag.c.item_id)
        .join(topic, topic.c.id == item.c.topic_id)
        .join(person, person.c.id == flag.c.person_id)
    )
    return [dict(row) for row in connection.execute(query.order_by(flag.c.id)).mappings()]


def known_pairs(connection: Connection) -> set[tuple[int, str, str]]:
    """Return the pairs of documents that exist."""
    rows = connection.execute(select(pair.c.topic_id, pair.c.first, pair.c.second))
    return {(row.topic_id, row.first, row.second) for row in rows}


def add_pairs(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add pairs of documents of a topic."""
    if rows:
        connection.execute(insert(pair), list(rows))


def next_pair(connection: Connection, person_id: int) -> Mapping[str, Any] | None:
    """Return the first pair on which a person has stated no preference."""
    done = select(preference.c.id).where(
        preference.c.pair_id == pair.c.id, preference.c.person_id == person_id
    )
    query = select(pair).where(~done.exists()).order_by(pair.c.topic_id, pair.c.id).limit(1)
    return first_row(connection, query)


def count_pairs(connection: Connection, person_id: int) -> tuple[int, int]:
    """Return how many pairs there are, and on how many a person has stated a preference."""
    mine = select(func.count(func.distinct(preference.c.pair_id)))
    done = connection.execute(mine.where(preference.c.person_id == person_id)).scalar_one()
    return int(connection.execute(select(func.count(pair.c.id))).scalar_one()), int(done)


def find_pair(connection: Connection, number: int) -> Mapping[str, Any] | None:
    """Return a pair of documents."""
    return first_row(connection, select(pair).where(pair.c.id == number))


def find_preference(connection: Connection, person_id: int, request: str) -> bool:
    """Return whether a request has stated a preference already."""
    where = and_(preference.c.person_id == person_id, preference.c.request == request)
    return connection.execute(select(preference.c.id).where(where)).first() is not None


def add_preference(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a preference; return its number."""
    return insert_row(connection, preference, values)


def list_preferences(connection: Connection) -> list[dict[str, Any]]:
    """Return the newest preference of each person on each pair."""
    newest = select(func.max(preference.c.id)).group_by(
        preference.c.pair_id, preference.c.person_id
    )
    query = (
        select(
            topic.c.name.label("query"),
            pair.c.first,
            pair.c.second,
            preference.c.choice,
            person.c.name.label("assessor"),
            preference.c.seconds,
            preference.c.created,
        )
        .join(pair, pair.c.id == preference.c.pair_id)
        .join(topic, topic.c.id == pair.c.topic_id)
        .join(person, person.c.id == preference.c.person_id)
        .where(preference.c.id.in_(newest))
    )
    return [dict(row) for row in connection.execute(query.order_by(preference.c.id)).mappings()]


def list_events(connection: Connection, limit: int = 500) -> list[dict[str, Any]]:
    """Return who did what, the newest first."""
    query = (
        select(event.c.created, person.c.name.label("person"), event.c.operation, event.c.details)
        .join(person, person.c.id == event.c.person_id, isouter=True)
        .order_by(event.c.id.desc())
        .limit(limit)
    )
    return [dict(row) for row in connection.execute(query).mappings()]
