"""Every table of a campaign by name, as a role may see it: for CSV files of the web app."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.benchmark.campaign import own_work, pairs, pooling, review, submissions
from assay.benchmark.campaign import topics as campaign_topics
from assay.benchmark.campaign.open_questions import open_questions as open_now
from assay.benchmark.campaign.session import Session
from assay.benchmark.campaign.versions import (
    AggregationSettings,
    counted_judgments,
    system_orders,
)
from assay.benchmark.store import judgments
from assay.benchmark.store import people as people_store
from assay.benchmark.store import versions as version_store
from assay.core.errors import DataError, UsageError, unknown_name


@dataclass(frozen=True)
class CampaignTable:
    """A table, and the operation that a person must be allowed to see it."""

    operation: str
    read: Callable[[Session], pl.DataFrame]


def _frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a frame of plain columns; lists and dicts as JSON."""
    plain = [
        {
            name: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
            for name, value in row.items()
        }
        for row in rows
    ]
    return pl.DataFrame(plain, infer_schema_length=None)


def people(session: Session) -> list[dict[str, Any]]:
    """Return the people of the campaign with their roles, teams and capacities."""
    with session.database.read() as connection:
        session.require(connection, "see-judgments")
        found = people_store.list_people(connection)
        excluded = people_store.excluded_people(connection)
    return [
        {"name": each.name, "kind": each.kind, "roles": list(each.roles), "team": each.team,
         "capacity": each.capacity, "excluded": excluded.get(each.name)}
        for each in found
    ]  # fmt: skip


def _topics(session: Session) -> pl.DataFrame:
    rows = [
        {"query": each.name, "state": each.state, "author": each.author, **each.fields}
        for each in campaign_topics.topics(session)
    ]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return _frame([{name: row.get(name) for name in names} for row in rows])


def _runs(session: Session) -> pl.DataFrame:
    return _frame([vars(each) for each in submissions.runs(session)])


def _judgments(session: Session, standing_only: bool = True) -> pl.DataFrame:
    with session.database.read() as connection:
        session.require(connection, "see-judgments")
        found = _frame(judgments.list_judgments(connection, standing_only=standing_only))
    blind = pooling.judges_blind(session)
    return found.drop("gold", strict=False) if blind else found


def _progress(session: Session) -> pl.DataFrame:
    table: pl.DataFrame = review.status(session)["by_topic"]
    return table


def _assessors(session: Session) -> pl.DataFrame:
    table: pl.DataFrame = review.status(session)["by_assessor"]
    return table


def _agreement(session: Session) -> pl.DataFrame:
    found = review.agreement(session).summary()
    return found.with_columns(documents=pl.lit(review.count_shared(session)))


_DEFAULT = AggregationSettings()

TABLES: Mapping[str, CampaignTable] = {
    "topics": CampaignTable("status", _topics),
    "progress": CampaignTable("status", _progress),
    "assessors": CampaignTable("status", _assessors),
    "history": CampaignTable("history", lambda session: _frame(own_work.history(session))),
    "runs": CampaignTable("see-own-runs", _runs),
    "people": CampaignTable("see-judgments", lambda session: _frame(people(session))),
    "pool": CampaignTable("see-pool", pooling.pool_items),
    "judgments": CampaignTable("see-judgments", _judgments),
    "record": CampaignTable("see-judgments", lambda session: _judgments(session, False)),
    "flags": CampaignTable("see-judgments", lambda session: _frame(own_work.flags(session))),
    "preferences": CampaignTable("see-judgments", pairs.preferences),
    "agreement": CampaignTable("agreement", _agreement),
    "disagreements": CampaignTable("see-disagreements", review.disagreements),
    "review": CampaignTable("aggregate", review.review),
    "orders": CampaignTable("aggregate", lambda session: system_orders(session, _DEFAULT)),
    "events": CampaignTable("see-events", lambda session: _frame(own_work.events(session))),
}


def versions(session: Session) -> list[Mapping[str, Any]]:
    """Return the versions that the person may see: all, or those that are published."""
    with session.database.read() as connection:
        session.require(connection, "see-published")
        published_only = not session.may(connection, "see-results")
        return version_store.list_versions(connection, published_only)


def open_questions(session: Session) -> list[str]:
    """Return what is still open before a version is made: disagreements, unjudged topics."""
    with session.database.read() as connection:
        session.require(connection, "aggregate")
        frame, _ = counted_judgments(connection, _DEFAULT.kinds)
        return [] if frame.is_empty() else open_now(connection, frame)


def names(session: Session) -> list[str]:
    """Return the names of the tables that the person may see now."""
    with session.database.read() as connection:
        return [name for name, each in TABLES.items() if session.may(connection, each.operation)]


def table(session: Session, name: str) -> pl.DataFrame:
    """Return a table by name; refuse one that the person may not see."""
    if name not in TABLES:
        raise unknown_name("table", name, TABLES)
    with session.database.read() as connection:
        session.require(connection, TABLES[name].operation)
    try:
        return TABLES[name].read(session)
    except (UsageError, DataError) as nothing:  # nothing is judged yet
        return pl.DataFrame({"note": [submissions.plain_reason(nothing)]})
