"""Scores from wherever they are: in memory, in saved files, in plain tables, or in several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import exact_mean
from assay.core.errors import AssayError, DataError, UnknownMeasure, UsageError, did_you_mean
from assay.core.names import measure as measure_named
from assay.engine.scores import ALL, Result, Scores
from assay.formats.containers import frame_of
from assay.statistics.pairing import NUMBERED_APART

UNIT_NAMES = ("unit", "query", "topic", "item", "fold", "qid", "query_id", "class")
"""Names of the column that names the units."""


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
    results: list[Result] = []
    for part in parts:
        names = _fresh(part.systems, {each.system for each in results})
        results += [replace(each, system=names[each.system]) for each in part.results]
    warnings = dict.fromkeys(warning for part in parts for warning in part.warnings)
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
    return Scores(parts[0].task, tuple(results), conventions, tuple(warnings))


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
    frame = frame.with_columns(text).with_columns(pl.col("value").cast(pl.Float64, strict=False))
    parts = frame.partition_by(keys, as_dict=True, maintain_order=True)
    results = [
        _result(str(system), str(measure), unit, rows, source.name)
        for (system, measure), rows in parts.items()
    ]
    return Scores("table", tuple(results), {"inputs": {"scores": source.name}})


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
        better=_direction(measure),
    )


def _direction(measure: str) -> str:
    """Of a measure that the catalogue knows; higher is better for any other."""
    try:
        return measure_named(measure).definition.better
    except AssayError:
        return "higher"


def chosen_measures(scores: Scores, asked: Any) -> tuple[str, ...]:
    """The names of the measures asked for, as the scores have them; all if none are asked for."""
    if asked is None:
        return scores.measures
    from assay.core.names import split

    listed = [asked] if isinstance(asked, str) else list(asked)
    names = [name for each in listed for name in split(str(each))]
    return tuple(dict.fromkeys(_known(scores, name) for name in names))


def _known(scores: Scores, name: str) -> str:
    if name in scores.measures:
        return name
    try:
        canonical = measure_named(name, scores.task if scores.task != "table" else None).name
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
    return dict(zip(frame[unit].cast(pl.String).to_list(), frame[column].to_list(), strict=True))
