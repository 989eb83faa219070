"""Methods given as counts: one 2 × 2 matrix in each row of a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.tables import Source, convert_column
from assay.evidence.views.confusion import Confusion
from assay.formats.containers import to_frame

LARGEST_COUNT = 2**53
"""Above it, whole numbers are no longer exact."""
OUTCOMES = ("tp", "fp", "fn", "tn")
SETS = ("retrieved", "relevant_retrieved", "relevant", "corpus")
"""The same in the words of retrieval: sizes of sets, and of the collection."""
LABELS = ("positive", "negative")


def check_counts(counts: Any, source: Source) -> Any:
    """Return the counts; refuse one that is negative, too large, or not a number."""
    bad = np.argwhere(~((counts >= 0) & (counts <= LARGEST_COUNT)))
    if len(bad):
        row, column = bad[0].tolist()
        raise DataError(
            f"{source.place(row)}: the count in column {column + 1} is {counts[row, column]:g};"
            f" a number from 0 to {LARGEST_COUNT:,} is expected"
        )
    return counts


def find_methods(data: Any) -> list[Any]:
    """Return the tables that have the counts of a method in each row; empty if some do not."""
    tables = data if isinstance(data, list) else [data]
    found = []
    for each in tables:
        if not isinstance(each, str | Path | pl.DataFrame | Mapping):
            return []
        frame, source = to_frame(each, "the methods")
        frame = usual_names(frame)
        if not _columns_of(frame):
            return []
        found.append((frame, source))
    return found


def usual_names(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with the names of counts as they are known, such as relevant_retrieved.

    They may be written ``Relevant Retrieved``, and ``model`` or ``system`` stands for ``method``.
    """
    known = {*OUTCOMES, *SETS, "method"}
    usual = {name: "_".join(name.casefold().replace("-", " ").split()) for name in frame.columns}
    usual = {name: "method" if u in ("model", "system") else u for name, u in usual.items()}
    renamed = {name: u for name, u in usual.items() if u in known - {*frame.columns}}
    return frame.rename(renamed) if len({*renamed.values()}) == len(renamed) else frame


def _columns_of(frame: pl.DataFrame) -> tuple[str, ...]:
    """Return the columns of counts: four, or three where nobody counts the true negatives."""
    known = (OUTCOMES, SETS, OUTCOMES[:3], SETS[:3])
    return next((each for each in known if set(each) <= set(frame.columns)), ())


def read_methods(data: Any) -> dict[str, Confusion]:
    """Read a 2 × 2 matrix from each row of a table with the columns method, tp, fp, fn and tn.

    For sets of documents these may be retrieved, relevant_retrieved, relevant and corpus instead.
    Without tn or corpus the true negatives are NaN; without method a row has its number as name.
    """
    frame, source = data if isinstance(data, tuple) else to_frame(data, "the methods")
    frame = usual_names(frame)
    names = _columns_of(frame)
    if not names:
        missing = [name for name in OUTCOMES[:3] if name not in frame.columns]
        raise UsageError(
            f"{source.name}: there is no column {' and no '.join(missing)} among"
            f" {', '.join(frame.columns)}; a row for each method has the columns"
            f" method, {', '.join(OUTCOMES)}, with counts of true and false positives and"
            f" negatives, or method, {', '.join(SETS)}; tn and corpus may be left out"
        )
    if "method" not in frame.columns:
        frame = frame.with_row_index("method", 1)
    if len(empty := frame["method"].is_null().arg_true()):
        raise DataError(f"{source.place(int(empty[0]))}: the method has no name")
    if len(twice := frame["method"].is_duplicated().arg_true()):
        name = frame["method"][int(twice[1])]
        raise DataError(f"{source.place(int(twice[1]))}: the method '{name}' occurs twice")
    columns = [convert_column(frame, name, pl.Float64(), source) for name in names]
    counts = check_counts(np.stack([column.to_numpy() for column in columns], axis=1), source)
    if len(names) == 3:
        counts = np.column_stack((counts, np.full(len(counts), np.nan)))
    if names[0] == SETS[0]:
        counts = _outcomes_of_sets(counts, source)
    rows = zip(frame["method"].cast(pl.String).to_list(), *counts.T.tolist(), strict=True)
    return {
        name: Confusion.of(np.asarray([[tp, fn], [fp, tn]]), LABELS, LABELS[0])
        for name, tp, fp, fn, tn in rows
    }


def _outcomes_of_sets(sizes: Any, source: Source) -> Any:
    """Return tp, fp, fn and tn from the sizes of the sets."""
    retrieved, found, relevant, corpus = sizes.T
    counts = np.stack((found, retrieved - found, relevant - found, corpus), axis=1)
    counts[:, 3] -= counts[:, :3].sum(axis=1)
    if len(bad := np.argwhere(counts < 0)):
        row = int(bad[0][0])
        raise DataError(
            f"{source.place(row)}: {found[row]:g} documents are relevant and retrieved, of"
            f" {retrieved[row]:g} retrieved and {relevant[row]:g} relevant"
            + ("" if np.isnan(corpus[row]) else f" in a collection of {corpus[row]:g}")
            + "; no sets have these sizes"
        )
    return counts
