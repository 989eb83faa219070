"""Campaign databases of both kinds: a SQLite file, and a real PostgreSQL on loopback."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
pytest.importorskip("alembic")


class Server:
    """A PostgreSQL server of this test run, started as its own user."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="assay-postgres-"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", "assay", "--no-sync")
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *words: str) -> None:
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command = [*user, str(self._binaries / program), *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        if done.returncode:
            pytest.skip(f"{program} failed: {done.stderr.strip()[-200:]}")

    def start(self) -> None:
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self.port}"
            f" -c unix_socket_directories={self.folder} -c fsync=off"
        )
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-o", options, "-l", log, "-w", "start")

    def kill(self) -> None:
        """End the server at once, as a power failure would."""
        first = (self.data / "postmaster.pid").read_text().split()[0]
        os.kill(int(first), 9)
        for _ in range(100):
            time.sleep(0.1)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)):
                    break
        time.sleep(2)  # its children notice and end
        (self.data / "postmaster.pid").unlink(missing_ok=True)  # of a process that is gone

    def database(self, name: str) -> str:
        """Create an empty database; return its URL."""
        import psycopg

        place = f"postgresql://assay@127.0.0.1:{self.port}"
        with psycopg.connect(f"{place}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{place}/{name}"

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    beside = shutil.which("initdb")
    return found[0].parent if found else Path(beside).parent if beside else None


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    pytest.importorskip("psycopg")
    binaries = _binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    started = Server(binaries)
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
