"""Pool items and their assignments: the queue of each assessor, and leases."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    Update,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    update,
)

from assay.benchmark.store import progress
from assay.benchmark.store.database import CHUNK, Database
from assay.benchmark.store.rows import insert_row
from assay.benchmark.store.schema import (
    assignment,
    document,
    document_text,
    item,
    judgment,
    pool,
    topic,
)
from assay.benchmark.store.topics import shown_columns

ITEM_COLUMNS = ("id", "pool_id", "topic_id", "doc", "stratum", "probability", "best_rank", "runs")
ASSIGNMENT_COLUMNS = ("id", "item_id", "topic_id", "person_id", "position", "state")


@dataclass(frozen=True)
class Claim:
    """An assignment that a person holds until a moment, with what is shown of its item."""

    assignment: int
    item: int
    query: str
    topic: Mapping[str, str]
    doc: str
    title: str | None
    url: str | None
    text: str | None
    length: int | None
    """Characters of the whole text."""
    position: int
    until: float
    """When the lease runs out."""
    shared: bool
    """Whether anybody may judge the item."""


def add_pool(connection: Connection, settings: Mapping[str, Any], now: float) -> int:
    """Add a pool without items; return its number."""
    return insert_row(connection, pool, {"settings": dict(settings), "created": now})


def pool_settings(connection: Connection) -> list[Mapping[str, Any]]:
    """Return how each pool was made, the first one first."""
    return list(connection.execute(select(pool.c.settings).order_by(pool.c.id)).scalars())


def last_number(connection: Connection, table: str) -> int:
    """Return the highest number of the items or assignments; 0 if there are none."""
    column = {"item": item.c.id, "assignment": assignment.c.id}[table]
    return connection.execute(select(func.max(column))).scalar() or 0


def add_items(database: Database, rows: Iterable[Sequence[Any]]) -> int:
    """Add items in short transactions; return how many."""
    count = database.insert(item, ITEM_COLUMNS, rows)
    database.analyze("item")
    return count


def set_gold(connection: Connection, item_id: int, grade: int) -> None:
    """Declare the known grade of an item."""
    connection.execute(update(item).where(item.c.id == item_id).values(gold=grade))


def gold_grade(connection: Connection, item_id: int) -> int | None:
    """Return the known grade of an item."""
    return connection.execute(select(item.c.gold).where(item.c.id == item_id)).scalar_one()


def gold_grades(connection: Connection) -> set[int]:
    """Return the known grades that occur."""
    query = select(item.c.gold).where(item.c.gold.is_not(None)).distinct()
    return set(connection.execute(query).scalars())


def list_items(
    connection: Connection, states: Sequence[str] = ("chosen",)
) -> list[Mapping[str, Any]]:
    """Return the items of topics in some states, by topic and document."""
    columns = [item.c[name] for name in (*ITEM_COLUMNS, "gold")]
    query = select(*columns, topic.c.name.label("topic")).join(topic)
    query = query.where(topic.c.state.in_(states)).order_by(item.c.topic_id, item.c.doc)
    return [dict(row) for row in connection.execute(query).mappings()]


def item_keys(
    connection: Connection, state: str
) -> tuple[Sequence[int], Sequence[int], Sequence[int | None]]:
    """Return the numbers, topics and known grades of all items of topics in a state."""
    chosen = select(topic.c.id).where(topic.c.state == state)
    query = select(item.c.id, item.c.topic_id, item.c.gold).where(item.c.topic_id.in_(chosen))
    rows = connection.execute(query.order_by(item.c.topic_id, item.c.doc)).all()
    numbers, topics, gold = zip(*rows, strict=True) if rows else ((), (), ())
    return numbers, topics, gold


def assigned_pairs(connection: Connection) -> set[tuple[int, int | None]]:
    """Return which item is assigned to whom."""
    rows = connection.execute(select(assignment.c.item_id, assignment.c.person_id))
    return {(row.item_id, row.person_id) for row in rows}


def add_assignments(database: Database, rows: Iterable[Sequence[Any]]) -> None:
    """Add assignments in short transactions, then count them."""
    database.insert(assignment, ASSIGNMENT_COLUMNS, rows)
    with database.write() as connection:
        progress.count_progress(connection)
    database.analyze("assignment", "progress")


def drop_open_assignments(database: Database) -> None:
    """Remove the assignments that nobody has judged or holds, in short transactions."""
    free = and_(assignment.c.state == "open", assignment.c.holder_id.is_(None))
    some = select(assignment.c.id).where(free).limit(CHUNK)
    left = True
    while left:
        with database.write() as connection:
            done = connection.execute(delete(assignment).where(assignment.c.id.in_(some)))
            left = done.rowcount > 0


def set_positions(connection: Connection, positions: Mapping[int, int]) -> None:
    """Put open assignments into a new order."""
    statement = "UPDATE assignment SET position = {0} WHERE id = {1}"
    marks = ("?", "?") if connection.dialect.name == "sqlite" else ("%s", "%s")
    rows = [(place, number) for number, place in positions.items()]
    if rows:
        connection.exec_driver_sql(statement.format(*marks), rows)


def open_assignments(connection: Connection) -> list[tuple[int, int, int, int | None]]:
    """Return the number, item, topic and person of each open assignment, in order."""
    columns = (assignment.c.id, assignment.c.item_id, assignment.c.topic_id)
    query = select(*columns, assignment.c.person_id).where(assignment.c.state == "open")
    return [tuple(row) for row in connection.execute(query.order_by(assignment.c.position))]


def claim_next(
    connection: Connection,
    person_id: int,
    now: float,
    until: float,
    *,
    after: int = -1,
    characters: int,
) -> Claim | None:
    """Return the item that a person holds already, or the next one of the queue, and lease it.

    A free item of the person's own queue comes first, then one that anybody may judge. What
    another person holds is skipped until the lease has run out. The text has up to ``characters``.
    """
    given = {"b_me": person_id, "b_now": now, "b_after": after}
    shown = {"b_start": 1, "b_characters": characters}
    for kind, query in _claim_queries().items():
        row = connection.execute(query, given | shown).one_or_none()
        if row is not None:
            lease = {"b_number": row.assignment, "b_me": person_id, "b_until": until}
            connection.execute(_lease(), lease)
            return Claim(**row._asdict(), until=until, shared=kind == "shared")
    return None


# The statements of judging are built once: building them takes as long as running them.


@functools.cache
def _claim_queries() -> dict[str, Select[Any]]:
    """Return the queries of the next item: one that is held, an own one, one for anybody."""
    me: Any = bindparam("b_me")
    now: Any = bindparam("b_now")
    held = and_(assignment.c.holder_id == me, assignment.c.lease_until > now)
    free = or_(assignment.c.holder_id.is_(None), assignment.c.lease_until <= now)
    own = and_(assignment.c.person_id == me, free)
    others = assignment.alias()
    taken = select(others.c.id).where(
        others.c.item_id == assignment.c.item_id,
        or_(others.c.person_id == me, others.c.holder_id == me),
    )
    done = select(judgment.c.id).where(
        judgment.c.item_id == assignment.c.item_id, judgment.c.person_id == me
    )
    shared = and_(assignment.c.person_id.is_(None), free, ~taken.exists(), ~done.exists())
    return {"held": _first(held), "own": _first(own), "shared": _first(shared)}


@functools.cache
def _lease() -> Update:
    values: dict[str, Any] = {"holder_id": bindparam("b_me"), "lease_until": bindparam("b_until")}
    return update(assignment).where(assignment.c.id == bindparam("b_number")).values(values)


def _first(condition: Any) -> Select[Any]:
    """Return the query of the first open assignment under a condition, with the names of Claim."""
    later = assignment.c.position > bindparam("b_after")
    return (
        select(
            assignment.c.id.label("assignment"),
            assignment.c.item_id.label("item"),
            topic.c.name.label("query"),
            topic.c.fields.label("topic"),
            item.c.doc,
            *shown_columns(),
            assignment.c.position,
        )
        .select_from(assignment)
        .join(item, item.c.id == assignment.c.item_id)
        .join(topic, topic.c.id == assignment.c.topic_id)
        .join(document, document.c.name == item.c.doc, isouter=True)
        .join(document_text, document_text.c.document_id == document.c.id, isouter=True)
        .where(assignment.c.state == "open", condition, later)
        .order_by(assignment.c.position)
        .limit(1)
        .with_for_update(of=assignment, skip_locked=True)
    )


@functools.cache
def _finishing() -> tuple[Select[Any], Update]:
    me: Any = bindparam("b_me")
    mine = or_(assignment.c.person_id == me, assignment.c.holder_id == me)
    columns = [assignment.c[name] for name in ("id", "person_id", "topic_id", "position")]
    find = select(*columns).where(assignment.c.item_id == bindparam("b_item"), mine).limit(1)
    values = {
        "state": bindparam("b_state"), "holder_id": None, "lease_until": None, "person_id": me
    }  # fmt: skip
    finish = update(assignment).where(assignment.c.id == bindparam("b_number")).values(values)
    return find.with_for_update(), finish


def finish_assignment(
    connection: Connection, item_id: int, person_id: int, state: str
) -> tuple[int, int | None] | None:
    """Mark the assignment of a person as done or open again; return its topic and queue place."""
    find, finish = _finishing()
    row = connection.execute(find, {"b_me": person_id, "b_item": item_id}).one_or_none()
    if row is None:
        return None
    # Who judges an item that anybody may judge keeps it.
    connection.execute(finish, {"b_number": row.id, "b_state": state, "b_me": person_id})
    if row.person_id is None:
        progress.add_assigned(connection, row.topic_id, progress.ANYBODY, -1)
        progress.add_assigned(connection, row.topic_id, person_id, 1)
    return row.topic_id, row.position


def release_claim(
    connection: Connection, assignment_id: int, person_id: int, position: int
) -> bool:
    """Give a person's own lease back and put the item at another place; False if it is not own."""
    mine = or_(assignment.c.person_id == person_id, assignment.c.holder_id == person_id)
    own = update(assignment).where(assignment.c.id == assignment_id, mine)
    values = {"holder_id": None, "lease_until": None, "position": position}
    return connection.execute(own.values(**values)).rowcount == 1


def last_position(connection: Connection, person_id: int | None = None) -> int:
    """Return the last place of all queues, or of those of a person and of everybody."""
    query = select(func.max(assignment.c.position))
    if person_id is None:
        return connection.execute(query).scalar() or 0
    places = [
        connection.execute(query.where(whose)).scalar() or 0
        for whose in (assignment.c.person_id == person_id, assignment.c.person_id.is_(None))
    ]
    return max(places)
