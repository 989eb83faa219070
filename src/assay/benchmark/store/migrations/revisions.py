"""Which revision a database has, and which is the newest; without Alembic, which imports slowly."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy
from sqlalchemy import Connection


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a database; None if it has none."""
    if not sqlalchemy.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)


def newest_revision() -> str:
    """Return the newest revision, by the names of the files."""
    return max(path.name[1:5] for path in (Path(__file__).parent / "versions").glob("r[0-9]*.py"))
