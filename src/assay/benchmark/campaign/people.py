"""Joining a campaign, its phases, and leaving somebody's judgments out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    check_words("role", roles, ROLES)
    check_words("kind of assessor", [kind], KINDS)
    if not name.strip() or name != name.strip():
        raise UsageError("a name has characters other than spaces, and none around it")
    if not roles:
        raise UsageError(f"{name} needs a role: {', '.join(ROLES)}")
    if capacity is not None and capacity < 1:
        raise UsageError(f"a capacity is a number of items from 1, not {capacity}")
    given = Person(0, name, kind, tuple(dict.fromkeys(roles)), team, capacity)
    with session.database.write() as connection:
        session.require(connection, "join")
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
