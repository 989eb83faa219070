"""The page of a classification: of one classifier, or of several on the same items."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from assay.engine.scores import Scores
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.probabilities.calibration_line import calibration_line
from assay.reports.figures.curve_figures import (
    GAIN,
    det_curves,
    lift_curves,
    precision_recall_curves,
)
from assay.reports.figures.roc_figures import roc_curves_figure
from assay.reports.markup import Markup
from assay.reports.pages.matrix_tables import confusion_sections
from assay.reports.pages.optional_sections import fairness_sections
from assay.reports.pages.page import (
    Section,
    figure_block,
    figure_row,
    note,
    section,
    trace_panels,
)
from assay.reports.pages.task_page import TaskPage
from assay.reports.pages.threshold_slider import threshold_parts
from assay.reports.text.interpretation import missed_classes
from assay.reports.text.table_text import p_value_sentence
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.predictions import ClassPredictions

RARE = 0.1
UNCALIBRATED = 0.01
"""Below this p-value of the calibration line a page warns."""
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
        [
            *threshold_sections,
            *confusion_sections(matrices, "classifier"),
            *(fairness_sections(evidence) if scores.slices else []),
        ],
        [] if several else trace_panels(views, scores),
        [*_prevalence(first), *_single_items(first), *_calibration_notes(evidence), *missed],
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
    named = f": predicted in {', '.join(columns)}, actual in {evidence.truth}" if columns else ""
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
    curves = {each: table for each, (_, table) in questions.items()}
    found = [section("precision-recall", "Precision and recall, lift, errors", _curves(curves))]
    if len(questions) > 1:
        name = "The classifiers side by side" if by_system else "Each class against the rest"
        found.insert(0, section("curves", name, figure_block(roc_curves_figure(curves))))
    parts, data = threshold_parts(dict(islice(questions.items(), MOST_QUESTIONS)), label)
    left_out = len(questions) > MOST_QUESTIONS
    said = note(f"The first {MOST_QUESTIONS} of {len(questions)}." if left_out else None)
    return [*found, section("thresholds", "Move the threshold", said, parts)], data


def _curves(tables: Mapping[str, ThresholdTable]) -> Markup:
    """Return the curves over all thresholds side by side."""
    drawn = [precision_recall_curves(tables), GAIN.draw(tables, {}), lift_curves(tables)]
    return figure_row([*drawn, det_curves(tables)])


def _prevalence(predictions: ClassPredictions) -> list[str]:
    """Return a warning if one of two classes is rare."""
    if predictions.positive is None:
        return []
    positives = (predictions.table.frame["truth"] == predictions.positive).sum()
    share = positives / len(predictions.table)
    if RARE < share < 1 - RARE:
        return []
    often = "negative" if share < RARE else "positive"
    return [
        f"{share:.1%} of the items are “{predictions.positive}”: always predicting {often} would"
        f" be right for {max(share, 1 - share):.1%};"
        " read the accuracy with that in mind"
    ]


def _single_items(predictions: ClassPredictions) -> list[str]:
    """Return a warning on classes that only one item has."""
    counts = predictions.table.frame["truth"].value_counts()
    once = sorted(counts.filter(counts["count"] == 1)["truth"].to_list())
    said = ", ".join(once[:8]) + (" …" if len(once) > 8 else "")
    return [f"seen once among the true classes: {said}; their rates mean little"] if once else []


def _calibration_notes(evidence: ClassificationEvidence) -> list[str]:
    """Return a warning on probabilities that do not come true as often as they say."""
    notes = []
    for name, member in evidence.members.items():
        make = member.views().get(Probabilities)
        line = calibration_line(make()) if make else None
        if line is None or not line["p"][0] < UNCALIBRATED:
            continue
        intercept, slope = line["value"]
        notes.append(
            f"{name}: the probabilities are not calibrated: slope {slope:.2f} and intercept"
            f" {intercept:.2f} of their log-odds, where 1 and 0 are expected"
            f" ({p_value_sentence(float(line['p'][0]))})"
        )
    return notes
