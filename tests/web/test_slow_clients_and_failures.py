"""Clients that send slowly, and failures of the server itself."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import uvicorn
from starlette.testclient import TestClient
from tests.web.served_campaign import judging_campaign

from assay.web.application import create_application
from assay.web.guard import HEADERS
from assay.web.request_deadline import RequestDeadline
from assay.web.server import ServeOptions, open_socket, web_settings
from assay.web.web_settings import WebSettings


@pytest.fixture
def settings(tmp_path: Path) -> WebSettings:
    place = str(tmp_path / "campaign.db")
    judging_campaign(place, 2).close()
    return web_settings(ServeOptions(place))


@pytest.fixture
def port(settings: WebSettings) -> Iterator[int]:
    """A server that waits half a second for headers, and as long for a body."""

    class Impatient(RequestDeadline):
        seconds = 0.5

    listening = open_socket("127.0.0.1", 0)
    app = create_application(replace(settings, read_seconds=0.5))
    server = uvicorn.Server(uvicorn.Config(app, http=Impatient, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join(10)


def _answer(port: int, *pieces: bytes) -> tuple[bytes, float]:
    """Send pieces with a pause between them; return the answer and how long it took."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=15) as client:
        for piece in pieces:
            client.sendall(piece)
            time.sleep(0.1)
        found = b""
        while more := client.recv(65536):
            found += more
        return found, time.monotonic() - begun


def test_slow_bodies_get_a_message(port: int) -> None:
    kind = b"Content-Type: application/x-www-form-urlencoded\r\n"
    head = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
    found, seconds = _answer(port, head + kind + b"\r\n", b"a", b"b")
    assert found.startswith(b"HTTP/1.1 408")
    assert b"the request took too long" in found
    assert 0.4 < seconds < 10


@pytest.mark.parametrize("pieces", [(), (b"GET /health HT",), (b"GET / HTTP/1.1\r\n", b"Host: 1")])
def test_slow_headers_end_the_connection(port: int, pieces: tuple[bytes, ...]) -> None:
    found, seconds = _answer(port, *pieces)
    assert found == b""
    assert 0.4 < seconds < 10


def test_a_connection_is_used_again_and_then_not_held(port: int) -> None:
    whole = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    found, seconds = _answer(port, whole, whole, b"GET /he")
    assert found.count(b"HTTP/1.1 200") == 2
    assert seconds < 10


def test_failures_carry_the_security_headers(
    settings: WebSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_application(settings)

    def fail(_visit: object) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(type(settings.accounts), "phase", fail)
    opened = TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False)
    answer = opened.get("/health")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    for name, value in HEADERS.items():
        assert answer.headers[name] == value, name
