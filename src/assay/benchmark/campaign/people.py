"""Joining a campaign, its phases, and leaving somebody's judgments out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from assay.benchmark.campaign.permissions import KINDS, PHASES, ROLES, check_words
from assay.benchmark.campaign.session import Session, known_person
from assay.benchmark.store import people, topics
from assay.benchmark.store.people import Person
from assay.core.errors import UsageError


def join(
    session: Session,
    name: str,
    roles: Sequence[str],
    *,
    kind: str = "person",
    team: str | None = None,
    capacity: int | None = None,
) -> Person:
    """Add a person, or change the roles, team and capacity of one."""
    with session.database.write() as connection:
        session.require(connection, "join")
        return join_within(connection, session, name, roles, kind, team, capacity)


def join_within(
    connection: Connection,
    session: Session,
    name: str,
    roles: Sequence[str],
    kind: str = "person",
    team: str | None = None,
    capacity: int | None = None,
) -> Person:
    """Add or change a person within a transaction; who may do that was asked before."""
    check_words("role", roles, ROLES)
    check_words("kind of assessor", [kind], KINDS)
    if not name.strip() or name != name.strip() or len(name) > 200:
        raise UsageError("a name has up to 200 characters, and no spaces around it")
    if not roles:
        raise UsageError(f"{name} needs a role: {', '.join(ROLES)}")
    if capacity is not None and capacity < 1:
        raise UsageError(f"a capacity is a number of items from 1, not {capacity}")
    given = Person(0, name, kind, tuple(dict.fromkeys(roles)), team, capacity)
    number = people.save_person(connection, given, session.clock())
    session.record(connection, "join", name=name, roles=list(given.roles), kind=kind)
    return replace(given, id=number)


def set_phase(session: Session, phase: str) -> str:
    """Begin a phase; return the one before."""
    check_words("phase", [phase], PHASES)
    with session.database.write() as connection:
        before = session.require(connection, "phase")
        topics.change_campaign(connection, phase=phase)
        session.record(connection, "phase", before=before, after=phase)
    return before


def exclude(session: Session, name: str, reason: str | None) -> None:
    """Leave the judgments of an assessor out of new versions; without a reason, take them in again.

    They are kept, and stay in the versions that exist.
    """
    with session.database.write() as connection:
        session.require(connection, "exclude")
        person = known_person(connection, name, "assessor")
        people.exclude_person(connection, person.id, reason, session.clock())
        session.record(connection, "exclude", name=name, reason=reason)
