"""Opening a campaign database, SQLite or PostgreSQL, and its transactions."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.benchmark.store.rows import insert_rows
from assay.benchmark.store.shared_commits import SharedCommits
from assay.benchmark.store.sqlite_engine import sqlite_engine
from assay.core.errors import DataError, MissingExtra, UsageError
from assay.core.output_files import new_output
from assay.core.scratch_files import wait_in_line

try:
    import sqlalchemy
    from sqlalchemy import event, exc
except ModuleNotFoundError as missing:
    raise MissingExtra("SQLAlchemy", "campaign") from missing

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Table

VARIABLE = "ASSAY_DATABASE"
"""The environment variable that may hold a URL with a password."""
IDLE_SECONDS = 1.0
"""After how long without use it is checked whether a connection to PostgreSQL still works."""
_FULL = ("disk I/O error", "database or disk is full")
"""What SQLite says if the disk is full, or a file may not grow."""
CHUNK = 5_000
"""Rows of one short transaction of a large import, so that judging goes on meanwhile."""


class Database:
    """A campaign database: short transactions to read and to write."""

    def __init__(self, engine: Engine, shown: str) -> None:
        self._engine = engine
        self._writing = engine.execution_options(assay_write=True)
        once = {"assay_once": True} if self.is_sqlite else {"isolation_level": "AUTOCOMMIT"}
        self._once = engine.execution_options(**once)
        self._turn = threading.Lock()
        self._shared = SharedCommits(self._turn, self._begun)
        self._draft = False
        self.shown = shown
        """The database as messages name it, without a password."""

    @classmethod
    def open(cls, place: str | Path) -> Database:
        """Open a database and bring it to the newest revision."""
        from assay.benchmark.store.migrations.revisions import current_revision, newest_revision

        database = cls(*_connect(str(place)))
        with database.read() as connection:
            if current_revision(connection) == newest_revision():
                return database
        database._upgrade()
        return database

    @classmethod
    @contextmanager
    def create(cls, place: str | Path) -> Iterator[Database]:
        """Yield a new database; a file takes its name when the block ends without an error."""
        if (known := _url(str(place))) is not None:
            database = cls(*_connect_postgres(known))
            try:
                database._upgrade(create=True)
                yield database
            finally:
                database.close()
            return
        with new_output(place) as temporary:
            # Nobody else knows the file: no journal beside it, and no line of writers.
            database = cls(sqlite_engine(str(temporary), ("journal_mode=MEMORY",)), str(place))
            database._draft = True
            try:
                database._upgrade(create=True)
                yield database
            finally:
                database.close()

    def _upgrade(self, create: bool = False) -> None:
        from assay.benchmark.store.migrations.upgrade import upgrade

        with self.write() as connection:
            upgrade(connection, self.shown, create)

    @property
    def is_sqlite(self) -> bool:
        """Whether this is SQLite, which has one writer at a time."""
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection that sees one state of the database."""
        with self._named_errors(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def read_once(self) -> Iterator[Connection]:
        """Yield a connection for one query, which needs no transaction."""
        with self._named_errors(), self._once.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection whose changes are kept together, or not at all."""
        # SQLite has one writer: threads of this process take turns, and processes wait in line,
        # which is sooner and fairer than asking the file again and again.
        with self._turn if self.is_sqlite else nullcontext(), self._named_errors():
            self._shared.commit()
            with self._begun() as connection:
                yield connection

    @contextmanager
    def write_shortly(self) -> Iterator[Connection]:
        """Yield a connection for few changes; threads that wait in SQLite share one commit.

        It returns when the changes are on the disk, as after ``write``.
        """
        if not self.is_sqlite:
            with self.write() as connection:
                yield connection
            return
        with self._named_errors(), self._shared.write() as connection:
            yield connection

    @contextmanager
    def _begun(self) -> Iterator[Connection]:
        with ExitStack() as stack:
            with self._line():
                connection = stack.enter_context(self._writing.begin())
            yield connection

    def _line(self) -> AbstractContextManager[None]:
        """Wait in line until the transaction begins, where there is one writer at a time.

        SQLite itself lets those who wait try again and again, and luck decides (decision 0834).
        """
        if self._draft or not self.is_sqlite:
            return nullcontext()
        return wait_in_line(f"{self._engine.url.database}-line")

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def insert(self, table: Table, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Add many rows in short transactions; return how many."""
        count = 0
        for chunk in _chunks(rows):
            with self.write() as connection:
                insert_rows(connection, table, columns, chunk)
            count += len(chunk)
        return count

    def analyze(self, *tables: str) -> None:
        """Let PostgreSQL count many new rows at once, on which its query plans depend."""
        if not self.is_sqlite:
            with self.read_once() as connection:
                connection.exec_driver_sql(f"ANALYZE {', '.join(tables)}")

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Turn errors of the database into messages that name it."""
        try:
            yield
        except (exc.OperationalError, exc.InterfaceError) as failure:
            reason = str(failure.orig).strip().splitlines()[0]
            if reason in _FULL:
                reason += "; free some space, or raise the limit on the size of files (ulimit -f)"
            raise DataError(f"{self.shown}: the database cannot be used: {reason}") from failure
        except exc.IntegrityError as failure:
            reason = str(failure.orig).strip().splitlines()[0]
            raise DataError(f"{self.shown}: the rows do not fit together: {reason}") from failure
        except (exc.DatabaseError, UnicodeDecodeError, JSONDecodeError) as failure:
            raise DataError(
                f"{self.shown}: not a campaign database, or a damaged one; restore a backup with"
                " assay campaign restore"
            ) from failure


def _chunks(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    chunk: list[Sequence[Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _connect(place: str) -> tuple[Engine, str]:
    """Return the engine of a file or a URL, and how to name it."""
    if (url := _url(place)) is not None:
        return _connect_postgres(url)
    path = os.environ[VARIABLE] if place == VARIABLE else place
    if not Path(path).is_file():
        raise UsageError(f"{path}: there is no such file; create it with assay campaign new")
    return sqlite_engine(path), path


def _url(place: str) -> str | None:
    """Return the URL of a database, also from the environment; None for a file."""
    if place == VARIABLE:
        if not (place := os.environ.get(VARIABLE, "")):
            raise UsageError(f"the environment variable {VARIABLE} is not set; give it a URL")
        return place if "://" in place else None
    if "://" not in place:
        return None
    if sqlalchemy.make_url(place).password:
        raise UsageError(
            f"the URL has a password, which others can see in the list of processes; put the URL"
            f" into the variable {VARIABLE} and write {VARIABLE} here, or use a pgpass file"
        )
    return place


def _connect_postgres(place: str) -> tuple[Engine, str]:
    url = sqlalchemy.make_url(place)
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise UsageError(f"'{url.drivername}' is not supported; give a file or postgresql://…")
    try:
        import psycopg  # noqa: F401 (SQLAlchemy imports it, with a less useful message)
    except ModuleNotFoundError as missing:
        raise MissingExtra("psycopg", "postgres") from missing
    engine = sqlalchemy.create_engine(url.set(drivername="postgresql+psycopg"), pool_size=20)
    _check_idle_connections(engine)
    return engine, url.render_as_string(hide_password=True)


def _check_idle_connections(engine: Engine) -> None:
    """Replace connections that have ended while nobody used them, as when the server restarts.

    SQLAlchemy can ask before every use, which takes as long as a query.
    """
    from psycopg import OperationalError

    @event.listens_for(engine, "checkin")
    def remember(_connection: Any, record: Any) -> None:
        """Keep when the connection was last used."""
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def check(connection: Any, record: Any, _proxy: Any) -> None:
        """Replace a connection that was idle for long and has broken."""
        if time.monotonic() - record.info.get("used", math.inf) > IDLE_SECONDS:
            try:
                connection.execute("")
                connection.rollback()
            except OperationalError as failure:
                raise exc.InvalidatePoolError from failure
