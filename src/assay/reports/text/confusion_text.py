"""A confusion matrix as text: rates in the margins and of each class, baselines, notes."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from assay.core.arrays import ratio
from assay.core.names import Measure, measure
from assay.core.phrases import UNBOUNDED
from assay.engine.local import evaluate
from assay.evidence.views.confusion import Confusion, Rows
from assay.measures.decisions.accuracy import accuracy, balanced_accuracy, matthews
from assay.measures.decisions.rates import (
    f_measure,
    negative_predictive_value,
    positive_predictive_value,
    true_negative_rate,
    true_positive_rate,
)
from assay.reports.text.confusion_clusters import cluster_confusions
from assay.reports.text.interpretation import (
    RateLimits,
    carried_by_negatives,
    interpret_matrix,
    missed_classes,
)
from assay.reports.text.result_text import ResultText, TextTable
from assay.reports.text.table_text import Rows as Lines
from assay.reports.text.table_text import align_columns, number
from assay.tasks.classification.unknown_negatives import NOT_GIVEN

MOST_CLASSES = 30
"""Larger matrices do not fit a terminal: the most frequent confusions are listed instead."""


MOST_DIGITS = 12
"""Shares near 0 or 1 have at most so many digits."""


def matrix_rows(confusion: Confusion, rows: Rows, digits: int = 2) -> Lines:
    """Return the matrix with totals, and the share that is right in each row and column.

    With truth in rows the last column is recall (TPR) and the last row precision (PPV), and the
    other way round with predictions in rows. With a positive class of two, each rate has its name:
    those of the negative class are TNR and NPV.
    """
    counts = confusion.matrix[0] if rows == "actual" else confusion.matrix[0].T
    right = np.diagonal(counts)
    actual = rows == "actual"
    of_row, of_column = ("TPR", "PPV") if actual else ("PPV", "TPR")
    other = "predicted" if actual else "actual"
    row_names, column_names = rate_names(confusion, of_row), rate_names(confusion, of_column)
    named = bool(row_names[0])
    lines = [[f"{rows} ↓ {other} →", *confusion.labels, "total", "" if named else of_row]]
    for place, label in enumerate(confusion.labels):
        line = counts[place]
        share = round_share(float(ratio(right[place], line.sum())), digits)
        lines.append(
            [
                label,
                *map(count_text, line),
                count_text(line.sum()),
                _named_share(share, row_names[place]),
            ]
        )
    totals = counts.sum(axis=0)
    lines.append(["total", *map(count_text, totals), count_text(counts.sum()), ""])
    shares = [round_share(float(each), digits) for each in ratio(right, totals)]
    accuracy = round_share(float(ratio(right.sum(), counts.sum())), digits)
    below = list(map(_named_share, shares, column_names))
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


def count_text(value: float) -> str:
    """Return a count as text; whole ones without a point, and – for one that is not known."""
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"


def class_rows(confusion: Confusion, digits: int = 4) -> Lines:
    """Return the rates and the support of each class, or of the worst of many, and their means.

    ACC is that of the class against the rest, prevalence its share of all items.
    """
    table = confusion.per_class()
    rates, support = table[:, 1:-1].to_numpy().T, table["support"].to_numpy()
    order = np.argsort(rates[2], kind="stable")[:MOST_CLASSES].tolist()
    lines = [table.columns]
    for place in sorted(order) if len(support) <= MOST_CLASSES else order:
        shown = [number(float(each), digits) for each in rates[:, place]]
        lines.append([confusion.labels[place], *shown, count_text(support[place])])
    for name, sizes in (("mean", np.ones(len(support))), ("weighted mean", support)):
        used = np.where(np.isnan(rates), 0, sizes)
        means = ratio((np.nan_to_num(rates) * used).sum(axis=1), used.sum(axis=1))
        shown = [number(float(each), digits) for each in means]
        lines.append([name, *shown, count_text(support.sum())])
    return lines


def counts_frame(confusion: Confusion, rows: Rows) -> pl.DataFrame:
    """The counts as a table, whole ones without a point."""
    frame = confusion.frame(rows)
    whole = bool((confusion.matrix[0] % 1 == 0).all() and confusion.matrix[0].max() < 2**53)
    return frame.cast(dict.fromkeys(confusion.labels, pl.Int64)) if whole else frame


def most_frequent_confusions(confusion: Confusion, most: int = 10) -> Lines:
    """The most frequent mistakes: which class was taken for which, and how often."""
    rows = confusion.confusions().head(most).iter_rows()
    lines = [["actual", "predicted", "items", "of the actual"]]
    return lines + [[*names, count_text(items), f"{share:.1%}"] for *names, items, share in rows]


def round_share(value: float, digits: int) -> str:
    """Return a share with more digits where it would read 0 or 1 and is not."""
    for places in range(digits, MOST_DIGITS):
        text = number(value, places)
        if math.isnan(value) or value in (0, 1) or float(text) not in (0, 1):
            return text
    return number(value, MOST_DIGITS)


def _named_share(share: str, name: str) -> str:
    return f"{share} = {name}" if name else share


WHOLE_MEASURES = (accuracy, balanced_accuracy, matthews)
SHOWN_MEASURES = (
    *(accuracy, balanced_accuracy, true_positive_rate, true_negative_rate),
    *(positive_predictive_value, negative_predictive_value, f_measure, matthews),
)
"""The measures beside which baselines are shown: of several classes, and of two.

