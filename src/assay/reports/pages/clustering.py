"""The page of a clustering, or of several of the same items."""

from __future__ import annotations

from assay.core.arrays import ratio
from assay.evidence.views.contingency import Contingency
from assay.reports.figures.cluster_figures import elbow_figure, silhouette_figure
from assay.reports.figures.matrix_figures import MOST_CLASSES
from assay.reports.markup import Child, Markup, tag
from assay.reports.pages.matrix_tables import count_cell, rate_cell
from assay.reports.pages.page import (
    Section,
    best_system_tiles,
    figure_block,
    measure_tiles,
    render_page,
    section,
    select_panel,
)
from assay.reports.pages.sections import (
    conventions_section,
    leaderboard_section,
    numbers_section,
    page_table,
    warnings_section,
)
from assay.reports.pages.traces import trace_panels
from assay.reports.subjects import ClusteringSubject, contingency_of, points_of

MOST_SHOWN = 12
"""So many clusterings have a table and silhouettes of their own."""


def clustering_page(subject: ClusteringSubject, title: str = "Clustering") -> str:
    """The numbers, the classes in each cluster, and the silhouettes of the points."""
    scores, first = subject.scores, subject.groupings[0]
    several = len(subject.groupings) > 1
    numbers = (
        leaderboard_section(scores)
        if several
        else numbers_section(scores, _measure_traces(subject))
    )
    sections = [warnings_section(scores), numbers]
    if several:
        sections.append(_elbows_section(subject))
    sections += [*_contingency_section(subject), *_silhouette_section(subject)]
    sections.append(conventions_section(scores))
    clusterings = f"{len(subject.groupings)} clusterings of " if several else ""
    return render_page(
        title,
        f"{clusterings}{first.frame.height} items.",
        sections,
        tiles=measure_tiles(scores) or best_system_tiles(scores),
    )


def _measure_traces(subject: ClusteringSubject) -> list[Markup]:
    first = subject.groupings[0]
    views = [view for view in (contingency_of(first), points_of(first)) if view is not None]
    return trace_panels(views, subject.scores.measures, "clustering")


def _elbows_section(subject: ClusteringSubject) -> Section:
    """Each measure against the number of clusters."""
    figures = [figure_block(elbow_figure(subject.scores, name)) for name in subject.scores.measures]
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
