"""Invitations, sessions, API tokens, rate limits, flags and preferences of the web app."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

revision = "0003"
down_revision = "0002"

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

for known in ("person", "item", "topic"):
    Table(known, metadata, Column("id", Key, primary_key=True))
Table(
    "invitation",
    metadata,
    Column("id", Key, primary_key=True),
    Column("token_hash", String, nullable=False, unique=True),
    Column("person_id", ForeignKey("person.id")),
    Column("roles", JSON, nullable=False),
    Column("team", String),
    Column("capacity", Integer),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("used", Moment),
)
Table(
    "web_session",
    metadata,
    Column("token_hash", String, primary_key=True),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("created", Moment, nullable=False),
    Column("seen", Moment, nullable=False),
    Index("ix_web_session_person_id", "person_id"),
)
Table(
    "api_token",
    metadata,
    Column("id", Key, primary_key=True),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("name", String, nullable=False),
    Column("token_hash", String, nullable=False, unique=True),
    Column("scopes", JSON, nullable=False),
    Column("created", Moment, nullable=False),
    Column("revoked", Moment),
)
Table(
    "attempt",
    metadata,
    Column("id", Key, primary_key=True),
    Column("subject", String, nullable=False),
    Column("created", Moment, nullable=False),
    Index("ix_attempt_subject_created", "subject", "created"),
)
Table(
    "person_settings",
    metadata,
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("settings", JSON, nullable=False),
)
Table(
    "item_shown",
    metadata,
    Column("item_id", ForeignKey("item.id"), primary_key=True),
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("created", Moment, nullable=False),
)
Table(
    "flag",
    metadata,
    Column("id", Key, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("request", String, nullable=False),
    Column("created", Moment, nullable=False),
    UniqueConstraint("person_id", "request"),
)
Table(
    "pair",
    metadata,
    Column("id", Key, primary_key=True),
    Column("topic_id", ForeignKey("topic.id"), nullable=False),
    Column("first", String, nullable=False),
    Column("second", String, nullable=False),
    UniqueConstraint("topic_id", "first", "second"),
)
Table(
    "preference",
    metadata,
    Column("id", Key, primary_key=True),
    Column("pair_id", ForeignKey("pair.id"), nullable=False),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("choice", String, nullable=False),
    Column("seconds", Float(53)),
    Column("request", String, nullable=False),
    Column("created", Moment, nullable=False),
    UniqueConstraint("person_id", "request"),
    Index("ix_preference_pair_id", "pair_id"),
)


def upgrade() -> None:
    """Create the tables."""
    created = [
        each for each in metadata.sorted_tables if each.name not in ("person", "item", "topic")
    ]
    metadata.create_all(op.get_bind(), tables=created)
