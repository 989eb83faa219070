"""Campaign databases of both kinds: a SQLite file, and a real PostgreSQL on loopback."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.benchmark.campaign.postgres_server import CannotStart, Server

pytest.importorskip("sqlalchemy")
pytest.importorskip("alembic")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    pytest.importorskip("psycopg")
    try:
        started = Server()
    except CannotStart as reason:
        pytest.skip(str(reason))
    yield started
    started.stop()


_NUMBERS = itertools.count()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to create a database: a new file, or an empty database of the server."""
    if request.param == "sqlite":
        return str(tmp_path / "campaign.db")
    started: Server = request.getfixturevalue("server")
    return started.database(f"campaign_{os.getpid()}_{next(_NUMBERS)}")
