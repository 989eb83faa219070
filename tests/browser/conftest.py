"""A real browser, found by ASSAY_BROWSER and then on PATH; and axe-core, fetched by npm."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


def _missing(why: str) -> None:
    """Skip, by name; where everything should be there, fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def _found() -> str | None:
    named = os.environ.get("ASSAY_BROWSER")
    return next(
        (path for name in (named, *BROWSERS) if name and (path := shutil.which(name))), None
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium under playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed")
    program = _found()
    if program is None:
        _missing("no browser: put chromium on PATH or name one in ASSAY_BROWSER")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page; at the end nothing may have complained or asked the network for anything."""
    complaints: list[str] = []
    contexts = []

    def open_page(path: Path, **settings: Any) -> Any:
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda sent: _only_here(sent.url, complaints))
        page.goto(path.resolve().as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _only_here(address: str, complaints: list[str]) -> None:
    if not address.startswith(("file:", "data:")):
        complaints.append(f"request: {address}")


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core; it is never part of the project (MPL-2.0)."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not there to fetch axe-core")
    folder = tmp_path_factory.mktemp("axe")
    done = subprocess.run(
        [npm, "pack", "axe-core@4", "--silent"], cwd=folder, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    packed = next(folder.glob("*.tgz"), None)
    if done.returncode or packed is None:
        pytest.skip("npm could not fetch axe-core")
    with tarfile.open(packed) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()
