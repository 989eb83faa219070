"""What all tests share: the profile of Hypothesis, and the real data beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.browser.real_browser import axe as axe
from tests.browser.real_browser import browser as browser

settings.register_profile(
    "assay",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("assay")

os.environ["COLUMNS"] = "120"  # tables fit the terminal: the tests say how wide it is

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data with published answers, which stands beside the project and is never part of it."""
    for place in (ROOT.parent / "shared" / "data", ROOT.parent.parent / "shared" / "data"):
        if place.is_dir():
            return place
    pytest.skip("the shared data is not beside the project (../shared/data)")
