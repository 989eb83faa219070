"""The columns of true and predicted numbers, and what one system predicted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from assay.core.errors import UsageError
from assay.core.tables import Values
from assay.engine.result import ALL
from assay.evidence.column_values import select_rows
from assay.evidence.item_cells import predicted_items
from assay.evidence.views.densities import Densities, build_densities
from assay.evidence.views.value_pairs import (
    ValueMoments,
    ValuePairs,
    build_value_pairs,
)
from assay.tasks.evidence import Views
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.inputs.table_columns import (
    SplitChoice,
    needed_columns,
    read_items,
    slice_columns,
)
from assay.tasks.table_evidence import (
    Columns,
    SystemInput,
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
    view_notes: Mapping[Any, str] = field(default_factory=dict)
    """By view, what a user of its measures should know."""

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


def read_values(given: SystemInput, columns: RegressionColumns) -> Predictions:
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
