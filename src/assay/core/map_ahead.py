"""A function of many items in threads, ahead of whoever takes the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_THREADS = 2
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
