"""The slice of each unit of scores, as a dict, a Series, a table, or a column of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import UsageError
from assay.core.phrases import list_phrase
from assay.core.tables import Source
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.formats.arrays import is_frame, none_if_missing
from assay.formats.containers import to_frame
from assay.formats.records import index_as_columns
from assay.statistics.slice_gaps import slice_column
from assay.tasks.inputs.table_columns import label_column, row_slices, slice_columns
from assay.tasks.scores.read_scores import read_unit_column
from assay.tasks.scores.score_tables import find_unit_column


def with_slices(scores: Scores, by: Any, units: Any = None) -> tuple[Scores, dict[str, str] | None]:
    """Return scores with the slice of each unit; none where the scores have slices by ``by``."""
    own = [each for each in scores.slices if each.startswith(f"{by}=")]
    if isinstance(by, str) and "," in by:
        crossed = ", ".join(slice_columns(by))
        own = [each for each in scores.slices if slice_column(each) == crossed]
    if units is not None or not isinstance(by, str) or not own:
        return scores, None if by is None else unit_slices(by, units)
    kept = [each for each in scores.results if each.slice in (ALL, *own)]
    return replace(scores, results=tuple(kept)), None


def unit_slices(by: Any, units: Any = None) -> dict[str, str]:
    """Return the slice of each unit by name; units without a value are in none.

    The column of a table names them, as in ``kind=tail``, and numbers of many different values are
    quarters, both as where slices are measured. ``by`` is a dict of unit to slice, a Series of
    pandas indexed by unit, a table of units with one further column, or the name of a column of
    the table ``units``; "a,b" crosses two of its columns.
    """
    name = ""
    if units is not None:
        return _column_slices(by, units)
    if not is_frame(by) and hasattr(by, "index") and hasattr(by, "to_dict"):
        name, labels = str(by.name or ""), by.to_dict()  # a Series of pandas
    elif isinstance(by, Mapping):
        name, labels = _only_labels(by)
    elif isinstance(by, str) and not Path(by).is_file():
        raise UsageError(
            f"`by={by}`: there is no such file, nor have the scores such slices; name the table of"
            " units with `units`"
        )
    else:
        name = _only_column(by)
        labels = read_unit_column(by, name)
    return name_slices(labels, name)


def _column_slices(by: Any, units: Any) -> dict[str, str]:
    """Return the slice of each unit by a column of a table, or by several that are crossed."""
    names = slice_columns(by)
    if not isinstance(by, str) and len(by) > 1:
        raise UsageError(
            f"`by` has {len(by)} columns: a unit is in one slice; name one, or cross them with"
            f" by='{','.join(names)}'"
        )
    columns = {name: read_unit_column(units, name) for name in names}
    if len(names) == 1:
        return name_slices(columns[names[0]], names[0])
    rows = zip(columns[names[0]], *(each.values() for each in columns.values()), strict=True)
    known = [row for row in rows if None not in map(none_if_missing, row)]
    every = list(zip(*known, strict=True)) or [()] * (1 + len(names))
    values = pl.DataFrame([*map(label_column, names, every[1:])])
    found = row_slices(values, Source("the units"), [",".join(names)])
    kept = pl.Series(every[0], dtype=pl.String)
    return {unit: part for part, inside in found.items() for unit in kept.filter(inside)}


def name_slices(labels: Mapping[Any, Any], name: str) -> dict[str, str]:
    """Return the slice of each unit, named after the column that has it, if there is one.

    Units are in the order of their slices.
    """
    plain = {str(unit): none_if_missing(label) for unit, label in labels.items()}
    known = {unit: label for unit, label in plain.items() if label is not None}
    if not name:
        return dict(
            sorted(((unit, str(label)) for unit, label in known.items()), key=itemgetter(1))
        )
    values = pl.DataFrame([label_column(name, known.values())])
    parts = row_slices(values, Source("the units"), [name])
    units = pl.Series([*known], dtype=pl.String)
    return {unit: part for part, inside in parts.items() for unit in units.filter(inside)}


def _only_labels(by: Mapping[Any, Any]) -> tuple[str, Mapping[Any, Any]]:
    """Return the slice of each unit, and the name of their column where it is around them."""
    inner = [each for each in by.values() if isinstance(each, Mapping) or hasattr(each, "to_dict")]
    if not inner:
        return "", by
    if len(by) > 1:
        raise UsageError(f"one column has the slices, not {list_phrase([*map(str, by)])}")
    return str(next(iter(by))), dict(inner[0])


def _only_column(table: Any) -> str:
    """Return the column of a table beside that of the units (and the texts of queries)."""
    frame, source = to_frame(index_as_columns(table), "the units")
    unit = find_unit_column(frame)
    others = [each for each in frame.columns if each not in (unit, "query")]
    if len(others) == 1:
        return others[0]
    raise UsageError(
        f"{source.name}: which column has the slices ({list_phrase(others)})? Give its name as `by`"
        " and the table as `units`"
    )
