"""How much of each topic is assigned to whom and done, so that no item need be read for it."""

from __future__ import annotations

import functools

from sqlalchemy import Connection, Update, and_, bindparam, delete, func, insert, select, update

from assay.benchmark.store.rows import insert_rows
from assay.benchmark.store.schema import assignment, progress

ANYBODY = 0
"""The number that stands for nobody in particular in the table of progress."""


def add_assigned(connection: Connection, topic_id: int, person_id: int, assigned: int) -> None:
    """Count assignments of a topic to a person."""
    mine = and_(progress.c.topic_id == topic_id, progress.c.person_id == person_id)
    change = update(progress).where(mine).values(assigned=progress.c.assigned + assigned)
    if not connection.execute(change).rowcount:
        values = {"topic_id": topic_id, "person_id": person_id, "assigned": assigned}
        connection.execute(insert(progress).values(done=0, seconds=0.0, **values))


@functools.cache
def _count_done() -> Update:
    mine = and_(
        progress.c.topic_id == bindparam("b_topic"), progress.c.person_id == bindparam("b_me")
    )
    more = {
        "done": progress.c.done + bindparam("b_done"),
        "seconds": progress.c.seconds + bindparam("b_seconds"),
    }
    return update(progress).where(mine).values(more)


def add_done(
    connection: Connection, topic_id: int, person_id: int, done: int, seconds: float
) -> None:
    """Count judged items and the time they took."""
    given = {"b_topic": topic_id, "b_me": person_id, "b_done": done, "b_seconds": seconds}
    if not connection.execute(_count_done(), given).rowcount:
        values = {"topic_id": topic_id, "person_id": person_id, "assigned": 0}
        connection.execute(insert(progress).values(done=done, seconds=seconds, **values))


def count_progress(connection: Connection) -> None:
    """Count the assignments of each topic and person anew; what is done is kept."""
    person = func.coalesce(assignment.c.person_id, ANYBODY)
    counts = select(assignment.c.topic_id, person.label("person_id"), func.count().label("n"))
    counts = counts.group_by(assignment.c.topic_id, person)
    assigned = {(row[0], row[1]): row[2] for row in connection.execute(counts)}
    names = ("topic_id", "person_id", "assigned", "done", "seconds")
    kept = {
        (row.topic_id, row.person_id): (row.done, row.seconds)
        for row in connection.execute(select(progress))
    }
    connection.execute(delete(progress))
    rows = [
        (*key, assigned.get(key, 0), *kept.get(key, (0, 0.0))) for key in sorted({*assigned, *kept})
    ]
    if rows:
        insert_rows(connection, progress, names, rows)


def progress_sums(
    connection: Connection, by: str, person_id: int | None = None
) -> list[tuple[int, int, int, float]]:
    """Return what is assigned and done, and in how many seconds, by ``topic`` or ``person``.

    With a person, only of that one.
    """
    key = {"topic": progress.c.topic_id, "person": progress.c.person_id}[by]
    sums = [func.sum(progress.c[name]) for name in ("assigned", "done", "seconds")]
    query = select(key, *sums).group_by(key)
    if person_id is not None:
        query = query.where(progress.c.person_id == person_id)
    return [tuple(row) for row in connection.execute(query).all()]
