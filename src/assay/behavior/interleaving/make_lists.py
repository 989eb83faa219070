"""Making merged lists from runs, as a table that an experiment shows and its analysis reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.interleaving.merged_list import MergedList, Sampler, find_method
from assay.behavior.interleaving.query_rankings import QueryRankings, read_rankings
from assay.core.errors import DataError, UsageError, did_you_mean, missing_column
from assay.core.output_files import write_bytes, write_text
from assay.core.printable import Printable
from assay.core.table_bytes import parquet_bytes
from assay.core.tables import Source, ids_as_text
from assay.formats.containers import to_frame

RANK = "rank:"
"""Columns of the rank of each document in a system begin with this."""
CREDIT = "credit:"
"""Columns of the credit of a click for a system begin with this."""


@dataclass(frozen=True, repr=False, eq=False)
class InterleavedLists(Printable):
    """Merged lists: a row for each document that is shown, in order."""

    frame: pl.DataFrame
    """query, list, method, rank, doc, team, available, probability, and for each system ``rank:``
    and ``credit:``."""
    method: str
    systems: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def save(self, path: str | Path) -> None:
        """Write the table as CSV or Parquet, by the extension of the file."""
        if Path(path).suffix.casefold() == ".parquet":
            write_bytes(path, parquet_bytes(self.frame))
        else:
            write_text(path, self.frame.write_csv())


def make_lists(
    runs: Any,
    method: str = "team-draft",
    *,
    depth: int = 10,
    lists: int = 1,
    impressions: Any = None,
    seed: int = 1,
    input_format: str | None = None,
) -> InterleavedLists:
    """Merge the rankings of two or more systems into lists to show to users.

    ``lists`` is the number of lists for each query. With a table of ``impressions`` (columns
    ``impression`` and ``query``) there is a list for each of them instead. Each list depends on the
    seed, the query and its name alone, so that the same lists come out in any order.
    """
    chosen = find_method(method)
    if not 1 <= lists <= 1_000_000:
        raise UsageError(f"`lists` is {lists}: 1 to 1,000,000 lists for each query are expected")
    systems = read_rankings(runs, depth, input_format)
    chosen.check(len(systems.names))
    wanted = _list_names(impressions, lists, list(systems.queries))
    samplers: dict[str, Sampler] = {}
    parts: list[dict[str, Any]] = []
    for query, name in wanted:
        rankings = systems.queries[query]
        if query not in samplers:
            samplers[query] = chosen.prepare(rankings, depth)
        merged = samplers[query](list_generator(seed, query, name))
        parts += _list_rows(rankings, merged, systems.names, (query, name, method))
    frame = pl.DataFrame(parts, schema=lists_schema(systems.names))
    return InterleavedLists(frame, method, systems.names, systems.notes)


def list_generator(seed: int, query: str, name: str) -> np.random.Generator:
    """Return the random numbers of one list."""
    key = hashlib.sha256(f"{seed}|{query}|{name}".encode()).digest()
    return np.random.default_rng(int.from_bytes(key[:16], "big"))


def lists_schema(systems: tuple[str, ...]) -> dict[str, Any]:
    """Return the columns of a table of lists."""
    fixed: dict[str, Any] = {
        "query": pl.String,
        "list": pl.String,
        "method": pl.String,
        "rank": pl.Int64,
        "doc": pl.String,
        "team": pl.String,
        "available": pl.Int64,
        "probability": pl.Float64,
    }
    ranks = {f"{RANK}{name}": pl.Int64 for name in systems}
    return fixed | ranks | {f"{CREDIT}{name}": pl.Float64 for name in systems}


def _list_names(impressions: Any, lists: int, queries: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the query and the name of each list."""
    if impressions is None:
        yield from ((query, str(n)) for query in queries for n in range(1, lists + 1))
        return
    frame, source = to_frame(impressions, "the impressions")
    for column in ("impression", "query"):
        if column not in frame.columns:
            raise missing_column(source.name, column, frame.columns, error=DataError)
    table = frame.select(ids_as_text(frame["query"]), ids_as_text(frame["impression"]))
    seen: set[str] = set()
    known = set(queries)
    for row, (query, name) in enumerate(table.iter_rows()):
        _check_impression(source, row, (query, name), known, seen)
        yield query, name


def _check_impression(
    source: Source, row: int, pair: tuple[str, str], known: set[str], seen: set[str]
) -> None:
    query, name = pair
    if query not in known:
        raise DataError(
            f"{source.place(row)}: the query '{query}' is not answered by all runs."
            + did_you_mean(str(query), known)
        )
    if name in seen:
        raise DataError(f"{source.place(row)}: the impression '{name}' occurs twice")
    seen.add(name)


def _list_rows(
    rankings: QueryRankings,
    merged: MergedList,
    systems: tuple[str, ...],
    head: tuple[str, str, str],
) -> Iterator[dict[str, Any]]:
    """Yield a row for each document of a list."""
    query, name, method = head
    for place, doc in enumerate(merged.docs):
        row: dict[str, Any] = {
            "query": query,
            "list": name,
            "method": method,
            "rank": place + 1,
            "doc": rankings.docs[doc],
            "team": None if merged.teams is None else systems[merged.teams[place]],
            "available": None if merged.available is None else merged.available[place],
            "probability": merged.probability,
        }
        for system, label in enumerate(systems):
            rank = int(rankings.ranks[system, doc])
            row[f"{RANK}{label}"] = rank if rank <= rankings.lengths[system] else None
            credit = merged.credits
            row[f"{CREDIT}{label}"] = None if credit is None else float(credit[system, place])
        yield row
