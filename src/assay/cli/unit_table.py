"""A table of units: the slices, weights and clusters of what is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.cli.options import column_option, count_option, file_option
from assay.cli.parameters import RenamedOption
from assay.core.errors import DataError, UsageError

unit_options = [
    file_option("--units", help="Table of the units, with the columns of the options below."),
    column_option(
        "--by",
        "slice_by",
        cls=RenamedOption,
        before="--slice-by",
        help="Column of --units, or of the items of a task: each slice, too; a,b crosses two.",
    ),
    count_option("--min-size", default=1, help="Leave out slices with fewer units."),
    column_option("--weight-by", help="How much each unit counts."),
]


@dataclass(frozen=True)
class UnitTable:
    """A table of the units, and which of its columns to use for what."""

    units: str | None
    slice_by: str | None
    weight_by: str | None
    cluster_by: str | None

    @classmethod
    def from_options(cls, given: dict[str, Any]) -> UnitTable:
        """Take the options of the table out of those of a command."""
        return cls(**{name: given.pop(name, None) for name in cls.__dataclass_fields__})

    def clusters(self) -> dict[str, str] | None:
        """Return the cluster of each unit, as text."""
        values = self._column(self.cluster_by)
        return None if values is None else {unit: str(values[unit]) for unit in values}

    def slices(self) -> dict[str, str] | None:
        """Return the slice of each unit, named after the column."""
        from assay.tasks.scores.unit_slices import unit_slices

        if self.slice_by is None:
            return None
        return unit_slices(self.slice_by, self._table(self.slice_by))

    def weights(self) -> dict[str, float] | None:
        """Return how much each unit counts."""
        from assay.evidence.column_values import LARGEST_WEIGHT

        values = self._column(self.weight_by)
        if values is None:
            return None
        column = f"{self.units}: the column '{self.weight_by}'"
        try:
            weights = {unit: float(values[unit]) for unit in values}
        except (TypeError, ValueError):
            raise DataError(f"{column} must hold numbers only") from None
        if (most := max(weights.values(), default=0)) > LARGEST_WEIGHT:
            raise DataError(f"{column} has {most:g}; at most {LARGEST_WEIGHT:g} can be added up")
        return weights

    def _column(self, column: str | None) -> Mapping[str, Any] | None:
        from assay.tasks.scores.read_scores import read_unit_column

        if column is None:
            return None
        return read_unit_column(self._table(column), column)

    def _table(self, column: str) -> str:
        """Return the file of the table; an error names the column that needs it."""
        if self.units is None:
            raise UsageError(f"name the file of the column '{column}' with --units FILE")
        return self.units
