"""Tables of one confusion matrix: its mistakes, its shares, its weighted counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.arrays import Floats, ratio
from assay.core.errors import unknown_name
from assay.core.tables import Decisions
from assay.evidence.column_values import label_codes

SKLEARN_NAMES = {"true": "actual", "pred": "predicted"}
"""What scikit-learn calls the ways to normalize a matrix."""


def frequent_confusions(counts: Floats, labels: Sequence[str], weighted: bool) -> pl.DataFrame:
    """Return the mistakes, the most frequent first, and their share of the actual class.

    Without weights the number of items is whole.
    """
    wrong = counts.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")
    actual, predicted = np.divmod(order[wrong.ravel()[order] > 0], len(labels))
    items, names = wrong[actual, predicted], np.asarray(labels, dtype=object)
    return pl.DataFrame(
        {
            "actual": pl.Series(names[actual].tolist(), dtype=pl.String),
            "predicted": pl.Series(names[predicted].tolist(), dtype=pl.String),
            "items": items if weighted or (items % 1).any() else items.astype(np.int64),
            "share": ratio(items, counts.sum(axis=1)[actual]),
        }
    )


def matrix_frame(
    counts: Floats, labels: Sequence[str], rows: str, normalize: str | None
) -> pl.DataFrame:
    """Return the matrix as a table, with truth or predictions in rows, as counts or as shares."""
    cells = matrix_shares(counts, normalize) if normalize else counts
    cells = cells if rows == "actual" else cells.T
    return pl.DataFrame(
        {rows: list(labels)} | {label: cells[:, place] for place, label in enumerate(labels)}
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


def weighted_counts(decisions: Decisions, weights: Floats, labels: Sequence[str]) -> Floats:
    """Return the sum of the weights in each cell of the matrix.

    They are sorted before they are added, so that the order of the rows does not change a bit.
    """
    pair = ("truth", "predicted")
    ordered = decisions.frame.select(pair).with_columns(weight=weights).sort(*pair, "weight")
    counted = ordered.group_by(pair, maintain_order=True).agg(size=pl.col("weight").sum())
    matrix = np.zeros((len(labels), len(labels)))
    places = label_codes(counted["truth"], labels), label_codes(counted["predicted"], labels)
    matrix[places] = counted["size"].to_numpy()
    return matrix
