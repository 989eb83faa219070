"""The rankings of several systems for one query, as ranks of the documents of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.conventions import profile as profile_named
from assay.core.errors import DataError, UsageError
from assay.core.phrases import list_phrase, quantity
from assay.engine.result import natural_key
from assay.evidence.alignment.run_order import order_run
from assay.formats.containers import to_runs


@dataclass(frozen=True)
class QueryRankings:
    """The documents of one query, and their ranks in each system."""

    docs: tuple[str, ...]
    ranks: Ints
    """System × document; a document that a system did not retrieve follows its last one."""
    lengths: Ints
    """The number of documents of each system."""

    @classmethod
    def of(cls, rankings: Sequence[Sequence[str]]) -> QueryRankings:
        """Return the ranks of documents in rankings, which list them from the first on.

        >>> QueryRankings.of(["ab", "bc"]).ranks.tolist()
        [[1, 2, 3], [3, 1, 2]]
        """
        docs = tuple(dict.fromkeys(doc for ranking in rankings for doc in ranking))
        lengths = np.array([len(ranking) for ranking in rankings], dtype=np.int64)
        ranks = np.repeat(lengths[:, None] + 1, len(docs), axis=1)
        place = {doc: number for number, doc in enumerate(docs)}
        for system, ranking in enumerate(rankings):
            ranks[system, [place[doc] for doc in ranking]] = np.arange(1, len(ranking) + 1)
        return cls(docs, ranks, lengths)

    @property
    def systems(self) -> int:
        """The number of systems."""
        return len(self.ranks)

    def order(self, system: int) -> list[int]:
        """Return the documents of one system by rank."""
        own = np.argsort(self.ranks[system], kind="stable")
        return own[: self.lengths[system]].tolist()

    def inverse_ranks(self) -> Floats:
        """Return 1 / rank for each system and document."""
        return 1.0 / self.ranks


@dataclass(frozen=True)
class RankedSystems:
    """The rankings of all queries that every system answers."""

    names: tuple[str, ...]
    queries: dict[str, QueryRankings]
    notes: tuple[str, ...] = ()


def read_rankings(runs: Any, depth: int, input_format: str | None = None) -> RankedSystems:
    """Read two or more runs, and cut their rankings at a depth.

    Queries that only some systems answer are left out, with a note.
    """
    if depth < 1:
        raise UsageError(f"`depth` is {depth}: a list has at least one document")
    systems = to_runs(runs, input_format)
    if len(systems) < 2:
        raise UsageError("interleaving takes two or more runs; give the runs of all systems")
    rules = profile_named("assay")
    rankings: list[dict[str, list[str]]] = []
    for run in systems:
        ordered = order_run(run, rules).filter(pl.col("place") <= depth).sort("query", "place")
        listed = ordered.group_by("query", maintain_order=True).agg("doc")
        rankings.append(dict(listed.iter_rows()))
    every = sorted({query for each in rankings for query in each}, key=natural_key)
    common = [query for query in every if all(query in each for each in rankings)]
    if not common:
        raise DataError("no query is answered by all runs; check that they are for one collection")
    missing = [query for query in every if query not in set(common)]
    notes = (
        f"{quantity(len(missing), 'query')} left out, which not every run answers:"
        f" {list_phrase(missing, 5)}",
    )
    return RankedSystems(
        tuple(run.name for run in systems),
        {query: QueryRankings.of([each[query] for each in rankings]) for query in common},
        notes if missing else (),
    )
