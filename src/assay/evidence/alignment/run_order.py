"""Whole runs in the order in which a user sees them, whether anything is judged or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Ints, unit_numbers
from assay.core.conventions import Conventions
from assay.core.tables import Run
from assay.evidence.alignment.document_ranks import DocumentRanks, rank_documents
from assay.evidence.alignment.judged_documents import batch_keys
from assay.evidence.alignment.query_batches import Batch, gather_batches
from assay.evidence.alignment.run_cleaning import Cleaner, ordering_key


def order_run(run: Run, conventions: Conventions) -> pl.DataFrame:
    """The whole run in the order in which a user sees it, with places from 1 and groups of ties."""
    parts = [
        pl.DataFrame(
            {
                "query": batch.queries.gather(unit_numbers(batch.offsets)),
                "doc": batch.doc,
                "score": batch.score,
                "row": batch.row,
                "place": places.place,
                "tie_first": places.tie_first,
                "tie_last": places.tie_last,
            }
        )
        for batch, places in _rank_documents(run, conventions)
    ]
    return pl.concat(parts).sort("query", "place")


@dataclass(frozen=True)
class ScoreGroups:
    """A row for each score of each query: the number of the query, and the ranks that share it."""

    query: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, run: Run, conventions: Conventions) -> ScoreGroups:
        """Those of a whole run. Which document has which rank does not matter."""
        parts, known = [], 0
        for batch in _clean_batches(run, conventions):
            query, closes = unit_numbers(batch.offsets), np.zeros(len(batch.doc), dtype=bool)
            key = _descending_order(ordering_key(batch, conventions), query)
            closes[-1:] = True
            closes[:-1] = (query[1:] != query[:-1]) | (True if key is None else key[1:] != key[:-1])
            end = np.flatnonzero(closes)
            begin, before = np.append(0, end[:-1] + 1)[: len(end)], batch.offsets[query[end]]
            parts.append((query[end] + known, begin - before + 1, end - before + 1))
            known += len(batch.queries)
        return cls(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    @property
    def size(self) -> Ints:
        """How many documents share each score."""
        return self.last - self.first + 1


def _descending_order(key: NDArray[np.floating] | None, query: Ints) -> NDArray[np.floating] | None:
    """The keys in falling order within each query."""
    if key is None or not np.any((key[1:] > key[:-1]) & (query[1:] == query[:-1])):
        return key
    return key[np.lexsort((-key, query))]


def _clean_batches(run: Run, conventions: Conventions) -> Iterator[Batch]:
    """Whole queries at a time what the conventions leave of a run."""
    for batch in gather_batches(run, conventions.order == "rank"):
        cleaner = Cleaner(run, conventions)
        kept = cleaner.clean(batch)
        key = batch_keys(kept, np.arange(len(kept.queries)), seed=0)
        yield cleaner.drop_duplicates(kept, key) or kept


def _rank_documents(run: Run, conventions: Conventions) -> Iterator[tuple[Batch, DocumentRanks]]:
    """The same, and where each document is."""
    for kept in _clean_batches(run, conventions):
        everything = np.arange(len(kept.doc))
        key = ordering_key(kept, conventions)
        yield kept, rank_documents(kept, key, everything, conventions.ties)
