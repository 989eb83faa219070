"""Tables of one confusion matrix: its mistakes, its shares, the rates of each class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.arrays import Floats, ratio
from assay.core.errors import unknown_name

SKLEARN_NAMES = {"true": "actual", "pred": "predicted"}
"""What scikit-learn calls the ways to normalize a matrix."""


def frequent_confusions(counts: Floats, labels: Sequence[str]) -> pl.DataFrame:
    """Return the mistakes, the most frequent first, and their share of the actual class."""
    wrong = counts.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")
    actual, predicted = np.divmod(order[wrong.ravel()[order] > 0], len(labels))
    items, names = wrong[actual, predicted], np.asarray(labels, dtype=object)
    return pl.DataFrame(
        {
            "actual": pl.Series(names[actual].tolist(), dtype=pl.String),
            "predicted": pl.Series(names[predicted].tolist(), dtype=pl.String),
            "items": items,
            "share": ratio(items, counts.sum(axis=1)[actual]),
        }
    )


def matrix_shares(counts: Floats, normalize: str) -> Floats:
    """Return the counts as shares of the actual class, of the predicted class, or of all items."""
    totals = {
        "actual": counts.sum(axis=1, keepdims=True),
        "predicted": counts.sum(axis=0),
        "all": counts.sum(),
    }
    of = SKLEARN_NAMES.get(normalize, normalize)
    if of not in totals:
        raise unknown_name("normalization", normalize, totals)
    return ratio(counts, np.broadcast_to(totals[of], counts.shape))


def class_rates(counts: Floats, labels: Sequence[str], weighted: bool) -> pl.DataFrame:
    """Return the rates and the support of each class; ACC is that against all others."""
    right, support, said = counts.diagonal(), counts.sum(axis=1), counts.sum(axis=0)
    items = counts.sum() + 0 * right
    precision, recall = ratio(right, said), ratio(right, support)
    f = ratio(2 * right, support + said)
    whole = not weighted and ((support % 1 == 0) & (support < 2**53)).all()
    return pl.DataFrame(
        {
            "class": labels,
            "PPV": precision,
            "TPR": recall,
            "F": np.where(np.isnan(precision) | np.isnan(recall), np.nan, f),
            "ACC": ratio(items - support - said + 2 * right, items),
            "prevalence": ratio(support, items),
            "support": support.astype(np.int64) if whole else support,
        }
    )
