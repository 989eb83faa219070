"""Columns with the probabilities of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.phrases import decimal_comma_hint
from assay.core.tables import Source
from assay.evidence.labels import label_order

Wide: TypeAlias = str | Sequence[str] | Mapping[str, str] | None
"""A pattern such as ``p_*``, the names of the columns, or a class to its column."""


def probability_columns(
    frame: pl.DataFrame, source: Source, given: Any, order: Sequence[str] = ()
) -> dict[str, str]:
    """Return the column of each class, classes in the declared order or the usual one.

    With a pattern, the class is the text in place of the star.
    """
    if isinstance(given, str):
        head, _, tail = given.partition("*")
        matched = [name for name in frame.columns if fnmatchcase(name, given)]
        found = {name[len(head) : len(name) - len(tail)]: name for name in matched}
    elif isinstance(given, Mapping):
        found = {str(label): str(column) for label, column in given.items()}
    else:
        found = {str(column): str(column) for column in given}
    if len(found) < 2:
        raise UsageError(
            f"{source.name}: '{given}' should name the probabilities of two classes or more"
            f" among {', '.join(frame.columns)}; write for example `probabilities=p_*`"
        )
    if order and (unlisted := [label for label in found if label not in order]):
        raise UsageError(
            f"{source.name}: there are probabilities of {', '.join(unlisted)}, which `labels` does"
            f" not list; it lists {', '.join(order)}"
        )
    return {label: found[label] for label in label_order(found, order) if label in found}


def probability_matrix(frame: pl.DataFrame, source: Source, columns: Mapping[str, str]) -> Floats:
    """Return the probabilities: items × class."""
    known = {*frame.columns}
    if stranger := next((name for name in columns.values() if name not in known), None):
        raise missing_column(source.name, stranger, frame.columns)
    picked = frame.select(list(columns.values()))
    for name, dtype in picked.schema.items():
        if not dtype.is_numeric():
            hint = decimal_comma_hint(next(iter(picked[name].drop_nulls()), ""))
            raise DataError(f"{source.name}: the probabilities in '{name}' are not numbers{hint}")
    return np.asarray(picked.cast(pl.Float64).to_numpy(), dtype=np.float64)
