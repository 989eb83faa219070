"""Scores from wherever they are: in memory, in saved files, in plain tables, or in several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import exact_mean
from assay.core.catalogue import Definition, catalogue
from assay.core.errors import AssayError, DataError, UnknownMeasure, UsageError, did_you_mean
from assay.core.names import measure as measure_named
from assay.core.tables import Source
from assay.engine.scores import ALL, Result, Scores
from assay.formats.containers import frame_of
from assay.statistics.pairing import NUMBERED_APART

UNIT_NAMES = ("unit", "query", "topic", "item", "fold", "qid", "query_id", "class")
"""Names of the column that names the units."""
TABLE = "table"
"""The task of scores in a plain table, which does not say what it was."""
OF_THE_INPUT = (
    "inputs",
    "counts",
    "items",
    "item",
    "slices",
    "labels",
    "interval",
    "front",
    "sampling",
    NUMBERED_APART,
)
"""Conventions that tell what was measured, rather than how."""


def scores_of(given: Any) -> Scores:
    """Scores, a file of them, a table of system, unit, measure and value; or a sequence of such."""
    if isinstance(given, Scores):
        return given
    if isinstance(given, Sequence) and not isinstance(given, str):
        return merged([scores_of(each) for each in given])
    if isinstance(given, str | Path) and Path(given).suffix.casefold() == ".parquet":
        return Scores.load(given)
    return _from_table(given)


def merged(parts: Sequence[Scores]) -> Scores:
    """The scores of all parts; a system that occurs in two of them is told apart by a number."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        raise UsageError("there are no scores; name a file that --save wrote")
    tasks = list(dict.fromkeys(part.task for part in parts if part.task != TABLE)) or [TABLE]
    if len(tasks) > 1:
        raise UsageError(
            f"scores of different tasks, {' and '.join(tasks)}, are not compared with each other;"
            " give files of one task"
        )
    results: list[Result] = []
    for part in parts:
        names = _fresh(part.systems, {each.system for each in results})
        results += [replace(each, system=names[each.system]) for each in part.results]
    warnings = [warning for part in parts for warning in part.warnings] + _differing(parts)
    conventions = {
        key: value
        for key, value in parts[0].conventions.items()
        if all(part.conventions.get(key) == value for part in parts)
    }
    inputs: dict[str, Any] = {}
    for part in parts:
        inputs |= part.conventions.get("inputs") or {}
    conventions["inputs"] = inputs
    if _numbered_apart(parts):
        conventions[NUMBERED_APART] = True
    return Scores(tasks[0], tuple(results), conventions, tuple(dict.fromkeys(warnings)))


def _differing(parts: Sequence[Scores]) -> list[str]:
    """A note on each convention under which the parts were not measured alike."""
    notes = []
    for key in dict.fromkeys(key for part in parts for key in part.conventions):
        found = [part.conventions[key] for part in parts if key in part.conventions]
        if key not in OF_THE_INPUT and any(each != found[0] for each in found):
            told = " and ".join(dict.fromkeys(str(each) for each in found))
            notes.append(f"the scores were measured under different conventions: {key} is {told}")
    return notes


def _numbered_apart(parts: Sequence[Scores]) -> bool:
    """Whether items are known by their numbers only, in inputs that are not the same."""
    unnamed = any(
        part.conventions.get(NUMBERED_APART)
        or ("item" in part.conventions and part.conventions["item"] is None)
        for part in parts
    )
    inputs = [part.conventions.get("inputs") for part in parts]
    return unnamed and any(each != inputs[0] for each in inputs)


def _fresh(systems: Iterable[str], taken: set[str]) -> dict[str, str]:
    names = {}
    for system in systems:
        name, number = system, 2
        while name in taken:
            name, number = f"{system} ({number})", number + 1
        names[system] = name
    return names


def _from_table(given: Any) -> Scores:
    """A plain table with a column for each of system, unit, measure (unless one) and value."""
    frame, source = frame_of(given, "the scores")
    unit = next((name for name in UNIT_NAMES if name in frame.columns), None)
    lacking = [name for name in ("system", "value") if name not in frame.columns]
    if unit is None or lacking:
        raise DataError(
            f"{source.name}: a table of scores has the columns system, unit, measure and value;"
            f" there are {', '.join(frame.columns)}"
        )
    if "measure" not in frame.columns:
        frame = frame.with_columns(measure=pl.lit("value"))
    keys = ["system", "measure"]
    text = [pl.col(name).cast(pl.String) for name in (*keys, unit)]
    frame = frame.with_columns(text).with_columns(value=_numbers(frame["value"], source))
    parts = frame.partition_by(keys, as_dict=True, maintain_order=True)
    results = [
        _result(str(system), str(measure), unit, rows, source.name)
        for (system, measure), rows in parts.items()
    ]
    return Scores(TABLE, tuple(results), {"inputs": {"scores": source.name}})


