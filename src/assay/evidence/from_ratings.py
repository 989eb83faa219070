"""Ratings to a table of items by assessors."""

from __future__ import annotations

import numpy as np

from assay.core.errors import AlignmentError
from assay.core.tables import Ratings
from assay.evidence.counting import (
    codes_of,
    refuse_empty,
    sorted_labels,
)
from assay.evidence.ratings import RatingTable


def rating_table(ratings: Ratings) -> RatingTable:
    """Items × assessors, with the label of each rating."""
    refuse_empty(ratings)
    frame = ratings.frame
    twice = ~frame.select("item", "assessor").is_unique()
    if twice.any():
        row = int(twice.arg_true()[1])
        raise AlignmentError(
            f"{ratings.source.place(row)}: {frame['assessor'][row]} rates"
            f" {frame['item'][row]} twice; keep one rating"
        )
    items, assessors = sorted_labels(frame["item"]), sorted_labels(frame["assessor"])
    labels = sorted_labels(frame["label"])
    codes = np.full((len(items), len(assessors)), -1, dtype=np.int64)
    codes[codes_of(frame["item"], items), codes_of(frame["assessor"], assessors)] = codes_of(
        frame["label"], labels
    )
    return RatingTable.of(codes, items, assessors, labels)
