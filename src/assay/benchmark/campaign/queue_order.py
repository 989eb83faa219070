"""The order of the queues: by topic, or what matters most first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import polars as pl
from sqlalchemy import Connection

from assay.benchmark.campaign.permissions import check_words
from assay.benchmark.campaign.pooling import pool_table
from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.campaign.submissions import run_files, valid_runs
from assay.benchmark.campaign.versions import AggregationSettings, combine_grades, counted_judgments
from assay.benchmark.store import items
from assay.benchmark.store.topics import campaign_row
from assay.core.errors import UsageError
from assay.tasks.retrieval.judge_next import judge_next
from assay.tasks.retrieval.retrieval import retrieval

Item = tuple[str, str]
"""A query and a document."""


def order_queues_by(session: Session, by: str) -> int:
    """Put the open assignments into another order; return how many there are.

    ``topic``: topic after topic, in random order within. ``comparison``: first what could change
    the difference of the two best runs most. ``bandit``: first what comes from runs whose documents
    were relevant so far. ``disagreement``: first what others have judged differently.
    """
    check_words("queue", [by], QUEUES)
    with session.database.write() as connection:
        session.require(connection, "assign")
        priority = QUEUES[by](connection)
        rows = items.list_items(connection, ("chosen", "practice"))
        names = {row["id"]: (row["topic"], row["doc"]) for row in rows}
        opened = items.open_assignments(connection)

        def key(row: tuple[int, int, int, int | None]) -> tuple[float, int, int]:
            """Return the priority, the highest first, then the place in the queue."""
            return -priority.get(names[row[1]], 0.0), row[2], row[1]

        ordered = sorted(opened, key=key)
        items.set_positions(connection, {row[0]: place for place, row in enumerate(ordered)})
        session.record(connection, "order", by=by)
    return len(ordered)


def _no_priority(connection: Connection) -> Mapping[Item, float]:
    """Items are numbered at random within their topic, so that no priority is a random order."""
    return {}


def _by_comparison(connection: Connection) -> Mapping[Item, float]:
    submitted = valid_runs(connection)
    if len(submitted) < 2:
        raise UsageError("a queue by comparison needs two runs or more")
    frame, _ = counted_judgments(connection, ("person",))
    if frame.is_empty():
        return {}
    measure = campaign_row(connection)["measures"][0]
    qrels = combine_grades(frame, AggregationSettings()).drop("posterior")
    rel = campaign_scale(connection).relevant
    with run_files(connection, submitted) as files:
        values = retrieval(qrels, files, measure, rel=rel, interval=None)[measure]
        first, second = sorted(values, key=lambda name: (-values[name], name))[:2]
        table = judge_next(qrels, files[first], files[second], measure, count=None, rel=rel)
    change = table.columns[-1]
    rows = table.select("query", "doc", change).iter_rows()
    return {(query, doc): abs(by) for query, doc, by in rows}


def _by_bandit(connection: Connection) -> Mapping[Item, float]:
    """The highest posterior mean of a run that has the document (MaxMean)."""
    relevant = campaign_scale(connection).relevant
    frame, _ = counted_judgments(connection, ("person",))
    judged = {
        (query, doc): grade >= relevant
        for query, doc, grade in frame.select("query", "doc", "grade").iter_rows()
    }
    pool = pool_table(connection).select("query", "doc", "runs").rows()
    seen: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for query, doc, runs in pool:
        for run in (runs or "").split():
            if (query, doc) in judged:
                seen[query, run][0] += judged[query, doc]
                seen[query, run][1] += 1
    return {
        (query, doc): max((_mean(*seen[query, run]) for run in (runs or "").split()), default=0.0)
        for query, doc, runs in pool
    }


def _mean(relevant: int, judged: int) -> float:
    return (relevant + 1) / (judged + 2)


def _by_disagreement(connection: Connection) -> Mapping[Item, float]:
    frame, _ = counted_judgments(connection, ("person", "crowd", "model"))
    spread = frame.group_by("query", "doc").agg(
        spread=(pl.col("grade").max() - pl.col("grade").min()).cast(pl.Float64)
    )
    return {(query, doc): by for query, doc, by in spread.iter_rows()}


QUEUES: Mapping[str, Callable[[Connection], Mapping[Item, float]]] = {
    "topic": _no_priority,
    "comparison": _by_comparison,
    "bandit": _by_bandit,
    "disagreement": _by_disagreement,
}