def _numbers(given: pl.Series, source: Source) -> pl.Series:
    """The values as numbers; an empty cell is no value, but a word is a mistake."""
    if given.dtype == pl.String:
        given = given.str.strip_chars().replace("", None)
    numbers = given.cast(pl.Float64, strict=False)
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
        better=_said_direction(rows, measure, source) or _direction(measure),
    )


def _said_direction(rows: pl.DataFrame, measure: str, source: str) -> str | None:
    """What the column ``better`` says of the measure, if there is one."""
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
    """Of a measure that the catalogue knows; higher is better for any other.

    A name that several tasks have is no doubt as long as they agree on the direction.
    """
    try:
        return measure_named(measure).definition.better
    except AssayError:
        head = re.split(r"[@(:]", measure, maxsplit=1)[0].strip()
    alike = [each for each in catalogue().values() if head in (each.key, *_heads(each))]
    if len({each.better for each in alike}) > 1:
        told = " or ".join(f"{each.key} ({each.better} is better)" for each in alike)
        raise UsageError(
            f"'{measure}' could be {told}: write one of them, or add a column 'better' that says"
            " higher or lower"
        )
    return alike[0].better if alike else "higher"


def _heads(definition: Definition) -> list[str]:
    return [definition.name, *(alias.partition("(")[0] for alias in definition.aliases)]


def chosen_measures(scores: Scores, asked: Any) -> tuple[str, ...]:
    """The names of the measures asked for, as the scores have them; all if none are asked for."""
    if asked is None:
        return scores.measures
    from assay.core.name_text import split

    listed = [asked] if isinstance(asked, str) else list(asked)
    names = [name for each in listed for name in split(str(each))]
    return tuple(dict.fromkeys(_known(scores, name) for name in names))


def _known(scores: Scores, name: str) -> str:
    if name in scores.measures:
        return name
    try:
        canonical = measure_named(name, scores.task if scores.task != TABLE else None).name
    except AssayError:
        canonical = name
    if canonical in scores.measures:
        return canonical
    raise UnknownMeasure(
        f"'{name}' was not measured; there are {', '.join(scores.measures)}."
        + did_you_mean(name, scores.measures)
    )


def named_system(scores: Scores, name: str, what: str = "baseline") -> str:
    """A system by its name, or by the file that it came from."""
    if name in scores.systems:
        return name
    for short in (Path(name).name, Path(name).stem):
        if short in scores.systems:
            return short
    for system, source in scores.conventions.get("sources", {}).items():
        if name in (source, Path(source).name, Path(source).stem):
            return str(system)
    raise UsageError(
        f"the {what} '{name}' is not among the systems: {_some(scores.systems)}."
        + did_you_mean(name, scores.systems)
    )


def _some(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def unit_facts(given: Any, column: str) -> Mapping[str, Any]:
    """What a table says of each unit in one column: its slice, weight or cluster."""
    frame, source = frame_of(given, "the units")
    unit = next((name for name in UNIT_NAMES if name in frame.columns), None)
    if unit is None:
        raise DataError(
            f"{source.name}: no column names the units ({', '.join(UNIT_NAMES)});"
            f" there are {', '.join(frame.columns)}"
        )
    if column not in frame.columns:
        raise UsageError(
            f"{source.name}: there is no column '{column}' among {', '.join(frame.columns)}."
            + did_you_mean(column, frame.columns)
        )
    names = frame[unit].cast(pl.String)
    if len(again := (~names.is_first_distinct()).arg_true()):
        row = int(again[0])
        first = int((names == names[row]).arg_true()[0])
        raise DataError(
            f"{source.place(row)}: the {unit} '{names[row]}' is listed twice, first at"
            f" {source.place(first)}; keep one row for each"
        )
    return dict(zip(frame[unit].cast(pl.String).to_list(), frame[column].to_list(), strict=True))
