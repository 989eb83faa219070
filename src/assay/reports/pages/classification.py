"""The page of a classification: of one classifier, or of several on the same items."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from assay.engine.scores import Scores
from assay.evidence.views.confusion import Confusion
from assay.reports.figures.score_figures import roc_curves_figure
from assay.reports.markup import Markup
from assay.reports.pages.matrix_tables import confusion_parts
from assay.reports.pages.page import Section, figure_block, note, panel_section, section
from assay.reports.pages.task_page import TaskPage
from assay.reports.pages.threshold_slider import threshold_parts
from assay.reports.pages.traces import trace_panels
from assay.reports.text.interpretation import missed_classes
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.predictions import ClassPredictions

RARE = 0.1
MOST_QUESTIONS = 24
"""So many classes or classifiers have a threshold to move."""


def classification_page(
    evidence: ClassificationEvidence, scores: Scores, title: str = "Classification"
) -> str:
    """Return the page: warnings, numbers, what a threshold does, and the confusion matrix."""
    first, several = evidence.first, len(evidence.systems) > 1
    views = [view for view in (first.confusion, first.thresholds) if view is not None]
    matrices = {
        name: member.confusion
        for name, member in evidence.members.items()
        if member.confusion is not None
    }
    missed = [
        f"{name}: {sentence}" if several else sentence
        for name, matrix in matrices.items()
        for sentence in missed_classes(matrix)
    ]
    threshold_sections, data = _threshold_sections(evidence)
    return TaskPage(
        _lead(evidence),
        [*threshold_sections, *_confusion_sections(matrices)],
        [] if several else trace_panels(views, scores.measures, "classification"),
        [*_prevalence(first), *missed],
        scripts=["thresholds.js"] if data else [],
        data=data,
    ).render(scores, title)


def _lead(evidence: ClassificationEvidence) -> str:
    """Return how many items there are, and which columns were evaluated."""
    first, several = evidence.first, len(evidence.systems) > 1
    columns = dict.fromkeys(
        column
        for member in evidence.members.values()
        for column in member.columns.values()
        if isinstance(column, str)
    )
    positive = f", positive is “{first.positive}”" if first.positive else ""
    classifiers = f"{len(evidence.systems)} classifiers, " if several else ""
    named = f": {', '.join(columns)} against the truth in {evidence.truth}" if columns else ""
    return f"{classifiers}{len(first.table)} items{positive}{named}."


def _threshold_sections(
    evidence: ClassificationEvidence,
) -> tuple[list[Section], list[Markup]]:
    """Return the sections with the scores: all curves in one plane, and a threshold to move."""
    questions = evidence.binary_tables()
    if not questions:
        return [], []
    by_system = any(member.thresholds is not None for member in evidence.members.values())
    label = "classifier" if by_system else "class"
    found = []
    if len(questions) > 1:
        name = "The classifiers side by side" if by_system else "Each class against the rest"
        curves = {each: table for each, (_, table) in questions.items()}
        found.append(section("curves", name, figure_block(roc_curves_figure(curves))))
    parts, data = threshold_parts(dict(islice(questions.items(), MOST_QUESTIONS)), label)
    left_out = len(questions) > MOST_QUESTIONS
    said = note(f"The first {MOST_QUESTIONS} of {len(questions)}." if left_out else None)
    return [*found, section("thresholds", "Move the threshold", said, parts)], data


def _prevalence(predictions: ClassPredictions) -> list[str]:
    """Return a warning if one of two classes is rare."""
    if predictions.positive is None:
        return []
    positives = (predictions.table.frame["truth"] == predictions.positive).sum()
    share = positives / len(predictions.table)
    if RARE < share < 1 - RARE:
        return []
    return [
        f"{share:.1%} of the items are “{predictions.positive}”: always saying"
        f" {'no' if share < RARE else 'yes'} would be right for {max(share, 1 - share):.1%};"
        " read the accuracy with that in mind"
    ]


def _confusion_sections(matrices: Mapping[str, Confusion]) -> list[Section]:
    panels = [
        (name, confusion_parts(matrix, f"-{number}"))
        for number, (name, matrix) in enumerate(matrices.items(), 1)
    ]
    return panel_section("confusion", "Confusion matrix", ("matrix-of", "classifier"), panels)
