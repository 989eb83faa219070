"""Judging: the next item, grades, corrections and withdrawals."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from sqlalchemy import Connection

from assay.benchmark.campaign.session import (
    Session,
    campaign_scale,
    campaign_settings,
    known_topic,
)
from assay.benchmark.store import items, judgments, own_work, progress
from assay.benchmark.store import topics as store
from assay.benchmark.store.people import Person
from assay.core.errors import UsageError

LEASE_MINUTES = 30
SHOWN_CHARACTERS = 200_000
"""Characters of a document that a task has; the whole text is read in pieces."""


@dataclass(frozen=True)
class JudgingTask:
    """An item to judge: the topic and the document, without ranks and systems."""

    assignment: int
    query: str
    topic: Mapping[str, str]
    doc: str
    title: str | None
    text: str | None
    url: str | None
    position: int
    until: float
    """When the lease runs out."""
    length: int | None = None
    """Characters of the whole text."""


@dataclass(frozen=True)
class Answer:
    """What an assessor says of a document."""

    query: str
    doc: str
    grade: int | None = None
    """None where the assessor cannot say."""
    seconds: float | None = None
    comment: str | None = None
    passages: Sequence[tuple[int, int]] | None = None
    """Where relevant passages start and end."""
    request: str = field(default_factory=lambda: uuid.uuid4().hex)
    """Sent twice with the same request, a judgment is stored once."""


@dataclass(frozen=True)
class Receipt:
    """A judgment that is stored."""

    judgment: int
    repeated: bool
    """Whether the same request had stored it before."""
    supersedes: int | None
    feedback: int | None
    """The known grade, on practice topics."""


def next_task(session: Session, after: int = -1) -> JudgingTask | None:
    """Return the next item of the queue of an assessor, held until the lease runs out.

    Who asks again gets the same item. None: nothing is left.
    """
    with session.database.write() as connection:
        session.require(connection, "next")
        return claim_task(connection, session, session.acting(), after)


def claim_task(
    connection: Connection, session: Session, person: Person, after: int = -1
) -> JudgingTask | None:
    """Return the next item of a person within a transaction; who may ask was checked before."""
    now = session.clock()
    minutes = float(campaign_settings(connection).get("lease_minutes", LEASE_MINUTES))
    until = now + 60 * minutes
    claim = items.claim_next(
        connection, person.id, now, until, after=after, characters=SHOWN_CHARACTERS
    )
    if claim is None:
        return None
    if claim.shared:
        own_work.record_shown(connection, claim.item, person.id, now)
    shown = (each.name for each in fields(JudgingTask))
    return JudgingTask(**{name: getattr(claim, name) for name in shown})


def postpone(session: Session, assignment: int) -> None:
    """Put an item of the person at the end of the queue."""
    with session.database.write() as connection:
        session.require(connection, "next")
        person = session.acting()
        last = items.last_position(connection, person.id)
        if not items.release_claim(connection, assignment, person.id, last + 1):
            raise UsageError(f"the assignment {assignment} is not one of {person.name}'s")


def judge(session: Session, answers: Sequence[Answer]) -> list[Receipt]:
    """Store judgments, all or none; one sent twice is stored once."""
    with session.database.write() as connection:
        session.require(connection, "judge")
        person = session.acting()
        if "assessor" not in person.roles:
            raise UsageError(f"{person.name} is not an assessor; join with the role assessor")
        return [store_answer(connection, session, person, answer) for answer in answers]


def store_answer(
    connection: Connection,
    session: Session,
    person: Person,
    answer: Answer,
) -> Receipt:
    """Store a judgment within a transaction; who may judge was checked before."""
    earlier = judgments.find_request(connection, person.id, answer.request)
    if earlier is not None:
        gold = _feedback(connection, earlier["item_id"], earlier["kind"])
        return Receipt(earlier["id"], True, earlier["supersedes"], gold)
    topic, number = known_item(connection, answer.query, answer.doc)
    if answer.grade is not None:
        campaign_scale(connection).check(answer.grade, f"topic {answer.query}, {answer.doc}")
    kind = "practice" if topic.state == "practice" else "judgment"
    before = judgments.standing_judgment(connection, number, person.id, kind)
    place = items.finish_assignment(connection, number, person.id, "done")
    if place is None and own_work.was_shown(connection, number, person.id):
        # The lease ran out and somebody else got the item: both judgments are kept.
        given = own_work.add_own_assignment(connection, number, topic.id, person.id)
        place = (topic.id, given)
    if place is None and not session.trusted:
        raise UsageError(
            f"document {answer.doc} of topic {answer.query} is not assigned to {person.name}"
        )
    values = _values(connection, answer, session.clock()) | {
        "item_id": number,
        "person_id": person.id,
        "kind": kind,
        "place": None if place is None else place[1],
        "supersedes": None if before is None else before["id"],
    }
    added = judgments.add_judgment(connection, values)
    seconds = answer.seconds or 0.0
    progress.add_done(connection, topic.id, person.id, int(before is None), seconds)
    return Receipt(added, False, values["supersedes"], _feedback(connection, number, kind))


def _feedback(connection: Connection, number: int, kind: str) -> int | None:
    return items.gold_grade(connection, number) if kind == "practice" else None


def known_item(connection: Connection, query: str, doc: str) -> tuple[store.CampaignTopic, int]:
    """Return the topic and the number of an item; refuse one that is not in the pool."""
    found = store.find_item(connection, query, doc)
    if found is None:
        known_topic(connection, query)
        raise UsageError(f"document {doc} of topic {query} is not in the pool")
    return found


def _values(connection: Connection, answer: Answer, now: float) -> dict[str, Any]:
    return {
        "answer": "cannot-say" if answer.grade is None else "grade",
        "grade": answer.grade,
        "seconds": answer.seconds,
        "passages": None if answer.passages is None else [list(each) for each in answer.passages],
        "comment": answer.comment,
        "guidelines": store.campaign_row(connection)["guidelines"] or 0,
        "request": answer.request,
        "created": now,
    }


def withdraw(session: Session, judgment: int, reason: str) -> None:
    """Let a judgment count no longer; it stays in the record, and its item can be judged again."""
    with session.database.write() as connection:
        session.require(connection, "withdraw")
        person = session.acting()
        row = judgments.find_judgment(connection, judgment)
        if row is None:
            raise UsageError(f"no judgment {judgment} stands")
        own = row["person_id"] == person.id
        if not own and not session.trusted and "coordinator" not in person.roles:
            raise UsageError(f"judgment {judgment} is not one of {person.name}'s")
        withdraw_within(connection, session, row, reason)


def withdraw_within(
    connection: Connection, session: Session, row: Mapping[str, Any], reason: str
) -> None:
    """Withdraw a judgment that stands; whose it is was checked before."""
    by = session.acting().id
    judgments.withdraw_judgment(connection, row["id"], by, reason, session.clock())
    place = items.finish_assignment(connection, row["item_id"], row["person_id"], "open")
    if place is not None:
        progress.add_done(connection, place[0], row["person_id"], -1, -(row["seconds"] or 0.0))
    session.record(connection, "withdraw", judgment=row["id"], reason=reason)
