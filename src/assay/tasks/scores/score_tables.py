"""Scores from plain tables: a row for each value, or a column for each measure or system."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import polars as pl

from assay.core.ambiguous_names import matching_definitions
from assay.core.arrays import exact_mean
from assay.core.errors import DataError, UsageError
from assay.core.tables import Source, cast_column
from assay.engine.measured_names import TABLE
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.formats.containers import to_frame
from assay.formats.records import index_as_columns
from assay.formats.system_names import file_stem

_OTHERS = ("class", "dataset", "user", "user_id", "userId")
UNIT_NAMES = ("unit", "query", "topic", "item", "fold", "qid", "query_id", *_OTHERS)
"""Names of the column that names the units."""
QUERY_IDS = ("qid", "query_id")
"""Beside one of these a column ``query`` has the texts of the queries, as in PyTerrier."""
SYSTEM_NAMES = ("run", "name", "model", "method")
"""Names of a column of systems, where none is called ``system``."""
TABLE_COLUMNS = (*UNIT_NAMES, *SYSTEM_NAMES, "system", "measure", "value")
"""A dict with one of these keys is a table."""
REPETITION = "repetition"
"""The column beside ``fold`` where an evaluation was repeated."""


def scores_from_table(given: Any) -> Scores:
    """Return the scores of a plain table with the columns system, unit, measure and value.

    One measure needs no column; tables with a column for each measure or system are made long.
    """
    frame, source = to_frame(index_as_columns(given), "the scores")
    unit = _unit_column(frame, source)
    if unit == "fold" and REPETITION in frame.columns:
        both = pl.format("{}/{}", pl.col(REPETITION), pl.col(unit))
        frame = frame.with_columns(both.alias(unit))
    frame, said = _to_long_table(_name_systems(frame, unit), unit, source)
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
            said = f"the {column.name} is missing; fill it in or leave the row out"
            raise DataError(f"{source.place(row)}: {said}")


def _unit_column(frame: pl.DataFrame, source: Source) -> str:
    """Return the column that names the units."""
    if is_summary(frame.columns):
        raise DataError(
            f"{source.name}: these are the means of systems, but their values unit by unit are"
            " needed; write them with --per-query --format csv, or --save scores.parquet"
        )
    unit = find_unit_column(frame)
    return _table_error(frame, source) if unit is None else unit


def find_unit_column(frame: pl.DataFrame) -> str | None:
    """Return the column that names the units, if there is one: the id of a query, not its text."""
    known = [name for name in UNIT_NAMES if name in frame.columns]
    if known[:1] == ["query"] and (ids := [name for name in QUERY_IDS if name in known]):
        return ids[0]
    return known[0] if known else None


def _name_systems(frame: pl.DataFrame, unit: str) -> pl.DataFrame:
    """Return the table with its column of systems named ``system``; units repeat beside one."""
    if "system" in frame.columns or frame[unit].n_unique() == frame.height:
        return frame
    names = (each for each in SYSTEM_NAMES if each != unit and each in frame.columns)
    found = next((each for each in names if frame[each].dtype == pl.String), None)
    return frame if found is None else frame.rename({found: "system"})


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
    named = {*SYSTEM_NAMES, "system"} & {*frame.columns}
    if named and find_unit_column(frame) is None and frame.width > 1:
        said = "no column names the units; choose one with `unit_column`; if units have columns,"
        said += " transpose the table. Means are not tested; assay.correlation compares them"
        raise DataError(f"{source.name}: {said}")
    raise DataError(
        f"{source.name}: a table of scores has the columns system, unit, measure and value (or fold"
        " and repetition for the unit; or a column for each measure, such as query, system, AP);"
        f" there are {', '.join(frame.columns)}. Name those of the systems and units with"
        " `system_column` and `unit_column`" + _comma_hint(frame)
    )


def _comma_hint(frame: pl.DataFrame) -> str:
    """Return what to do about numbers with a decimal comma, where a column has such."""
    text = (frame[name] for name, dtype in frame.schema.items() if dtype == pl.String)
    found = next((each[0] for each in text if each.str.contains(r"^\s*-?\d+,\d+\s*$").any()), None)
    return "" if found is None else f"; numbers such as {found} need `decimal_comma`"


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
        better=_stated_direction(rows, measure, source) or direction(measure),
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


def direction(measure: str) -> str:
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


_SUMMARY_COLUMNS = {"aggregate", "undefined"}
"""Columns of a summary, with one value for all units."""
_FACT_COLUMNS = ("slice", "better", "repetition", "reason")
"""Columns with facts about a row."""


def is_summary(columns: list[str]) -> bool:
    """Return whether a table has the means of systems, and not values of units."""
    return set(columns) >= _SUMMARY_COLUMNS


def value_columns(frame: pl.DataFrame, unit: str) -> list[str]:
    """Return the columns of values: those with numbers, and those named after a measure."""
    rest = [each for each in frame.columns if each not in (unit, "system", *_FACT_COLUMNS)]
    return [each for each in rest if _has_numbers(frame[each]) or matching_definitions(each)]


def unpivot_scores(
    frame: pl.DataFrame, unit: str, values: list[str], stem: str
) -> tuple[pl.DataFrame, list[str]]:
    """Return the table with a row for each value, and notes on how it was read."""
    facts = [each for each in frame.columns if each in (unit, "system", *_FACT_COLUMNS)]
    has_systems = "system" in facts
    named = _parse_columns(values, has_systems, stem)
    long = frame.unpivot(list(named), index=facts, variable_name="column", value_name="value")
    what = {each: name for each, (_, name) in named.items()}
    long = long.with_columns(measure=pl.col("column").replace_strict(what))
    if not has_systems:
        who = {each: system for each, (system, _) in named.items()}
        long = long.with_columns(system=pl.col("column").replace_strict(who))
    words = [each for each in frame.columns if each not in (*facts, *values)]
    others = [each for each in values if each not in named]
    said = _unknown_column_note(values) if has_systems else _reading_notes(named, stem)
    return long.drop("column"), [
        *said,
        *_left_out_note(words, "numbers"),
        *_left_out_note(others, "measure"),
    ]


def _has_numbers(column: pl.Series) -> bool:
    return column.dtype.is_numeric() or column.null_count() == len(column)


def _parse_columns(columns: list[str], has_systems: bool, stem: str) -> dict[str, tuple[str, str]]:
    """Return the system and the measure of each column, without columns of no measure.

    Columns are measures if there is a column of systems, or if all have names of measures; they are
    systems by measure if all have names such as AP_bm25, or several systems have the same measures;
    otherwise each is a system.
    """
    if has_systems or all(map(matching_definitions, columns)):
        return {each: (stem, each) for each in columns}
    parted = {each: parts for each in columns if (parts := _split_name(each))}
    if len(parted) == len(columns) or _is_system_by_measure(list(parted.values())):
        return parted
    return {each: (each, "value") for each in columns}


def _is_system_by_measure(parted: list[tuple[str, str]]) -> bool:
    """Return whether these are several systems, all with the same measures."""
    systems, measures = {system for system, _ in parted}, {name for _, name in parted}
    return len(systems) > 1 and len(set(parted)) == len(systems) * len(measures)


def _split_name(column: str) -> tuple[str, str] | None:
    """Return the system and the measure in a name such as AP_bm25 or bm25_AP.

    The longest measure is taken: P_5_bm25 is P_5, and not P.
    """
    parts = column.split("_")
    halves = [("_".join(parts[:cut]), "_".join(parts[cut:])) for cut in range(1, len(parts))]
    ways = [(second, first) for first, second in halves] + halves
    known = [way for way in ways if all(way) and matching_definitions(way[1])]
    return max(known, key=lambda way: len(way[1]), default=None)


def _reading_notes(named: dict[str, tuple[str, str]], stem: str) -> list[str]:
    """Return a note on how columns were read, where it is not obvious."""
    systems = list(dict.fromkeys(system for system, _ in named.values()))
    measures = list(dict.fromkeys(measure for _, measure in named.values()))
    if systems == [stem]:
        return []
    by = "" if measures == ["value"] else f", by {', '.join(measures)}"
    return [f"the columns of {stem} are read as a system each: {', '.join(systems)}{by}"]


def _unknown_column_note(columns: list[str]) -> list[str]:
    """Return a note on columns of numbers whose names are not measures."""
    own = [each for each in columns if not matching_definitions(each)]
    if not own or len(own) == len(columns):
        return []
    return [
        f"no measure is called {' or '.join(own)}: taken for one, of which more is better; name the"
        " measures that you want with `measures`"
    ]


def _left_out_note(columns: list[str], what: str) -> list[str]:
    return [f"left out, for they hold no {what}: {', '.join(columns)}"] if columns else []
