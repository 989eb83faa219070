"""Tables of scores with a column for each measure or each system, made long.

Long is a row for each value: system, unit, measure, value.
"""

from __future__ import annotations

import re

import polars as pl

from assay.core.catalogue import Definition, catalogue
from assay.core.errors import AssayError
from assay.core.names import measure as measure_named

_SUMMARY = {"aggregate", "undefined"}
"""Columns by which a summary is known: one value for all units."""
_FACTS = ("slice", "better", "repetition", "reason")
"""Columns that say something of a row."""


def is_summary(columns: list[str]) -> bool:
    """Whether a table has the means of systems, and not their values unit by unit."""
    return set(columns) >= _SUMMARY


def columns_of_values(frame: pl.DataFrame, unit: str) -> list[str]:
    """The columns that hold values: those of numbers, and those called by a measure."""
    rest = [each for each in frame.columns if each not in (unit, "system", *_FACTS)]
    return [each for each in rest if _has_numbers(frame[each]) or definitions_of(each)]


def made_long(
    frame: pl.DataFrame, unit: str, values: list[str], stem: str
) -> tuple[pl.DataFrame, list[str]]:
    """The table with a row for each of the values, and what to say of it."""
    facts = [each for each in frame.columns if each in (unit, "system", *_FACTS)]
    long = frame.unpivot(values, index=facts, variable_name="column", value_name="value")
    named = {each: _named(each, values, "system" in facts, stem) for each in values}
    what = {each: name for each, (_, name) in named.items()}
    long = long.with_columns(measure=pl.col("column").replace_strict(what))
    if "system" not in facts:
        who = {each: system for each, (system, _) in named.items()}
        long = long.with_columns(system=pl.col("column").replace_strict(who))
    left = [each for each in frame.columns if each not in (*facts, *values)]
    return long.drop("column"), _told(named, "system" in facts, stem) + _left_out(left)


def _has_numbers(column: pl.Series) -> bool:
    return column.dtype.is_numeric() or column.null_count() == len(column)


def _named(column: str, columns: list[str], has_systems: bool, stem: str) -> tuple[str, str]:
    """The system and the measure of a column.

    Columns are measures where the systems stand in a column, or where all are called so; they are
    systems by a measure where all are called such as AP_bm25, and else systems alone.
    """
    if has_systems or all(map(definitions_of, columns)):
        return stem, column
    if all(map(_parted, columns)):
        return _parted(column) or (column, "value")
    return column, "value"


def _parted(column: str) -> tuple[str, str] | None:
    """The system and the measure in a name such as AP_bm25 or bm25_AP."""
    for first, _, second in (column.partition("_"), column.rpartition("_")):
        if first and second and definitions_of(first):
            return second, first
        if first and second and definitions_of(second):
            return first, second
    return None


def _told(named: dict[str, tuple[str, str]], has_systems: bool, stem: str) -> list[str]:
    """How columns were read, where it is not plain."""
    if has_systems or {system for system, _ in named.values()} == {stem}:
        return []
    systems = ", ".join(dict.fromkeys(system for system, _ in named.values()))
    return [f"the columns of {stem} are read as a system each: {systems}"]


def _left_out(columns: list[str]) -> list[str]:
    return [f"left out, for they hold no numbers: {', '.join(columns)}"] if columns else []


def definitions_of(measure: str) -> list[Definition]:
    """What a name can mean: one measure, those of several tasks, or none."""
    try:
        return [measure_named(measure).definition]
    except AssayError:
        head = re.split(r"[@(:]", measure, maxsplit=1)[0].strip()
    return [each for each in catalogue().values() if head in (each.key, *_heads(each))]


def _heads(definition: Definition) -> list[str]:
    return [definition.name, *(alias.partition("(")[0] for alias in definition.aliases)]