Averages over classes leave out those that a constant never predicts: they flatter it.
"""


def constant_classifier(confusion: Confusion, label: str) -> Confusion:
    """Return the matrix of a classifier that predicts the same class for every item."""
    matrix = np.zeros_like(confusion.matrix[0])
    matrix[:, confusion.labels.index(label)] = confusion.matrix[0].sum(axis=1)
    return Confusion.of(matrix, confusion.labels, confusion.positive)


def baselines(confusion: Confusion) -> dict[str, Confusion]:
    """The baselines by name: with two classes always the negative one; the majority class."""
    found = {}
    if confusion.positive is not None and len(confusion.labels) == 2:
        other = next(each for each in confusion.labels if each != confusion.positive)
        found[f"always no ({other})"] = constant_classifier(confusion, other)
    frequent = confusion.labels[int(confusion.matrix[0].sum(axis=1).argmax())]
    found[f"majority class ({frequent})"] = constant_classifier(confusion, frequent)
    return found


def baseline_rows(confusion: Confusion, digits: int) -> Lines:
    """The result and the baselines, a row each."""
    several = len(confusion.labels) > 2
    measures = [measure(each) for each in (WHOLE_MEASURES if several else SHOWN_MEASURES)]
    beside = baselines(confusion)
    head = ["", *(each.name for each in measures)]
    rows = [head, _row("this", confusion, measures, digits)]
    known: list[Confusion] = []
    for name, view in beside.items():
        if any(np.array_equal(view.matrix, other.matrix) for other in known):
            rows[-1][0] += " = the majority class"
            continue
        known.append(view)
        rows.append(_row(name, view, measures, digits))
    return rows


def _row(name: str, view: Confusion, measures: list[Measure], digits: int) -> list[str]:
    results = evaluate(view, measures, name)
    return [name, *(number(each.value, digits) for each in results)]


def classification_report(
    confusion: Confusion,
    rows: Rows = "actual",
    digits: int = 4,
    cut_offs: RateLimits | None = None,
    cluster: bool = False,
    width: int = UNBOUNDED,
) -> str:
    """Matrix, most frequent confusions, reading and baselines, as far as they apply."""
    matrix = matrix_text(confusion, rows, cluster, width)
    classes = align_columns(class_rows(confusion, digits), "  ", width)
    below = matrix_notes(confusion, digits, cut_offs, width)
    return f"{matrix}\n\nby class\n{classes}\n\n{below}"


def matrix_notes(
    confusion: Confusion,
    digits: int = 4,
    cut_offs: RateLimits | None = None,
    width: int = UNBOUNDED,
) -> str:
    """Return the most frequent confusions, rare classes that are missed, reading and baselines."""
    if confusion.lacks_negatives:
        return f"{NOT_GIVEN}: precision, recall, F and Jaccard do not need it"
    parts, carried = [], carried_by_negatives(confusion)
    if len(confusion.labels) > 2:
        listed = most_frequent_confusions(confusion)
        if len(listed) > 1:
            parts.append("most frequent confusions\n" + align_columns(listed, "  ", width))
    if missed := missed_classes(confusion, cut_offs):
        parts.append("\n  ".join(["rare classes", *missed]))
    if carried:
        parts.append("\n  ".join(["accuracy from other classes", *carried]))
    if confusion.positive is not None:
        reading = interpret_matrix(confusion, cut_offs).text.splitlines()
        parts.append("\n  ".join([f"reading of '{confusion.positive}'", *reading]))
    parts.append("beside it\n" + align_columns(baseline_rows(confusion, digits), "  ", width))
    return "\n\n".join(parts)


def matrix_text(
    confusion: Confusion, rows: Rows = "actual", cluster: bool = False, width: int = UNBOUNDED
) -> str:
    """The matrix with its margins; if asked, by clusters of confusion, which are named below."""
    found = cluster_confusions(confusion) if cluster else None
    parts = [f"{len(confusion.labels)} classes: the matrix is too large for a terminal"]
    if len(confusion.labels) <= MOST_CLASSES:
        shown = found.confusion if found else confusion
        parts = [align_columns(matrix_rows(shown, rows), width=width)]
    if found and found.clusters:
        parts.append(align_columns(found.rows(), width=width))
    return "\n\n".join(parts)


class ConfusionText(ResultText):
    """A confusion matrix in all output formats."""

    result: Confusion

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the counts, the true classes in rows."""
        return {"matrix": counts_frame(self.result, "actual")}

    def all_frames(self) -> dict[str, pl.DataFrame]:
        """Return the counts, the mistakes, and the rates of each class."""
        if len(self.result.names) > 1:
            return self.frames()
        more = {"confusions": self.result.confusions(), "per_class": self.result.per_class()}
        return self.frames() | more

    def tables(self) -> list[TextTable]:
        """Return the matrix with its margins, and the rates of each class."""
        if len(self.result.names) > 1:
            return [TextTable(matrix_rows(self.result, "actual"))]
        rates = TextTable(class_rows(self.result), "by class")
        return [TextTable(matrix_rows(self.result, "actual")), rates]

    def table(self) -> str:
        """Return the matrix; of several matrices, their number."""
        if len(self.result.names) > 1:
            return f"{len(self.result.names)} confusion matrices of {', '.join(self.result.labels)}"
        return matrix_text(self.result, width=self.layout.width)
