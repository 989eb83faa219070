"""Whole runs in the order in which a user sees them, whether anything is judged or not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from assay.core.arrays import unit_of
from assay.core.conventions import Conventions
from assay.core.tables import Run
from assay.evidence.batches import Batch, gathered
from assay.evidence.cleaning import Cleaner, ordering_key
from assay.evidence.judged import batch_keys
from assay.evidence.placing import Places, placed


def order(run: Run, conventions: Conventions) -> pl.DataFrame:
    """The whole run in the order in which a user sees it, with places from 1 and groups of ties."""
    parts = [
        pl.DataFrame(
            {
                "query": batch.queries.gather(unit_of(batch.offsets)),
                "doc": batch.doc,
                "score": batch.score,
                "row": batch.row,
                "place": places.place,
                "tie_first": places.tie_first,
                "tie_last": places.tie_last,
            }
        )
        for batch, places in _placed(run, conventions, conventions.ties)
    ]
    return pl.concat(parts).sort("query", "place")


def score_groups(run: Run, conventions: Conventions) -> pl.DataFrame:
    """A row for each score of each query: the number of the query, and the ranks that share it."""
    parts, known = [], 0
    for batch, places in _placed(run, conventions, "file order"):
        begins = np.flatnonzero(places.place == places.tie_first)
        query = unit_of(batch.offsets)[begins] + known
        first, last = places.tie_first[begins], places.tie_last[begins]
        parts.append(pl.DataFrame({"query": query, "tie_first": first, "tie_last": last}))
        known += len(batch.queries)
    return pl.concat(parts)


def _placed(run: Run, conventions: Conventions, ties: str) -> Iterator[tuple[Batch, Places]]:
    """Whole queries at a time what the conventions leave of a run, and where each document is."""
    for batch in gathered(run, conventions.order == "rank"):
        cleaner = Cleaner(run, conventions)
        kept = cleaner.cleaned(batch)
        key = batch_keys(kept, np.arange(len(kept.queries)), seed=0)
        kept = cleaner.without_repeats(kept, key) or kept
        everything = np.arange(len(kept.doc))
        yield kept, placed(kept, ordering_key(kept, conventions), everything, ties)
