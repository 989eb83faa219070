"""Moving campaigns: exports without sign-in data, imports, backups and restoring them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.benchmark.campaign.session import Session
from assay.benchmark.store import transfer
from assay.benchmark.store.database import Database
from assay.core.errors import FormatError, UsageError
from assay.core.output_files import open_output, write_text
from assay.core.output_folders import new_folder
from assay.core.phrases import quantity
from assay.version import VERSION

ABOUT = "export.json"


def export(session: Session, folder: str | Path) -> int:
    """Write every table but those of sign-in data as JSON lines; return the number of rows."""
    place, rows = Path(folder), 0
    with new_folder(place), session.database.read() as connection:
        session.require(connection, "export")
        for table in transfer.table_names():
            with open_output(place / f"{table}.jsonl") as handle:
                for row in transfer.table_rows(connection, table):
                    handle.write(json.dumps(_to_json(row), ensure_ascii=False).encode() + b"\n")
                    rows += 1
        about = {"format": "assay campaign", "version": VERSION, "rows": rows}
        write_text(place / ABOUT, json.dumps(about) + "\n")
    return rows


def _to_json(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes | memoryview) else value
        for name, value in row.items()
    }


def import_campaign(place: str | Path, folder: str | Path) -> None:
    """Create a database from an export; a wrong file gives an error and leaves nothing behind."""
    source = Path(folder)
    if not (source / ABOUT).is_file():
        raise UsageError(
            f"{source / ABOUT}: there is no such file; name the folder of an exported campaign"
        )
    with Database.create(place) as database, database.write() as connection:
        count = 0
        for table in transfer.table_names():
            count += transfer.add_rows(connection, table, _read_rows(source, table))
            transfer.continue_numbering(connection, table)
        _check_count(source / ABOUT, count)
        if dangling := transfer.count_dangling(connection):
            raise FormatError(
                f"{quantity(dangling, 'assignment')} of an item, topic or person that is not in"
                " the export",
                str(source / "assignment.jsonl"),
            )


def _check_count(about: Path, count: int) -> None:
    try:
        expected = json.loads(about.read_text("utf-8"))["rows"]
    except (ValueError, KeyError, TypeError):
        raise FormatError("not the description of an exported campaign", str(about)) from None
    if expected != count:
        raise FormatError(f"{expected} rows were exported, but the files have {count}", str(about))


def _read_rows(source: Path, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of an exported table; name the line of one that is wrong."""
    path = source / f"{table}.jsonl"
    columns = transfer.column_names(table)
    try:
        handle = path.open("rb")
    except OSError:
        raise FormatError("this file of the export is missing", str(path)) from None
    with handle:
        for number, line in enumerate(handle, 1):
            try:
                row = json.loads(line)
            except ValueError:
                raise FormatError("this line is not JSON", str(path), number) from None
            if not isinstance(row, dict) or sorted(row) != sorted(columns):
                raise FormatError(f"expected the fields {', '.join(columns)}", str(path), number)
            for name in columns:
                if transfer.is_binary(table, name):
                    try:
                        row[name] = base64.b64decode(row[name], validate=True)
                    except (ValueError, TypeError):
                        raise FormatError(f"{name} is not base64", str(path), number) from None
            yield row


def backup(session: Session, path: str | Path) -> int:
    """Copy the whole database, with sign-in data, to a new SQLite file; return the rows."""
    with session.database.read() as connection:
        session.require(connection, "backup")
        return _copy(connection, path)


def restore(backup_path: str | Path, place: str | Path) -> int:
    """Create a database from a backup; return the rows."""
    source = Database.open(backup_path)
    try:
        with source.read() as connection:
            return _copy(connection, place)
    finally:
        source.close()


def _copy(connection: Any, place: str | Path) -> int:
    rows = 0
    with Database.create(place) as target, target.write() as copied:
        for table in transfer.table_names(with_sign_in=True):
            rows += transfer.add_rows(copied, table, transfer.table_rows(connection, table))
            transfer.continue_numbering(copied, table)
    return rows
