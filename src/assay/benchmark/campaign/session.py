"""Who works on which campaign: the database, the person and what that person may do."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from assay.benchmark.campaign.permissions import (
    BOUND_TO_PHASES,
    ROLES,
    allowed_phases,
    is_allowed,
    refuse,
)
from assay.benchmark.campaign.scale import Scale
from assay.benchmark.store import topics
from assay.benchmark.store.database import Database
from assay.benchmark.store.people import Person, find_person, list_people
from assay.core.errors import UsageError, unknown_name


@dataclass(frozen=True)
class Session:
    """One person's work on a campaign.

    Who is trusted may do everything, as on the command line; but judgments change only in the
    phases of judging.
    """

    database: Database
    person: Person | None = None
    trusted: bool = True
    clock: Callable[[], float] = field(default=time.time)

    @property
    def person_id(self) -> int | None:
        """The number of the person, if there is one."""
        return None if self.person is None else self.person.id

    def acting(self) -> Person:
        """Return the person who acts; refuse an operation that needs one without."""
        if self.person is None:
            raise UsageError("this needs a person: give `person=NAME` when the campaign is opened")
        return self.person

    def require(self, connection: Connection, operation: str) -> str:
        """Return the phase; refuse an operation that the person may not do now."""
        phase = str(topics.campaign_row(connection)["phase"])
        if self.trusted:
            if operation in BOUND_TO_PHASES and not is_allowed(operation, ROLES, phase):
                raise UsageError(
                    f"'{operation}' is not possible in the phase {phase}, only in"
                    f" {' and '.join(allowed_phases(operation))}"
                )
            return phase
        person = self.acting()
        if not is_allowed(operation, person.roles, phase):
            raise refuse(operation, person.name, person.roles, phase)
        return phase

    def may(self, connection: Connection, operation: str) -> bool:
        """Return whether the person may do or see something now."""
        phase = str(topics.campaign_row(connection)["phase"])
        return self.trusted or is_allowed(operation, self.acting().roles, phase)

    def record(self, connection: Connection, operation: str, **details: Any) -> None:
        """Write into the events of the campaign who did what."""
        topics.record_event(connection, operation, self.person_id, details, self.clock())


def campaign_scale(connection: Connection) -> Scale:
    """Return the scale of the campaign."""
    return Scale.from_json(topics.campaign_row(connection)["scale"])


def campaign_settings(connection: Connection) -> Mapping[str, Any]:
    """Return the rules of the campaign."""
    settings: Mapping[str, Any] = topics.campaign_row(connection)["settings"]
    return settings


def known_topic(connection: Connection, name: str) -> topics.CampaignTopic:
    """Return the topic of that name; refuse an unknown one."""
    found = topics.find_topic(connection, name)
    if found is None:
        raise unknown_name("topic", name, [each.name for each in topics.list_topics(connection)])
    return found


def known_person(connection: Connection, name: str, role: str | None = None) -> Person:
    """Return the person of that name; refuse an unknown one, and one without the role."""
    found = find_person(connection, name)
    if found is None:
        raise unknown_name("person", name, [each.name for each in list_people(connection)])
    if role is not None and role not in found.roles:
        raise UsageError(f"{name} is not {'an' if role[0] in 'aeiou' else 'a'} {role}")
    return found
