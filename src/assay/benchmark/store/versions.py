"""Versions of the judgments, and the files that were published with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert, select, update

from assay.benchmark.store.rows import insert_row
from assay.benchmark.store.schema import version, version_file


def add_version(
    connection: Connection, values: Mapping[str, Any], files: Mapping[str, bytes]
) -> int:
    """Add a version and its files; return its number."""
    added = insert_row(connection, version, values)
    rows = [
        {"version_id": added, "name": name, "content": content} for name, content in files.items()
    ]
    connection.execute(insert(version_file), rows)
    return added


def list_versions(connection: Connection, published_only: bool = False) -> list[Mapping[str, Any]]:
    """Return the versions in the order in which they were made."""
    query = select(version).order_by(version.c.id)
    if published_only:
        query = query.where(version.c.published)
    return [dict(row) for row in connection.execute(query).mappings()]


def version_files(connection: Connection, version_id: int) -> dict[str, bytes]:
    """Return the files of a version by name."""
    query = select(version_file).where(version_file.c.version_id == version_id)
    rows = connection.execute(query.order_by(version_file.c.name))
    return {row.name: bytes(row.content) for row in rows}


def publish_version(connection: Connection, version_id: int, files: Mapping[str, bytes]) -> None:
    """Mark a version as published and add its files."""
    connection.execute(update(version).where(version.c.id == version_id).values(published=True))
    rows = [
        {"version_id": version_id, "name": name, "content": content}
        for name, content in files.items()
    ]
    connection.execute(insert(version_file), rows)
