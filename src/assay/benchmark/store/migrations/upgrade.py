"""Bringing a campaign database to the newest revision."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from assay.benchmark.store.migrations.revisions import current_revision
from assay.core.errors import DataError, MissingExtra

try:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
except ModuleNotFoundError as missing:
    raise MissingExtra("Alembic", "campaign") from missing


def upgrade(connection: Connection, shown: str, create: bool = False, to: str = "head") -> None:
    """Apply the revisions that a database lacks; refuse one that is not a campaign or too new."""
    found = current_revision(connection)
    if found is None and not create:
        raise DataError(f"{shown}: not a campaign database; create one with assay campaign new")
    if found is not None and create:
        raise DataError(f"{shown}: this database holds a campaign already; name another one")
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    known = [each.revision for each in ScriptDirectory.from_config(config).walk_revisions()]
    if found is not None and found not in known:
        raise DataError(f"{shown}: written by a newer version of Assay; install that version")
    if found != known[0]:
        command.upgrade(config, to)
