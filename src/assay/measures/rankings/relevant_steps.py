"""The places of a list at which a binary measure can change, for traces."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Ints, ratio
from assay.core.curves import Columns
from assay.evidence.views.rankings import Hits, Rankings


def relevant_steps(rankings: Rankings, rel: float = 1, cutoff: int | None = None) -> Columns:
    """Each relevant document within the cutoff, and the end: with the relevant ones so far."""
    rank, so_far = steps_to_end(rankings.relevant(rel, cutoff), int(rankings.depth(cutoff)[0]))
    return {"rank": rank, "relevant so far": so_far}


def steps_to_end(found: Hits, end: int) -> tuple[Ints, Ints]:
    """The ranks of some documents, and how many there are so far; also at the end of the list."""
    if end <= found.rank.max(initial=0):
        return found.rank, found.place
    return np.append(found.rank, end), np.append(found.place, len(found.place))


def precision_and_recall(rankings: Rankings, rel: float = 1, cutoff: int | None = None) -> Columns:
    """The steps, with precision and recall at each."""
    columns = relevant_steps(rankings, rel, cutoff)
    so_far = columns["relevant so far"]
    return columns | {
        "precision": ratio(so_far, columns["rank"]),
        "recall": ratio(so_far, rankings.relevant_count(rel)[0]),
    }


def set_counts(names: list[str], counts: list[float]) -> Columns:
    """Counts of documents, for measures of sets."""
    return {"documents": names, "count": np.asarray(counts, dtype=np.float64)}
