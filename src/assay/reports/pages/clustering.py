"""The page of a clustering, or of several of the same items."""

from __future__ import annotations

from assay.core.arrays import ratio
from assay.engine.scores import Scores
from assay.evidence.views.contingency import Contingency
from assay.reports.figures.cluster_figures import elbow_figure, silhouette_figure
from assay.reports.figures.matrix_figures import MOST_CLASSES
from assay.reports.markup import Child, Markup, tag
from assay.reports.pages.matrix_tables import count_cell, rate_cell
from assay.reports.pages.page import (
    Section,
    figure_block,
    section,
    select_panel,
)
from assay.reports.pages.sections import page_table
from assay.reports.pages.task_page import TaskPage
from assay.reports.pages.traces import trace_panels
from assay.reports.subjects import ClusteringSubject, contingency_of, points_of

MOST_SHOWN = 12
"""So many clusterings have a table and silhouettes of their own."""


def clustering_page(subject: ClusteringSubject, scores: Scores, title: str = "Clustering") -> str:
    """The numbers, the classes in each cluster, and the silhouettes of the points."""
    count = len(subject.groupings)
    middle = [
        *([_elbows_section(scores)] if count > 1 else []),
        *_contingency_section(subject),
        *_silhouette_section(subject),
    ]
    first = subject.groupings[0]
    lead = f"{f'{count} clusterings of ' if count > 1 else ''}{first.frame.height} items."
    views = [view for view in (contingency_of(first), points_of(first)) if view is not None]
    work = trace_panels(views, scores.measures, "clustering") if count == 1 else []
    return TaskPage(lead, middle, work, letters=False).render(scores, title)


def _elbows_section(scores: Scores) -> Section:
    """Each measure against the number of clusters."""
    figures = [figure_block(elbow_figure(scores, name)) for name in scores.measures]
    return section("elbows", "By the number of clusters", tag("div", figures, class_="row"))


def _contingency_section(subject: ClusteringSubject) -> list[Section]:
    panels = []
    for grouping in subject.groupings[:MOST_SHOWN]:
        counted = contingency_of(grouping)
        if counted is not None:
            panels.append((grouping.name, _contingency_table(counted)))
    if not panels:
        return []
    shown = select_panel("contingency-of", "clustering", panels)
    return [section("contingency", "Contingency table", shown, _left_out_note(subject))]


def _silhouette_section(subject: ClusteringSubject) -> list[Section]:
    panels = []
    for grouping in subject.groupings[:MOST_SHOWN]:
        points = points_of(grouping)
        if points is not None and len(points.clusters) > 1:
            panels.append((grouping.name, figure_block(silhouette_figure(points))))
    if not panels:
        return []
    shown = select_panel("silhouettes-of", "clustering", panels)
    return [section("silhouettes", "Silhouettes", shown, _left_out_note(subject))]


def _left_out_note(subject: ClusteringSubject) -> Markup | None:
    count = len(subject.groupings)
    if count <= MOST_SHOWN:
        return None
    return tag("p", f"The first {MOST_SHOWN} of {count} clusterings.", class_="note")


def _contingency_table(contingency: Contingency) -> Markup:
    counts = contingency.dense()[0]
    sizes, purity = counts.sum(axis=1), ratio(counts.max(axis=1), counts.sum(axis=1))
    clusters, classes = contingency.clusters[:MOST_CLASSES], contingency.classes[:MOST_CLASSES]
    rows: list[list[Child]] = [
        [
            name,
            *(count_cell(counts[i, j], sizes[i]) for j in range(len(classes))),
            rate_cell(purity[i]),
            f"{sizes[i]:g}",
        ]
        for i, name in enumerate(clusters)
    ]
    head: list[Child] = ["cluster \\ class", *classes, "purity", "items"]
    words = "Clusters in rows, classes in columns"
    if len(contingency.clusters) > MOST_CLASSES or len(contingency.classes) > MOST_CLASSES:
        words += f": at most {MOST_CLASSES} of each"
    return page_table(head, rows, words, class_="matrix")
