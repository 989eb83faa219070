"""People of a campaign: who they are, their roles, and who is left out."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from assay.benchmark.store.rows import insert_row
from assay.benchmark.store.schema import exclusion, person


@dataclass(frozen=True)
class Person:
    """Somebody, or something, that takes part in a campaign."""

    id: int
    name: str
    kind: str
    roles: tuple[str, ...]
    team: str | None
    capacity: int | None


_COLUMNS = [person.c[name] for name in ("id", "name", "kind", "roles", "team", "capacity")]


def find_person(connection: Connection, name: str) -> Person | None:
    """Return the person of that name."""
    row = connection.execute(select(*_COLUMNS).where(person.c.name == name)).one_or_none()
    return None if row is None else Person(row.id, row.name, row.kind, tuple(row.roles), *row[4:])


def list_people(connection: Connection, role: str | None = None) -> list[Person]:
    """Return all people, or those with a role, by name."""
    rows = connection.execute(select(*_COLUMNS).order_by(person.c.name))
    found = [Person(row.id, row.name, row.kind, tuple(row.roles), *row[4:]) for row in rows]
    return [each for each in found if role is None or role in each.roles]


def save_person(connection: Connection, given: Person, now: float) -> int:
    """Add a person, or change the one of that name; return the number."""
    values = {
        "kind": given.kind,
        "roles": list(given.roles),
        "team": given.team,
        "capacity": given.capacity,
    }
    known = find_person(connection, given.name)
    if known is not None:
        connection.execute(update(person).where(person.c.id == known.id).values(**values))
        return known.id
    return insert_row(connection, person, {"name": given.name, "created": now, **values})


def exclude_person(connection: Connection, person_id: int, reason: str | None, now: float) -> None:
    """Leave the judgments of a person out of new versions; without a reason, take them in again."""
    connection.execute(delete(exclusion).where(exclusion.c.person_id == person_id))
    if reason is not None:
        values = {"person_id": person_id, "reason": reason, "created": now}
        connection.execute(insert(exclusion).values(**values))


def excluded_people(connection: Connection) -> dict[str, str]:
    """Return the names of those who are left out, and why."""
    found = select(person.c.name, exclusion.c.reason).join(exclusion).order_by(person.c.name)
    return {row.name: row.reason for row in connection.execute(found)}
