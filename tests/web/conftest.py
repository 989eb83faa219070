"""A served campaign: a real server in a process of its own, and the application in this one."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT

for needed in ("sqlalchemy", "alembic", "fastapi", "argon2", "httpx"):
    pytest.importorskip(needed)


class Served:
    """``assay serve`` in a process that can be killed and started again."""

    def __init__(self, place: str, *options: str) -> None:
        self.place = place
        self._options = options
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "assay", "serve", self.place, "--port", str(self.port)]
        self._process = subprocess.Popen(
            [*command, *self._options],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{self.base}/health", timeout=1).read()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """End the server at once, as a power failure would."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Serves a database; everything is stopped at the end."""
    started: list[Served] = []

    def serve(place: str, *options: str) -> Served:
        started.append(Served(place, *options))
        return started[-1]

    yield serve
    for each in started:
        each.stop()


@pytest.fixture
def visitor(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page in a browser of one's own; at the end nothing may have complained."""
    complaints: list[str] = []
    contexts = []

    def open_page(address: str, quiet: bool = False, **settings: Any) -> Any:
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        host = re.match(r"https?://[^/]+", address)
        assert host is not None

        def only_here(sent: Any) -> None:
            if not sent.url.startswith(host.group()):
                complaints.append(f"request: {sent.url}")

        if not quiet:
            page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on("request", only_here)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A campaign whose judgments are published, for tests of all routes."""
    from tests.web.served_campaign import client, judging_campaign

    from assay.benchmark.campaign.campaign import Campaign

    place = str(tmp_path_factory.mktemp("web") / "campaign.db")
    campaign = judging_campaign(place, 12, ("ann", "ben"))
    campaign.join("pat", "participant")
    campaign.join("eve", "assessor")
    client(place)
    campaign.make_pairs(2)
    ann = Campaign.open(place, "ann")
    for _ in range(2):
        task = ann.next()
        assert task is not None
        ann.judge(task.query, task.doc, 1, comment="secret note of ann")
    campaign.aggregate("draft")
    campaign.aggregate("v1")
    campaign.publish("v1")
    return place


@pytest.fixture
def campaign(place: str) -> Any:
    from assay.benchmark.campaign.campaign import Campaign

    return Campaign.open(place)
