"""Ratings to a table of items by assessors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, did_you_mean
from assay.core.tables import Ratings
from assay.evidence.counting import codes_of, refuse_empty, refuse_repeats, sorted_labels
from assay.evidence.ratings import RatingTable


def rating_table(
    ratings: Ratings, scale: str = "nominal", labels: Sequence[str] | None = None
) -> RatingTable:
    """The ratings by item and assessor, under labels that stand in their order.

    Numbers are ordered by size, words by name; ``labels`` declares all that may occur, in order.
    """
    refuse_empty(ratings)
    refuse_repeats(ratings, "item", "assessor")
    frame = ratings.frame
    ordered = _ordered(ratings, scale, labels)
    items, assessors = sorted_labels(frame["item"]), sorted_labels(frame["assessor"])
    place = {label: number for number, label in enumerate(ordered)}
    code = frame["label"].replace_strict(place, return_dtype=pl.Int64).to_numpy()
    item = codes_of(frame["item"], items)
    assessor = codes_of(frame["assessor"], assessors)
    order = np.lexsort((assessor, item))
    return RatingTable(
        items,
        assessors,
        tuple(ordered),
        item[order],
        assessor[order],
        code[order],
        np.ones((1, len(items))),
        _values(ordered),
    )


def _values(labels: Sequence[str]) -> Floats | None:
    numbers = pl.Series(list(labels), dtype=pl.String).cast(pl.Float64, strict=False)
    return None if numbers.null_count() or not numbers.is_finite().all() else numbers.to_numpy()


def _ordered(ratings: Ratings, scale: str, labels: Sequence[str] | None) -> list[str]:
    """The labels in their order; refused where the scale cannot hold one that was given."""
    given = ratings.frame["label"]
    if labels is not None:
        stranger = (~given.is_in(list(labels))).arg_true()
        if len(stranger):
            row = int(stranger[0])
            raise DataError(
                f"{ratings.source.place(row)}: the label '{given[row]}' is not on the declared"
                f" scale {', '.join(labels)}." + did_you_mean(given[row], labels)
            )
        return list(labels)
    numbers = given.cast(pl.Float64, strict=False)
    bad = (numbers.is_null() | ~numbers.is_finite()).arg_true()
    if scale != "nominal" and len(bad):
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
    known = given.unique().sort().to_list()
    return known if len(bad) else sorted(known, key=lambda label: (float(label), label))
