"""Tables of scores with a column for each measure or each system, made long.

Long is a row for each value: system, unit, measure, value.
"""

from __future__ import annotations

import re
from contextlib import suppress

import polars as pl

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import AssayError
from assay.core.names import measure as measure_named

_SUMMARY_COLUMNS = {"aggregate", "undefined"}
"""Columns by which a summary is known: one value for all units."""
_FACT_COLUMNS = ("slice", "better", "repetition", "reason")
"""Columns that say something of a row."""


def is_summary(columns: list[str]) -> bool:
    """Whether a table has the means of systems, and not their values unit by unit."""
    return set(columns) >= _SUMMARY_COLUMNS


def value_columns(frame: pl.DataFrame, unit: str) -> list[str]:
    """The columns that hold values: those of numbers, and those called by a measure."""
    rest = [each for each in frame.columns if each not in (unit, "system", *_FACT_COLUMNS)]
    return [each for each in rest if _has_numbers(frame[each]) or matching_definitions(each)]


def unpivot_scores(
    frame: pl.DataFrame, unit: str, values: list[str], stem: str
) -> tuple[pl.DataFrame, list[str]]:
    """The table with a row for each of the values, and what to say of it."""
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
    """The system and the measure of each column, without those that hold no measure.

    Columns are measures where the systems stand in a column, or where all are called so; they are
    systems by a measure where those called such as AP_bm25 are all, or several systems with the
    same measures; and else systems alone.
    """
    if has_systems or all(map(matching_definitions, columns)):
        return {each: (stem, each) for each in columns}
    parted = {each: parts for each in columns if (parts := _split_name(each))}
    if len(parted) == len(columns) or _is_system_by_measure(list(parted.values())):
        return parted
    return {each: (each, "value") for each in columns}


def _is_system_by_measure(parted: list[tuple[str, str]]) -> bool:
    """Whether these are several systems, all by the same measures."""
    systems, measures = {system for system, _ in parted}, {name for _, name in parted}
    return len(systems) > 1 and len(set(parted)) == len(systems) * len(measures)


def _split_name(column: str) -> tuple[str, str] | None:
    """The system and the measure in a name such as AP_bm25 or bm25_AP.

    Of several ways the one with the longest measure: P_5_bm25 is P_5, and not P.
    """
    parts = column.split("_")
    halves = [("_".join(parts[:cut]), "_".join(parts[cut:])) for cut in range(1, len(parts))]
    ways = [(second, first) for first, second in halves] + halves
    known = [way for way in ways if all(way) and matching_definitions(way[1])]
    return max(known, key=lambda way: len(way[1]), default=None)


def _reading_notes(named: dict[str, tuple[str, str]], stem: str) -> list[str]:
    """How columns were read, where it is not plain."""
    systems = list(dict.fromkeys(system for system, _ in named.values()))
    measures = list(dict.fromkeys(measure for _, measure in named.values()))
    if systems == [stem]:
        return []
    by = "" if measures == ["value"] else f", by {', '.join(measures)}"
    return [f"the columns of {stem} are read as a system each: {', '.join(systems)}{by}"]


def _unknown_column_note(columns: list[str]) -> list[str]:
    """What is to be said of numbers beside measures: they may be meant as such, or not."""
    own = [each for each in columns if not matching_definitions(each)]
    if not own or len(own) == len(columns):
        return []
    return [
        f"no measure is called {' or '.join(own)}: taken for one, of which more is better; name the"
        " measures that you want with `measures`"
    ]


def _left_out_note(columns: list[str], what: str) -> list[str]:
    return [f"left out, for they hold no {what}: {', '.join(columns)}"] if columns else []


def matching_definitions(measure: str) -> list[Definition]:
    """What a name can mean: one measure, those of several tasks, or none."""
    try:
        return [measure_named(measure).definition]
    except AssayError:
        head = re.split(r"[@(:]", measure, maxsplit=1)[0].strip()
    alike = [each for each in catalogue().values() if head in (each.key, *_name_heads(each))]
    return alike or _definitions_by_task(measure)


def _definitions_by_task(measure: str) -> list[Definition]:
    """What a name such as P_5 means in each task that understands it."""
    found = []
    for task in dict.fromkeys(each.task for each in catalogue().values()):
        with suppress(AssayError):
            found.append(measure_named(measure, task).definition)
    return found


def _name_heads(definition: Definition) -> list[str]:
    return [definition.name, *(alias.partition("(")[0] for alias in definition.aliases)]
