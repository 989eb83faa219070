"""Events of a campaign are recorded, and runs have a priority for pooling."""

from __future__ import annotations

import sqlalchemy
from alembic import op
from sqlalchemy import JSON, BigInteger, Column, Float, ForeignKey, Integer, String

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the table of events and the priority of runs."""
    key = BigInteger().with_variant(Integer, "sqlite")
    op.create_table(
        "event",
        Column("id", key, primary_key=True),
        Column("operation", String, nullable=False),
        Column("person_id", key, ForeignKey("person.id")),
        Column("details", JSON, nullable=False),
        Column("created", Float(53), nullable=False),
    )
    priority = Column("priority", Integer, nullable=False, server_default=sqlalchemy.text("1"))
    op.add_column("run", priority)
