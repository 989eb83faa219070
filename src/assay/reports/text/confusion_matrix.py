"""A confusion matrix in the terminal, with rates in its margins."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import ratio
from assay.evidence.views.confusion import Confusion, Rows
from assay.reports.text.table_text import Rows as Lines
from assay.reports.text.table_text import number

MOST_CLASSES = 30
"""Larger matrices do not fit a terminal: the most frequent confusions are listed instead."""


def matrix_rows(confusion: Confusion, rows: Rows, digits: int = 2) -> Lines:
    """Return the matrix with totals, and the share that is right in each row and column.

    With truth in rows the last column is recall (TPR) and the last row precision (PPV), and the
    other way round with predictions in rows. With a positive class of two, each rate has its name:
    those of the negative class are TNR and NPV.
    """
    counts = confusion.matrix[0] if rows == "actual" else confusion.matrix[0].T
    right = np.diagonal(counts)
    of_row, of_column = ("TPR", "PPV") if rows == "actual" else ("PPV", "TPR")
    row_names, column_names = rate_names(confusion, of_row), rate_names(confusion, of_column)
    named = bool(row_names[0])
    lines = [
        [f"{rows} ↓ {_sum_of_others(rows)} →", *confusion.labels, "total", "" if named else of_row]
    ]
    for place, label in enumerate(confusion.labels):
        line = counts[place]
        share = number(float(ratio(right[place], line.sum())), digits)
        lines.append(
            [label, *map(_count, line), _count(line.sum()), _named(share, row_names[place])]
        )
    totals = counts.sum(axis=0)
    lines.append(["total", *map(_count, totals), _count(counts.sum()), ""])
    shares = [number(float(each), digits) for each in ratio(right, totals)]
    accuracy = number(float(ratio(right.sum(), counts.sum())), digits)
    below = list(map(_named, shares, column_names))
    lines.append(["" if named else of_column, *below, "", f"{accuracy} = ACC"])
    return lines


def rate_names(confusion: Confusion, name: str) -> list[str]:
    """Return the name of the rate TPR or PPV of each class; empty where a heading names them all.

    Only with a positive class of two do the classes differ: of the negative one they are TNR, NPV.
    """
    if len(confusion.labels) != 2 or confusion.positive not in confusion.labels:
        return [""] * len(confusion.labels)
    negative = {"TPR": "TNR", "PPV": "NPV"}[name]
    return [name if label == confusion.positive else negative for label in confusion.labels]


def counts_frame(confusion: Confusion, rows: Rows) -> pl.DataFrame:
    """The counts as a table, whole ones without a point."""
    frame = confusion.frame(rows)
    whole = bool((confusion.matrix[0] % 1 == 0).all())
    return frame.cast(dict.fromkeys(confusion.labels, pl.Int64)) if whole else frame


def most_frequent_confusions(confusion: Confusion, most: int = 10) -> Lines:
    """The most frequent mistakes: which class was taken for which, and how often."""
    counts = confusion.matrix[0].copy()
    np.fill_diagonal(counts, 0)
    order = np.argsort(-counts, axis=None, kind="stable")[:most]
    lines = [["actual", "predicted", "items", "of the actual"]]
    totals = confusion.matrix[0].sum(axis=1)
    for place in order.tolist():
        true, said = divmod(place, len(confusion.labels))
        if counts[true, said]:
            share = float(counts[true, said] / totals[true])
            labels = confusion.labels[true], confusion.labels[said]
            lines.append([*labels, _count(counts[true, said]), f"{share:.1%}"])
    return lines


def _named(share: str, name: str) -> str:
    return f"{share} = {name}" if name else share


def _sum_of_others(rows: Rows) -> str:
    return "predicted" if rows == "actual" else "actual"


def _count(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"
