"""Slices of queries: by the columns of a table of queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.core.phrases import list_phrase
from assay.core.tables import Table
from assay.engine.result import natural_key
from assay.formats.arrays import is_frame
from assay.formats.containers import to_frame
from assay.formats.records import index_as_columns
from assay.tasks.inputs.table_columns import label_column, row_slices, slice_columns
from assay.tasks.scores.read_scores import read_unit_column
from assay.tasks.scores.score_tables import find_unit_column


def query_column(given: Any, tables: Sequence[Any]) -> Any:
    """Return what defines slices: a name is that of a column of the judgments or of a run."""
    if not isinstance(given, str) or Path(given).is_file():
        return given
    for each in tables:
        if is_frame(each) and given in getattr(each, "columns", ()):
            frame = to_frame(each, "the table")[0]
            unit = find_unit_column(frame)
            if unit is not None:
                return frame.select(unit, given).unique(maintain_order=True)
    raise UsageError(
        f"`by={given}`: there is no such file, and no such column in the judgments or runs; name"
        " the slice of each query by a dict, a Series or a table"
    )


def slice_queries_by(judgments: Table, by: Any, units: Any = None) -> dict[str, Any]:
    """Return slices as ``slice_queries`` does; ``by`` names columns where there is a table."""
    if units is None:
        return slice_queries(judgments, by)
    return slice_queries(judgments, units, [by] if isinstance(by, str) else list(by))


def slice_queries(judgments: Table, given: Any, by: Sequence[str] = ()) -> dict[str, Any]:
    """Return the judged queries of each slice (``groups``), and notes on the others.

    ``given`` is a dict of query to slice, a Series of pandas indexed by query, a dict of the name
    of a column to one of these, or a table of query and other columns, of which ``by`` names those
    that define slices, each alone and all by default; "a,b" crosses two, as does [["a", "b"]].
    """
    judged = judgments.frame["query"].unique().sort().cast(pl.String)
    notes: list[str] = []
    called = str(getattr(given, "name", None) or "slice")
    if not is_frame(given) and hasattr(given, "index") and hasattr(given, "to_dict"):
        given = given.to_dict()  # a Series of pandas, whose index has the queries
    given = index_as_columns(given)
    if isinstance(given, Mapping) and given and all(map(_is_by_query, given.values())):
        columns = {
            str(key): {str(query): value for query, value in dict(each).items()}
            for key, each in given.items()
        }
        by, name = list(by) or list(columns), "by"
    elif isinstance(given, Mapping) and not any(_is_column(each) for each in given.values()):
        columns = {called: {str(query): value for query, value in given.items()}}
        by, name = [called], "by"
    else:
        frame, source = to_frame(given, "the queries")
        unit = find_unit_column(frame)
        others = [each for each in frame.columns if each not in (unit, "query")]
        if not by:
            by, notes = _shared_columns(frame, others, source.name)
        columns = {each: dict(read_unit_column(frame, each)) for each in slice_columns(by)}
        name = source.name
    known = {query for values in columns.values() for query in values}
    if not by or known.isdisjoint(judged.to_list()):
        raise UsageError(
            f"{name}: no judged query is in a slice: judged are"
            f" {list_phrase(sorted(judged, key=natural_key), 3)}, and slices are given of"
            f" {list_phrase(sorted(known, key=natural_key), 3)}; name the slice of each query (of a"
            " Series the index has the queries)"
        )
    table = pl.DataFrame(
        [label_column(name, map(values.get, judged)) for name, values in columns.items()]
    )
    rows = row_slices(table, judgments.source, by)
    groups = {part: frozenset(judged.filter(inside)) for part, inside in rows.items()}
    notes += _other_queries(name, known, set(judged))
    return {"groups": groups, "group_notes": tuple(notes)}


def _shared_columns(
    frame: pl.DataFrame, columns: list[str], name: str
) -> tuple[list[str], list[str]]:
    """Return the columns in which queries share a value (or else all), and a note on the others."""
    shared = [each for each in columns if frame[each].drop_nulls().is_duplicated().any()]
    texts = [each for each in columns if each not in shared] if shared else []
    note = f"{name}: no slices by {list_phrase(texts)}: each query has another value"
    return shared or columns, [note] * bool(texts)


def _other_queries(name: str, known: set[str], judged: set[str]) -> tuple[str, ...]:
    """Return notes on queries without judgments, and on judged ones without a row in the table."""
    found = {
        f"{name}: queries without judgments, which are left out": known - judged,
        f"{name}: judged queries that are in no slice": judged - known,
    }
    return tuple(
        f"{what}: {list_phrase(sorted(queries, key=natural_key))}"
        for what, queries in found.items()
        if queries
    )


def queries_of_slice(view: Any, inside: frozenset[str]) -> Any:
    """Return the view of the queries of a slice."""
    if not hasattr(view, "take"):
        raise UsageError("measures over several assessors have no slices of queries")
    return view.take(np.flatnonzero([query in inside for query in view.units]))


def _is_by_query(value: Any) -> bool:
    """Return whether a value has the slice of each query: a dict, or a Series of pandas."""
    return isinstance(value, Mapping) or (hasattr(value, "to_dict") and hasattr(value, "index"))


def _is_column(value: Any) -> bool:
    """Return whether a value of a dict is a column, not the slice of a query."""
    return hasattr(value, "__len__") and not isinstance(value, str)
