"""The probabilities with which results were shown and examined."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.behavior.clicks.fitted_model import ClickModel
from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.core.tables import Source
from assay.formats.containers import to_frame

KEY = ["query", "doc", "rank"]


def shown_propensities(rows: pl.DataFrame, given: Any) -> pl.DataFrame:
    """Return query, doc, rank and probability: how likely the log shows a document at a rank.

    Without a table, the share of the lists of the query that do.
    """
    if given is not None:
        frame, source = to_frame(given, "the propensities")
        return _checked(frame, source)
    lists = rows.group_by("query").agg(lists=pl.col("list").n_unique())
    counts = rows.group_by(KEY).len("shown").join(lists, on="query")
    return counts.select(*KEY, probability=pl.col("shown") / pl.col("lists"))


def _checked(frame: pl.DataFrame, source: Source) -> pl.DataFrame:
    for name in (*KEY, "probability"):
        if name not in frame.columns:
            raise DataError(
                f"{source.name}: propensities have the columns query, doc, rank,"
                f" probability; there is no '{name}'"
            )
    table = frame.select(
        pl.col("query").cast(pl.String),
        pl.col("doc").cast(pl.String),
        pl.col("rank").cast(pl.Int64, strict=False),
        pl.col("probability").cast(pl.Float64, strict=False),
    )
    bad = (~table["probability"].is_between(0, 1, closed="right")).fill_null(True).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{source.place(row)}: the probability '{frame['probability'][row]}' is not above 0 and"
            " at most 1"
        )
    return table


def examination_by_rank(model: ClickModel, depth: int) -> Floats:
    """Return the probability that each rank is examined, by a position-based model."""
    if model.name != "pbm":
        raise UsageError(
            f"examination by rank comes from a position-based model (pbm), not from {model.name}"
        )
    values = model.value("examination")
    if len(values) < depth:
        values = np.append(values, np.full(depth - len(values), values[-1]))
    return values[:depth]
