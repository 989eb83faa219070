"""The page of a classification: of one classifier, or of several on the same items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.reports.classifiers import Classifiers
from assay.reports.figures.score_figures import roc_curves_figure
from assay.reports.markup import Markup, tag
from assay.reports.pages.matrix_tables import confusion_parts
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
    significance_letters,
    warnings_section,
)
from assay.reports.pages.threshold_slider import BinaryQuestion, threshold_parts
from assay.reports.pages.traces import trace_panels
from assay.reports.subjects import ClassificationSubject
from assay.reports.text.interpretation import missed_classes

RARE = 0.1
MOST_QUESTIONS = 24
"""So many classes or classifiers have a threshold to move."""


def classification_page(
    subject: ClassificationSubject | Classifiers, title: str = "Classification"
) -> str:
    """Warnings, numbers, what a threshold does, and the confusion matrix with its clusters."""
    all_of_them = subject if isinstance(subject, Classifiers) else Classifiers.of_one(subject)
    scores, first = all_of_them.scores, all_of_them.first
    several = len(all_of_them.subjects) > 1
    numbers = (
        leaderboard_section(scores, significance_letters(scores))
        if several
        else numbers_section(scores, trace_panels(_views(first), scores.measures, "classification"))
    )
    sections = [warnings_section(scores, [*_prevalence(first), *_missed(all_of_them)]), numbers]
    moved, data = _thresholds(all_of_them)
    sections += moved
    if any(each.predicts for each in all_of_them.subjects.values()):
        sections.append(_confusion_section(all_of_them))
    sections.append(conventions_section(scores))
    positive = f", positive is “{first.positive}”" if first.positive else ""
    classifiers = f"{len(all_of_them.subjects)} classifiers, " if several else ""
    return render_page(
        title,
        f"{classifiers}{len(first.decisions)} items{positive}{_columns(all_of_them)}.",
        sections,
        ["thresholds.js"] if data else [],
        data,
        tiles=best_system_tiles(scores) if several else measure_tiles(scores),
    )


def _columns(subject: Classifiers) -> str:
    """Which columns were evaluated, if they have names."""
    named = dict.fromkeys(name for each in subject.subjects.values() for name in each.columns)
    return f": {', '.join(named)} against the truth in {subject.first.truth}" if named else ""


def _views(subject: ClassificationSubject) -> Iterator[Any]:
    if subject.predicts:
        yield subject.confusion
    if subject.has_scores:
        yield subject.thresholds


def _thresholds(subject: Classifiers) -> tuple[list[Section], list[Markup]]:
    """The sections with the scores: all curves on one plane, and a threshold to move."""
    questions = [
        BinaryQuestion(name, each.positive or "positive", each.thresholds)
        for name, each in subject.subjects.items()
        if each.has_scores
    ]
    label, name = "classifier", "The classifiers side by side"
    if not questions:
        label, name = "class", "Each class against the rest"
        questions = [
            BinaryQuestion(each if len(subject.subjects) == 1 else f"{system}: {each}", each, table)
            for system, one in subject.subjects.items()
            for each, table in one.against_rest().items()
        ]
    if not questions:
        return [], []
    found = []
    if len(questions) > 1:
        curves = {each.name: each.table for each in questions}
        found.append(section("curves", name, figure_block(roc_curves_figure(curves))))
    parts, data = threshold_parts(questions[:MOST_QUESTIONS], label)
    note = None
    if len(questions) > MOST_QUESTIONS:
        note = tag("p", f"The first {MOST_QUESTIONS} of {len(questions)}.", class_="note")
    return [*found, section("thresholds", "Move the threshold", note, parts)], data


def _prevalence(subject: ClassificationSubject) -> list[str]:
    if subject.positive is None:
        return []
    share = (subject.decisions.frame["truth"] == subject.positive).sum() / len(subject.decisions)
    if RARE < share < 1 - RARE:
        return []
    return [
        f"{share:.1%} of the items are “{subject.positive}”: always saying"
        f" {'no' if share < RARE else 'yes'} would be right for {max(share, 1 - share):.1%};"
        " read the accuracy with that in mind"
    ]


def _missed(subject: Classifiers) -> list[str]:
    """Return the rare classes that each classifier mostly misses."""
    several = len(subject.subjects) > 1
    return [
        f"{name}: {sentence}" if several else sentence
        for name, each in subject.subjects.items()
        if each.predicts
        for sentence in missed_classes(each.confusion)
    ]


def _confusion_section(subject: Classifiers) -> Section:
    panels = [
        (name, confusion_parts(each.confusion, f"-{number}"))
        for number, (name, each) in enumerate(subject.subjects.items(), 1)
        if each.predicts
    ]
    return section("confusion", "Confusion matrix", select_panel("matrix-of", "classifier", panels))
