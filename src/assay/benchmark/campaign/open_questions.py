"""What is still open in the judgments: to know before a version is made and published."""

from __future__ import annotations

import polars as pl
from sqlalchemy import Connection

from assay.benchmark.store import topics
from assay.core.phrases import list_phrase, quantity


def open_questions(connection: Connection, frame: pl.DataFrame) -> list[str]:
    """Return warnings about judgments that count: open disagreements, topics without any."""
    found = []
    keys = ["query", "doc"]
    grades = (
        frame.filter(pl.col("kind") == "judgment").group_by(keys).agg(pl.col("grade").n_unique())
    )
    decided = frame.filter(pl.col("kind") == "adjudication").select(keys).unique()
    differing = grades.filter(pl.col("grade") > 1).join(decided, on=keys, how="anti").height
    if differing:
        found.append(
            f"assessors differ on {quantity(differing, 'document')} without a decision; the"
            " aggregation settles them"
        )
    judged = set(frame["query"])
    chosen = (each.name for each in topics.list_topics(connection, ("chosen",)))
    without = [name for name in chosen if name not in judged]
    if without:
        found.append(f"{quantity(len(without), 'topic')} without judgments: {list_phrase(without)}")
    return found
