"""The report of a classifier in the terminal: the matrix, a reading in words, and baselines."""

from __future__ import annotations

from assay.evidence.confusion import Confusion, Rows
from assay.reports.baselines import baseline_rows
from assay.reports.confusion_clusters import clusters_of_confusion
from assay.reports.frames import UNBOUNDED, text
from assay.reports.matrix import MOST_CLASSES, confusions, matrix_rows
from assay.reports.rare_classes import missed_classes
from assay.reports.reading import CutOffs, reading


def classification_report(
    confusion: Confusion,
    rows: Rows = "actual",
    digits: int = 4,
    cut_offs: CutOffs | None = None,
    cluster: bool = False,
    width: int = UNBOUNDED,
) -> str:
    """Matrix, most frequent confusions, reading and baselines, as far as they apply."""
    below = below_the_matrix(confusion, digits, cut_offs, width)
    return f"{matrix_text(confusion, rows, cluster, width)}\n\n{below}"


def below_the_matrix(
    confusion: Confusion,
    digits: int = 4,
    cut_offs: CutOffs | None = None,
    width: int = UNBOUNDED,
) -> str:
    """Return the most frequent confusions, rare classes that are missed, reading and baselines."""
    parts = []
    if len(confusion.labels) > 2:
        listed = confusions(confusion)
        if len(listed) > 1:
            parts.append("most frequent confusions\n" + text(listed, "  ", width))
    if missed := missed_classes(confusion, cut_offs):
        parts.append("rare classes\n" + "\n".join(f"  {line}" for line in missed))
    if confusion.positive is not None:
        parts.append(f"reading of '{confusion.positive}'\n" + reading_text(confusion, cut_offs))
    parts.append("beside it\n" + text(baseline_rows(confusion, digits), "  ", width))
    return "\n\n".join(parts)


def matrix_text(
    confusion: Confusion, rows: Rows = "actual", cluster: bool = False, width: int = UNBOUNDED
) -> str:
    """The matrix with its margins; if asked, by clusters of confusion, which are named below."""
    found = clusters_of_confusion(confusion) if cluster else None
    parts = [f"{len(confusion.labels)} classes: the matrix is too large for a terminal"]
    if len(confusion.labels) <= MOST_CLASSES:
        shown = found.confusion if found else confusion
        parts = [text(matrix_rows(shown, rows), width=width)]
    if found and found.clusters:
        parts.append(text(found.rows(), width=width))
    return "\n\n".join(parts)


def reading_text(confusion: Confusion, cut_offs: CutOffs | None = None) -> str:
    """The reading of the positive class, a sentence a line."""
    return "\n".join(f"  {line}" for line in reading(confusion, cut_offs).text.splitlines())
