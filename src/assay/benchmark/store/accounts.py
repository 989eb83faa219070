"""Accounts: passwords, sessions, invitations, API tokens and counted attempts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, func, insert, select, update

from assay.benchmark.store.account_schema import (
    api_token,
    attempt,
    credential,
    invitation,
    person_settings,
    web_session,
)
from assay.benchmark.store.people import Person
from assay.benchmark.store.rows import first_row, insert_row
from assay.benchmark.store.schema import campaign, person

_PERSON = [person.c[name] for name in ("id", "name", "kind", "roles", "team", "capacity")]


def _as_person(row: Any) -> Person:
    return Person(row.id, row.name, row.kind, tuple(row.roles), row.team, row.capacity)


def person_by_id(connection: Connection, number: int) -> Person | None:
    """Return the person with a number."""
    row = connection.execute(select(*_PERSON).where(person.c.id == number)).one_or_none()
    return None if row is None else _as_person(row)


def first_person(connection: Connection, role: str) -> Person | None:
    """Return the first person with a role."""
    rows = connection.execute(select(*_PERSON).order_by(person.c.id))
    return next((_as_person(row) for row in rows if role in row.roles), None)


def set_password(connection: Connection, person_id: int, password_hash: str, now: float) -> None:
    """Store the hash of a password, in place of an earlier one."""
    connection.execute(delete(credential).where(credential.c.person_id == person_id))
    values = {"person_id": person_id, "password_hash": password_hash, "changed": now}
    connection.execute(insert(credential).values(**values))


def password_hash(connection: Connection, person_id: int) -> str | None:
    """Return the hash of a person's password; None if the person has none."""
    query = select(credential.c.password_hash).where(credential.c.person_id == person_id)
    return connection.execute(query).scalar_one_or_none()


def has_passwords(connection: Connection) -> bool:
    """Return whether anybody has a password."""
    return connection.execute(select(credential.c.person_id).limit(1)).first() is not None


