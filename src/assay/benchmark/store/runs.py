"""Runs that were submitted, with their files as they came."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from assay.benchmark.store.rows import insert_row
from assay.benchmark.store.schema import person, run, run_file


@dataclass(frozen=True)
class SubmittedRun:
    """A run of a participant."""

    id: int
    name: str
    file: str
    owner: str
    team: str | None
    state: str
    """submitted, replaced or withdrawn."""
    late: bool
    priority: int
    digest: str
    submitted: float


def list_runs(connection: Connection, owner: str | None = None) -> list[SubmittedRun]:
    """Return the runs, all or those of an owner, in the order in which they were submitted."""
    columns = (run.c.id, run.c.name, run.c.file, person.c.name, person.c.team, run.c.state)
    query = select(*columns, run.c.late, run.c.priority, run.c.digest, run.c.submitted)
    query = query.join(person)
    if owner is not None:
        query = query.where(person.c.name == owner)
    return [SubmittedRun(*tuple(row)) for row in connection.execute(query.order_by(run.c.id))]


def add_run(connection: Connection, values: dict[str, object], content: bytes) -> int:
    """Add a run and its file; return its number."""
    added = insert_row(connection, run, values)
    packed = zlib.compress(content, 6)
    connection.execute(insert(run_file).values(run_id=added, content=packed))
    return added


def set_run_state(connection: Connection, run_id: int, state: str) -> None:
    """Mark a run as replaced or withdrawn."""
    connection.execute(update(run).where(run.c.id == run_id).values(state=state))


def run_content(connection: Connection, run_id: int) -> bytes:
    """Return the file of a run as it was submitted."""
    packed = connection.execute(select(run_file.c.content).where(run_file.c.run_id == run_id))
    return zlib.decompress(packed.scalar_one())
