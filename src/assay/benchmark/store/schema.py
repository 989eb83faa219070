"""The tables of a campaign database, as the newest revision has them.

A change of this file needs a revision in ``migrations/versions``; a test compares the two.
Judgments are only added; ``standing`` says which of them count now. ``progress`` counts what is
assigned and done, so that the state of a large campaign is read without going through its items.
Sign-in data has tables of its own (``account_schema``), which no export reads.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from assay.benchmark.store import account_schema
from assay.benchmark.store.columns import Key, Moment
from assay.benchmark.store.columns import metadata as metadata

ACCOUNT_TABLES = account_schema.TABLES
"""Tables of accounts and of the web; importing them adds them to ``metadata``."""

campaign = Table(
    "campaign",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("phase", String, nullable=False),
    Column("scale", JSON, nullable=False),
    Column("measures", JSON, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("created", Moment, nullable=False),
)
guidelines = Table(
    "guidelines",
    metadata,
    Column("version", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created", Moment, nullable=False),
)
person = Table(
    "person",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("kind", String, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("team", String),
    Column("capacity", Integer),
    Column("created", Moment, nullable=False),
)
document = Table(
    "document",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("title", Text),
    Column("url", Text),
)
document_text = Table(
    "document_text",
    metadata,
    Column("document_id", ForeignKey("document.id"), primary_key=True),
    Column("text", Text, nullable=False),
)
topic = Table(
    "topic",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("state", String, nullable=False),
    Column("fields", JSON, nullable=False),
    Column("author_id", ForeignKey("person.id")),
    Column("created", Moment, nullable=False),
)
run = Table(
    "run",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False),
    Column("file", String, nullable=False),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("state", String, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("digest", String, nullable=False),
    Column("submitted", Moment, nullable=False),
    Index("ix_run_name", "name"),
)
run_file = Table(
    "run_file",
    metadata,
    Column("run_id", ForeignKey("run.id"), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
pool = Table(
    "pool",
    metadata,
    Column("id", Key, primary_key=True),
    Column("settings", JSON, nullable=False),
    Column("created", Moment, nullable=False),
)
item = Table(
    "item",
    metadata,
    Column("id", Key, primary_key=True),
    Column("pool_id", ForeignKey("pool.id")),
    Column("topic_id", ForeignKey("topic.id"), nullable=False),
    Column("doc", String, nullable=False),
    Column("stratum", String),
    Column("probability", Float(53)),
    Column("best_rank", Integer),
    Column("runs", Text),
    Column("gold", Integer),
    UniqueConstraint("topic_id", "doc"),
)
assignment = Table(
    "assignment",
    metadata,
    Column("id", Key, primary_key=True),
    # Numbers of items, topics and people without foreign keys: checking each of a million
    # assignments takes PostgreSQL three times as long as storing them (decision 1800).
    Column("item_id", Key, nullable=False),
    Column("topic_id", Key, nullable=False),
    Column("person_id", Key),
    Column("position", Key, nullable=False),
    Column("state", String, nullable=False),
    Column("holder_id", Key),
    Column("lease_until", Moment),
    Index("ix_assignment_queue", "person_id", "state", "position"),
    Index("ix_assignment_item_id", "item_id"),
    Index(
        "ix_assignment_holder",
        "holder_id",
        "lease_until",
        sqlite_where=text("holder_id IS NOT NULL"),
        postgresql_where=text("holder_id IS NOT NULL"),
    ),
)
judgment = Table(
    "judgment",
    metadata,
    Column("id", Key, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("answer", String, nullable=False),
    Column("grade", Integer),
    Column("seconds", Float(53)),
    Column("place", Key),
    Column("passages", JSON),
    Column("comment", Text),
    Column("guidelines", Integer, nullable=False),
    Column("request", String, nullable=False),
    Column("supersedes", ForeignKey("judgment.id")),
    Column("created", Moment, nullable=False),
    UniqueConstraint("person_id", "request"),
    Index("ix_judgment_item_id", "item_id"),
)
standing = Table(
    "standing",
    metadata,
    Column("item_id", ForeignKey("item.id"), primary_key=True),
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("kind", String, primary_key=True),
    Column("judgment_id", ForeignKey("judgment.id"), nullable=False),
)
withdrawal = Table(
    "withdrawal",
    metadata,
    Column("judgment_id", ForeignKey("judgment.id"), primary_key=True),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Moment, nullable=False),
)
exclusion = Table(
    "exclusion",
    metadata,
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("created", Moment, nullable=False),
)
progress = Table(
    "progress",
    metadata,
    Column("topic_id", ForeignKey("topic.id"), primary_key=True),
    Column("person_id", Key, primary_key=True, autoincrement=False),
    Column("assigned", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("seconds", Float(53), nullable=False),
    Index("ix_progress_topic", "topic_id", "assigned", "done", "seconds"),
    Index("ix_progress_person", "person_id", "assigned", "done", "seconds"),
)
version = Table(
    "version",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("settings", JSON, nullable=False),
    Column("digest", String, nullable=False),
    Column("published", Boolean, nullable=False),
    Column("created", Moment, nullable=False),
)
version_file = Table(
    "version_file",
    metadata,
    Column("version_id", ForeignKey("version.id"), primary_key=True),
    Column("name", String, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
event = Table(
    "event",
    metadata,
    Column("id", Key, primary_key=True),
    Column("operation", String, nullable=False),
    Column("person_id", ForeignKey("person.id")),
    Column("details", JSON, nullable=False),
    Column("created", Moment, nullable=False),
)
