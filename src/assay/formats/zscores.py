"""Reference values for z-scores: lines of query, measure, mean and standard deviation."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import polars as pl

from assay.core.errors import FormatError
from assay.formats.text.field_columns import read_columns

References: TypeAlias = dict[tuple[str, str], tuple[float, float]]
"""The mean and the standard deviation for a query and a measure."""

FIELDS = ("query", "measure", "mean", "deviation")


def read_zscores(path: str | Path) -> References:
    """The reference values of a file as trec_eval's ``-Z`` takes it; a deviation may be nan."""
    form = "a line is: query, measure, mean, standard deviation"
    columns, source = read_columns(path, FIELDS, form)
    numbers = columns.select(pl.col("mean", "deviation").cast(pl.Float64, strict=False))
    bad = numbers.select(pl.any_horizontal(pl.all().is_null())).to_series().arg_true()
    if len(bad):
        row = int(bad[0])
        raise FormatError(
            f"'{columns['mean'][row]}' and '{columns['deviation'][row]}' should be two numbers,"
            " the mean and the standard deviation",
            source.place(row),
        )
    keys = zip(columns["query"], columns["measure"], strict=True)
    return dict(zip(keys, numbers.iter_rows(), strict=True))
