"""Judgments: only added, never changed; which of them stand is kept beside them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, insert, select, update

from assay.benchmark.store.rows import first_row, insert_row
from assay.benchmark.store.schema import item, judgment, person, standing, topic, withdrawal


def find_request(connection: Connection, person_id: int, request: str) -> Mapping[str, Any] | None:
    """Return the judgment that a request has made already."""
    return first_row(connection, _find_request(), {"b_me": person_id, "b_request": request})


@functools.cache
def _find_request() -> Select[Any]:
    me: Any = bindparam("b_me")
    request: Any = bindparam("b_request")
    return select(judgment).where(judgment.c.person_id == me, judgment.c.request == request)


def standing_judgment(
    connection: Connection, item_id: int, person_id: int, kind: str
) -> Mapping[str, Any] | None:
    """Return the judgment of a person that stands for an item."""
    given = {"b_item": item_id, "b_me": person_id, "b_kind": kind}
    return first_row(connection, _standing(), given)


@functools.cache
def _standing() -> Select[Any]:
    query = select(judgment).join(standing, standing.c.judgment_id == judgment.c.id)
    return query.where(
        standing.c.item_id == bindparam("b_item"),
        standing.c.person_id == bindparam("b_me"),
        standing.c.kind == bindparam("b_kind"),
    )


def any_judgment(connection: Connection) -> bool:
    """Return whether anything has been judged, whether or not it still counts."""
    return connection.execute(select(judgment.c.id).limit(1)).first() is not None


def find_judgment(connection: Connection, number: int) -> Mapping[str, Any] | None:
    """Return a judgment that stands."""
    query = select(judgment).join(standing, standing.c.judgment_id == judgment.c.id)
    return first_row(connection, query.where(judgment.c.id == number))


def add_judgment(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a judgment, which takes the place of an earlier one; return its number."""
    added = insert_row(connection, judgment, values)
    place = {name: values[name] for name in ("item_id", "person_id", "kind")}
    if values["supersedes"] is None:
        insert_row(connection, standing, {"judgment_id": added, **place})
    else:
        mine = and_(*(standing.c[name] == value for name, value in place.items()))
        connection.execute(update(standing).where(mine).values(judgment_id=added))
    return added


def withdraw_judgment(
    connection: Connection, judgment_id: int, person_id: int, reason: str, now: float
) -> None:
    """Let a judgment count no longer; it is kept, with who withdrew it and why."""
    connection.execute(delete(standing).where(standing.c.judgment_id == judgment_id))
    values = {"person_id": person_id, "reason": reason, "created": now}
    connection.execute(insert(withdrawal).values(judgment_id=judgment_id, **values))


COLUMNS: Sequence[Any] = (
    judgment.c.id,
    judgment.c.item_id,
    topic.c.name.label("query"),
    item.c.doc,
    person.c.name.label("assessor"),
    person.c.kind.label("assessor_kind"),
    judgment.c.kind,
    judgment.c.answer,
    judgment.c.grade,
    judgment.c.seconds,
    judgment.c.place,
    judgment.c.passages,
    judgment.c.comment,
    judgment.c.guidelines,
    judgment.c.supersedes,
    judgment.c.created,
    item.c.gold,
)


def list_judgments(
    connection: Connection, person_name: str | None = None, standing_only: bool = True
) -> list[dict[str, Any]]:
    """Return judgments in the order in which they were made, those that stand or all."""
    query = select(*COLUMNS).select_from(judgment)
    query = query.join(item, item.c.id == judgment.c.item_id).join(topic)
    query = query.join(person, person.c.id == judgment.c.person_id)
    if standing_only:
        query = query.join(standing, standing.c.judgment_id == judgment.c.id)
    if person_name is not None:
        query = query.where(person.c.name == person_name)
    return [dict(row) for row in connection.execute(query.order_by(judgment.c.id)).mappings()]
