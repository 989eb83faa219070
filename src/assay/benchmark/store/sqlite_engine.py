"""SQLite files: how a connection is set up, and how a transaction that writes begins."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from assay.core.errors import MissingExtra

try:
    import sqlalchemy
    from sqlalchemy import event
except ModuleNotFoundError as missing:
    raise MissingExtra("SQLAlchemy", "campaign") from missing

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

BUSY_SECONDS = 10
"""How long a write waits for another one before it fails."""
ASK_AGAIN = 2
"""Milliseconds after which the first in line asks again whether the writer before has ended."""


def sqlite_engine(place: str, journal: tuple[str, ...] = ("journal_mode=WAL",)) -> Engine:
    """Return the engine of a SQLite file."""
    engine = sqlalchemy.create_engine(
        sqlalchemy.URL.create("sqlite", database=place), connect_args={"timeout": BUSY_SECONDS}
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        """Leave transactions to us; keep each write, also if the machine stops."""
        connection.isolation_level = None
        for pragma in (*journal, "synchronous=FULL", "foreign_keys=ON", "cache_size=-65536"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        """Take the write lock at once where the transaction writes."""
        options = connection.get_execution_options()
        if options.get("assay_write"):
            _begin_writing(connection)
        elif not options.get("assay_once"):
            connection.exec_driver_sql("BEGIN")

    return engine


def _begin_writing(connection: Connection) -> None:
    """Begin as soon as the writer before has ended.

    SQLite itself sleeps up to 100 ms before it tries again, and all who wait in line behind lose
    that time, too. Only the first in line comes here, so asking often costs little.
    """
    driver: Any = connection.connection.dbapi_connection
    sqlite: Any = connection.dialect.dbapi
    end = time.monotonic() + BUSY_SECONDS
    driver.execute(f"PRAGMA busy_timeout={ASK_AGAIN}")
    try:
        while time.monotonic() < end:
            try:
                driver.execute("BEGIN IMMEDIATE")
                return
            except sqlite.OperationalError as failure:
                if failure.sqlite_errorcode & 0xFF != sqlite.SQLITE_BUSY:  # without its detail
                    break
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # fails, with a message
    finally:
        driver.execute(f"PRAGMA busy_timeout={1000 * BUSY_SECONDS}")
