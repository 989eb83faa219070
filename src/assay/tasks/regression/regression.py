"""Regression: true and predicted numbers to Scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.core.arrays import Floats
from assay.core.progress import report_progress, shows_progress
from assay.core.tables import Values
from assay.engine.scores import Scores
from assay.evidence.column_values import finite_numbers
from assay.formats.containers import to_frame
from assay.formats.decimal_commas import with_decimal_commas
from assay.formats.spark_frames import is_spark_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures
from assay.tasks.inputs.array_columns import read_arrays, split_arguments
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.inputs.table_columns import (
    named_columns,
)
from assay.tasks.regression.predictions import NEEDS, Predictions, RegressionColumns, read_values
from assay.tasks.table_evidence import (
    Columns,
    TableEvidence,
    read_systems,
    read_table,
)

if TYPE_CHECKING:
    from assay.tasks.inputs.data_in_parts import Engine


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
            lambda each: read_values(each, used),
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
    engine: Engine = "local",
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
    With ``engine="streaming"`` a file larger than memory is read in parts.
    """
    y_pred, measures = split_arguments(data, y_pred, measures)
    answers = predicted if y_pred is None else y_pred
    weights = sample_weight if weight is None else weight
    columns = RegressionColumns(
        *(truth, answers, density, item, weights, by, missing, profile, name),
        **{"split": split, "splits": splits, "fold": fold},
    )
    if engine != "local":
        from assay.tasks.inputs.data_in_parts import require_file
        from assay.tasks.regression.values_in_parts import sum_parts

        require_file(data, engine, decimal_comma, columns)
        parts = sum_parts(data, columns, progress=report_progress)
        return parts.scores(measures, interval=interval)
    data = with_decimal_commas(data, decimal_comma)
    if is_spark_frame(data) and interval is None:
        from assay.tasks.regression.summed_values import sum_values

        if (summed := sum_values(data, columns, measures, NEEDS)) is not None:
            return summed.scores(measures, interval=None)
    table, named = read_arrays(data, columns)
    return RegressionEvidence.read(table, named).scores(measures, interval=interval)


def finite_column(data: Any, column: str) -> Floats:
    """Return the finite numbers of one column."""
    frame, source = to_frame(data, "the values")
    return finite_numbers(
        Values.of(named_columns(frame, source, {"truth": column}), source), "truth"
    )
