"""Documents that stand twice in the list of a query."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Ints
from assay.core.errors import AlignmentError
from assay.core.tables import Source
from assay.evidence.alignment.document_keys import Keys
from assay.evidence.alignment.judged_documents import POLICY
from assay.evidence.alignment.query_batches import Batch
from assay.evidence.column_values import duplicate_error


def find_duplicates(batch: Batch, key: Keys) -> pl.DataFrame | None:
    """The rows of documents that stand more than once: row, query, doc; None if there are none.

    Equal keys are rare but for true repeats, so that only rows with equal keys are compared.
    """
    ordered = _sort_within_queries(key, batch.offsets)
    equal = ordered[..., 1:] == ordered[..., :-1]
    if not equal.any():
        return None
    rows = np.flatnonzero(np.isin(key, ordered[..., 1:][equal]))
    unit = np.searchsorted(batch.offsets, rows, side="right") - 1
    frame = pl.DataFrame(
        {"row": rows, "query": batch.queries.gather(unit), "doc": batch.doc.gather(rows)}
    )
    twice = frame.filter(pl.struct("query", "doc").is_duplicated())
    return None if twice.is_empty() else twice


def _sort_within_queries(key: Keys, offsets: Ints) -> Keys:
    """The keys sorted: query by query where all lists are as long, which is faster."""
    sizes = np.diff(offsets)
    if len(sizes) > 1 and sizes[0] > 1 and (sizes == sizes[0]).all():
        return np.sort(key.reshape(-1, sizes[0]), axis=1)
    return np.sort(key)


def refuse_duplicates(batch: Batch, twice: pl.DataFrame, source: Source) -> None:
    """Complain about the first document that stands twice."""
    query, doc = twice["query"][0], twice["doc"][0]
    own = twice.filter((pl.col("query") == query) & (pl.col("doc") == doc))["row"].to_list()
    first, second = (int(batch.row[row]) for row in own[:2])
    what = f"document {doc} for query {query}"
    raise AlignmentError(duplicate_error(source, what, first, second, POLICY))


def keep_one_of_each(batch: Batch, twice: pl.DataFrame, policy: str) -> Bools:
    """Which rows stay when of each document the first or the last row is kept."""
    keep = np.ones(len(batch.doc), dtype=np.bool_)
    kept = twice.unique(["query", "doc"], keep="first" if policy == "first" else "last")
    keep[twice["row"].to_numpy()] = False
    keep[kept["row"].to_numpy()] = True
    return keep
