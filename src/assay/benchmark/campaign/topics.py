"""Proposing and choosing topics, and declaring known grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.benchmark.campaign.judging import known_item
from assay.benchmark.campaign.permissions import check_words
from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.store import items
from assay.benchmark.store import topics as store
from assay.benchmark.store.topics import CampaignTopic
from assay.core.errors import UsageError, unknown_name

STATES = ("proposed", "chosen", "practice", "rejected")


def propose_topics(
    session: Session, proposed: Mapping[str, Mapping[str, str]], state: str = "proposed"
) -> int:
    """Add topics by name, each with its fields (title, description, …); return how many."""
    check_words("state", [state], STATES)
    with session.database.write() as connection:
        session.require(connection, "propose-topic")
        known = {topic.name for topic in store.list_topics(connection)}
        for name, fields in proposed.items():
            if name in known:
                raise UsageError(f"there is a topic '{name}' already; give it another name")
            if not name or any(character.isspace() for character in name):
                raise UsageError(f"'{name}' cannot name a topic: runs have it as one field")
            if not any(text.strip() for text in fields.values()):
                raise UsageError(f"the topic '{name}' has no text; give it a title")
        now = session.clock()
        rows = [
            {
                "name": name,
                "state": state,
                "fields": dict(fields),
                "created": now,
                "author_id": session.person_id,
            }
            for name, fields in proposed.items()
        ]
        store.add_topics(connection, rows)
        session.record(connection, "propose-topic", names=list(proposed))
    return len(rows)


def choose_topics(session: Session, names: Sequence[str], state: str = "chosen") -> int:
    """Choose topics for judging or practice, or reject them; ``all`` is every proposed one.

    Return how many there were.
    """
    check_words("state", [state], STATES)
    with session.database.write() as connection:
        session.require(connection, "choose-topics")
        known = {topic.name: topic for topic in store.list_topics(connection)}
        if list(names) == ["all"]:
            names = [name for name, topic in known.items() if topic.state == "proposed"]
        for name in names:
            if name not in known:
                raise unknown_name("topic", name, known)
        store.set_topic_state(connection, [known[name].id for name in names], state)
        session.record(connection, "choose-topics", names=list(names), state=state)
    return len(names)


def topics(session: Session) -> list[CampaignTopic]:
    """Return the topics of the campaign."""
    with session.database.read() as connection:
        session.require(connection, "status")
        return store.list_topics(connection)


def set_gold(session: Session, grades: Mapping[tuple[str, str], int]) -> int:
    """Declare the grades of items of the pool that are known; return how many."""
    with session.database.write() as connection:
        session.require(connection, "assign")
        scale = campaign_scale(connection)
        for (query, doc), grade in grades.items():
            _, number = known_item(connection, query, doc)
            items.set_gold(connection, number, scale.check(grade, f"topic {query}, document {doc}"))
        session.record(connection, "gold", items=len(grades))
    return len(grades)
