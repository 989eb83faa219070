"""The first revision: people, documents, topics, runs, pools, judgments and versions."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

revision = "0001"
down_revision = None

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
Key = BigInteger().with_variant(Integer, "sqlite")
Moment = Float(53)

Table(
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
Table(
    "guidelines",
    metadata,
    Column("version", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created", Moment, nullable=False),
)
Table(
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
Table(
    "credential",
    metadata,
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("password_hash", String, nullable=False),
    Column("changed", Moment, nullable=False),
)
Table(
    "document",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("title", Text),
    Column("url", Text),
)
Table(
    "document_text",
    metadata,
    Column("document_id", ForeignKey("document.id"), primary_key=True),
    Column("text", Text, nullable=False),
)
Table(
    "topic",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("state", String, nullable=False),
    Column("fields", JSON, nullable=False),
    Column("author_id", ForeignKey("person.id")),
    Column("created", Moment, nullable=False),
)
Table(
    "run",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False),
    Column("file", String, nullable=False),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("state", String, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("digest", String, nullable=False),
    Column("submitted", Moment, nullable=False),
    Index("ix_run_name", "name"),
)
Table(
    "run_file",
    metadata,
    Column("run_id", ForeignKey("run.id"), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
Table(
    "pool",
    metadata,
    Column("id", Key, primary_key=True),
    Column("settings", JSON, nullable=False),
    Column("created", Moment, nullable=False),
)
Table(
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
Table(
    "assignment",
    metadata,
    Column("id", Key, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("topic_id", ForeignKey("topic.id"), nullable=False),
    Column("person_id", ForeignKey("person.id")),
    Column("position", Key, nullable=False),
    Column("state", String, nullable=False),
    Column("holder_id", ForeignKey("person.id")),
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
Table(
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
Table(
    "standing",
    metadata,
    Column("item_id", ForeignKey("item.id"), primary_key=True),
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("kind", String, primary_key=True),
    Column("judgment_id", ForeignKey("judgment.id"), nullable=False),
)
Table(
    "withdrawal",
    metadata,
    Column("judgment_id", ForeignKey("judgment.id"), primary_key=True),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Moment, nullable=False),
)
Table(
    "exclusion",
    metadata,
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("created", Moment, nullable=False),
)
Table(
    "progress",
    metadata,
    Column("topic_id", ForeignKey("topic.id"), primary_key=True),
    Column("person_id", Key, primary_key=True, autoincrement=False),
    Column("assigned", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("seconds", Float(53), nullable=False),
)
Table(
    "version",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("settings", JSON, nullable=False),
    Column("digest", String, nullable=False),
    Column("published", Boolean, nullable=False),
    Column("created", Moment, nullable=False),
)
Table(
    "version_file",
    metadata,
    Column("version_id", ForeignKey("version.id"), primary_key=True),
    Column("name", String, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)


def upgrade() -> None:
    """Create all tables."""
    metadata.create_all(op.get_bind())
