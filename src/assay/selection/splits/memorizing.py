"""Learners that only memorize: the value below which a result on test data means nothing."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.selection.splits.near_duplicates import nearest_rows
from assay.selection.splits.split_data import finite_values


def memorize(train: Floats, test: Floats, known: pl.Series, true: pl.Series) -> pl.DataFrame:
    """Return the quality of two learners: the usual answer, and that of the nearest training row.

    Numbers with more than 20 values are predicted, with the root of the mean squared error;
    anything else is a class, with the accuracy.
    """
    numeric = known.dtype.is_numeric() and true.dtype.is_numeric() and known.n_unique() > 20
    if numeric:
        kept, wanted = (finite_values(column) for column in (known, true))
        usual = kept.mean()
    else:
        kept, wanted = (column.cast(pl.String) for column in (known, true))
        usual = kept.drop_nulls().mode().sort().first()
    answers = {
        "mean" if numeric else "most frequent class": pl.repeat(usual, len(true), eager=True)
    }
    if train.shape[1]:
        answers["nearest training row"] = kept[nearest_rows(train, test)[0]]
    rows = [
        (name, "RMSE" if numeric else "ACC", _quality(answer, wanted, numeric))
        for name, answer in answers.items()
    ]
    return pl.DataFrame(rows, schema=["learner", "measure", "value"], orient="row")


def _quality(answer: pl.Series, wanted: pl.Series, numeric: bool) -> float:
    kept = answer.is_not_null() & wanted.is_not_null()
    one, two = answer.filter(kept).to_numpy(), wanted.filter(kept).to_numpy()
    if not len(one):
        return float("nan")
    return float(np.sqrt(np.mean((one - two) ** 2))) if numeric else float(np.mean(one == two))
