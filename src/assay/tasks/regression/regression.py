"""Regression: true and predicted numbers to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.core.progress import shows_progress
from assay.core.tables import Values
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.evidence.column_values import finite_numbers, select_rows
from assay.evidence.item_cells import predicted_items
from assay.evidence.views.densities import Densities, build_densities
from assay.evidence.views.value_pairs import (
    ValueMoments,
    ValuePairs,
    build_value_pairs,
)
from assay.formats.containers import to_frame
from assay.formats.decimal_commas import with_decimal_commas
from assay.formats.spark_frames import is_spark_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures, Views
from assay.tasks.inputs.array_columns import read_arrays, split_arguments
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.inputs.table_columns import (
    SplitChoice,
    named_columns,
    needed_columns,
    read_items,
    slice_columns,
)
from assay.tasks.table_evidence import (
    Columns,
    SystemInput,
    TableEvidence,
    read_systems,
    read_table,
)

NEEDS = {
    ValuePairs: "all true and predicted numbers at once",
    ValueMoments: "true and predicted numbers",
    Densities: "the density that a model gave to each item: name its column with `density`",
}


@dataclass(frozen=True)
class RegressionColumns(SplitChoice):
    """Which columns hold what, and how they are read."""

    truth: str = "truth"
    predicted: Columns = None
    density: Columns = None
    item: str | None = None
    weight: str | None = None
    by: Sequence[str] = ()
    missing: MissingPolicy = "error"
    profile: str = "assay"
    name: str = "predictor"
    """What a system is called that nothing else names."""

    @property
    def needed(self) -> frozenset[str] | None:
        """The columns that are read; None for all."""
        truth = self.truth if self.system_columns.get("predicted") else None
        answers = self.system_columns.values()
        return needed_columns(truth, *answers, self.item, self.weight, slice_columns(self.by))

    @property
    def system_columns(self) -> dict[str, Columns]:
        """The columns of the systems, by kind; ``predicted`` is the default."""
        if not self.predicted and not self.density:
            return {"predicted": "predicted"}
        return {"predicted": self.predicted, "density": self.density}

    def names(self, answers: Mapping[str, str]) -> dict[str, str | None]:
        """Return the columns of one system, by what they hold."""
        names = {"predicted": answers.get("predicted"), "density": answers.get("density")}
        truth = self.truth if "predicted" in answers else None
        return {"truth": truth, **names, "item": self.item, "weight": self.weight}


@dataclass(frozen=True)
class Predictions:
    """What one system predicted, beside the true numbers."""

    table: Values
    slices: Mapping[str, pl.Series] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    columns: Mapping[str, str | None] = field(default_factory=dict)
    """The columns that were read, by what they hold."""

    @cached_property
    def pairs(self) -> ValuePairs:
        """The true and predicted numbers of all items."""
        return build_value_pairs(self.table, as_given=True)

    def views(self, slice_name: str = ALL) -> Views:
        """Return how to build each view that the columns allow."""
        made: dict[type, Callable[[], Any]] = {}
        frame = self.table.frame
        part = self
        if slice_name != ALL:
            part = Predictions(select_rows(self.table, self.slices[slice_name]))
        if "predicted" in frame.columns:
            made[ValuePairs] = lambda: part.pairs
            made[ValueMoments] = lambda: part.pairs.moments
        if "density" in frame.columns:
            made[Densities] = lambda: build_densities(part.table)
        return made

    def items(self) -> Views:
        """Return how to find the items behind each view."""
        return predicted_items(self.table)


@dataclass(frozen=True)
class RegressionEvidence(TableEvidence[Predictions]):
    """True numbers, and what one or more systems predicted."""

    task = "regression"
    needs = NEEDS
    table_name = "values"

    @classmethod
    def read(cls, data: Any, columns: RegressionColumns | None = None) -> RegressionEvidence:
        """Read the columns of one table, a sequence of tables, or a dict of name to table."""
        used = columns or RegressionColumns()
        read = partial(read_table, columns=used.needed)
        systems = read_systems(data, used.system_columns, "the values", used.name, read)
        return cls.read_each(
            systems,
            lambda each: _read_values(each, used),
            split=used.describe_split() if used.split else {},
            **{name: getattr(used, name) for name in ("item", "profile", "missing")},
        )


@shows_progress
def regression(
    data: Any,
    y_pred: Any = None,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: Columns = None,
    density: Columns = None,
    item: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    by: Any = (),
    split: str | None = None,
    splits: Any = None,
    fold: str | int | None = None,
    missing: MissingPolicy = "error",
    profile: str = "assay",
    name: str = "predictor",
    decimal_comma: bool = False,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate predicted numbers, or the densities that a model gave to held-out numbers.

    ``data`` holds the true numbers, beside an array of predictions (``y_pred``) or a dict of these
    by the names of the systems. Or it is a path, a frame or a dict of columns, or several of these
    as a sequence or as a dict of name to table; then the other arguments name its columns, and the
    second one may list the measures. Several ``predicted`` columns are
    several systems. ``by`` names columns whose values define slices. ``item`` identifies the items,
    by which systems are paired; by default their row numbers do. ``split`` names the part of
    ``splits`` (a table of item and split) that is evaluated, in one ``fold`` if there are folds.
    ``weight`` (or ``sample_weight``) weighs items; ``decimal_comma`` reads numbers such as 0,25.
    """
    y_pred, measures = split_arguments(data, y_pred, measures)
    data = with_decimal_commas(data, decimal_comma)
    answers = predicted if y_pred is None else y_pred
    weights = sample_weight if weight is None else weight
    columns = RegressionColumns(
        *(truth, answers, density, item, weights, by, missing, profile, name),
        **{"split": split, "splits": splits, "fold": fold},
    )
    if is_spark_frame(data) and interval is None:
        from assay.tasks.regression.summed_values import sum_values

        if (summed := sum_values(data, columns, measures, NEEDS)) is not None:
            return summed.scores(measures, interval=None)
    table, named = read_arrays(data, columns)
    return RegressionEvidence.read(table, named).scores(measures, interval=interval)


def _read_values(given: SystemInput, columns: RegressionColumns) -> Predictions:
    """Read the values, the rows of each slice, and notes on the items that were left out."""
    if columns.missing == "wrong":
        raise UsageError(
            "`missing=wrong` is for classes: a number is never exactly right or wrong; use"
            " `missing=drop`"
        )
    names = columns.names(given.columns)
    needed = {
        "true number": [names["truth"]],
        "predicted number": [names["predicted"]],
        "density": [names["density"]],
    }
    table = columns.select_items(given.table, columns.item)
    rows = read_items(table, names, needed, columns.by, columns.missing)
    return Predictions(Values.of(rows.named, rows.source), rows.slices, rows.notes, names)


def finite_column(data: Any, column: str) -> Floats:
    """Return the finite numbers of one column."""
    frame, source = to_frame(data, "the values")
    return finite_numbers(
        Values.of(named_columns(frame, source, {"truth": column}), source), "truth"
    )
