"""Splits of the queries of a collection: made at random, or as published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from assay.benchmark.collections.collection import Collection
from assay.benchmark.collections.read_files import read_topics
from assay.benchmark.collections.topics import Topics
from assay.core.errors import DataError, unknown_name
from assay.formats.splits import Splits
from assay.selection.splits.split_queries import NAMES, split_queries

PUBLISHED = "published"


def split_topics(
    topics: Any,
    shares: Sequence[float] = (60, 20, 20),
    names: Sequence[str] = NAMES,
    *,
    group: str | None = None,
    stratum: str | None = None,
    seed: int = 1,
) -> Splits:
    """Split the topics of a file in any layout; ``group`` and ``stratum`` are names of fields."""
    found = topics if isinstance(topics, Topics) else read_topics(topics)
    made = split_queries(
        found.ids,
        shares,
        names,
        group=_field(found, group),
        stratum=_field(found, stratum),
        seed=seed,
    )
    source = {"topics": found.source.name, "group": group, "stratum": stratum}
    return Splits(made.frame, {**made.made, **{k: v for k, v in source.items() if v}})


def published_splits(path: str | Path) -> Splits:
    """Return the splits with which a collection was published, as its files name them."""
    splits = Collection.read(path).splits
    if not splits:
        raise DataError(f"{path}: no splits were published: no file is called train, dev or test")
    rows = [(query, name) for name, queries in splits.items() for query in queries]
    frame = pl.DataFrame(rows, schema=["query", "split"], orient="row")
    twice = frame.filter(pl.col("query").is_duplicated())
    if twice.height:
        raise DataError(f"{path}: the query {twice['query'][0]} is in two splits")
    return Splits(frame, {"made": PUBLISHED, "topics": str(path)})


def _field(topics: Topics, name: str | None) -> dict[str, str] | None:
    if name is None:
        return None
    if name not in topics.fields:
        raise unknown_name("field of topics", name, topics.fields)
    return {topic.id: topic.fields.get(name, "") for topic in topics}
