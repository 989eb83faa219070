"""Agreement: labels that assessors gave to items, to Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats
from assay.core.errors import UsageError
from assay.core.names import Measure, measure
from assay.core.tables import Table
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.evidence.labels import Labels
from assay.evidence.views.rating_table import RatingTable
from assay.formats.decimal_commas import with_decimal_commas
from assay.formats.spark_frames import is_spark_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Evaluation, Measures, Views
from assay.tasks.inputs.array_columns import slice_arrays, split_arguments
from assay.tasks.inputs.label_arrays import rating_arrays
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.inputs.rating_columns import (
    RatingColumns,
    RatingInput,
    item_slices,
    read_ratings,
    refuse_one_assessor,
    single_rating_note,
)
from assay.tasks.table_evidence import MemberEvidence, SystemInput, read_systems

NEEDS = {RatingTable: "ratings of the same items by several assessors"}


@dataclass(frozen=True)
class RatedItems:
    """The labels that one group of assessors gave to items."""

    ratings: RatingInput
    table: RatingTable
    topics: Mapping[str, Bools]
    """Which items belong to each topic or slice."""

    def view(self, slice_name: str) -> RatingTable:
        """Return the table of all ratings, or of those of one topic."""
        return self.table if slice_name == ALL else self.table.take(self.topics[slice_name])


@dataclass(frozen=True)
class AgreementEvidence(MemberEvidence[RatedItems]):
    """Ratings by one group of assessors or several; the topics are the slices."""

    task = "agreement"
    needs = NEEDS
    condenses = True
    scale: str = "nominal"
    missing: MissingPolicy = "error"

    @classmethod
    def read(
        cls,
        data: Any,
        columns: RatingColumns | None = None,
        scale: str = "nominal",
        labels: Labels = None,
        missing: MissingPolicy = "error",
        name: str = "assessors",
    ) -> AgreementEvidence:
        """Read one row per rating, or one row per item with a column for each assessor."""
        used = columns or RatingColumns()

        def read(system: SystemInput) -> RatedItems:
            """Read the ratings of one group of assessors."""
            found = read_ratings(system.table, used, missing)
            refuse_one_assessor(found.ratings)
            table = found.table(scale, labels)
            topics = _items_by_topic(table, found, used.topic)
            slices = item_slices(system.table, used, table.items)
            topics |= {name: inside.to_numpy() for name, inside in slices.items()}
            return RatedItems(found, table, topics)

        systems = read_systems(data, {}, "the ratings", name)
        return cls({each.name: read(each) for each in systems}, scale=scale, missing=missing)

    @property
    def inputs(self) -> dict[str, Table]:
        """The ratings by group; those of one group alone are called ratings."""
        if len(self.members) == 1:
            return {"ratings": self.first.ratings.ratings}
        return {name: member.ratings.ratings for name, member in self.members.items()}

    def slices(self, system: str) -> tuple[str, ...]:
        """Return the topics."""
        return tuple(self.members[system].topics)

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build the table of ratings."""
        return {RatingTable: partial(self.members[system].view, slice_name)}

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures on the scale of the labels."""
        return [each.default("scale", self.scale) for each in measures]

    def between_assessors(self, named: Any = "kappa", system: str | None = None) -> pl.DataFrame:
        """Return a measure of each pair of assessors of a group: a row and a column for each."""
        if system not in self.members and (system is not None or len(self.members) > 1):
            raise UsageError(f"`system` names one group of {', '.join(self.members)}")
        ratings = self.members[system].table if system is not None else self.first.table
        (asked,) = self.configure([measure(str(named), self.task)])
        matrix = pair_matrix(ratings, asked)
        size = len(ratings.assessors)
        cells = {
            name: [None if row == column else float(matrix[row, column]) for row in range(size)]
            for column, name in enumerate(ratings.assessors)
        }
        if "assessor" in cells:
            raise UsageError("an assessor is called assessor, as the first column is; rename it")
        values = pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.Float64))
        return values.insert_column(0, pl.Series("assessor", ratings.assessors))

    def about(self, system: str) -> str:
        """Return the name of the table."""
        return self.members[system].ratings.ratings.source.name

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the scale, the labels and the size of each topic."""
        return {
            "scale": self.scale,
            "labels": self.first.table.labels,
            "missing": self.missing,
            "slices": {part: int(rows.sum()) for part, rows in self.first.topics.items()},
        }

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return notes on ratings that are left out or say nothing about agreement."""
        members = self.members.values()
        return [
            note
            for each in members
            for note in (*each.ratings.notes, *single_rating_note(each.table))
        ]


def agreement(
    data: Any,
    other: Any = None,
    measures: Measures = None,
    *,
    item: str | None = None,
    assessor: str | None = None,
    label: str | None = None,
    assessors: str | Sequence[str] | None = None,
    topic: str | None = None,
    by: Any = (),
    scale: str = "nominal",
    labels: Labels = None,
    missing: MissingPolicy = "error",
    name: str = "assessors",
    decimal_comma: bool = False,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Measure how far assessors agree, from one row per rating or one row per item.

    ``data`` is a matrix with a row for each item and a column for each assessor (NaN or None where
    there is no rating), a dict of these by group, or an array with the labels of one assessor,
    beside those of the ``other``. Or it is a path, a frame or a dict of columns, and the second
    argument may list the measures. With one row per rating, ``item``,
    ``assessor`` and ``label`` name its columns, and ``missing`` is the policy for ratings without a
    label. With one row per item, ``assessors`` names a column for each assessor, or patterns; an
    empty cell is no rating. With a ``topic`` the topics follow the whole as slices, and items of
    two topics are different items. ``by`` names columns of the items, or holds arrays, whose values
    define slices. ``scale`` is nominal, ordinal, interval or ratio, for all measures that take one;
    ``labels`` lists the labels that may occur, in their order, which an Enum or ordered Categorical
    column sets as well.
    ``decimal_comma`` reads numbers such as 0,25.
    """
    other, measures = split_arguments(data, other, measures)
    data = with_decimal_commas(data, decimal_comma)
    if is_spark_frame(data) and other is None and assessors is None and not (topic or by):
        from assay.tasks.counted_ratings import count_ratings

        columns = RatingColumns(item, assessor, label)
        found = count_ratings(data, columns, scale, labels, missing, name, NEEDS)
        if found is not None:
            return found.scores(measures, interval=interval)
    table, names = rating_arrays(data, other, assessors)
    if isinstance(table, pl.DataFrame) and table is not data:
        added = slice_arrays(by, table.height)
        table, by = table.with_columns(**{k: pl.Series(v) for k, v in added.items()}), tuple(added)
    columns = RatingColumns(
        item, assessor, label, topic, names, (by,) if isinstance(by, str) else by
    )
    evidence = AgreementEvidence.read(table, columns, scale, labels, missing, name)
    return evidence.scores(measures, interval=interval)


def pair_matrix(ratings: RatingTable, asked: Measure) -> Floats:
    """Return a measure of each pair of assessors as a symmetric matrix; NaN where it has none."""
    if asked.definition.unit != "pair":
        raise UsageError(
            f"{asked} is not measured for each pair of assessors; kappa, percent and pi are"
        )
    matrix = np.full((len(ratings.assessors),) * 2, np.nan)
    for (a, b), value in zip(ratings.pairs, asked(ratings.by("pair")), strict=True):
        matrix[a, b] = matrix[b, a] = value
    return matrix


def _items_by_topic(view: RatingTable, read: RatingInput, topic: str | None) -> dict[str, Bools]:
    """Which items are of each topic, in bytewise order; nothing where there are no topics."""
    if read.topic is None:
        return {}
    topics = dict(zip(read.ratings.frame["item"], read.topic, strict=True))
    own = np.asarray([f"{topic}={topics[each]}" for each in view.items], dtype=object)
    return {name: own == name for name in sorted(set(own.tolist()), key=str.encode)}
