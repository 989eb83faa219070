"""Assignments of large pools are written without checking each reference (decision 1800)."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
COLUMNS = ("item_id", "topic_id", "person_id", "holder_id")


def upgrade() -> None:
    """Drop the foreign keys of assignments."""
    with op.batch_alter_table("assignment") as table:
        for column in COLUMNS:
            table.drop_constraint(f"fk_assignment_{column}", type_="foreignkey")