def add_invitation(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add an invitation; return its number."""
    return insert_row(connection, invitation, values)


def find_invitation(
    connection: Connection, token_hash: str, now: float
) -> Mapping[str, Any] | None:
    """Return an invitation that is neither used nor expired."""
    query = select(invitation).where(
        invitation.c.token_hash == token_hash,
        invitation.c.used.is_(None),
        invitation.c.expires > now,
    )
    return first_row(connection, query)


def use_invitation(connection: Connection, number: int, now: float) -> bool:
    """Mark an invitation as used; False if somebody was faster."""
    unused = update(invitation).where(invitation.c.id == number, invitation.c.used.is_(None))
    return connection.execute(unused.values(used=now)).rowcount == 1


def open_invitations(connection: Connection, now: float) -> list[dict[str, Any]]:
    """Return the invitations that can still be used, without their tokens."""
    columns = [invitation.c[name] for name in ("id", "roles", "team", "capacity", "expires")]
    unused = select(*columns).where(invitation.c.used.is_(None), invitation.c.expires > now)
    rows = connection.execute(unused.order_by(invitation.c.id)).mappings()
    return [dict(row) for row in rows]


def withdraw_invitation(connection: Connection, number: int) -> None:
    """Let an invitation be used no more."""
    connection.execute(delete(invitation).where(invitation.c.id == number))


def add_session(connection: Connection, token_hash: str, person_id: int, now: float) -> None:
    """Add a session of the web app."""
    values = {"token_hash": token_hash, "person_id": person_id, "created": now, "seen": now}
    connection.execute(insert(web_session).values(**values))


_FIND_SESSION = (
    select(
        *_PERSON,
        web_session.c.seen,
        person_settings.c.settings,
        select(campaign.c.phase).scalar_subquery().label("phase"),
    )
    .join(web_session, web_session.c.person_id == person.c.id)
    .join(person_settings, person_settings.c.person_id == person.c.id, isouter=True)
    .where(
        web_session.c.token_hash == bindparam("b_token"),
        web_session.c.created > bindparam("b_begun"),
        web_session.c.seen > bindparam("b_seen"),
    )
)


@dataclass(frozen=True)
class OpenSession:
    """A session of the web app: whose it is, and what every request of it needs."""

    person: Person
    seen: float
    """When it was last used."""
    phase: str
    settings: Mapping[str, Any]
    """What the person has set: keys, words to highlight."""


def find_session(
    connection: Connection, token_hash: str, begun_after: float, seen_after: float
) -> OpenSession | None:
    """Return a session that has not lapsed."""
    given = {"b_token": token_hash, "b_begun": begun_after, "b_seen": seen_after}
    row = connection.execute(_FIND_SESSION, given).one_or_none()
    if row is None:
        return None
    return OpenSession(_as_person(row), row.seen, row.phase, row.settings or {})


def touch_session(connection: Connection, token_hash: str, now: float) -> None:
    """Record that a session is in use."""
    mine = web_session.c.token_hash == token_hash
    connection.execute(update(web_session).where(mine).values(seen=now))


def remove_sessions(
    connection: Connection, *, token_hash: str | None = None, person_id: int | None = None
) -> None:
    """End a session, or all sessions of a person."""
    which = (
        web_session.c.token_hash == token_hash
        if token_hash is not None
        else web_session.c.person_id == person_id
    )
    connection.execute(delete(web_session).where(which))


def add_token(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add an API token; return its number."""
    return insert_row(connection, api_token, values)


def find_token(connection: Connection, token_hash: str) -> tuple[Person, Sequence[str]] | None:
    """Return the person and the scopes of an API token that is not revoked."""
    query: Select[Any] = select(*_PERSON, api_token.c.scopes).join(
        api_token, api_token.c.person_id == person.c.id
    )
    valid = (api_token.c.token_hash == token_hash, api_token.c.revoked.is_(None))
    row = connection.execute(query.where(*valid)).one_or_none()
    if row is None:
        return None
    return _as_person(row), tuple(row.scopes)


def list_tokens(connection: Connection, person_id: int) -> list[dict[str, Any]]:
    """Return a person's API tokens that are not revoked, without the tokens themselves."""
    columns = [api_token.c[name] for name in ("id", "name", "scopes", "created")]
    mine = select(*columns).where(api_token.c.person_id == person_id, api_token.c.revoked.is_(None))
    return [dict(row) for row in connection.execute(mine.order_by(api_token.c.id)).mappings()]


def revoke_token(connection: Connection, number: int, person_id: int, now: float) -> bool:
    """Revoke a person's own API token; False if there is none."""
    mine = update(api_token).where(api_token.c.id == number, api_token.c.person_id == person_id)
    return connection.execute(mine.values(revoked=now)).rowcount == 1


def count_attempts(connection: Connection, subject: str, since: float) -> int:
    """Return how often something was tried since a moment."""
    query = select(func.count()).where(attempt.c.subject == subject, attempt.c.created > since)
    return int(connection.execute(query).scalar_one())


def add_attempt(connection: Connection, subject: str, now: float, forget: float) -> None:
    """Count an attempt; forget those before a moment."""
    connection.execute(delete(attempt).where(attempt.c.created < forget))
    connection.execute(insert(attempt).values(subject=subject, created=now))


def clear_attempts(connection: Connection, subject: str) -> None:
    """Forget the attempts of a subject."""
    connection.execute(delete(attempt).where(attempt.c.subject == subject))


def settings_of(connection: Connection, person_id: int) -> dict[str, Any]:
    """Return what a person has set in the web app: keys, words to highlight."""
    query = select(person_settings.c.settings).where(person_settings.c.person_id == person_id)
    return dict(connection.execute(query).scalar_one_or_none() or {})


def save_settings(connection: Connection, person_id: int, settings: Mapping[str, Any]) -> None:
    """Store what a person has set."""
    connection.execute(delete(person_settings).where(person_settings.c.person_id == person_id))
    values = {"person_id": person_id, "settings": dict(settings)}
    connection.execute(insert(person_settings).values(**values))
