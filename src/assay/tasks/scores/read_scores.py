"""Scores from memory, saved files or plain tables, or several of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import (
    AssayError,
    DataError,
    FormatError,
    UnknownMeasure,
    UsageError,
    did_you_mean,
)
from assay.core.names import measure as measure_named
from assay.core.phrases import list_phrase
from assay.engine.saved_scores import holds_scores
from assay.engine.scores import Scores
from assay.formats.containers import to_frame
from assay.formats.input_files import Input
from assay.tasks.scores.long_score_tables import TABLE, UNIT_NAMES, scores_from_table
from assay.tasks.scores.merge_scores import merge_scores


def read_scores(given: Any) -> Scores:
    """Return scores from Scores, a file, a table of values, or a sequence of these."""
    if isinstance(given, Scores):
        return given
    if isinstance(given, Sequence) and not isinstance(given, str):
        return merge_scores([read_scores(each) for each in given])
    if isinstance(given, str | Path) and Path(given).suffix.casefold() == ".parquet":
        return scores_from_table(given) if _is_plain_table(given) else Scores.load(given)
    return scores_from_table(given)


def _is_plain_table(path: str | Path) -> bool:
    """Return whether a Parquet file is a table of another program, with the units in a column."""
    if holds_scores(path):
        return False
    try:
        return bool({*UNIT_NAMES} & {*to_frame(path, "the scores")[0].columns})
    except FormatError:
        return False


def select_score_measures(scores: Scores, asked: Any) -> tuple[str, ...]:
    """Return the names of the requested measures as the scores have them; all by default."""
    if asked is None:
        return scores.measures
    from assay.core.name_search import split_names

    listed = [asked] if isinstance(asked, str) else list(asked)
    names = [name for each in listed for name in split_names(str(each))]
    return tuple(dict.fromkeys(_find_measure(scores, name) for name in names))


def _find_measure(scores: Scores, name: str) -> str:
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


def find_system(scores: Scores, name: str, what: str = "baseline") -> str:
    """Return the name of a system, given its name or its file."""
    if name in scores.systems:
        return name
    for found in _systems_by_file(scores, name):
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(
                f"the {what} '{name}' could be {' or '.join(found)}: several systems come from"
                " files of that name; give the name of one, or the whole path"
            )
    no_file = ", nor is there such a file" if Path(name).suffix and not Path(name).exists() else ""
    raise UsageError(
        f"the {what} '{name}' is not among the systems: {list_phrase(scores.systems)}{no_file}."
        + did_you_mean(name, scores.systems)
    )


def _systems_by_file(scores: Scores, name: str) -> Iterator[list[str]]:
    """Yield the systems that a path may mean: by the whole path, the file name, the stem."""
    sources: Mapping[str, str] = scores.conventions.get("sources") or {}
    path, stem = Path(name), Input(name).stem
    if path.is_file():  # Then it is no other file of the same name.
        sources = {
            each: file for each, file in sources.items() if not _unknown_system(path, Path(file))
        }
    yield [each for each, file in sources.items() if Path(file).resolve() == path.resolve()]
    yield [each for each, file in sources.items() if Path(file).name == path.name]
    yield [each for each in (path.name, stem) if each in scores.systems][:1]
    yield [each for each, file in sources.items() if Input(file).stem == stem]


def _unknown_system(one: Path, two: Path) -> bool:
    return two.is_file() and not one.samefile(two)


def read_unit_column(given: Any, column: str) -> Mapping[str, Any]:
    """Return one column of a table of units by unit: its slice, weight or cluster."""
    frame, source = to_frame(given, "the units")
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
