"""Splits of queries at random: by group, and by stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from assay.core.errors import DataError
from assay.formats.splits import Splits
from assay.selection.splits.split_items import split_at_random
from assay.selection.splits.split_settings import check_shares

NAMES = ("train", "dev", "eval")


def split_queries(
    queries: Sequence[str] | pl.DataFrame,
    shares: Sequence[float] = (60, 20, 20),
    names: Sequence[str] = NAMES,
    *,
    group: Mapping[str, str] | None = None,
    stratum: Mapping[str, str] | None = None,
    seed: int = 1,
) -> Splits:
    """Split queries at random into parts of these shares.

    Queries of one ``group`` (variations of one need, turns of one conversation) stay together;
    within each ``stratum`` (a type of query) the shares are kept as closely as whole queries allow.
    The result does not depend on the order of the queries.
    """
    ids = queries["query"].to_list() if isinstance(queries, pl.DataFrame) else list(queries)
    parts = check_shares(shares, names)
    if len(set(ids)) < len(ids):
        raise DataError("a query occurs twice among those to split")
    for table, what in ((group, "group"), (stratum, "stratum")):
        missing = [query for query in ids if table is not None and query not in table]
        if missing:
            raise DataError(f"query {missing[0]} has no {what}; give one for each query")
    items = pl.DataFrame({"item": ids}, schema={"item": pl.String}).with_columns(
        group=pl.col("item") if group is None else pl.Series([group[query] for query in ids]),
        stratum=pl.lit("") if stratum is None else pl.Series([stratum[query] for query in ids]),
    )
    part = split_at_random(items, parts, np.random.default_rng(seed))
    frame = pl.DataFrame({"query": items["item"], "split": pl.Series(names)[part]})
    made = {"shares": list(shares), "names": list(names), "seed": seed, "queries": len(ids)}
    made |= {"grouped": True} if group else {}
    made |= {"stratified": True} if stratum else {}
    return Splits(frame, made)
