"""One assessor at work: saving and going on in one step, looking back, undoing, flagging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from assay.benchmark.campaign import judging
from assay.benchmark.campaign.judging import Answer, JudgingTask, Receipt
from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.store import accounts, items, judgments
from assay.benchmark.store import own_work as store
from assay.benchmark.store import topics as topic_store
from assay.core.errors import UsageError

ACTIONS = {"judge": "judge", "undo": "judge", "later": "next", "flag": "flag"}
"""What an assessor does with an item, and the operation of the permission table."""


@dataclass(frozen=True)
class Action:
    """Something that an assessor does with an item; sent twice, it happens once."""

    action: str
    answer: Answer
    """The item, the grade and the request; ``comment`` is the reason of a flag."""


@dataclass(frozen=True)
class ItemOutcome:
    """What became of an action: it is stored, or it was refused with a reason."""

    request: str
    saved: bool
    judgment: int | None = None
    feedback: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Saved:
    """The outcomes of actions, what to judge next, and the progress."""

    outcomes: list[ItemOutcome]
    tasks: list[JudgingTask]
    progress: dict[str, Any]


def save(session: Session, actions: Sequence[Action], after: int = -1, count: int = 1) -> Saved:
    """Store actions, each by itself, and return the next items in the same step.

    One that is refused does not keep the others from being stored.
    """
    outcomes = []
    for each in actions[:-1]:
        outcomes.append(_alone(session, each))
    if actions:
        try:
            with session.database.write_shortly() as connection:
                last = _act(connection, session, actions[-1])
                return _going_on(connection, session, [*outcomes, last], after, count)
        except UsageError as refused:
            request = actions[-1].answer.request
            outcomes.append(ItemOutcome(request, False, reason=str(refused)))
    with session.database.write_shortly() as connection:
        return _going_on(connection, session, outcomes, after, count)


def _alone(session: Session, action: Action) -> ItemOutcome:
    try:
        with session.database.write_shortly() as connection:
            return _act(connection, session, action)
    except UsageError as refused:
        return ItemOutcome(action.answer.request, False, reason=str(refused))


def _act(connection: Connection, session: Session, action: Action) -> ItemOutcome:
    if action.action not in ACTIONS:
        raise UsageError(f"'{action.action}' is not one of {', '.join(ACTIONS)}")
    session.require(connection, ACTIONS[action.action])
    answer = action.answer
    if action.action == "judge":
        receipt: Receipt = judging.store_answer(connection, session, session.acting(), answer)
        return ItemOutcome(answer.request, True, receipt.judgment, receipt.feedback)
    if action.action == "undo":
        _undo(connection, session, answer.request.removeprefix("undo "))
    elif action.action == "flag":
        _flag(connection, session, answer)
    else:
        _later(connection, session, answer)
    return ItemOutcome(answer.request, True)


def _going_on(
    connection: Connection, session: Session, outcomes: list[ItemOutcome], after: int, count: int
) -> Saved:
    tasks: list[JudgingTask] = []
    person = session.acting()
    if session.may(connection, "next"):
        while len(tasks) < count:
            found = judging.claim_task(connection, session, person, after)
            if found is None:
                break
            tasks.append(found)
            after = found.position
    return Saved(outcomes, tasks, _progress(connection, person.id))


def _progress(connection: Connection, person_id: int) -> dict[str, Any]:
    rows = store.own_progress(connection, person_id)
    done = sum(row["done"] for row in rows)
    seconds = sum(row["seconds"] for row in rows)
    return {
        "assigned": sum(row["assigned"] for row in rows),
        "done": done,
        "seconds_per_item": seconds / done if done and seconds else None,
        "topics": {row["topic"]: [row["assigned"], row["done"]] for row in rows},
    }


def _undo(connection: Connection, session: Session, request: str) -> None:
    """Withdraw the judgment that a request has made; nothing to do if it does not stand."""
    made = judgments.find_request(connection, session.acting().id, request)
    stands = None if made is None else judgments.find_judgment(connection, made["id"])
    if stands is not None:
        judging.withdraw_within(connection, session, stands, "undone")


def _later(connection: Connection, session: Session, answer: Answer) -> None:
    person = session.acting()
    _, number = judging.known_item(connection, answer.query, answer.doc)
    found = store.own_assignment(connection, number, person.id)
    if found is None:
        raise UsageError(f"document {answer.doc} of topic {answer.query} is not assigned to you")
    if found["state"] == "open":
        last = items.last_position(connection, person.id)
        items.release_claim(connection, found["id"], person.id, last + 1)


def _flag(connection: Connection, session: Session, answer: Answer) -> None:
    person = session.acting()
    topic, number = judging.known_item(connection, answer.query, answer.doc)
    if _hidden(connection, session, number) is not None:
        raise UsageError(f"document {answer.doc} of topic {topic.name} is not assigned to you")
    if not store.find_flag(connection, person.id, answer.request):
        values = {
            "item_id": number,
            "person_id": person.id,
            "reason": answer.comment or "",
            "request": answer.request,
            "created": session.clock(),
        }
        store.add_flag(connection, values)


def flag(session: Session, query: str, doc: str, reason: str) -> None:
    """Flag a document that the person judges: something is wrong with it."""
    with session.database.write() as connection:
        session.require(connection, "flag")
        _flag(connection, session, Answer(query, doc, comment=reason))


def flags(session: Session) -> list[dict[str, Any]]:
    """Return what assessors have flagged, and why."""
    with session.database.read() as connection:
        session.require(connection, "see-judgments")
        return store.list_flags(connection)


def history(
    session: Session, before: int | None = None, limit: int | None = None
) -> list[dict[str, Any]]:
    """Return the person's own judgments that stand, the newest first, without known grades."""
    with session.database.read() as connection:
        session.require(connection, "history")
        rows = store.own_judgments(connection, session.acting().id, before, limit)
    return [{name: value for name, value in row.items() if name != "gold"} for row in rows]


