"""The page of a clustering, or of several of the same items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.core.arrays import ratio
from assay.engine.scores import Scores
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.points import Points
from assay.reports.figures.cluster_figures import elbow_figure, silhouette_figure
from assay.reports.figures.matrix_figures import MOST_CLASSES
from assay.reports.markup import Markup
from assay.reports.pages.matrix_tables import count_rows, rate_cell
from assay.reports.pages.page import (
    Section,
    figure_block,
    figure_row,
    note,
    page_table,
    panel_section,
    section,
    trace_panels,
)
from assay.reports.pages.task_page import TaskPage
from assay.tasks.clustering.clustering import ClusteringEvidence

MOST_SHOWN = 12
"""So many clusterings have a table and silhouettes of their own."""


def clustering_page(evidence: ClusteringEvidence, scores: Scores, title: str = "Clustering") -> str:
    """Return the page: numbers, the classes in each cluster, the silhouettes of the points."""
    count = len(evidence.systems)
    middle = [
        *([_elbows_section(scores)] if count > 1 else []),
        *_contingency_section(evidence),
        *_silhouette_section(evidence),
    ]
    lead = f"{f'{count} clusterings of ' if count > 1 else ''}{len(evidence.first.table)} items."
    work = _measure_traces(evidence, scores) if count == 1 else []
    return TaskPage(lead, middle, work, letters=False).render(scores, title)


def _measure_traces(evidence: ClusteringEvidence, scores: Scores) -> list[Markup]:
    """Return how each number of the first clustering is computed."""
    views = evidence.views(evidence.systems[0])
    shown = [views[kind]() for kind in (Contingency, Points) if kind in views]
    return trace_panels(shown, scores)


def _elbows_section(scores: Scores) -> Section:
    """Each measure against the number of clusters."""
    figures = [elbow_figure(scores, name) for name in scores.measures]
    return section("elbows", "By the number of clusters", figure_row(figures, kind="row"))


def _contingency_section(evidence: ClusteringEvidence) -> list[Section]:
    panels = [
        (name, _contingency_table(each)) for name, each in _first_views(evidence, Contingency)
    ]
    chooser = ("contingency-of", "clustering")
    return panel_section(
        "contingency", "Contingency table", chooser, panels, _left_out_note(evidence)
    )


def _silhouette_section(evidence: ClusteringEvidence) -> list[Section]:
    panels = [
        (name, figure_block(silhouette_figure(points)))
        for name, points in _first_views(evidence, Points)
        if len(points.clusters) > 1
    ]
    chooser = ("silhouettes-of", "clustering")
    return panel_section("silhouettes", "Silhouettes", chooser, panels, _left_out_note(evidence))


def _first_views(evidence: ClusteringEvidence, kind: Any) -> Iterator[tuple[str, Any]]:
    """Yield a view of each of the first clusterings, if the columns allow it."""
    for name in evidence.systems[:MOST_SHOWN]:
        views = evidence.views(name)
        if kind in views:
            yield name, views[kind]()


def _left_out_note(evidence: ClusteringEvidence) -> Markup | None:
    count = len(evidence.systems)
    return note(f"The first {MOST_SHOWN} of {count} clusterings." if count > MOST_SHOWN else None)


def _contingency_table(contingency: Contingency) -> Markup:
    counts = contingency.dense()[0]
    purity = ratio(counts.max(axis=1), counts.sum(axis=1))
    clusters, classes = contingency.clusters[:MOST_CLASSES], contingency.classes[:MOST_CLASSES]
    words = "Clusters in rows, classes in columns"
    if len(contingency.clusters) > MOST_CLASSES or len(contingency.classes) > MOST_CLASSES:
        words += f": at most {MOST_CLASSES} of each"
    rows = count_rows(counts, clusters, len(classes), [[rate_cell(each)] for each in purity])
    return page_table(
        ["cluster \\ class", *classes, "purity", "items"], rows, words, class_="matrix"
    )
