"""Pooling the submitted runs: what is to be judged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl
from sqlalchemy import Connection

from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.campaign.submissions import run_files, valid_runs
from assay.benchmark.campaign.versions import AggregationSettings, combine_grades, counted_judgments
from assay.benchmark.pools.adaptive_pools import ADAPTIVE
from assay.benchmark.pools.make_pool import pool as make_pool
from assay.benchmark.store import items, own_work
from assay.benchmark.store import topics as store
from assay.core.errors import UsageError


def pool(session: Session, options: dict[str, Any]) -> int:
    """Pool the submitted runs as ``assay.pool`` does; return how many items are new.

    Methods that ask for judgments use those of the campaign.
    """
    with session.database.read() as connection:
        session.require(connection, "pool")
        submitted = valid_runs(connection)
        if not submitted:
            raise UsageError("no run has been submitted yet")
        teams = pl.DataFrame(
            [
                {"run": each.name, "team": each.team or each.owner, "priority": each.priority}
                for each in submitted
            ]
        )
        frame, _ = counted_judgments(connection, ("person",))
        if options.get("method", "depth") in ADAPTIVE and not frame.is_empty():
            grades = combine_grades(frame, AggregationSettings()).drop("posterior")
            options = {"oracle": grades, "rel": campaign_scale(connection).relevant, **options}
        with run_files(connection, submitted) as files:
            made = make_pool(files, teams=teams, **options)
    return add_to_pool(session, made.frame, {"method": "depth", **made.settings})


def pool_items(session: Session) -> pl.DataFrame:
    """Return the pool: query, doc, stratum, probability, best_rank, runs, known grade."""
    with session.database.read() as connection:
        session.require(connection, "see-pool")
        found = pool_table(connection)
    return found.select("query", "doc") if judges_blind(session) else found


def judges_blind(session: Session) -> bool:
    """Return whether the person has items to judge, and may see no ranks and known grades."""
    if session.trusted:
        return False
    person = session.acting()
    with session.database.read() as connection:
        if "assessor" not in person.roles or not session.may(connection, "next"):
            return False
        rows = own_work.own_progress(connection, person.id)
        return any(row["assigned"] > row["done"] for row in rows)


def last_depth(session: Session) -> int | None:
    """Return the depth of the latest pool that has one."""
    with session.database.read() as connection:
        session.require(connection, "see-pool")
        depths = [each.get("depth") for each in items.pool_settings(connection)]
    return next((int(each) for each in reversed(depths) if each), None)


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
        """Return the topic and a hash of the document, which shuffles the documents of a topic."""
        return known[row[0]], hashlib.blake2b(f"{row[0]} {row[1]}".encode()).digest()

    for number, row in enumerate(sorted(rows, key=shuffled), first):
        yield number, pool_id, known[row[0]], *row[1:]
