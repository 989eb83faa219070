"""Scores from wherever they are: in memory, in saved files, in plain tables, or in several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import AssayError, DataError, UnknownMeasure, UsageError, did_you_mean
from assay.core.names import measure as measure_named
from assay.engine.scores import Scores
from assay.formats.containers import frame_of
from assay.tasks.merged_scores import merged
from assay.tasks.scores_in_tables import TABLE, UNIT_NAMES, scores_in_table


def scores_of(given: Any) -> Scores:
    """Scores, a file of them, a table of system, unit, measure and value; or a sequence of such."""
    if isinstance(given, Scores):
        return given
    if isinstance(given, Sequence) and not isinstance(given, str):
        return merged([scores_of(each) for each in given])
    if isinstance(given, str | Path) and Path(given).suffix.casefold() == ".parquet":
        return Scores.load(given)
    return scores_in_table(given)


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
    no_file = ", nor is there such a file" if Path(name).suffix and not Path(name).exists() else ""
    raise UsageError(
        f"the {what} '{name}' is not among the systems: {_some(scores.systems)}{no_file}."
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
