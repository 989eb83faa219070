"""The report of a classifier in the terminal: the matrix, a reading in words, and baselines."""

from __future__ import annotations

from assay.evidence.views.confusion import Confusion, Rows
from assay.reports.text.baselines import baseline_rows
from assay.reports.text.confusion_clusters import cluster_confusions
from assay.reports.text.confusion_matrix import MOST_CLASSES, matrix_rows, most_frequent_confusions
from assay.reports.text.interpretation import RateLimits, interpret_matrix
from assay.reports.text.rare_classes import missed_classes
from assay.reports.text.table_text import UNBOUNDED, align_columns


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
    return f"{matrix_text(confusion, rows, cluster, width)}\n\n{below}"


def matrix_notes(
    confusion: Confusion,
    digits: int = 4,
    cut_offs: RateLimits | None = None,
    width: int = UNBOUNDED,
) -> str:
    """Return the most frequent confusions, rare classes that are missed, reading and baselines."""
    parts = []
    if len(confusion.labels) > 2:
        listed = most_frequent_confusions(confusion)
        if len(listed) > 1:
            parts.append("most frequent confusions\n" + align_columns(listed, "  ", width))
    if missed := missed_classes(confusion, cut_offs):
        parts.append("rare classes\n" + "\n".join(f"  {line}" for line in missed))
    if confusion.positive is not None:
        parts.append(f"reading of '{confusion.positive}'\n" + reading_text(confusion, cut_offs))
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


def reading_text(confusion: Confusion, cut_offs: RateLimits | None = None) -> str:
    """The reading of the positive class, a sentence a line."""
    return "\n".join(
        f"  {line}" for line in interpret_matrix(confusion, cut_offs).text.splitlines()
    )
