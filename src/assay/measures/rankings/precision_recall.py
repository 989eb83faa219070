"""Precision against recall: the curve of one query, and that of many."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio, segment_sum
from assay.core.catalogue import Columns, curve
from assay.evidence.rankings import Rankings

STANDARD_RECALLS = tuple(tenth / 10 for tenth in range(11))


@curve("PR")
def precision_recall(rankings: Rankings, rel: float = 1) -> Columns:
    """The mean over the queries of the largest precision at each standard recall or beyond it."""
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    precision = found.place / found.rank
    recall = ratio(found.place.astype(np.float64), known[found.query])
    defined = known > 0
    means = []
    for level in STANDARD_RECALLS:
        best = np.zeros(len(known))
        np.maximum.at(best, found.query, np.where(recall >= level - 1e-9, precision, 0.0))
        means.append(_mean(best[defined]))
    return {"recall": np.asarray(STANDARD_RECALLS), "precision": np.asarray(means)}


@curve("PR at ranks")
def precision_recall_at_ranks(
    rankings: Rankings, rel: float = 1, ranks: tuple[int, ...] = (1, 2, 3, 5, 10, 15, 20, 30, 100)
) -> Columns:
    """The mean precision and the mean recall over the queries at fixed ranks."""
    known = rankings.relevant_count(rel)
    defined = known > 0
    counts = [rankings.relevant(rel, rank).count[defined] for rank in ranks]
    return {
        "rank": np.asarray(ranks),
        "recall": np.asarray([_mean(count / known[defined]) for count in counts]),
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
    return float(segment_sum(values, np.asarray([0, len(values)]))[0] / max(len(values), 1))
