"""Scores from a plain table of system, unit, measure and value."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import polars as pl

from assay.core.arrays import exact_mean
from assay.core.errors import DataError, UsageError
from assay.core.tables import Source, cast_column
from assay.engine.scores import ALL, TABLE, Result, Scores
from assay.formats.containers import to_frame
from assay.formats.system_names import file_stem
from assay.tasks.scores.wide_score_tables import (
    is_summary,
    matching_definitions,
    unpivot_scores,
    value_columns,
)

UNIT_NAMES = ("unit", "query", "topic", "item", "fold", "qid", "query_id", "class")
"""Names of the column that names the units."""
REPETITION = "repetition"
"""The column beside ``fold`` where an evaluation was repeated."""


def scores_from_table(given: Any) -> Scores:
    """Return the scores of a plain table with the columns system, unit, measure and value.

    A table of one measure needs no column for it; tables with a column for each measure, or for
    each system, are read too.
    """
    frame, source = to_frame(given, "the scores")
    unit = _unit_column(frame, source)
    if unit == "fold" and REPETITION in frame.columns:
        both = pl.format("{}/{}", pl.col(REPETITION), pl.col(unit))
        frame = frame.with_columns(both.alias(unit))
    frame, said = _to_long_table(frame, unit, source)
    if "slice" in frame.columns and (whole := frame["slice"].cast(pl.String) == ALL).any():
        frame = frame.filter(whole)
    if "measure" not in frame.columns:
        frame = frame.with_columns(measure=pl.lit("value"))
    keys = ["system", "measure"]
    for name in (*keys, unit):
        cast_column(frame[name], pl.String(), source)  # refuses lists and the like
    frame = frame.with_columns(pl.col(name).cast(pl.String) for name in (*keys, unit))
    _refuse_gaps(frame.select(*keys, unit), source)
    parts = frame.partition_by(keys, as_dict=True, maintain_order=True)
    results = [
        _result(str(system), str(measure), unit, rows, source.name)
        for (system, measure), rows in parts.items()
    ]
    return Scores(TABLE, tuple(results), {"inputs": {"scores": source.name}}, tuple(said))


def _refuse_gaps(names: pl.DataFrame, source: Source) -> None:
    """Raise an error for no rows, and for rows without a system, measure or unit."""
    if names.is_empty():
        raise DataError(f"{source.name}: the table has no rows; a row for each value is expected")
    for column in names:
        if column.null_count():
            row = int(column.is_null().arg_true()[0])
            raise DataError(
                f"{source.place(row)}: the {column.name} is missing; fill it in or leave the row"
                " out"
            )


def _unit_column(frame: pl.DataFrame, source: Source) -> str:
    """Return the column that names the units."""
    if is_summary(frame.columns):
        raise DataError(
            f"{source.name}: these are the means of systems, but their values unit by unit are"
            " needed; write them with --per-query --format csv, or --save scores.parquet"
        )
    unit = next((name for name in UNIT_NAMES if name in frame.columns), None)
    return _table_error(frame, source) if unit is None else unit


def _to_long_table(
    frame: pl.DataFrame, unit: str, source: Source
) -> tuple[pl.DataFrame, list[str]]:
    """Return the table with a row for each value, and notes on how it was read."""
    if {"system", "value"} <= set(frame.columns):
        return frame.with_columns(_numbers(frame["value"], source)), []
    values = [] if {"measure", "value"} & set(frame.columns) else value_columns(frame, unit)
    if not values:
        _table_error(frame, source)
    frame = frame.with_columns(_numbers(frame[each], source) for each in values)
    return unpivot_scores(frame, unit, values, file_stem(source.name))


def _table_error(frame: pl.DataFrame, source: Source) -> NoReturn:
    raise DataError(
        f"{source.name}: a table of scores has the columns system, unit, measure and value (or fold"
        " and repetition for the unit; or a column for each measure, such as query, system, AP,"
        f" nDCG); there are {', '.join(frame.columns)}"
    )


def _numbers(given: pl.Series, source: Source) -> pl.Series:
    """Return the values as numbers; an empty cell is no value, but a word is an error."""
    if given.dtype == pl.String:
        given = given.str.strip_chars().replace("", None)
    numbers = cast_column(given, pl.Float64(), source)
    bad = (numbers.is_null() & given.is_not_null()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{source.place(row)}: the value '{given[row]}' is not a number; write it with a"
            " decimal point, or leave the cell empty where there is no value"
        )
    return numbers


def _result(system: str, measure: str, unit: str, rows: pl.DataFrame, source: str) -> Result:
    units = rows[unit].to_list()
    if twice := rows[unit].filter(rows[unit].is_duplicated()).to_list():
        raise DataError(
            f"{source}: {system} has two values of {measure} for the {unit} '{twice[0]}'"
        )
    values = rows["value"].fill_null(float("nan")).to_numpy()
    return Result(
        system=system,
        slice=ALL,
        measure=measure,
        units=tuple(units),
        values=values,
        reasons=tuple("no value" if gap else None for gap in np.isnan(values).tolist()),
        value=exact_mean(values[~np.isnan(values)].tolist()),
        aggregate="mean",
        unit_kind="query" if unit in ("topic", "qid", "query_id") else unit,
        better=_stated_direction(rows, measure, source) or _direction(measure),
    )


def _stated_direction(rows: pl.DataFrame, measure: str, source: str) -> str | None:
    """Return the direction of the measure in the column ``better``, if there is one."""
    if "better" not in rows.columns:
        return None
    said = rows["better"].cast(pl.String).unique().to_list()
    if len(said) != 1 or said[0] not in ("higher", "lower"):
        raise DataError(
            f"{source}: the column better says {', '.join(map(str, said))} of {measure};"
            " higher or lower is expected, the same in all its rows"
        )
    return str(said[0])


def _direction(measure: str) -> str:
    """Return the direction of a known measure; higher is better for any other.

    A name of measures of several tasks is not ambiguous if they agree on the direction.
    """
    alike = matching_definitions(measure)
    if len({each.better for each in alike}) > 1:
        told = " or ".join(f"{each.key} ({each.better} is better)" for each in alike)
        raise UsageError(
            f"'{measure}' could be {told}: write one of them, or add a column 'better' that says"
            " higher or lower"
        )
    return alike[0].better if alike else "higher"
