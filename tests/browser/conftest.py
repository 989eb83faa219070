"""A real browser, found by ASSAY_BROWSER and then on PATH; and axe-core."""

from __future__ import annotations

import os
import shutil
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
def axe() -> str:
    """The script of axe-core, from axe-playwright-python; it is never part of the project."""
    package = pytest.importorskip("axe_playwright_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")
