"""Accounts of the web app: signing in, sessions, invitations by link, API tokens."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from assay.benchmark.campaign.passwords import (
    check_password,
    hash_password,
    hash_token,
    new_token,
)
from assay.benchmark.campaign.people import join_within
from assay.benchmark.campaign.permissions import ROLES, check_words
from assay.benchmark.campaign.session import Session, known_person
from assay.benchmark.store import accounts as store
from assay.benchmark.store.database import Database
from assay.benchmark.store.people import Person, find_person
from assay.benchmark.store.topics import campaign_row
from assay.core.errors import AssayError, UsageError

HOUR = 3600.0
SESSION_SECONDS = 30 * 24 * HOUR
"""A session lapses after this time, and when it was not used for two days."""
IDLE_SECONDS = 48 * HOUR
SCOPES = {
    "read": frozenset(
        {"status", "see-own-runs", "see-runs", "see-pool", "see-judgments", "see-published",
         "see-results", "see-disagreements", "agreement", "history"}
    ),
    "judge": frozenset({"next", "judge", "withdraw", "history", "status"}),
}  # fmt: skip
"""What a token with a scope may be used for; ``all`` is everything that the person may do."""


class TooManyAttempts(AssayError):
    """Something was tried too often; ``seconds`` says when it may be tried again."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many attempts; try again in {max(1, round(seconds / 60))} minutes")
        self.seconds = seconds


@dataclass(frozen=True)
class Accounts:
    """Who may sign in to the campaign of a database."""

    database: Database
    clock: Callable[[], float] = field(default=time.time)

    def sign_in(self, name: str, password: str, address: str) -> str:
        """Return the token of a new session; refuse a wrong password, and guessing."""
        limits = {f"sign-in {name[:200]}": 10, f"sign-in from {address}": 100}
        self.limit(limits)
        with self.database.read() as connection:
            person = find_person(connection, name)
            stored = None if person is None else store.password_hash(connection, person.id)
        if not check_password(stored, password) or person is None:
            self.count(limits)
            raise UsageError("the name or the password is wrong")
        with self.database.write() as connection:
            store.clear_attempts(connection, f"sign-in {name}")
        return self.open_session(person)

    def limit(self, limits: dict[str, int], window: float = HOUR / 4) -> None:
        """Refuse what was tried too often within a window of time, by any of the subjects."""
        since = self.clock() - window
        with self.database.read() as connection:
            for subject, most in limits.items():
                if store.count_attempts(connection, subject, since) >= most:
                    raise TooManyAttempts(window)

    def count(self, subjects: dict[str, int]) -> None:
        """Count an attempt of each subject."""
        with self.database.write() as connection:
            for subject in subjects:
                store.add_attempt(connection, subject, self.clock(), self.clock() - HOUR)

    def open_session(self, person: Person) -> str:
        """Return the token of a new session of a person."""
        token = new_token()
        with self.database.write() as connection:
            store.add_session(connection, hash_token(token), person.id, self.clock())
            Session(self.database, person, clock=self.clock).record(connection, "sign-in")
        return token

    def session_person(self, token: str) -> Person | None:
        """Return the person of a session; None if it has lapsed or never was."""
        found = self.find_session(token)
        return None if found is None else found.person

    def find_session(self, token: str) -> store.OpenSession | None:
        """Return the session of a token; None if it has lapsed or never was."""
        now = self.clock()
        hashed = hash_token(token)
        with self.database.read_once() as connection:
            found = store.find_session(
                connection, hashed, now - SESSION_SECONDS, now - IDLE_SECONDS
            )
        if found is not None and now - found.seen > HOUR:
            with self.database.write() as connection:
                store.touch_session(connection, hashed, now)
        return found

    def phase(self) -> str:
        """Return the phase of the campaign."""
        with self.database.read() as connection:
            return str(campaign_row(connection)["phase"])

    def token_person(self, token: str) -> tuple[Person, Sequence[str]] | None:
        """Return the person and the scopes of an API token."""
        with self.database.read() as connection:
            return store.find_token(connection, hash_token(token))

    def close_session(self, token: str) -> None:
        """End a session."""
        with self.database.write() as connection:
            store.remove_sessions(connection, token_hash=hash_token(token))

    def entry_link(self, name: str, hours: float = 24) -> str:
        """Return the token of a link by which a person enters once, without a password."""
        with self.database.write() as connection:
            person = known_person(connection, name)
            return _invite(connection, self.clock(), hours, {"person_id": person.id, "roles": []})

    def find_invitation(self, token: str) -> dict[str, Any] | None:
        """Return the roles of an invitation and, for an existing person, the name."""
        with self.database.read() as connection:
            found = store.find_invitation(connection, hash_token(token), self.clock())
        return None if found is None else dict(found)

    def accept(self, token: str, name: str | None = None, password: str | None = None) -> str:
        """Use an invitation once; return the token of a new session.

        A new person needs a name and a password; an existing one may set a password.
        """
        hashed = None if password is None else hash_password(password)
        with self.database.write() as connection:
            now = self.clock()
            found = store.find_invitation(connection, hash_token(token), now)
            if found is None or not store.use_invitation(connection, found["id"], now):
                raise UsageError("this link was used already or has expired; ask for a new one")
            person = self._invited(connection, found, name)
            if hashed is not None:
                store.set_password(connection, person.id, hashed, now)
                store.remove_sessions(connection, person_id=person.id)
            elif found["person_id"] is None:
                raise UsageError("a new account needs a password")
        return self.open_session(person)

    def _invited(self, connection: Connection, found: Any, name: str | None) -> Person:
        if found["person_id"] is not None:
            person = store.person_by_id(connection, found["person_id"])
            if person is None:
                raise UsageError("this person does not exist any more")
            return person
        if find_person(connection, name or "") is not None:
            raise UsageError(f"somebody is called '{name}' already; choose another name")
        session = Session(self.database, clock=self.clock)
        details = {"team": found["team"], "capacity": found["capacity"]}
        return join_within(connection, session, name or "", found["roles"], **details)

    def first_coordinator(self) -> str | None:
        """Return a coordinator for a first link, while nobody has a password; add one if needed."""
        with self.database.write() as connection:
            if store.has_passwords(connection):
                return None
            found = store.first_person(connection, "coordinator")
            if found is None:
                session = Session(self.database, clock=self.clock)
                found = join_within(connection, session, "coordinator", ["coordinator"])
            return found.name


