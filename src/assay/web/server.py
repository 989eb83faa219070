"""Running the web app: one process on SQLite, several on PostgreSQL."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.store.database import VARIABLE, Database
from assay.core.errors import UsageError
from assay.web.application import create_application
from assay.web.web_settings import WebSettings

_ORDER = "ASSAY_SERVE"
"""The environment variable that passes the options to worker processes."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class ServeOptions:
    """The options of ``assay serve``."""

    place: str
    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = ()
    """Further names under which the server answers."""
    secure: bool = False
    pictures: str | None = None
    workers: int = 1

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK


def web_settings(options: ServeOptions, **more: Any) -> WebSettings:
    """Return the settings of a server, with its database opened."""
    place = options.place
    if "://" not in place and place != VARIABLE:
        place = str(Path(place).absolute())
    database = Database.open(options.place)
    if database.is_sqlite and options.workers > 1:
        raise UsageError("several workers need PostgreSQL; SQLite has one writer")
    pictures = None if options.pictures is None else Path(options.pictures)
    if pictures is not None and not pictures.is_dir():
        raise UsageError(f"{options.pictures}: there is no such folder of pictures")
    names = {*WebSettings.hosts, *(name.lower() for name in options.names)}
    if not options.is_loopback and options.host not in ("0.0.0.0", "::"):
        names.add(options.host.lower())
    return WebSettings(
        database, place, Accounts(database), frozenset(names), options.secure, pictures, **more
    )


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens; 0 takes a free port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except (OSError, OverflowError) as failure:
        made.close()
        reason = getattr(failure, "strerror", None) or failure
        raise UsageError(f"cannot serve on {host}:{port}: {reason}; name another port") from None
    made.listen(256)
    return made


def address(host: str, listening: socket.socket) -> str:
    """Return the address of a server for a browser."""
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{listening.getsockname()[1]}"


def run(options: ServeOptions, settings: WebSettings, listening: socket.socket) -> None:
    """Serve until the process is stopped."""
    import uvicorn

    from assay.web.request_deadline import RequestDeadline

    # Idle connections end; more than 1,000 at once get an answer that says so.
    common: dict[str, Any] = {
        "log_level": "warning",
        "server_header": False,
        "timeout_keep_alive": 30,
        "limit_concurrency": 1000,
        "proxy_headers": False,
        "http": RequestDeadline,
    }
    if options.workers == 1:
        config = uvicorn.Config(create_application(settings), **common)
        uvicorn.Server(config).run(sockets=[listening])
        return
    settings.database.close()
    os.environ[_ORDER] = json.dumps(asdict(replace(options, workers=1)))
    from uvicorn.supervisors import Multiprocess

    factory = "assay.web.server:application_of_worker"
    config = uvicorn.Config(factory, factory=True, workers=options.workers, **common)
    Multiprocess(config, sockets=[listening]).run()


def application_of_worker() -> FastAPI:
    """Return the application of a worker process."""
    given = json.loads(os.environ[_ORDER])
    options = ServeOptions(**{**given, "names": tuple(given["names"])})
    return create_application(web_settings(options))