def item(session: Session, query: str, doc: str) -> tuple[JudgingTask, dict[str, Any] | None]:
    """Return an item that the person has, held or judged, and the person's judgment of it."""
    with session.database.read() as connection:
        session.require(connection, "history")
        topic, number = judging.known_item(connection, query, doc)
        hidden = _hidden(connection, session, number)
        if hidden is not None:
            raise UsageError(hidden)
        found = topic_store.find_document(connection, doc, judging.SHOWN_CHARACTERS) or {}
        mine = store.own_assignment(connection, number, session.acting().id) or {}
        kind = "practice" if topic.state == "practice" else "judgment"
        stands = judgments.standing_judgment(connection, number, session.acting().id, kind)
    task = JudgingTask(
        mine.get("id", 0),
        topic.name,
        topic.fields,
        doc,
        **{name: found.get(name) for name in ("title", "text", "url", "length")},
        position=mine.get("position", -1),
        until=mine.get("lease_until") or 0.0,
    )
    return task, None if stands is None else dict(stands)


def document(session: Session, query: str, doc: str, start: int, size: int) -> Mapping[str, Any]:
    """Return the title, url and a piece of the text of a document that the person may see."""
    with session.database.read() as connection:
        if not session.may(connection, "see-judgments"):
            session.require(connection, "history")
            _, number = judging.known_item(connection, query, doc)
            hidden = _hidden(connection, session, number)
            if hidden is not None:
                raise UsageError(hidden)
        return topic_store.find_document(connection, doc, size, start) or {}


def _hidden(connection: Connection, session: Session, number: int) -> str | None:
    """Return why a person may not see an item; None if it is one of the person's."""
    person = session.acting()
    if store.own_assignment(connection, number, person.id) is not None:
        return None
    if store.was_shown(connection, number, person.id):
        return None
    return "this document is not assigned to you"


def progress(session: Session) -> dict[str, Any]:
    """Return what is assigned to the person, done, the pace, and the same by topic."""
    with session.database.read() as connection:
        session.require(connection, "history")
        return _progress(connection, session.acting().id)


def describe(session: Session) -> dict[str, Any]:
    """Return the name, phase, scale, measures and guidelines of the campaign."""
    with session.database.read() as connection:
        row = topic_store.campaign_row(connection)
        number, text = topic_store.current_guidelines(connection)
        scale = campaign_scale(connection)
    return {
        "name": row["name"],
        "phase": row["phase"],
        "scale": scale,
        "measures": row["measures"],
        "guidelines": text,
        "guidelines_version": number,
    }


def settings(session: Session) -> dict[str, Any]:
    """Return what the person has set: keys, and words to highlight."""
    with session.database.read() as connection:
        return accounts.settings_of(connection, session.acting().id)


def change_settings(session: Session, changes: Mapping[str, Any]) -> None:
    """Change what the person has set."""
    with session.database.write() as connection:
        person = session.acting()
        before = accounts.settings_of(connection, person.id)
        accounts.save_settings(connection, person.id, {**before, **changes})


def events(session: Session) -> list[dict[str, Any]]:
    """Return who did what, the newest first."""
    with session.database.read() as connection:
        session.require(connection, "see-events")
        return store.list_events(connection)
