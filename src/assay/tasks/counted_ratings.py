"""Ratings in a Spark frame: items that were rated alike are counted there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import AlignmentError, UsageError
from assay.core.names import Measure
from assay.core.tables import Ratings, Source
from assay.engine.spark.frames import functions, plain_failures
from assay.evidence.labels import Labels, similar_label_notes
from assay.evidence.views.rating_table import MOST_SINGLE_ITEMS, RatingTable, build_rating_table
from assay.tasks.counted_systems import COUNT, CountedSystems
from assay.tasks.inputs.rating_columns import (
    RatingColumns,
    find_rating_columns,
    refuse_one_assessor,
    single_rating_note,
)

MOST_KINDS = 1_000_000
"""So many kinds of items come to the driver at most."""
_TEXT_OR_WHOLE = ("string", "bigint", "int", "smallint", "tinyint")
_KEYS = ("item", "assessor", "label")


@dataclass(frozen=True)
class CountedRatings(CountedSystems):
    """Ratings of many items, those that were rated alike together."""

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures on the scale of the labels."""
        return [each.default("scale", self.settled["scale"]) for each in measures]


def count_ratings(
    data: Any,
    columns: RatingColumns,
    scale: str,
    labels: Labels,
    missing: str,
    name: str,
    needs: Mapping[Any, str],
) -> CountedRatings | None:
    """Return the ratings with a count for each kind of item.

    None where few items are there or rarely two are alike: then one machine keeps all items, too.
    Also where a row has all ratings of an item.
    """
    source = Source("the ratings")
    try:
        names = find_rating_columns(data, source, columns)
    except UsageError:
        return None
    types = dict(data.dtypes)
    if any(types.get(each) not in _TEXT_OR_WHOLE for each in names.values()):
        return None
    with plain_failures(source.name):
        kinds = _count_kinds(data, names)
    if kinds is None or kinds[COUNT].sum() <= MOST_SINGLE_ITEMS:
        return None
    if kinds.height > min(MOST_KINDS, kinds[COUNT].sum() / 2):
        return None
    rows = kinds.with_row_index("item").explode("ratings").unnest("ratings")
    ratings = Ratings.of(rows.select(*_KEYS), source)
    refuse_one_assessor(ratings)
    table = build_rating_table(ratings, scale, labels)
    counts = kinds[COUNT].to_numpy().astype(np.float64)
    places = np.asarray([int(each) for each in table.items])
    table = replace(table, weight=counts[places][None, :]).condensed(few=0)
    settled = {"scale": scale, "labels": table.labels, "missing": missing, "slices": {}}
    similar = similar_label_notes(ratings.frame["label"].unique().to_list(), "labels")
    notes = (*similar, *single_rating_note(table))
    return CountedRatings("agreement", needs, {name: {RatingTable: table}}, settled, notes)


def _count_kinds(data: Any, names: dict[str, str]) -> pl.DataFrame | None:
    """Return the ratings of each kind of item, and how many items are of it; None if too many.

    None as well if something is missing: then the rows are located on one machine.
    """
    f = functions()
    columns = {key: f.col(f"`{name.replace('`', '``')}`") for key, name in names.items()}
    rows = data.select(*(each.cast("string").alias(key) for key, each in columns.items()))
    missing = f.col("item").isNull() | f.col("assessor").isNull() | f.col("label").isNull()
    if rows.where(missing).limit(1).count():
        return None
    rating = f.struct("assessor", "label")
    items = rows.groupBy("item").agg(
        f.sort_array(f.collect_list(rating)).alias("ratings"),
        (f.count("*") - f.count_distinct("assessor")).alias("repeated"),
    )
    kinds = items.groupBy("ratings").agg(
        f.count("*").alias(COUNT), f.max("repeated").alias("repeated"), f.min("item").alias("first")
    )
    found = pl.DataFrame(kinds.limit(MOST_KINDS + 1).toArrow())
    twice = found.filter(pl.col("repeated") > 0)
    if twice.height:
        item = twice["first"].sort()[0]
        raise AlignmentError(
            f"the ratings: item {item} has several ratings of one assessor; one is expected"
        )
    return found.select("ratings", COUNT)
