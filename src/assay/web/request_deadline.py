"""Connections that begin a request and do not go on are ended."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 30.0
"""How long a client may take to send the headers of a request; the guard limits the body."""


class RequestDeadline(H11Protocol):
    """HTTP in which the headers of a request must come in time; uvicorn itself waits for ever."""

    seconds = HEADER_SECONDS
    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._end = self.loop.call_later(self.seconds, transport.close)

    def data_received(self, data: bytes) -> None:
        """Read what has come; stop waiting when the headers of a request are complete."""
        super().data_received(data)
        cycle: Any = self.cycle  # none before the first request
        answering = cycle is not None and not cycle.response_complete
        if self._end is not None and answering:
            self._end.cancel()
            self._end = None
        elif self._end is None and not answering:
            self._end = self.loop.call_later(self.seconds, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(exc)
