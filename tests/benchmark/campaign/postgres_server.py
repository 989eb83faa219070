"""A real PostgreSQL server on loopback, for tests and measurements."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path


class CannotStart(Exception):
    """PostgreSQL is not installed, or does not start."""


class Server:
    """A PostgreSQL server of this run, started as its own user."""

    def __init__(self, durable: bool = False) -> None:
        """Start a server; a durable one keeps what it acknowledged when the machine stops."""
        self._binaries = _binaries()
        self._durable = durable
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
            raise CannotStart(f"{program} failed: {done.stderr.strip()[-200:]}")

    def start(self) -> None:
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self.port}"
            f" -c unix_socket_directories={self.folder} -c fsync={'on' if self._durable else 'off'}"
        )
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-o", options, "-l", log, "-w", "start")

    @property
    def pid(self) -> int:
        """The process of the server."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """End the server at once, as a power failure would."""
        os.kill(self.pid, 9)
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


def _binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    beside = shutil.which("initdb")
    if not found and not beside:
        raise CannotStart("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    return found[0].parent if found else Path(beside or "").parent
