"""The pages of clusterings, of predicted numbers, and of any saved scores."""

from __future__ import annotations

from assay.core.arrays import ratio
from assay.engine.scores import Scores
from assay.evidence.contingency import Contingency
from assay.evidence.values import ValuePairs
from assay.reports.figures.clusters import silhouette_figure
from assay.reports.figures.matrix import MOST
from assay.reports.figures.residuals import MOST as MOST_POINTS
from assay.reports.figures.residuals import predicted_figure, residuals_figure
from assay.reports.markup import Child, tag
from assay.reports.pages.classification import count_cell, rate
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
    return page(title, f"{items} items.{about}", sections)


def _contingency_section(contingency: Contingency) -> Section:
    counts = contingency.dense()[0]
    sizes, purity = counts.sum(axis=1), ratio(counts.max(axis=1), counts.sum(axis=1))
    clusters, classes = contingency.clusters[:MOST], contingency.classes[:MOST]
    rows: list[list[Child]] = [
        [
            name,
            *(count_cell(counts[i, j], sizes[i]) for j in range(len(classes))),
            tag("td", rate(purity[i]), class_="rate"),
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


def regression_page(scores: Scores, pairs: ValuePairs, title: str = "Regression") -> str:
    """The numbers, the residuals, and the predictions against the truth."""
    shown = [picture(residuals_figure(pairs)), picture(predicted_figure(pairs))]
    note = None
    if len(pairs.truth) > MOST_POINTS:
        said = f"The figures show {MOST_POINTS} of {len(pairs.truth)} items, spread evenly."
        note = tag("p", said, class_="note")
    work = work_of([pairs], scores.measures, "regression")
    sections = [
        warnings_section(scores),
        numbers_section(scores, work),
        section("residuals", "Residuals", tag("div", shown, class_="figures"), note),
        conventions_section(scores),
    ]
    return page(title, f"{len(pairs.truth)} items.", sections)


def scores_page(scores: Scores, title: str | None = None) -> str:
    """A page of scores alone: what can be said without the evidence from which they came."""
    several = len(scores.systems) > 1
    sections = [
        warnings_section(scores),
        leaderboard_section(scores) if several else numbers_section(scores),
        conventions_section(scores),
    ]
    return page(title or scores.task.capitalize(), ", ".join(scores.measures) + ".", sections)
