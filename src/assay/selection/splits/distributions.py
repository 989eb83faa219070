"""Whether a column has another distribution in the test data than in the training data."""

from __future__ import annotations

import math

import numpy as np
import polars as pl


def distribution_difference(train: pl.Series, test: pl.Series) -> tuple[float, str]:
    """Return the p-value of the difference and the test: Kolmogorov-Smirnov, or chi-squared."""
    from scipy import stats

    if train.dtype.is_numeric() and test.dtype.is_numeric() and train.n_unique() > 20:
        numbers = [each.cast(pl.Float64).drop_nulls().drop_nans() for each in (train, test)]
        if not all(map(len, numbers)):
            return math.nan, ""
        return float(stats.ks_2samp(*numbers, method="asymp").pvalue), "Kolmogorov-Smirnov"
    one, two = (each.cast(pl.String).fill_null("(none)") for each in (train, test))
    values = pl.concat([one, two]).unique().sort()
    counts = np.array([[int((column == value).sum()) for value in values] for column in (one, two)])
    common = counts.sum(axis=0) >= 5 * counts.sum() / counts.sum(axis=1).min()
    merged = np.column_stack([counts[:, common], counts[:, ~common].sum(axis=1)])
    merged = merged[:, merged.sum(axis=0) > 0]
    if merged.shape[1] < 2:
        return math.nan, ""
    return float(stats.chi2_contingency(merged, correction=False).pvalue), "chi-squared"
