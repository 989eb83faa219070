"""A real browser, found by ASSAY_BROWSER and then on PATH, and axe-core: one for all tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
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


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, from axe-playwright-python; it is never part of the project."""
    package = pytest.importorskip("axe_playwright_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")
