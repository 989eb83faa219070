"""What every request passes first: the Host header, sizes and times, and the security headers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.requests import ClientDisconnect

from assay.web.web_settings import WebSettings

Message = MutableMapping[str, Any]
Application = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


UPLOADS = frozenset({"/runs", "/topics/upload"})
"""Where files are sent; other requests are smaller."""


class _Refused(Exception):
    """A request that is not passed on."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Guard:
    """Passes on requests to our own name, of bounded size and time, with headers added."""

    def __init__(self, app: Application, settings: WebSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_with_headers(message: Message) -> None:
            """Send a message, with the security headers at its start."""
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                present = {name.lower() for name, _ in message.get("headers", ())}
                message.setdefault("headers", [])
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.lower().encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.lower().encode() not in present
                    ),
                ]
            await send(message)

        try:
            headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
            self._check(scope, headers)
            await self._app(scope, self._bounded(scope, receive), send_with_headers)
        except _Refused as refused:
            if not begun:
                await _plain(send_with_headers, refused.code, str(refused))
        except ClientDisconnect:  # nobody is there to answer
            return
        except Exception:  # a defect: the server logs it
            if not begun:
                await _plain(send_with_headers, 500, "the server could not do this; try again")
            raise

    def _check(self, scope: Message, headers: dict[str, bytes]) -> None:
        host = headers.get("host", b"").decode("latin-1").lower()
        if re.sub(r":\d+$", "", host) not in self._settings.hosts:
            raise _Refused(421, "this server does not answer to that name (Host header)")
        length = headers.get("content-length", b"0").decode("latin-1")
        if not length.isdecimal() or int(length) > self._limit(scope):
            raise _Refused(413, "the request is too large")
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return
        origin = headers.get("origin", b"").decode("latin-1").lower()
        # Browsers write "null" for the forms of a page that sends no referrer, as ours.
        foreign = origin not in ("", "null") and origin.partition("://")[2] != host
        if foreign or headers.get("sec-fetch-site", b"none") not in (b"none", b"same-origin"):
            raise _Refused(403, "the request comes from another site")

    def _limit(self, scope: Message) -> int:
        upload = scope["path"] in UPLOADS
        return self._settings.upload_bytes if upload else self._settings.form_bytes

    def _bounded(self, scope: Message, receive: Any) -> Callable[[], Awaitable[Message]]:
        """Return a receiver that ends requests which are too large or too slow."""
        limit = self._limit(scope)
        end = asyncio.get_running_loop().time() + self._settings.read_seconds
        size = 0
        complete = False

        async def receive_bounded() -> Message:
            """Return the next part of the request, within its limits of size and time."""
            nonlocal size, complete
            if complete:  # now only the end of the connection can come
                return await receive()
            left = end - asyncio.get_running_loop().time()
            try:
                message: Message = await asyncio.wait_for(receive(), max(left, 0.001))
            except TimeoutError:
                raise _Refused(408, "the request took too long") from None
            size += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if size > limit:
                raise _Refused(413, "the request is too large")
            return message

        return receive_bounded


async def _plain(send: Callable[[Message], Awaitable[None]], code: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": code, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
