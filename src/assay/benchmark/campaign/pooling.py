"""Pooling the submitted runs: what is to be judged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl
from sqlalchemy import Connection

from assay.benchmark.campaign.session import Session
from assay.benchmark.campaign.submissions import run_files, valid_runs
from assay.benchmark.store import items
from assay.benchmark.store import topics as store
from assay.core.conventions import profile
from assay.core.errors import UsageError
from assay.evidence.alignment.run_order import order_run
from assay.formats.containers import to_run


def pool(session: Session, depth: int = 100) -> int:
    """Pool the first documents of all runs; return how many items are new."""
    with session.database.read() as connection:
        session.require(connection, "pool")
        submitted = valid_runs(connection)
        if not submitted:
            raise UsageError("no run has been submitted yet")
        with run_files(connection, submitted) as files:
            frame = depth_pool(files, depth)
    return add_to_pool(session, frame, {"method": "depth", "depth": depth})


def depth_pool(files: dict[str, Any], depth: int) -> pl.DataFrame:
    """Return the union of the first documents of runs, with best rank and contributing runs."""
    parts = [
        order_run(to_run(str(file)), profile("assay"))
        .filter(pl.col("place") <= depth)
        .select("query", "doc", "place", run=pl.lit(name))
        for name, file in files.items()
    ]
    found = (
        pl.concat(parts)
        .group_by("query", "doc")
        .agg(
            best_rank=pl.col("place").min().cast(pl.Int64), runs=pl.col("run").sort().str.join(" ")
        )
    )
    columns = {"stratum": pl.lit(f"1-{depth}"), "probability": pl.lit(1.0)}
    return found.with_columns(**columns).sort("query", "doc")


def pool_items(session: Session) -> pl.DataFrame:
    """Return the pool: query, doc, stratum, probability, best_rank, runs, known grade."""
    with session.database.read() as connection:
        session.require(connection, "see-pool")
        return pool_table(connection)


def pool_table(connection: Connection) -> pl.DataFrame:
    """Return the items of the chosen topics, by topic and document."""
    rows = [
        {"query": row["topic"], **{name: row[name] for name in list(SCHEMA)[1:]}}
        for row in items.list_items(connection)
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


SCHEMA = {
    "query": pl.String,
    "doc": pl.String,
    "stratum": pl.String,
    "probability": pl.Float64,
    "best_rank": pl.Int64,
    "runs": pl.String,
    "gold": pl.Int64,
}


def add_to_pool(session: Session, frame: pl.DataFrame, settings: dict[str, Any]) -> int:
    """Add the items of a pool (query, doc, stratum, probability, best_rank, runs) that are new.

    Within a topic they are numbered in an order that shows nothing of their ranks.
    """
    with session.database.write() as connection:
        session.require(connection, "pool")
        known = {topic.name: topic.id for topic in store.list_topics(connection)}
        unknown = sorted(set(frame["query"]) - set(known))
        if unknown:
            raise UsageError(f"'{unknown[0]}' is not a topic of the campaign; propose it first")
        there = {(row["topic_id"], row["doc"]) for row in items.list_items(connection, _STATES)}
        number = items.add_pool(connection, settings, session.clock())
        first = items.last_number(connection, "item") + 1
        session.record(connection, "pool", **settings)
    rows = [
        row for row in frame.select(_COLUMNS).iter_rows() if (known[row[0]], row[1]) not in there
    ]
    return items.add_items(session.database, _numbered(rows, known, number, first))


_STATES = ("proposed", "chosen", "practice", "rejected")
_COLUMNS = ("query", "doc", "stratum", "probability", "best_rank", "runs")


def _numbered(
    rows: Sequence[tuple[Any, ...]], known: dict[str, int], pool_id: int, first: int
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the table of items; the order within a topic is that of digests."""

    def shuffled(row: tuple[Any, ...]) -> tuple[int, bytes]:
        return known[row[0]], hashlib.blake2b(f"{row[0]} {row[1]}".encode()).digest()

    for number, row in enumerate(sorted(rows, key=shuffled), first):
        yield number, pool_id, known[row[0]], *row[1:]
