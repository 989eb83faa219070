"""Matrices of counts in a page: cells in color, rates in the margins, clusters outlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.evidence.views.confusion import Confusion
from assay.reports.figures.matrix_figures import MOST_CLASSES, mistake_factor
from assay.reports.markup import Child, Markup, join_markup, tag
from assay.reports.pages.page import Section, note, page_table, panel_section, select_panel
from assay.reports.text.confusion_clusters import OFTEN, Cluster, cluster_confusions
from assay.reports.text.confusion_text import class_rows, most_frequent_confusions, rate_names

MISTAKES = 5


def count_cell(count: float, total: float, *classes: str, title: str | None = None) -> Markup:
    """A cell that is the fuller of color, the greater its share of the row."""
    share = count / total if total and count == count and total == total else 0.0
    names = " ".join(("cell", *classes))
    return tag("td", format_count(count), class_=names, style=f"--share:{share:.3f}", title=title)


def format_count(count: float) -> str:
    """A number of items, or a sum of weights; a dash where it is unknown."""
    return "–" if count != count else f"{count:g}"


def format_rate(value: float) -> str:
    """A share in percent; a dash where it is undefined."""
    return "–" if value != value else f"{value:.1%}"


def rate_cell(value: float, name: str = "") -> Markup:
    """Return a share in percent for the margin of a matrix, with its name if it has one."""
    return tag("td", f"{name} {format_rate(value)}".strip(), class_="rate")


def confusion_sections(matrices: Mapping[str, Confusion], what: str) -> list[Section]:
    """Return the section of the matrices, with a choice of several; ``what`` they belong to."""
    panels = [
        (name, confusion_parts(matrix, f"-{number}"))
        for number, (name, matrix) in enumerate(matrices.items(), 1)
    ]
    return panel_section("confusion", "Confusion matrix", ("matrix-of", what), panels)


def confusion_parts(confusion: Confusion, suffix: str = "") -> Markup:
    """The matrix by its clusters of confusion and by label, the clusters, the worst mistakes."""
    found = cluster_confusions(confusion)
    if found.confusion is confusion:
        shown = confusion_table(confusion), _class_table(confusion)
        return join_markup(*shown, _frequent_mistakes(confusion))
    panels = [
        ("by clusters of confusion", confusion_table(found.confusion, found.clusters)),
        ("by label", confusion_table(confusion)),
    ]
    head, *rows = found.rows()
    said = (
        f"A box holds classes that are confused at least {OFTEN} times as often as two"
        " classes on average."
        if rows
        else "No classes are confused much more often than others."
    )
    listed = page_table(head, rows, "Clusters of confusion") if rows else None
    return join_markup(
        select_panel(f"matrix-order{suffix}", "order of the classes", panels),
        note(said),
        tag("div", listed, _frequent_mistakes(confusion), class_="figures"),
        _class_table(confusion),
    )


def _class_table(confusion: Confusion) -> Markup:
    """Return precision, recall, F and support of each class."""
    head, *rows = class_rows(confusion)
    return page_table(head, rows, "By class")


def confusion_table(confusion: Confusion, clusters: Sequence[Cluster] = ()) -> Markup:
    """Return the matrix with recall to the right and precision below; clusters have a frame.

    With a positive class of two these are TPR and TNR, PPV and NPV.
    Mistakes have a color of their own, up to half of it for the worst of them.
    """
    counts, labels = confusion.matrix[0], confusion.labels
    true, said = counts.sum(axis=1), counts.sum(axis=0)
    recall, precision = ratio(counts.diagonal(), true), ratio(counts.diagonal(), said)
    right, below = rate_names(confusion, "TPR"), rate_names(confusion, "PPV")
    shown = range(min(len(labels), MOST_CLASSES))
    stronger = mistake_factor(counts)
    rows: list[list[Child]] = []
    for i in shown:
        cells = [
            count_cell(
                counts[i, j],
                true[i] if i == j else true[i] / stronger,
                *(["wrong"] * (i != j) + _frame_classes(i, j, clusters)),
                title=f"actual {labels[i]}, predicted {labels[j]}: {format_count(counts[i, j])}",
            )
            for j in shown
        ]
        name = tag("th", labels[i], _cluster_letter(i, clusters), scope="row")
        rows.append([name, *cells, rate_cell(recall[i], right[i]), format_count(true[i])])
    accuracy = float(ratio(counts.trace(), counts.sum()))
    corner = tag("td", f"{format_rate(accuracy)} right", class_="rate", colspan=2)
    head_below = "" if any(below) else "precision"
    rows.append([head_below, *(rate_cell(precision[j], below[j]) for j in shown), corner])
    rows.append(
        [
            "predicted",
            *(format_count(said[j]) for j in shown),
            tag("td"),
            format_count(counts.sum()),
        ]
    )
    head_right = "" if any(right) else "recall"
    head: list[Child] = ["actual \\ predicted", *(labels[j] for j in shown), head_right, "items"]
    words = "Actual classes in rows, predicted classes in columns"
    if len(labels) > MOST_CLASSES:
        words += f": the first {MOST_CLASSES} of {len(labels)} classes"
    return page_table(head, rows, words, class_="matrix")


def _cluster_letter(place: int, clusters: Sequence[Cluster]) -> Markup | None:
    """The name of a cluster, beside its first class."""
    name = next((each.name for each in clusters if each.start == place), None)
    return tag("span", name, class_="cluster", title=f"cluster {name}") if name else None


def _frame_classes(i: int, j: int, clusters: Sequence[Cluster]) -> list[str]:
    """On which sides a cell has the frame of a cluster."""
    for each in clusters:
        if each.start <= i < each.stop and each.start <= j < each.stop:
            sides = {
                "in-top": i == each.start,
                "in-bottom": i == each.stop - 1,
                "in-left": j == each.start,
                "in-right": j == each.stop - 1,
            }
            return [side for side, here in sides.items() if here]
    return []


def _frequent_mistakes(confusion: Confusion) -> Markup | None:
    """The pairs of classes that are confused most often."""
    head, *rows = most_frequent_confusions(confusion, MISTAKES)
    if len(confusion.labels) < 3 or not rows:
        return None
    return page_table(head, rows, "The most frequent mistakes")


def count_rows(
    counts: Floats, names: Sequence[str], columns: int, rates: Sequence[Sequence[Child]] = ()
) -> list[list[Child]]:
    """A row for each name: its first counts in color, its rates, and its total."""
    size = counts.sum(axis=1)
    return [
        [
            name,
            *(count_cell(counts[i, j], size[i]) for j in range(columns)),
            *(rates[i] if rates else ()),
            f"{size[i]:g}",
        ]
        for i, name in enumerate(names)
    ]


def counts_table(
    counts: Floats, names: Sequence[str], labels: Sequence[str], corner: str, words: str
) -> Markup:
    """Any two groupings of the same items against each other, with totals."""
    rows = count_rows(counts, names, len(labels))
    rows.append(["total", *(f"{each:g}" for each in counts.sum(axis=0)), f"{np.sum(counts):g}"])
    return page_table([corner, *labels, "total"], rows, words, class_="matrix")
