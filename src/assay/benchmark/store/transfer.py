"""Copying whole databases: exports without sign-in data, and backups with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, LargeBinary, and_, func, insert, or_, select, text

from assay.benchmark.store.account_schema import SIGN_IN
from assay.benchmark.store.schema import assignment, item, metadata, person, topic


def table_names(with_sign_in: bool = False) -> list[str]:
    """Return the tables in an order in which they can be filled."""
    names = [table.name for table in metadata.sorted_tables]
    return [name for name in names if with_sign_in or name not in SIGN_IN]


def column_names(table: str) -> list[str]:
    """Return the columns of a table."""
    return [column.name for column in metadata.tables[table].columns]


def is_binary(table: str, column: str) -> bool:
    """Return whether a column holds bytes."""
    return isinstance(metadata.tables[table].c[column].type, LargeBinary)


def table_rows(connection: Connection, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table, in the order of their keys."""
    found = metadata.tables[table]
    query = select(found).order_by(*found.primary_key.columns)
    for row in connection.execute(query.execution_options(yield_per=1000)).mappings():
        yield dict(row)


def add_rows(connection: Connection, table: str, rows: Iterable[Mapping[str, Any]]) -> int:
    """Add rows to a table; return how many."""
    chunk: list[Mapping[str, Any]] = []
    count = 0
    for row in rows:
        chunk.append(row)
        if len(chunk) == 1000:
            connection.execute(insert(metadata.tables[table]), chunk)
            count += len(chunk)
            chunk = []
    if chunk:
        connection.execute(insert(metadata.tables[table]), chunk)
    return count + len(chunk)


def count_dangling(connection: Connection) -> int:
    """Return how many assignments name an item, topic or person that does not exist."""
    missing = [
        and_(assignment.c[name].is_not(None), assignment.c[name].not_in(select(table.c.id)))
        for name, table in (
            ("item_id", item), ("topic_id", topic), ("person_id", person), ("holder_id", person)
        )
    ]  # fmt: skip
    found = select(func.count()).select_from(assignment).where(or_(*missing))
    return int(connection.execute(found).scalar_one())


def continue_numbering(connection: Connection, table: str) -> None:
    """Let PostgreSQL number new rows after those that were copied; SQLite does so by itself."""
    found = metadata.tables[table]
    if connection.dialect.name == "postgresql" and found.autoincrement_column is not None:
        name = found.autoincrement_column.name
        highest = f"(SELECT coalesce(max({name}), 0) + 1 FROM {table})"
        statement = f"SELECT setval(pg_get_serial_sequence('{table}', '{name}'), {highest}, false)"
        connection.execute(text(statement))
