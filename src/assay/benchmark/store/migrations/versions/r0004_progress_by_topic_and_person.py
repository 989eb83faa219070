"""The progress of a large campaign is added up by topic and by person without sorting."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add an index for each sum, with all that it needs."""
    sums = ["assigned", "done", "seconds"]
    op.create_index("ix_progress_topic", "progress", ["topic_id", *sums])
    op.create_index("ix_progress_person", "progress", ["person_id", *sums])
