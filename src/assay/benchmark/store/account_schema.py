"""Tables of accounts, and of what people do in the web app beside judging."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from assay.benchmark.store.columns import Key, Moment, metadata

credential = Table(
    "credential",
    metadata,
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("password_hash", String, nullable=False),
    Column("changed", Moment, nullable=False),
)
invitation = Table(
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
web_session = Table(
    "web_session",
    metadata,
    Column("token_hash", String, primary_key=True),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("created", Moment, nullable=False),
    Column("seen", Moment, nullable=False),
    Index("ix_web_session_person_id", "person_id"),
)
api_token = Table(
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
attempt = Table(
    "attempt",
    metadata,
    Column("id", Key, primary_key=True),
    Column("subject", String, nullable=False),
    Column("created", Moment, nullable=False),
    Index("ix_attempt_subject_created", "subject", "created"),
)
person_settings = Table(
    "person_settings",
    metadata,
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("settings", JSON, nullable=False),
)
item_shown = Table(
    "item_shown",
    metadata,
    Column("item_id", ForeignKey("item.id"), primary_key=True),
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("created", Moment, nullable=False),
)
flag = Table(
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
pair = Table(
    "pair",
    metadata,
    Column("id", Key, primary_key=True),
    Column("topic_id", ForeignKey("topic.id"), nullable=False),
    Column("first", String, nullable=False),
    Column("second", String, nullable=False),
    UniqueConstraint("topic_id", "first", "second"),
)
preference = Table(
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
SIGN_IN = frozenset(
    table.name for table in (credential, invitation, web_session, api_token, attempt)
)
"""Tables that no export reads."""
TABLES = (*SIGN_IN, "person_settings", "item_shown", "flag", "pair", "preference")