def invite(
    session: Session,
    roles: Sequence[str],
    *,
    team: str | None = None,
    capacity: int | None = None,
    hours: float = 7 * 24,
) -> str:
    """Return the token of an invitation with roles, for one new person, once."""
    check_words("role", roles, ROLES)
    if not roles:
        raise UsageError(f"an invitation needs a role: {', '.join(ROLES)}")
    with session.database.write() as connection:
        session.require(connection, "join")
        values = {"roles": list(roles), "team": team, "capacity": capacity}
        token = _invite(connection, session.clock(), hours, values)
        session.record(connection, "invite", roles=list(roles))
    return token


def _invite(connection: Connection, now: float, hours: float, values: dict[str, Any]) -> str:
    if not 0 < hours <= 24 * 90:
        raise UsageError(f"an invitation is valid for up to 2160 hours, not {hours:g}")
    token = new_token()
    row = {**values, "token_hash": hash_token(token), "created": now}
    store.add_invitation(connection, {**row, "expires": now + hours * HOUR})
    return token


def invitations(session: Session) -> list[dict[str, Any]]:
    """Return the invitations that can still be used."""
    with session.database.read() as connection:
        session.require(connection, "join")
        return store.open_invitations(connection, session.clock())


def withdraw_invitation(session: Session, number: int) -> None:
    """Let an invitation be used no more."""
    with session.database.write() as connection:
        session.require(connection, "join")
        store.withdraw_invitation(connection, number)
        session.record(connection, "withdraw-invitation", invitation=number)


def add_token(session: Session, name: str, scopes: Sequence[str]) -> str:
    """Return a new API token of the person; it is shown once, and only its hash is stored."""
    check_words("scope", scopes, (*SCOPES, "all"))
    if not scopes or not name.strip():
        raise UsageError(f"a token needs a name and a scope: {', '.join((*SCOPES, 'all'))}")
    token = new_token()
    with session.database.write() as connection:
        person = session.acting()
        values = {"person_id": person.id, "name": name.strip(), "scopes": list(scopes)}
        row = {**values, "token_hash": hash_token(token), "created": session.clock()}
        store.add_token(connection, row)
        session.record(connection, "token", name=name, scopes=list(scopes))
    return token


def tokens(session: Session) -> list[dict[str, Any]]:
    """Return the person's API tokens, without the tokens themselves."""
    with session.database.read() as connection:
        return store.list_tokens(connection, session.acting().id)


def revoke_token(session: Session, number: int) -> None:
    """Revoke an API token of the person."""
    with session.database.write() as connection:
        if not store.revoke_token(connection, number, session.acting().id, session.clock()):
            raise UsageError(f"you have no token {number}")
        session.record(connection, "revoke-token", token=number)


def change_password(session: Session, password: str) -> None:
    """Set the person's password and end all sessions of the person."""
    hashed = hash_password(password)
    with session.database.write() as connection:
        person = session.acting()
        store.set_password(connection, person.id, hashed, session.clock())
        store.remove_sessions(connection, person_id=person.id)
        session.record(connection, "password")
