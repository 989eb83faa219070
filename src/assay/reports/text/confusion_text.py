"""A confusion matrix as text: rates in the margins, clusters of confused classes, notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from string import ascii_uppercase

import numpy as np
import polars as pl

from assay.core.arrays import Floats, ratio
from assay.core.phrases import UNBOUNDED
from assay.evidence.views.confusion import Confusion, Rows
from assay.reports.text.class_readings import (
    MOST_CLASSES,
    carried_by_negatives,
    class_rows,
    count_text,
)
from assay.reports.text.interpretation import (
    RateLimits,
    baseline_rows,
    interpret_matrix,
    missed_classes,
)
from assay.reports.text.result_text import ResultText, TextTable
from assay.reports.text.table_text import Rows as Lines
from assay.reports.text.table_text import align_columns, number
from assay.tasks.classification.unknown_negatives import NOT_GIVEN


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
        share = number(float(ratio(right[place], line.sum())), digits)
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
    shares = [number(float(each), digits) for each in ratio(right, totals)]
    accuracy = number(float(ratio(right.sum(), counts.sum())), digits)
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


def counts_frame(confusion: Confusion, rows: Rows) -> pl.DataFrame:
    """The counts as a table, whole ones without a point."""
    frame = confusion.frame(rows)
    whole = bool((confusion.matrix[0] % 1 == 0).all() and confusion.matrix[0].max() < 2**53)
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
            lines.append([*labels, count_text(counts[true, said]), f"{share:.1%}"])
    return lines


def _named_share(share: str, name: str) -> str:
    return f"{share} = {name}" if name else share


OFTEN = 2
MOST_ORDERED = 200
"""Of more classes the tree is not put into its best order, which takes cubic time."""


@dataclass(frozen=True)
class Cluster:
    """Classes that stand together in the matrix, and the mistakes among them."""

    name: str
    """A letter, or a number where letters run out."""
    labels: tuple[str, ...]
    start: int
    """The place of its first class in the matrix."""
    mistakes: float
    share: float
    """Of all mistakes."""
    accuracy: float
    """Of the whole matrix, were these classes one."""

    @property
    def stop(self) -> int:
        """The place after its last class."""
        return self.start + len(self.labels)


@dataclass(frozen=True)
class ClusteredMatrix:
    """A matrix whose classes are ordered by confusion, and the clusters of two classes or more."""

    confusion: Confusion
    clusters: tuple[Cluster, ...]

    def rows(self) -> Lines:
        """A line for each cluster, as text."""
        rows = [["cluster", "classes", "mistakes within", "of all mistakes", "ACC if one class"]]
        for each in self.clusters:
            shares = [f"{each.share:.1%}", f"{each.accuracy:.1%}"]
            rows.append([each.name, " + ".join(each.labels), f"{each.mistakes:g}", *shares])
        return rows


def cluster_confusions(confusion: Confusion) -> ClusteredMatrix:
    """The classes in an order in which those that are confused with each other are adjacent.

    Classes are near if many of their items are confused; the leaves of the tree of average
    distances are put into the order that keeps neighbors nearest. A cluster is a branch whose
    parts are confused at least ``OFTEN`` times as often as two classes of the matrix on average.
    """
    counts = confusion.matrix[0]
    wrong = counts.sum() - counts.trace()
    if len(confusion.labels) < 3 or not wrong:
        return ClusteredMatrix(confusion, ())
    order, groups = _leaf_order(confusability(confusion))
    if order[0] > order[-1]:
        order = order[::-1]
    ordered = confusion.reorder([confusion.labels[place] for place in order])
    return ClusteredMatrix(ordered, _clusters(ordered, [groups[place] for place in order]))


def confusability(confusion: Confusion) -> Floats:
    """For each pair of classes the share of the items of both that was taken for the other."""
    counts = confusion.matrix[0]
    mistaken = counts + counts.T
    totals = counts.sum(axis=1)
    share = np.nan_to_num(ratio(mistaken, totals[:, None] + totals[None, :]))
    np.fill_diagonal(share, 1)
    return np.minimum(share, 1)


def _leaf_order(near: Floats) -> tuple[list[int], list[int]]:
    """The order of the leaves of the tree, and the number of the group of each class."""
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    distance = squareform(1 - near, checks=False)
    tree = linkage(distance, "average")
    if len(near) <= MOST_ORDERED:
        tree = optimal_leaf_ordering(tree, distance)
    groups = fcluster(tree, 1 - OFTEN * (1 - distance.mean()), "distance")
    return leaves_list(tree).tolist(), groups.tolist()


def _clusters(confusion: Confusion, groups: Sequence[int]) -> tuple[Cluster, ...]:
    counts = confusion.matrix[0]
    right, total = float(counts.trace()), float(counts.sum())
    found: list[Cluster] = []
    start = 0
    for _, members in groupby(groups):
        stop = start + len(list(members))
        part = counts[start:stop, start:stop]
        within = float(part.sum() - part.trace())
        if stop - start > 1 and within:
            labels = confusion.labels[start:stop]
            share, merged = within / (total - right), (right + within) / total
            found.append(Cluster(_cluster_name(len(found)), labels, start, within, share, merged))
        start = stop
    return tuple(found)


def _cluster_name(number: int) -> str:
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)


def classification_report(
    confusion: Confusion,
    rows: Rows = "actual",
    digits: int = 4,
    cut_offs: RateLimits | None = None,
    cluster: bool = False,
    width: int = UNBOUNDED,
) -> str:
    """Matrix, most frequent confusions, reading and baselines, as far as they apply."""
    below = matrix_notes(confusion, digits, cut_offs, width)
    classes = align_columns(class_rows(confusion, digits), "  ", width)
    matrix = matrix_text(confusion, rows, cluster, width)
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
