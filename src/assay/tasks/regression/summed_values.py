"""True and predicted numbers in a Spark frame, whose moments are added up there.

Moments of very many items are exact sums on one machine, too, so that the bits are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from assay.core.errors import UsageError, missing_column
from assay.engine.spark.exact_sums import exact_sums
from assay.engine.spark.frames import functions, plain_failures
from assay.evidence.column_values import MOST_SORTED_AT_ONCE
from assay.evidence.moment_sums import COLUMNS, ColumnEnds, SummedMoments, plain_terms
from assay.evidence.views.value_pairs import LazyMoments, ValueMoments
from assay.formats.spark_frames import MOST_ROWS
from assay.tasks.counted_systems import CountedSystems, are_counts
from assay.tasks.evidence import Measures
from assay.tasks.table_evidence import columns_of_systems

_NUMBERS = ("double", "float", "bigint", "int", "smallint", "tinyint")
_SINGLE_ITEMS = ("density", "item", "weight", "by", "split", "splits", "fold")
_WHAT = "the values"


def sum_values(
    data: Any, columns: Any, measures: Measures, needs: Mapping[Any, str]
) -> CountedSystems | None:
    """Return the moments of each system; None where all items are needed, or few are there.

    The columns are those of ``RegressionColumns``.
    """
    unused = type(columns)()
    single = any(getattr(columns, name) != getattr(unused, name) for name in _SINGLE_ITEMS)
    adds = not single and measures is not None
    adds = adds and are_counts(measures, "regression", (ValueMoments,))
    answers = columns_of_systems(columns.system_columns)
    members, sizes = {}, set()
    for label, own in answers:
        predicted = own.get("predicted")
        if predicted is None:
            return None
        numbers = _number_columns(data, columns.truth, predicted) if adds else None
        moments = None if numbers is None else _moments(numbers)
        if moments is None:
            _refuse_many(data)
            return None
        sizes.add(int(moments.weight[0]))
        members[label if len(answers) > 1 else columns.name] = {ValueMoments: moments}
    settled = {"profile": columns.profile, "missing": columns.missing, "items": sizes.pop()}
    return CountedSystems("regression", needs, members, settled)


def _number_columns(data: Any, truth: str, predicted: str) -> Any:
    """Return the two columns as numbers; None if they are of another type."""
    types = dict(data.dtypes)
    for name in (truth, predicted):
        if name not in types:
            raise missing_column(_WHAT, name, data.columns)
        if types[name] not in _NUMBERS:
            return None
    f = functions()
    names = {"truth": truth, "predicted": predicted}
    quoted = {name: f"`{each.replace('`', '``')}`" for name, each in names.items()}
    return data.select(*(f.col(each).cast("double").alias(name) for name, each in quoted.items()))


def _moments(numbers: Any) -> ValueMoments | None:
    """Return the moments; None of few items, or of numbers whose sums might not be exact."""
    f = functions()
    kinds = {"min": f.min, "max": f.max}
    ends_of = [kinds[kind](name).alias(f"{kind} {name}") for name in COLUMNS for kind in kinds]
    whole = f.count(f.when(_is_finite("truth") & _is_finite("predicted"), 1))
    with plain_failures(_WHAT):
        found = numbers.agg(f.count("*").alias("rows"), whole.alias("whole"), *ends_of).first()
    rows = int(found["rows"])
    if rows <= MOST_SORTED_AT_ONCE or found["whole"] < rows:
        return None
    ends = {name: ColumnEnds(found[f"min {name}"], found[f"max {name}"]) for name in COLUMNS}
    if any(each.scale != 1 for each in ends.values()):
        return None
    sums = exact_sums(numbers, plain_terms, _WHAT)
    centered = partial(exact_sums, numbers, what=_WHAT)
    return LazyMoments.over(SummedMoments(rows, ends, sums, centered))


def _is_finite(name: str) -> Any:
    f = functions()
    return f.coalesce(f.abs(f.col(name)) < f.lit(float("inf")), f.lit(False))


def _refuse_many(data: Any) -> None:
    """Refuse more rows than one machine takes, and say which measures need none of them there."""
    with plain_failures(_WHAT):
        rows = data.limit(MOST_ROWS + 1).count()
    if rows > MOST_ROWS:
        raise UsageError(
            f"{_WHAT}: the Spark frame has more than {MOST_ROWS:,} rows. Of so many, measures of"
            " moments are computed (RMSE, R2, EV, Pearson, CCC), without intervals"
            " (`interval=None`), weights, items or slices; others need all rows on one machine"
        )
