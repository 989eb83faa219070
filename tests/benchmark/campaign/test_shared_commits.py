"""Threads that share a commit: what is acknowledged is stored, and a failure stays with its own."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection

from assay.benchmark.store import sqlite_engine
from assay.benchmark.store.database import Database
from assay.core.errors import DataError, UsageError

Change = Callable[[Connection], None]


def _insert(number: int) -> Change:
    def change(connection: Connection) -> None:
        connection.exec_driver_sql(
            "INSERT INTO attempt (subject, created) VALUES (?, 1.0)", (str(number),)
        )

    return change


def _refuse(connection: Connection) -> None:
    _insert(-1)(connection)
    raise UsageError("refused")


def _undo_everything(connection: Connection) -> None:
    """Do as SQLite does on a full disk: undo the transaction, and fail."""
    connection.exec_driver_sql("ROLLBACK")
    raise UsageError("full")


def _stored(database: Database) -> list[str]:
    with database.read() as connection:
        return sorted(connection.exec_driver_sql("SELECT subject FROM attempt").scalars())


def _run_together(database: Database, changes: list[Change]) -> list[Future[None]]:
    """Let one thread after the other ask for its turn, while nobody gets it; then let them go."""
    shared = database._shared

    def write(change: Change) -> None:
        with database.write_shortly() as connection:
            change(connection)

    with ThreadPoolExecutor(len(changes)) as threads, database._turn:
        found = []
        for number, change in enumerate(changes, 1):
            found.append(threads.submit(write, change))
            while shared._waiting < number:
                threading.Event().wait(0.001)
    return found


@pytest.fixture
def database(tmp_path: Path) -> Database:
    with Database.create(tmp_path / "campaign.db"):
        pass
    return Database.open(tmp_path / "campaign.db")


def test_changes_of_many_threads_are_stored(database: Database) -> None:
    found = _run_together(database, [_insert(number) for number in range(50)])
    assert [each.exception() for each in found] == [None] * 50
    assert _stored(database) == sorted(map(str, range(50)))


def test_a_change_that_fails_is_undone_and_others_are_kept(database: Database) -> None:
    found = _run_together(database, [_insert(1), _refuse, _insert(2), _refuse])
    failed = [isinstance(each.exception(), UsageError) for each in found]
    assert failed == [False, True, False, True]
    assert _stored(database) == ["1", "2"]


def test_nothing_is_acknowledged_that_sqlite_undid(database: Database) -> None:
    found = _run_together(database, [_insert(1), _insert(2), _undo_everything])
    stored = _stored(database)
    assert found[2].exception() is not None
    for number, each in enumerate(found[:2], 1):  # which of them came before it is not known
        assert isinstance(each.exception(), DataError | None)
        assert (each.exception() is None) == (str(number) in stored)
    _run_together(database, [_insert(3)])
    assert "3" in _stored(database)


def test_a_long_write_does_not_wait_for_those_that_share(database: Database) -> None:
    """A thread that shares leaves its transaction open; a plain write commits it first."""
    inside, go = threading.Event(), threading.Event()

    def hold(connection: Connection) -> None:
        inside.set()
        assert go.wait(10)
        _insert(1)(connection)

    def share(change: Change) -> None:
        with database.write_shortly() as connection:
            change(connection)

    def write() -> None:
        with database.write() as connection:
            _insert(2)(connection)

    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(share, hold)
        assert inside.wait(10)
        plain = threads.submit(write)
        threading.Event().wait(0.05)
        last = threads.submit(share, _insert(3))
        while not database._shared._waiting:
            threading.Event().wait(0.001)
        go.set()
        for each in (first, plain, last):
            each.result(timeout=8)  # SQLite itself would wait for ten seconds
    assert _stored(database) == ["1", "2", "3"]


def test_who_waits_too_long_for_another_program_fails_and_may_try_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_engine, "BUSY_SECONDS", 1)
    other = sqlite3.connect(database.shown, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DataError, match="database is locked"), database.write() as connection:
        _insert(1)(connection)
    other.execute("ROLLBACK")
    with database.write() as connection:
        _insert(2)(connection)
        waits = connection.exec_driver_sql("PRAGMA busy_timeout").scalar()
    other.close()
    assert (_stored(database), waits) == (["2"], 1000)
