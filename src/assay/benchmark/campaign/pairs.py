"""Preferences: which of two documents of a topic is better, side by side."""

from __future__ import annotations

import hashlib
import itertools
import uuid
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.benchmark.campaign.session import Session
from assay.benchmark.store import items
from assay.benchmark.store import own_work as store
from assay.benchmark.store import topics as topic_store
from assay.core.errors import UsageError

CHOICES = ("left", "right", "tie")


@dataclass(frozen=True)
class PairTask:
    """Two documents of a topic; which one is left is random for each assessor."""

    pair: int
    query: str
    topic: dict[str, str]
    left: dict[str, Any]
    right: dict[str, Any]
    done: int
    total: int


def make_pairs(session: Session, per_topic: int, seed: int = 1) -> int:
    """Choose random pairs of pooled documents of each chosen topic; return how many are new."""
    if not 1 <= per_topic <= 10_000:
        raise UsageError(f"a topic has 1 to 10000 pairs, not {per_topic}")
    random = np.random.default_rng(seed)
    with session.database.write() as connection:
        session.require(connection, "assign")
        documents: dict[int, list[str]] = defaultdict(list)
        for row in items.list_items(connection):
            documents[row["topic_id"]].append(row["doc"])
        known = store.known_pairs(connection)
        added = []
        for topic, docs in documents.items():
            pairs = list(itertools.combinations(sorted(docs), 2))
            for place in random.permutation(len(pairs))[:per_topic]:
                if (topic, *pairs[place]) not in known:
                    first, second = pairs[place]
                    added.append({"topic_id": topic, "first": first, "second": second})
        store.add_pairs(connection, added)
        session.record(connection, "pairs", per_topic=per_topic, seed=seed, added=len(added))
    return len(added)


def _is_swapped(pair: int, person: int) -> bool:
    """Return whether the second document is on the left: random, but the same when asked again."""
    return bool(hashlib.blake2b(f"{pair} {person}".encode()).digest()[0] & 1)


def next_pair(session: Session) -> PairTask | None:
    """Return the next pair to compare; None if nothing is left."""
    with session.database.read() as connection:
        session.require(connection, "prefer")
        person = session.acting()
        found = store.next_pair(connection, person.id)
        if found is None:
            return None
        topic = topic_store.find_topic(connection, found["topic_id"])
        names = [found["first"], found["second"]]
        if _is_swapped(found["id"], person.id):
            names.reverse()
        left, right = (
            {"doc": name, **(topic_store.find_document(connection, name, 200_000) or {})}
            for name in names
        )
        total, done = store.count_pairs(connection, person.id)
    fields = {} if topic is None else dict(topic.fields)
    query = "" if topic is None else topic.name
    return PairTask(found["id"], query, fields, left, right, done, total)


def prefer(
    session: Session,
    pair: int,
    choice: str,
    seconds: float | None = None,
    request: str | None = None,
) -> None:
    """Store which of the two documents is better: left, right or tie; sent twice, once."""
    if choice not in CHOICES:
        raise UsageError(f"'{choice}' is not one of {', '.join(CHOICES)}")
    request = request or uuid.uuid4().hex
    with session.database.write() as connection:
        session.require(connection, "prefer")
        person = session.acting()
        if store.find_pair(connection, pair) is None:
            raise UsageError(f"there is no pair {pair}")
        if store.find_preference(connection, person.id, request):
            return
        left = "second" if _is_swapped(pair, person.id) else "first"
        right = "first" if left == "second" else "second"
        values = {
            "pair_id": pair,
            "person_id": person.id,
            "choice": {"left": left, "right": right}.get(choice, "tie"),
            "seconds": seconds,
            "request": request,
            "created": session.clock(),
        }
        store.add_preference(connection, values)


def preferences(session: Session) -> pl.DataFrame:
    """Return the stated preferences: query, doc, other, preferred (or tie), assessor."""
    with session.database.read() as connection:
        session.require(connection, "see-judgments")
        rows = store.list_preferences(connection)
    table = [
        {
            "query": row["query"],
            "first": row["first"],
            "second": row["second"],
            "preferred": "tie" if row["choice"] == "tie" else row[row["choice"]],
            "assessor": row["assessor"],
            "seconds": row["seconds"],
        }
        for row in rows
    ]
    names = ("query", "first", "second", "preferred", "assessor")
    schema = {**dict.fromkeys(names, pl.String), "seconds": pl.Float64}
    return pl.DataFrame(table, schema=schema)
