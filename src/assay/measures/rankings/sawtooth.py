"""Precision and recall at every rank of one query: a line with teeth."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import ratio
from assay.core.catalogue import Columns, curve
from assay.evidence.rankings import Rankings


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
