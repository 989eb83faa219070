"""The page of a clustering."""

from __future__ import annotations

from assay.core.arrays import ratio
from assay.evidence.contingency import Contingency
from assay.reports.figures.clusters import silhouette_figure
from assay.reports.figures.matrix import MOST
from assay.reports.markup import Child, tag
from assay.reports.pages.headline import tiles_of
from assay.reports.pages.leaders import best_tiles
from assay.reports.pages.matrix import count_cell, rate_cell
from assay.reports.pages.page import Section, page, picture, section
from assay.reports.pages.sections import (
    conventions_section,
    leaderboard_section,
    numbers_section,
    table,
    warnings_section,
)
from assay.reports.pages.traces import work_of
from assay.reports.subjects import ClusteringSubject


def clustering_page(subject: ClusteringSubject, title: str = "Clustering") -> str:
    """The numbers, the classes in each cluster, and the silhouettes of the points."""
    scores, several = subject.scores, len(subject.scores.systems) > 1
    views = [view for view in (subject.contingency, subject.points) if view is not None]
    work = [] if several else work_of(views, scores.measures, "clustering")
    sections = [
        warnings_section(scores),
        leaderboard_section(scores) if several else numbers_section(scores, work),
    ]
    if subject.contingency is not None:
        sections.append(_contingency_section(subject.contingency))
    if subject.points is not None and len(subject.points.clusters) > 1:
        figure = silhouette_figure(subject.points)
        sections.append(section("silhouettes", "Silhouettes", picture(figure)))
    sections.append(conventions_section(scores))
    items, name = subject.grouping.frame.height, subject.grouping.name
    about = f" The figures are about {name}." if several else ""
    return page(
        title, f"{items} items.{about}", sections, tiles=tiles_of(scores) or best_tiles(scores)
    )


def _contingency_section(contingency: Contingency) -> Section:
    counts = contingency.dense()[0]
    sizes, purity = counts.sum(axis=1), ratio(counts.max(axis=1), counts.sum(axis=1))
    clusters, classes = contingency.clusters[:MOST], contingency.classes[:MOST]
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
    note = None
    if len(contingency.clusters) > MOST or len(contingency.classes) > MOST:
        note = tag("p", f"At most {MOST} clusters and {MOST} classes are shown.", class_="note")
    matrix = table(head, rows, "Clusters in rows, classes in columns", class_="matrix")
    return section("contingency", "Contingency table", matrix, note)
