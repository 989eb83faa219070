"""The kind of a file by its extension, where a command takes several kinds."""

from __future__ import annotations

from pathlib import Path

TABLE_ENDINGS = (".csv", ".tsv", ".tab", ".parquet")


def is_table(path: str) -> bool:
    """Whether a file is a table, of scores or a leaderboard; else it is a run."""
    return Path(path.removesuffix(".gz")).suffix.casefold() in TABLE_ENDINGS
