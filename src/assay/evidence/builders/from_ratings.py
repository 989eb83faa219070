"""Ratings to a table of items by assessors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.errors import DataError
from assay.core.tables import Ratings
from assay.evidence.column_values import (
    label_codes,
    refuse_duplicate_keys,
    refuse_empty,
    sorted_labels,
)
from assay.evidence.label_order import (
    Labels,
    label_order,
    label_values,
    listed_labels,
    refuse_unlisted,
)
from assay.evidence.views.rating_table import RatingTable


def build_rating_table(
    ratings: Ratings,
    scale: str = "nominal",
    labels: Labels = None,
    order: Sequence[str] = (),
) -> RatingTable:
    """Return the ratings by item and assessor, with the labels in their order.

    ``labels`` lists all that may occur, in order. ``order`` is that of an ordered column, else
    numbers are ordered by value and words by name.
    """
    refuse_empty(ratings)
    refuse_duplicate_keys(ratings, "item", "assessor")
    frame = ratings.frame
    ordered = _order_labels(ratings, scale, listed_labels(labels), order)
    items, assessors = sorted_labels(frame["item"]), sorted_labels(frame["assessor"])
    code = label_codes(frame["label"], ordered)
    item = label_codes(frame["item"], items)
    assessor = label_codes(frame["assessor"], assessors)
    order_of_rows = np.lexsort((assessor, item))
    values = label_values(ordered)
    return RatingTable(
        items,
        assessors,
        ordered,
        item[order_of_rows],
        assessor[order_of_rows],
        code[order_of_rows],
        np.ones((1, len(items))),
        None if values is None else values.to_numpy(),
    )


def _order_labels(
    ratings: Ratings, scale: str, listed: Sequence[str], order: Sequence[str]
) -> tuple[str, ...]:
    """Return the labels in their order; refuse one that the list or the scale does not have."""
    given = ratings.frame["label"]
    if listed:
        refuse_unlisted(ratings, ["label"], listed)
        return tuple(listed)
    numbers = given.cast(pl.Float64, strict=False)
    bad = (numbers.is_null() | ~numbers.is_finite()).arg_true()
    if len(bad) and (scale in ("interval", "ratio") or (scale == "ordinal" and not order)):
        row = int(bad[0])
        remedy = "; name the labels in their order with `labels`" if scale == "ordinal" else ""
        raise DataError(
            f"{ratings.source.place(row)}: the label '{given[row]}' is not a number, but the scale"
            f" is {scale}{remedy}"
        )
    if scale == "ratio" and (numbers < 0).any():
        row = int((numbers < 0).arg_true()[0])
        raise DataError(
            f"{ratings.source.place(row)}: the label {given[row]} is below 0, which a ratio scale"
            " does not have"
        )
    return label_order(given.unique().to_list(), order)
