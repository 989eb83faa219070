"""Near-duplicates: of documents that are the same to an assessor, one is judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from assay.benchmark.pools.pooled_runs import PooledRuns
from assay.core.errors import DataError, missing_column
from assay.formats.containers import to_frame

SHOWN = {"query": pl.String, "doc": pl.String, "shown": pl.String}


def merge_duplicates(runs: PooledRuns, data: Any) -> tuple[PooledRuns, pl.DataFrame]:
    """Return the runs with one document of each group, and which document stands for which.

    ``data`` is a table of doc and group. For each query the document of a group that the runs rank
    best stands for the others; it takes their best rank in each run.
    """
    groups = _read_groups(data)
    rows = runs.rows.join(groups, on="doc", how="left", maintain_order="left")
    grouped = rows.filter(pl.col("group").is_not_null())
    shown = (
        grouped.sort("query", "group", "rank", "doc")
        .group_by("query", "group", maintain_order=True)
        .agg(shown=pl.col("doc").first())
    )
    named = rows.join(shown, on=["query", "group"], how="left", maintain_order="left")
    replaced = named.filter(pl.col("shown").is_not_null() & (pl.col("shown") != pl.col("doc")))
    merged = (
        named.with_columns(doc=pl.coalesce("shown", "doc"))
        .group_by("query", "doc", "run", maintain_order=True)
        .agg(pl.col("rank").min())
    )
    pairs = replaced.select("query", "doc", "shown").unique().sort("query", "doc")
    return replace(runs, rows=merged), pairs


def _read_groups(data: Any) -> pl.DataFrame:
    frame, source = to_frame(data, "near-duplicates")
    for name in ("doc", "group"):
        if name not in frame.columns:
            raise missing_column(source.name, name, frame.columns, error=DataError)
    groups = frame.select(pl.col("doc", "group").cast(pl.String))
    twice = groups.filter(pl.col("doc").is_duplicated())
    if twice.height:
        raise DataError(f"{source.name}: the document {twice['doc'][0]} is in two groups")
    return groups
