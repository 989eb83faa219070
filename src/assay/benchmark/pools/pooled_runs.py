"""The top of every run in its order: what a pool is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from assay.benchmark.pools.run_table import RunTable
from assay.core.arrays import Floats, Ints
from assay.core.conventions import RunSettings
from assay.core.errors import DataError
from assay.core.phrases import list_phrase, quantity
from assay.core.tables import Judgments
from assay.evidence.alignment.run_order import order_run
from assay.formats.containers import to_runs
from assay.formats.decimal_commas import with_decimal_points

RRF = 60
"""The constant of reciprocal-rank fusion."""


@dataclass(frozen=True)
class QueryLists:
    """The lists of one query: documents by code, and the rank of each in each run."""

    query: str
    docs: Sequence[str]
    """The pooled documents in ascending order of their ids."""
    ranks: Ints
    """Runs × documents: the rank from 1; 0 where a run does not have the document."""
    depth: int

    @property
    def best_rank(self) -> Ints:
        """The best rank of each document."""
        found: Ints = np.where(self.ranks > 0, self.ranks, self.depth + 1).min(axis=0)
        return found

    @property
    def reciprocal_ranks(self) -> Floats:
        """What each run adds to the fused score of each document: runs × documents."""
        found: Floats = np.where(self.ranks > 0, 1 / (RRF + self.ranks), 0.0)
        return found

    @property
    def fused(self) -> Floats:
        """The score of each document by reciprocal-rank fusion."""
        found: Floats = self.reciprocal_ranks.sum(axis=0)
        return found

    def lists(self) -> list[Ints]:
        """Return the codes of the documents of each run, the first rank first."""
        found = []
        for row in self.ranks:
            held = np.flatnonzero(row)
            found.append(held[np.argsort(row[held], kind="stable")])
        return found


@dataclass(frozen=True)
class PooledRuns:
    """The first documents of some runs: query, doc, run (its number), rank."""

    names: tuple[str, ...]
    rows: pl.DataFrame
    depth: int
    table: RunTable
    notes: tuple[str, ...] = ()

    @classmethod
    def read(
        cls,
        runs: Any,
        depth: int,
        settings: RunSettings | None = None,
        table: RunTable | None = None,
        queries: Sequence[str] | None = None,
    ) -> PooledRuns:
        """Read the runs that contribute, and cut them at a depth.

        ``queries`` are the topics of the benchmark: others are left out, and those without an
        answer are noted.
        """
        used = settings or RunSettings()
        known = table or RunTable()
        runs = with_decimal_points(runs, used.decimal_comma)
        systems = to_runs(runs, used.input_format)
        chosen, notes = known.contributing([run.name for run in systems])
        parts = []
        for number, run in enumerate(each for each in systems if each.name in chosen):
            ordered = order_run(run, used.conventions).filter(pl.col("place") <= depth)
            parts.append(
                ordered.select(
                    "query",
                    "doc",
                    run=pl.lit(number, pl.Int32),
                    rank=pl.col("place").cast(pl.Int32),
                )
            )
        rows = pl.concat(parts)
        names = tuple(run.name for run in systems if run.name in chosen)
        if queries is not None:
            rows = rows.filter(pl.col("query").is_in(list(queries)))
        if rows.is_empty():
            raise DataError("the runs have no documents for these topics; check their ids")
        notes += _unanswered(rows, names, queries)
        return cls(names, rows, depth, known, tuple(notes))

    @cached_property
    def queries(self) -> list[str]:
        """The queries with an answer, in ascending order."""
        return self.rows["query"].unique().sort().to_list()

    @cached_property
    def documents(self) -> pl.DataFrame:
        """A row for each pooled document: query, doc, best_rank, runs (their names)."""
        labels = pl.Series("label", [name.replace(" ", "_") for name in self.names])
        # Within a group rows keep their order, which is that of the runs.
        grouped = self.rows.group_by("query", "doc").agg(
            best_rank=pl.col("rank").min(), numbers=pl.col("run")
        )
        flat = grouped["numbers"].explode()
        names = labels.gather(flat).alias("runs")
        sizes = grouped["numbers"].list.len()
        owner = pl.Series("owner", np.repeat(np.arange(grouped.height), sizes.to_numpy()))
        joined = (
            pl.DataFrame([owner, names])
            .group_by("owner", maintain_order=True)
            .agg(pl.col("runs").str.join(" "))
        )
        return grouped.select("query", "doc", "best_rank", joined["runs"]).sort("query", "doc")

    def known_to(self, judgments: Judgments) -> PooledRuns:
        """Return the runs without the unjudged documents; ranks count the others."""
        judged = judgments.frame.select("query", "doc").unique()
        rows = self.rows.join(judged, on=["query", "doc"], how="semi").sort("query", "run", "rank")
        place = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("query", "run")
        return replace(self, rows=rows.with_columns(rank=place))

    def lists(self) -> Iterator[QueryLists]:
        """Yield the lists of each query."""
        ordered = self.rows.sort("query", "doc")
        for (query,), part in ordered.group_by("query", maintain_order=True):
            docs = part["doc"].unique().sort()
            ranks = np.zeros((len(self.names), len(docs)), dtype=np.int64)
            codes = docs.search_sorted(part["doc"]).to_numpy()
            ranks[part["run"].to_numpy(), codes] = part["rank"].to_numpy()
            yield QueryLists(str(query), docs.to_list(), ranks, self.depth)


def _unanswered(
    rows: pl.DataFrame, names: Sequence[str], queries: Sequence[str] | None
) -> list[str]:
    """Return notes on topics without an answer, and on runs that leave some out."""
    answered = rows.select("query", "run").unique()
    everything = set(answered["query"]) | set(queries or ())
    notes = []
    if queries is not None and (silent := sorted(everything - set(answered["query"]))):
        notes.append(
            f"{quantity(len(silent), 'topic')} without any answer, so nothing is pooled for"
            f" {'it' if len(silent) == 1 else 'them'}: {list_phrase(silent)}"
        )
    counts = dict(answered.group_by("run").len().iter_rows())
    for number, name in enumerate(names):
        missing = len(everything) - counts.get(number, 0)
        if missing:
            notes.append(f"{name} does not answer {quantity(missing, 'topic')}")
    return notes
