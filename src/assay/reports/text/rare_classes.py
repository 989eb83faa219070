"""Small classes that are mostly missed: a high accuracy does not show them."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import ratio
from assay.evidence.views.confusion import Confusion
from assay.reports.text.interpretation import RateLimits
from assay.reports.text.table_text import number

MOST = 5
"""So many classes are named; the others are counted."""


def missed_classes(confusion: Confusion, cut_offs: RateLimits | None = None) -> list[str]:
    """Return a sentence on each rare class whose recall is far below the accuracy, worst first."""
    limits = cut_offs or RateLimits()
    counts = confusion.matrix[0]
    hits, items = np.diagonal(counts), counts.sum(axis=1)
    recall, accuracy = ratio(hits, items), float(ratio(hits.sum(), counts.sum()))
    rare = (items > 0) & (items < limits.rare * counts.sum())
    missed = np.flatnonzero(rare & (recall < limits.missed * accuracy))
    order = missed[np.argsort(recall[missed], kind="stable")].tolist()
    sentences = [
        f"Class '{confusion.labels[n]}' has {items[n]:,g} of {counts.sum():,g} items and recall"
        f" {number(float(recall[n]), 2)} ({hits[n]:,g} of {items[n]:,g}), beside an accuracy of"
        f" {number(accuracy, 2)}: accuracy says little about a class this rare."
        for n in order[:MOST]
    ]
    if len(order) > MOST:
        sentences.append(f"{len(order) - MOST} more rare classes have a recall as low.")
    return sentences
