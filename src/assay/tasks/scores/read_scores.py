"""Scores from memory, saved files or plain tables, or several of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError, UsageError, did_you_mean, missing_column
from assay.core.phrases import list_phrase
from assay.core.tables import Table
from assay.engine.measured_names import TABLE
from assay.engine.result import Result
from assay.engine.saved_scores import holds_scores
from assay.engine.scores import NUMBERED_ITEMS_ERROR, PER_UNIT_COLUMNS, Scores
from assay.formats.containers import to_frame
from assay.formats.decimal_commas import read_decimal_commas
from assay.formats.records import index_as_columns
from assay.formats.system_names import file_stem, number_duplicates, unique_names
from assay.tasks.scores.cross_validation import (
    as_cross_validation,
    cross_validation_scores,
    refuse_other_splits,
)
from assay.tasks.scores.renamed_scores import SYSTEM_KEYS, rename_systems
from assay.tasks.scores.score_tables import UNIT_NAMES, find_unit_column, scores_from_table
from assay.tasks.scores.system_tables import stack_systems

INPUT_KEYS = (
    "inputs",
    "sources",
    "counts",
    "items",
    "item",
    "slices",
    "labels",
    "interval",
    "front",
    "sampling",
    NUMBERED_ITEMS_ERROR,
)
"""Conventions on what was measured, rather than how."""


@dataclass(frozen=True)
class ScoreColumns:
    """The columns of systems and units in a plain table, and how its numbers are written."""

    system: str | None = None
    unit: str | None = None
    decimal_comma: bool = False


def read_score_table(
    given: Any,
    *,
    system_column: str | None = None,
    unit_column: str | None = None,
    decimal_comma: bool = False,
) -> Scores:
    """Return the scores of a plain table: a row for each value, or a column for each measure.

    ``system_column`` and ``unit_column`` name the columns of the systems and of what they were
    measured on, where these are not called system and query, item, fold or unit. Without systems
    each column of numbers is a system.

    >>> import assay
    >>> table = {"model": ["a", "a", "b", "b"], "data": ["x", "y"] * 2, "ACC": [0.5, 0.7, 0.6, 0.9]}
    >>> assay.read_score_table(table, system_column="model", unit_column="data")["ACC"]
    {'a': 0.6, 'b': 0.75}
    """
    return read_scores(given, ScoreColumns(system_column, unit_column, decimal_comma))


def read_scores(given: Any, columns: ScoreColumns | None = None) -> Scores:
    """Return scores from Scores, a file, a table of values, or a sequence of these."""
    if isinstance(given, Scores):
        return given
    given = stack_systems(given)
    if columns is not None and isinstance(given, Sequence) and not isinstance(given, str):
        return merge_scores([read_scores(each, columns) for each in given])
    if columns is not None and columns != ScoreColumns():
        return scores_from_table(_named_table(given, columns))
    if isinstance(given, Mapping) and given and all(isinstance(e, Scores) for e in given.values()):
        return merge_scores([rename_systems(each, str(name)) for name, each in given.items()])
    if (folds := as_cross_validation(given)) is not None:
        return cross_validation_scores(folds)
    if isinstance(given, Sequence) and not isinstance(given, str):
        refuse_other_splits(given)
        return merge_scores([read_scores(each) for each in given])
    if isinstance(given, str | Path) and Path(given).suffix.casefold() == ".parquet":
        return _from_plain_parquet(given) if _is_plain_table(given) else Scores.load(given)
    return scores_from_table(given)


def _named_table(given: Any, columns: ScoreColumns) -> Table:
    """Return a table whose columns of systems and units have the names that are expected."""
    read = read_decimal_commas if columns.decimal_comma else _read_table
    table = read(given, "the scores")
    frame = table.frame
    for name, wanted in ((columns.system, "system"), (columns.unit, "unit")):
        if name is None:
            continue
        if name not in frame.columns:
            raise missing_column(table.source.name, name, frame.columns)
        others = UNIT_NAMES if wanted == "unit" else (wanted,)
        frame = frame.drop([each for each in others if each in frame.columns and each != name])
        known = wanted == "unit" and name.casefold() in UNIT_NAMES  # folds are no other units
        frame = frame.rename({name: name.casefold() if known else wanted})
    return Table(frame, table.source)


def _read_table(given: Any, what: str) -> Table:
    return Table(*to_frame(index_as_columns(given), what))


def _from_plain_parquet(path: str | Path) -> Scores:
    """Return the scores of a plain table, with a note if it was once a file of saved scores."""
    scores = scores_from_table(path)
    if {*to_frame(path, "the scores")[0].columns} != {*PER_UNIT_COLUMNS}:
        return scores
    note = (
        f"{path} has the columns of saved scores but not their metadata: it is read as a plain"
        " table, so that its task and conventions are unknown and missing rows cannot be noticed;"
        " save the scores again with --save"
    )
    return replace(scores, warnings=(*scores.warnings, note))


def _is_plain_table(path: str | Path) -> bool:
    """Return whether a Parquet file is a table of another program, with the units in a column."""
    if holds_scores(path):
        return False
    try:
        return bool({*UNIT_NAMES} & {*to_frame(path, "the scores")[0].columns})
    except FormatError:
        return False


def merge_scores(parts: Sequence[Scores]) -> Scores:
    """Return the scores of all parts; a system that occurs in two of them is named by its file."""
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
    evidence: dict[str, Any] = {}
    formulas: dict[str, Any] = {}
    by_system: dict[str, dict[str, Any]] = {}
    for part, names in zip(parts, _names(parts), strict=True):
        results += [replace(each, system=names[each.system]) for each in part.results]
        formulas |= part.formulas
        evidence |= {names[system]: items for system, items in part.evidence.items()}
        for key in SYSTEM_KEYS:
            own = part.conventions.get(key) or {}
            told = {names[system]: fact for system, fact in own.items() if system in names}
            by_system[key] = by_system.get(key, {}) | told
    warnings = [warning for part in parts for warning in part.warnings]
    conventions = {
        key: value
        for key, value in parts[0].conventions.items()
        if all(part.conventions.get(key) == value for part in parts)
    }
    given = [each for part in parts for each in (part.conventions.get("inputs") or {}).items()]
    distinct = [each for at, each in enumerate(given) if each not in given[:at]]
    numbered = number_duplicates([name for name, _ in distinct])
    inputs = {name: digest for name, (_, digest) in zip(numbered, distinct, strict=True)}
    conventions |= {"inputs": inputs} | {key: facts for key, facts in by_system.items() if facts}
    if _has_unnamed_items(parts):
        conventions[NUMBERED_ITEMS_ERROR] = True
    said = tuple(dict.fromkeys([*warnings, *_differing_conventions_notes(parts)]))
    return Scores(tasks[0], tuple(results), conventions, said, evidence, formulas=formulas)


def _differing_conventions_notes(parts: Sequence[Scores]) -> list[str]:
    """Return a note on each convention that differs between the parts."""
    notes = []
    for key in dict.fromkeys(key for part in parts for key in part.conventions):
        found = [part.conventions[key] for part in parts if key in part.conventions]
        if key not in INPUT_KEYS and any(each != found[0] for each in found):
            told = " and ".join(dict.fromkeys(str(each) for each in found))
            notes.append(f"the scores were measured under different conventions: {key} is {told}")
    return notes


def _has_unnamed_items(parts: Sequence[Scores]) -> bool:
    """Return whether items have only row numbers, in inputs that differ."""
    unnamed = any(
        part.conventions.get(NUMBERED_ITEMS_ERROR)
        or ("item" in part.conventions and part.conventions["item"] is None)
        for part in parts
    )
    inputs = [part.conventions.get("inputs") for part in parts]
    return unnamed and any(each != inputs[0] for each in inputs)


def _names(parts: Sequence[Scores]) -> list[dict[str, str]]:
    """Return the names of the systems of each part: their files where two have the same name.

    Those that still have the same name are numbered.
    """
    counts = Counter(system for part in parts for system in part.systems)
    files = {
        (at, system): str(file)
        for at, part in enumerate(parts)
        for system, file in (part.conventions.get("sources") or {}).items()
        if counts[system] > 1
    }
    short = dict(zip(files, unique_names(list(files.values())), strict=True))
    systems = [(at, system) for at, part in enumerate(parts) for system in part.systems]
    fresh = iter(number_duplicates([short.get(each, each[1]) for each in systems]))
    return [{system: next(fresh) for system in part.systems} for part in parts]


def find_system(scores: Scores, name: str | int, what: str = "baseline") -> str:
    """Return the name of a system, given its name, its place (from 0) or its file."""
    if isinstance(name, int) and str(name) not in scores.systems:
        name = dict(enumerate(scores.systems)).get(name, str(name))
    if (name := str(name)) in scores.systems:
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
    path, stem = Path(name), file_stem(name)
    if path.is_file():  # Then it is no other file of the same name.
        sources = {
            each: file
            for each, file in sources.items()
            if not Path(file).is_file() or path.samefile(file)
        }
    yield [each for each, file in sources.items() if Path(file).resolve() == path.resolve()]
    yield [each for each, file in sources.items() if Path(file).name == path.name]
    yield [each for each in (path.name, stem) if each in scores.systems][:1]
    yield [each for each, file in sources.items() if file_stem(file) == stem]


def read_unit_column(given: Any, column: str) -> Mapping[str, Any]:
    """Return one column of a table of units by unit: its slice, weight or cluster."""
    frame, source = to_frame(index_as_columns(given), "the units")
    unit = find_unit_column(frame)
    if unit is None:
        raise DataError(
            f"{source.name}: no column names the units ({', '.join(UNIT_NAMES)});"
            f" there are {', '.join(frame.columns)}"
        )
    if column not in frame.columns:
        raise missing_column(source.name, column, frame.columns)
    names = frame[unit].cast(pl.String)
    if len(empty := names.is_null().arg_true()):
        raise DataError(f"{source.place(int(empty[0]))}: there is no {unit}; each row needs one")
    if len(again := (~names.is_first_distinct()).arg_true()):
        row = int(again[0])
        first = int((names == names[row]).arg_true()[0])
        raise DataError(
            f"{source.place(row)}: the {unit} '{names[row]}' is listed twice, first at"
            f" {source.place(first)}; keep one row for each"
        )
    return dict(zip(frame[unit].cast(pl.String).to_list(), frame[column].to_list(), strict=True))
