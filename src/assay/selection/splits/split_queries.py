"""Splits of queries at random: by group, and by stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError
from assay.formats.query_splits import QuerySplits

NAMES = ("train", "dev", "eval")


def split_queries(
    queries: Sequence[str] | pl.DataFrame,
    shares: Sequence[float] = (60, 20, 20),
    names: Sequence[str] = NAMES,
    *,
    group: Mapping[str, str] | None = None,
    stratum: Mapping[str, str] | None = None,
    seed: int = 1,
) -> QuerySplits:
    """Split queries at random into parts of these shares.

    Queries of one ``group`` (variations of one need, turns of one conversation) stay together;
    within each ``stratum`` (a type of query) the shares are kept as closely as whole queries allow.
    The result does not depend on the order of the queries.
    """
    ids = queries["query"].to_list() if isinstance(queries, pl.DataFrame) else list(queries)
    parts = _check(ids, shares, names, group, stratum)
    draw = np.random.default_rng(seed)
    units: dict[str, list[str]] = {}
    for query in sorted(ids):
        units.setdefault((group or {}).get(query, f"\0{query}"), []).append(query)
    by_stratum: dict[str, list[str]] = {}
    for unit in sorted(units):
        kinds = {(stratum or {}).get(query, "") for query in units[unit]}
        by_stratum.setdefault("+".join(sorted(kinds)), []).append(unit)
    split_of: dict[str, str] = {}
    for kind in sorted(by_stratum):
        order = [by_stratum[kind][place] for place in draw.permutation(len(by_stratum[kind]))]
        for unit, part in zip(order, _assign([len(units[u]) for u in order], parts), strict=True):
            split_of |= dict.fromkeys(units[unit], names[part])
    frame = pl.DataFrame({"query": ids, "split": [split_of[query] for query in ids]})
    made = {"shares": list(shares), "names": list(names), "seed": seed, "queries": len(ids)}
    made |= {"grouped": True} if group else {}
    made |= {"stratified": True} if stratum else {}
    return QuerySplits(frame, made)


def _assign(sizes: Sequence[int], shares: np.ndarray) -> list[int]:
    """Return the part of each unit: that which is farthest below its share so far."""
    filled = np.zeros(len(shares))
    target = shares * sum(sizes)
    found = []
    for size in sizes:
        lack = np.where(shares > 0, target - filled, -np.inf)
        part = int(np.argmax(lack))
        filled[part] += size
        found.append(part)
    return found


def _check(
    ids: Sequence[str],
    shares: Sequence[float],
    names: Sequence[str],
    group: Mapping[str, str] | None,
    stratum: Mapping[str, str] | None,
) -> np.ndarray:
    if len(shares) != len(names) or len(set(names)) < len(names):
        raise UsageError(f"{len(shares)} shares and {len(names)} names: give a name for each share")
    if any(share < 0 for share in shares) or not sum(shares) > 0:
        raise UsageError(
            f"shares are {list(shares)}: numbers from 0 are expected, such as 60,20,20"
        )
    if len(set(ids)) < len(ids):
        raise DataError("a query occurs twice among those to split")
    for table, what in ((group, "group"), (stratum, "stratum")):
        missing = [query for query in ids if table is not None and query not in table]
        if missing:
            raise DataError(f"query {missing[0]} has no {what}; give one for each query")
    parts = np.asarray(shares, dtype=np.float64)
    return parts / parts.sum()
