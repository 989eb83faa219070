"""A function of many items in threads, ahead of whoever takes the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_THREADS = 2
_MANY_ROWS = 1_000_000
Column = TypeVar("Column", bound=Sized)
Item = TypeVar("Item")
Found = TypeVar("Found")


def map_ahead(function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[Found]:
    """Yield the result of each item in order; those of the next items are computed meanwhile.

    So few items are taken ahead that large ones do not fill the memory.
    """
    pending: deque[Future[Found]] = deque()
    with ThreadPoolExecutor(_THREADS) as threads:
        for item in items:
            pending.append(threads.submit(function, item))
            if len(pending) > _THREADS:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def map_columns(function: Callable[[Column], Found], columns: Sequence[Column]) -> Iterator[Found]:
    """Yield the result of each column; those of long columns are computed at the same time."""
    is_long = len(columns[0]) > _MANY_ROWS
    return map_ahead(function, columns) if is_long else map(function, columns)
