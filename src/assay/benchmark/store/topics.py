"""The campaign itself, its guidelines, topics and documents."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Integer, Select, bindparam, func, insert, select, update

from assay.benchmark.store.database import Database
from assay.benchmark.store.rows import first_row, insert_rows
from assay.benchmark.store.schema import (
    campaign,
    document,
    document_text,
    event,
    guidelines,
    item,
    person,
    topic,
)


@dataclass(frozen=True)
class CampaignTopic:
    """An information need, by the name that judgments and runs use."""

    id: int
    name: str
    state: str
    """proposed, chosen, practice or rejected."""
    fields: Mapping[str, str]
    author: str | None


def campaign_row(connection: Connection) -> Mapping[str, Any]:
    """Return the name, phase, scale, measures, settings and newest guidelines of the campaign."""
    row = _ROWS.get(connection)
    if row is None:
        row = _ROWS[connection] = first_row(connection, _CAMPAIGN) or {}
    return row


_CAMPAIGN = select(
    campaign, select(func.max(guidelines.c.version)).scalar_subquery().label("guidelines")
)
_ROWS: WeakKeyDictionary[Connection, Mapping[str, Any]] = WeakKeyDictionary()
"""The row of the campaign as a transaction has seen it."""


def create_campaign(connection: Connection, values: Mapping[str, Any], now: float) -> None:
    """Write the one row of the campaign."""
    connection.execute(insert(campaign).values(id=1, created=now, **values))
    _ROWS.pop(connection, None)


def change_campaign(connection: Connection, **values: Any) -> None:
    """Change the phase or the settings of the campaign."""
    connection.execute(update(campaign).values(**values))
    _ROWS.pop(connection, None)


def lock_campaign(connection: Connection) -> None:
    """Wait until nobody reads the rules of the campaign, and keep others from it until the end.

    Who judges reads them within the same transaction. In SQLite there is one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE campaign IN ACCESS EXCLUSIVE MODE")


def add_guidelines(connection: Connection, text: str, now: float) -> int:
    """Add a version of the guidelines; return its number."""
    number = current_guidelines(connection)[0] + 1
    connection.execute(insert(guidelines).values(version=number, text=text, created=now))
    _ROWS.pop(connection, None)
    return number


_NEWEST_GUIDELINES = (
    select(guidelines.c.version, guidelines.c.text).order_by(guidelines.c.version.desc()).limit(1)
)


def current_guidelines(connection: Connection) -> tuple[int, str]:
    """Return the number and the text of the newest guidelines; 0 if there are none."""
    row = connection.execute(_NEWEST_GUIDELINES).one_or_none()
    return (0, "") if row is None else (row.version, row.text)


_TOPIC = (topic.c.id, topic.c.name, topic.c.state, topic.c.fields, person.c.name)


def find_topic(connection: Connection, key: str | int) -> CampaignTopic | None:
    """Return a topic by name or number."""
    column = topic.c.name if isinstance(key, str) else topic.c.id
    query = select(*_TOPIC).join(person, topic.c.author_id == person.c.id, isouter=True)
    row = connection.execute(query.where(column == key)).one_or_none()
    return None if row is None else CampaignTopic(*row)


def find_item(connection: Connection, query: str, doc: str) -> tuple[CampaignTopic, int] | None:
    """Return the topic and the number of an item of the pool."""
    row = connection.execute(_find_item(), {"b_query": query, "b_doc": doc}).one_or_none()
    return None if row is None else (CampaignTopic(*row[:-1]), row[-1])


@functools.cache
def _find_item() -> Select[Any]:
    query = select(*_TOPIC, item.c.id).join(item, item.c.topic_id == topic.c.id)
    query = query.join(person, topic.c.author_id == person.c.id, isouter=True)
    return query.where(topic.c.name == bindparam("b_query"), item.c.doc == bindparam("b_doc"))


def topic_names(connection: Connection) -> dict[int, str]:
    """Return the names of all topics by number, without their texts."""
    return {row[0]: row[1] for row in connection.execute(_TOPIC_NAMES).all()}


_TOPIC_NAMES = select(topic.c.id, topic.c.name)


def list_topics(connection: Connection, states: Sequence[str] = ()) -> list[CampaignTopic]:
    """Return the topics, all or those in some states, in the order in which they were added."""
    query = select(*_TOPIC).join(person, topic.c.author_id == person.c.id, isouter=True)
    if states:
        query = query.where(topic.c.state.in_(states))
    return [CampaignTopic(*row) for row in connection.execute(query.order_by(topic.c.id))]


def count_topics(connection: Connection, state: str) -> int:
    """Return how many topics are in a state."""
    query = select(func.count()).select_from(topic).where(topic.c.state == state)
    return int(connection.execute(query).scalar_one())


def add_topics(connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add topics: name, state, fields, author_id, created."""
    values = list(rows)
    if values:
        connection.execute(insert(topic), values)


def set_topic_state(connection: Connection, ids: Sequence[int], state: str) -> None:
    """Choose, reject or practice topics."""
    connection.execute(update(topic).where(topic.c.id.in_(ids)).values(state=state))


def add_documents(
    database: Database, rows: Iterable[tuple[str, str | None, str | None, str]]
) -> int:
    """Add documents (name, title, url, text) in short transactions; return how many."""
    with database.read() as connection:
        last = connection.execute(select(func.max(document.c.id))).scalar() or 0
    heads: list[Sequence[Any]] = []
    texts: list[Sequence[Any]] = []
    size = 0
    count = 0
    for count, (name, title, url, text) in enumerate(rows, 1):
        heads.append((last + count, name, title, url))
        texts.append((last + count, text))
        size += len(text)
        if size > 1_000_000 or len(heads) == 1000:
            _add_piece(database, heads, texts)
            heads, texts, size = [], [], 0
    _add_piece(database, heads, texts)
    return count


def _add_piece(database: Database, heads: list[Sequence[Any]], texts: list[Sequence[Any]]) -> None:
    if heads:
        with database.write() as connection:
            insert_rows(connection, document, ("id", "name", "title", "url"), heads)
            insert_rows(connection, document_text, ("document_id", "text"), texts)


def find_document(
    connection: Connection, name: str, characters: int = 1_000_000_000, start: int = 0
) -> Mapping[str, Any] | None:
    """Return the title, url, text and length of a document, its text from a character on.

    None: the campaign does not have the document.
    """
    given = {"b_name": name, "b_start": start + 1, "b_characters": characters}
    return first_row(connection, _find_document(), given)


@functools.cache
def _find_document() -> Select[Any]:
    query = select(document.c.name, *shown_columns()).join(document_text, isouter=True)
    return query.where(document.c.name == bindparam("b_name"))


def shown_columns() -> tuple[Any, ...]:
    """Return the columns title, url, a piece of the text, and its length."""
    start, characters = (bindparam(each, type_=Integer) for each in ("b_start", "b_characters"))
    piece = func.substr(document_text.c.text, start, characters).label("text")
    length = func.length(document_text.c.text).label("length")
    return document.c.title, document.c.url, piece, length


def record_event(
    connection: Connection, operation: str, person_id: int | None, details: Any, now: float
) -> None:
    """Write who did what, and when."""
    values = {"operation": operation, "person_id": person_id, "details": details, "created": now}
    connection.execute(insert(event).values(**values))
