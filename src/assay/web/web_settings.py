"""How the web app is served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.store.database import Database

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class WebSettings:
    """What one server of a campaign knows."""

    database: Database
    place: str
    """The database as it was named on the command line."""
    accounts: Accounts
    hosts: frozenset[str] = frozenset({"127.0.0.1", "localhost", "[::1]"})
    """Names under which the server answers; others are refused, so that no other site reaches it
    through a name of its own."""
    secure: bool = False
    """Whether cookies are sent over TLS only."""
    pictures: Path | None = None
    """The folder with pictures of documents."""
    upload_bytes: int = 100 * MEGABYTE
    form_bytes: int = 2 * MEGABYTE
    read_seconds: float = 60.0
    """How long a client may take to send a request."""
    on_save: Callable[[], None] = field(default=lambda: None)
    """Called after judgments were stored."""
