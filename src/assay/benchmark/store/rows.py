"""Adding and reading rows of a campaign database."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Insert, Select, Table


def insert_rows(
    connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Add many rows within a transaction: by COPY in PostgreSQL, by one statement in SQLite."""
    names = ", ".join(columns)
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {table.name} ({names}) VALUES ({marks})"
        connection.exec_driver_sql(statement, [tuple(row) for row in rows])
        return
    cursor: Any = connection.connection.cursor()
    with cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def insert_row(connection: Connection, table: Table, values: Mapping[str, Any]) -> int:
    """Add a row; return its number."""
    key = connection.execute(_insert(table), values).inserted_primary_key
    return int(key[0]) if key else 0


@functools.cache
def _insert(table: Table) -> Insert:
    """Return the statement that adds a row: building it takes longer than running it."""
    from sqlalchemy import insert

    return insert(table)


def first_row(
    connection: Connection, query: Select[Any], values: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """Return the one row of a query by the names of its columns; None if there is none."""
    row = connection.execute(query, values).mappings().one_or_none()
    return None if row is None else dict(row)
