"""Precision against recall: the curve of one query, and that of many."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, exact_mean, ratio
from assay.core.catalogue import Columns, curve
from assay.evidence.rankings import Rankings
from assay.measures.rankings.interpolated_precision import ELEVEN, interpolated


@curve("PR")
def precision_recall(rankings: Rankings, rel: float = 1) -> Columns:
    """The mean over the queries of the interpolated precision at each of the eleven recalls."""
    means = [_mean(interpolated(rankings, rel, level)) for level in ELEVEN]
    return {"recall": np.asarray(ELEVEN), "precision": np.asarray(means)}


@curve("PR at ranks")
def precision_recall_at_ranks(
    rankings: Rankings, rel: float = 1, ranks: tuple[int, ...] = (1, 2, 3, 5, 10, 15, 20, 30, 100)
) -> Columns:
    """The mean precision and the mean recall over the queries at fixed ranks."""
    known = rankings.relevant_count(rel)
    counts = [np.where(known > 0, rankings.relevant(rel, rank).count, np.nan) for rank in ranks]
    return {
        "rank": np.asarray(ranks),
        "recall": np.asarray([_mean(ratio(count, known)) for count in counts]),
        "precision": np.asarray([_mean(n / rank) for n, rank in zip(counts, ranks, strict=True)]),
    }


@curve("sawtooth")
def sawtooth(rankings: Rankings, rel: float = 1) -> Columns:
    """Precision and recall at every rank of one query, and the best precision from there on."""
    rank = np.arange(1, int(rankings.retrieved[0]) + 1)
    so_far = np.zeros(len(rank))
    so_far[rankings.relevant(rel).rank - 1] = 1
    so_far = np.cumsum(so_far)
    precision = so_far / rank
    return {
        "rank": rank,
        "recall": ratio(so_far, np.full(len(rank), rankings.relevant_count(rel)[0])),
        "precision": precision,
        "interpolated": np.maximum.accumulate(precision[::-1])[::-1],
    }


def _mean(values: Floats) -> float:
    return exact_mean(values[~np.isnan(values)].tolist())
