"""Tables as the contents of files, before these are written."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def parquet_bytes(frame: pl.DataFrame, metadata: Mapping[str, str] | None = None) -> bytes:
    """Return a frame as the content of a Parquet file."""
    content = io.BytesIO()
    frame.write_parquet(content, metadata=dict(metadata) if metadata else None)
    return content.getvalue()


def feather_bytes(frame: pl.DataFrame) -> bytes:
    """Return a frame as the content of a Feather file."""
    content = io.BytesIO()
    frame.write_ipc(content)
    return content.getvalue()
