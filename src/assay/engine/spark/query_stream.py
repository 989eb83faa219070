"""The path for judgments that are too many to send: they are sorted among the rows of runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.row_hashes import row_hash
from assay.core.tables import Judgments
from assay.engine.spark.frames import functions
from assay.engine.spark.list_stream import state_batches, whole_parts
from assay.engine.spark.list_values import KeyedSource, ListValues, split_bad_rows
from assay.engine.spark.packed_values import EMPTY, pack_values

if TYPE_CHECKING:
    import pyarrow as pa

JUDGMENTS = "\0judgments"
"""What stands in place of a run in rows that are judgments; it sorts before every name."""


def mix_rows(runs: Any, judgments: Any) -> Any:
    """Return the rows of runs and judgments in one Spark frame, a judgment's grade as the score."""
    f = functions()
    columns = [f.lit(JUDGMENTS).alias("run"), "query", "doc", f.col("grade").alias("score")]
    if "rank" in runs.columns:
        columns.append(f.lit(None).cast("bigint").alias("rank"))
    return runs.unionByName(judgments.select(*columns))


@dataclass(frozen=True)
class JoinedValues:
    """Computes the values of all lists in a table of whole queries with their judgments."""

    measures: tuple[str, ...]
    conventions: Conventions
    corpus: int | None = None

    def rows(self, queries: pl.DataFrame) -> Iterator[dict[str, Any]]:
        """Yield the packed rows of all runs, and one for runs that do not answer."""
        is_judged = pl.col("run").eq_missing(pl.lit(JUDGMENTS))
        graded = queries.filter(is_judged).select("query", "doc", pl.col("score").alias("grade"))
        lists = queries.filter(~is_judged).sort("run", "query", maintain_order=True)
        if graded.is_empty():
            yield from _unknown_queries(lists)
            return
        table = Judgments.of(graded, KeyedSource("the judgments", keys=graded))
        values = ListValues(table, self.measures, self.conventions, self.corpus)
        if lists.height:
            yield from values.rows(lists)
        judged, silent = values.unanswered()
        packed, flags, ratios = pack_values(silent)
        best = dict(graded.group_by("query").agg(pl.col("grade").max()).iter_rows())
        notes = {
            "ratios": ratios,
            "overflow": [each.overflow for each in silent],
            "hash": row_hash(graded),
            "best": [best[query] for query in judged],
        }
        yield {
            "run": JUDGMENTS,
            "queries": list(judged),
            "places": b"",
            "missing": np.ones(len(judged), dtype=bool).tobytes(),
            "values": packed,
            "flags": flags,
            "notes": json.dumps(notes),
        }


def _unknown_queries(lists: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield what is known of lists of queries without judgments."""
    usable, bad = split_bad_rows(lists)
    found: dict[str, dict[str, Any]] = dict(bad)
    for (name,), rows in usable.partition_by("run", as_dict=True, maintain_order=True).items():
        own = rows.drop("run")
        found[str(name)] = {
            **bad.get(str(name), {}),
            "counts": {"documents": own.height},
            "unknown": own["query"].unique(maintain_order=True).to_list(),
            "hash": row_hash(own),
        }
    for run, notes in found.items():
        yield {"run": run, **EMPTY, "notes": json.dumps(notes)}


@dataclass(frozen=True)
class QueryStream:
    """Rows sorted by query, with the judgments of each query before its lists."""

    evaluate: JoinedValues
    rows: int = 1 << 18

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the states of all lists."""
        for part in whole_parts(batches, ["query"], self.rows):
            yield from state_batches(self.evaluate, part)
