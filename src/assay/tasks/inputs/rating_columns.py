"""Ratings from a table: a row for each rating, or a row for each item with all its ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.errors import AlignmentError, DataError, UsageError
from assay.core.phrases import have, quantity
from assay.core.tables import Ratings, Source, ids_as_text
from assay.evidence.labels import Labels, column_order, similar_label_notes
from assay.evidence.views.points import matching_columns
from assay.evidence.views.rating_table import RatingTable, build_rating_table
from assay.formats.containers import to_frame
from assay.tasks.inputs.missing_values import MissingPolicy, handle_missing
from assay.tasks.inputs.table_columns import (
    ROW,
    named_columns,
    number_rows,
    row_slices,
    slice_columns,
)


@dataclass(frozen=True)
class RatingColumns:
    """The columns of the ratings."""

    item: str | None = None
    assessor: str | None = None
    label: str | None = None
    topic: str | None = None
    assessors: str | Sequence[str] | None = None
    """A column for each assessor, if a row has all ratings of an item; or patterns."""
    by: Sequence[str] = ()
    """Columns of the items whose values define slices."""


@dataclass(frozen=True)
class RatingInput:
    """The ratings, the topic of each if there are topics, and notes for the user."""

    ratings: Ratings
    topic: pl.Series | None
    notes: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    """The order of the labels, if the type of their column sets it."""

    def table(
        self, scale: str = "nominal", labels: Labels = None, repeated: bool = False
    ) -> RatingTable:
        """Return the ratings by item and assessor, with the labels in their order."""
        return build_rating_table(self.ratings, scale, labels, self.order, repeated)


def read_ratings(
    data: Any, columns: RatingColumns, missing: MissingPolicy = "error"
) -> RatingInput:
    """Return the ratings under their declared names; items of two topics are different items."""
    frame, source = to_frame(data, "the ratings")
    if columns.assessors is None:
        named = find_rating_columns(frame, source, columns)
        own = named_columns(frame, source, named | {"topic": columns.topic})
        needed = {"label": ["label"], "assessor": ["assessor"], "item": ["item"]}
        whole = handle_missing(own, source, needed, missing, of="rating")
        frame, source, notes = whole.frame, whole.source, whole.notes
        order = column_order(frame["label"])
    else:
        wanted = _assessor_columns(frame, source, columns)
        order = column_order(*(frame[name] for name in wanted))
        frame, source, notes = _unpivot(frame, source, columns, wanted)
    topic = frame["topic"].cast(pl.String) if columns.topic else None
    if topic is not None:
        names = topic + "\N{NO-BREAK SPACE}" + frame["item"].cast(pl.String)
        frame = frame.with_columns(item=names)
    ratings = Ratings.of(frame, source)
    similar = similar_label_notes(ratings.frame["label"].unique().to_list(), "labels")
    return RatingInput(ratings, topic, (*similar, *notes), order)


def item_slices(data: Any, columns: RatingColumns, items: Sequence[str]) -> dict[str, pl.Series]:
    """Return which of the items belong to each slice; each has one value in a column."""
    if not columns.by:
        return {}
    if columns.topic:
        raise UsageError("topics are slices already: name them in `by`, or leave `by` out")
    frame, source = to_frame(data, "the ratings")
    if columns.assessors is None:
        item = find_rating_columns(frame, source, columns)["item"]
    else:
        frame, item = number_rows(frame, columns.item), columns.item or ROW
    row_slices(frame, source, columns.by)  # An error lists the columns as they were given.
    named = slice_columns(columns.by)
    known = frame.select(ids_as_text(frame[item]).alias(ROW), *named).unique()
    again = known.filter(known[ROW].is_duplicated())
    if len(again):
        raise DataError(
            f"{source.name}: the item '{again[ROW].sort()[0]}' has several values in"
            f" {', '.join(named)}; slices are of items, which have one value each"
        )
    ordered = pl.DataFrame({ROW: items}).join(known, on=ROW, how="left", maintain_order="left")
    return row_slices(ordered, source, columns.by)


def _assessor_columns(frame: pl.DataFrame, source: Source, columns: RatingColumns) -> list[str]:
    """Return the columns of the assessors, which patterns may name."""
    asked = columns.assessors
    patterns = asked.split(",") if isinstance(asked, str) else list(asked or ())
    return matching_columns(frame.columns, [each.strip() for each in patterns], source)


def _unpivot(
    frame: pl.DataFrame, source: Source, columns: RatingColumns, wanted: Sequence[str]
) -> tuple[pl.DataFrame, Source, tuple[str, ...]]:
    """Return a row for each rating from a column for each assessor; an empty cell is no rating."""
    rows = number_rows(frame, columns.item)
    keys = {"item": columns.item or ROW, "topic": columns.topic}
    kept = named_columns(rows, source, keys)
    long = pl.concat(
        kept.with_columns(
            assessor=pl.lit(name), label=_labels_as_text(frame[name]), at=pl.int_range(pl.len())
        )
        for name in wanted
    )
    if source.lines is not None:
        lines, at = source.lines, long["at"]
        source = replace(
            source,
            lines=(lambda row: lines(int(at[row]))) if callable(lines) else lines.gather(at),
        )
    whole = handle_missing(long.drop("at"), source, {"label": ["label"]}, "drop", of="cell")
    return whole.frame, whole.source, whole.notes


def _labels_as_text(column: pl.Series) -> pl.Series:
    """Return the labels of an assessor as text; NaN is no rating."""
    return ids_as_text(column.fill_nan(None) if column.dtype.is_float() else column)


SYNONYMS = {
    "item": ("item", "doc", "document", "unit", "subject", "id"),
    "assessor": ("assessor", "rater", "annotator", "judge", "coder", "worker"),
    "label": ("label", "rating", "grade", "category", "judgment"),
}
"""Names of the columns if there is a row for each rating, ours first."""


def _column_by_synonym(frame: Any, key: str, further: Sequence[str] = ()) -> str | None:
    """Return the column with the first of its names."""
    folded = {name.casefold(): name for name in reversed(frame.columns)}
    names = (*SYNONYMS[key], *further)
    return next((folded[name] for name in names if name in folded), None)


def find_rating_columns(frame: Any, source: Source, columns: RatingColumns) -> dict[str, str]:
    """Return the columns if there is a row for each rating: as named, or by their usual names.

    Only the names of the columns are looked at: the frame may be one of Spark.
    """
    given = {"item": columns.item, "assessor": columns.assessor, "label": columns.label}
    found = {key: name or _column_by_synonym(frame, key) for key, name in given.items()}
    named = {key: name for key, name in found.items() if name is not None}
    if len(named) == len(found):
        return named
    known = (found["item"], columns.topic)
    others = ",".join(name for name in frame.columns if name not in known)
    raise UsageError(
        f"{source.name}: name the columns of a row for each rating with `item`, `assessor` and"
        f" `label`; where each assessor has a column, name those with `assessors={others}`"
    )


GOLD = ("gold", "truth", "answer")
"""What a column of known labels is called besides."""


def gold_columns(frame: pl.DataFrame, source: Source, columns: RatingColumns) -> dict[str, str]:
    """The columns of known labels: those of the ratings, those so called, or the other of two."""
    item = columns.item if columns.item in frame.columns else _column_by_synonym(frame, "item")
    others = frame.drop([item] if item else [])
    label = (
        columns.label
        if columns.label in others.columns
        else _column_by_synonym(others, "label", GOLD)
    )
    if frame.width == 2:
        item = item or next(name for name in frame.columns if name != label)
        label = label or next(name for name in frame.columns if name != item)
    if item and label:
        return {"item": item, "label": label}
    raise UsageError(
        f"{source.name}: which columns hold the items and their known labels? There are"
        f" {', '.join(frame.columns)}; call them {columns.item or 'item'} and"
        f" {columns.label or 'label'}, as in the ratings"
    )


def refuse_one_assessor(ratings: Ratings) -> None:
    """Refuse ratings by a single assessor."""
    found = ratings.frame["assessor"].unique()
    if len(ratings) and len(found) < 2:
        raise AlignmentError(
            f"{ratings.source.name}: all {quantity(len(ratings), 'rating')} are by one assessor,"
            f" '{found[0]}'; agreement is between two or more. Where each assessor has a column,"
            " name those with `assessors`"
        )


def single_rating_note(view: RatingTable) -> tuple[str, ...]:
    """Return a note on items that nobody else rated: they say nothing of agreement."""
    weight = view.weight[0]
    alone, items = int(weight[view.counts.sum(axis=1) == 1].sum()), int(weight.sum())
    said = f"{alone:,} of {quantity(items, 'item')} {have(alone)} one rating only"
    return (said,) if alone else ()
