"""One commit for the changes of several threads: a commit waits for the disk, changes do not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from assay.core.errors import DataError

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST = 20
"""Changes that share a commit: the first one waits for the last one."""


class _Batch:
    """A transaction of SQLite that threads pass on to each other, and how it ended."""

    def __init__(self, begin: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._stack = ExitStack()
        self.connection = self._stack.enter_context(begin())
        self.size = 0
        self._ended = threading.Event()
        self._kept = False

    @property
    def is_open(self) -> bool:
        """Whether the transaction goes on: SQLite itself undoes it when the disk is full."""
        driver: Any = self.connection.connection.dbapi_connection
        return bool(driver.in_transaction)

    def commit(self) -> None:
        """Keep the changes of all threads."""
        try:
            whole = self.is_open
            self._stack.close()
            self._kept = whole
        finally:
            self._ended.set()

    def wait(self) -> None:
        """Return when the changes are kept; fail if they are not."""
        self._ended.wait()
        if not self._kept:
            raise DataError("the database cannot be used: the change was not stored; try again")


class SharedCommits:
    """Lets threads change a database one after the other, and commits when nobody waits."""

    def __init__(
        self, turn: threading.Lock, begin: Callable[[], AbstractContextManager[Connection]]
    ) -> None:
        self._turn = turn
        self._begin = begin
        self._counting = threading.Lock()
        self._waiting = 0
        self._batch: _Batch | None = None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection; changes of a thread that fails are undone, those of others kept."""
        self._count(1)
        try:
            self._turn.acquire()
        finally:
            self._count(-1)
        try:
            batch = self._batch = self._batch or _Batch(self._begin)
            batch.size += 1
            try:
                with batch.connection.begin_nested():
                    yield batch.connection
            finally:
                if not self._waiting or batch.size == MOST or not batch.is_open:
                    self.commit()
        finally:
            self._turn.release()
        batch.wait()

    def commit(self) -> None:
        """Commit what threads have changed; only who has the turn may ask for it."""
        batch, self._batch = self._batch, None
        if batch is not None:
            batch.commit()

    def _count(self, change: int) -> None:
        with self._counting:
            self._waiting += change
