"""The page of a classification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.core.arrays import ratio
from assay.evidence.confusion import Confusion
from assay.evidence.thresholds import ThresholdTable
from assay.measures.scores.threshold_table import thresholds
from assay.reports.figures.axis import Axis
from assay.reports.figures.calibration import are_probabilities, calibration_figure
from assay.reports.figures.matrix import MOST
from assay.reports.figures.residuals import thinned
from assay.reports.figures.roc import roc_figure
from assay.reports.figures.thresholds import densities_figure, thresholds_figure
from assay.reports.markup import Child, Markup, data_block, tag
from assay.reports.pages.page import Section, page, picture, section
from assay.reports.pages.sections import (
    conventions_section,
    numbers_section,
    table,
    warnings_section,
)
from assay.reports.pages.traces import work_of
from assay.reports.subjects import ClassificationSubject

RARE = 0.1
MOST_THRESHOLDS = 1000
COUNTS = ("threshold", "TP", "FP", "FN", "TN")


def classification_page(subject: ClassificationSubject, title: str = "Classification") -> str:
    """Warnings, numbers, the confusion matrix, and what a threshold does."""
    scores = subject.scores
    work = work_of(_views(subject), scores.measures, "classification")
    sections = [warnings_section(scores, _prevalence(subject)), numbers_section(scores, work)]
    data = []
    if subject.has_scores:
        found = thresholds_data(subject.thresholds)
        sections.append(_threshold_section(found, subject.positive or "positive"))
        data.append(data_block("thresholds-data", found))
        sections.append(_curves_section(subject.thresholds))
    if subject.predicts:
        sections.append(_confusion_section(subject.confusion))
    sections.append(conventions_section(scores))
    items = len(subject.decisions)
    positive = f", positive is “{subject.positive}”" if subject.positive else ""
    scripts = ["thresholds.js"] if subject.has_scores else []
    return page(title, f"{items} items{positive}.", sections, scripts, data)


def _views(subject: ClassificationSubject) -> Iterator[Any]:
    if subject.predicts:
        yield subject.confusion
    if subject.has_scores:
        yield subject.thresholds


def thresholds_data(table: ThresholdTable) -> dict[str, Any]:
    """Counts and rates at each threshold; of very many, a part that is spread evenly."""
    chosen = thinned(len(table.score), MOST_THRESHOLDS)
    columns = {name: column[chosen] for name, column in thresholds(table).items()}
    axis = Axis.around("score", table.score.tolist())
    return {
        "score": columns["threshold"],
        "tp": columns["TP"],
        "fp": columns["FP"],
        "positives": float(table.tp[0][-1]),
        "negatives": float(table.fp[0][-1]),
        "distinct": len(table.score),
        "rates": {name: columns[name].round(5) for name in columns if name not in COUNTS},
        "margins": {name: columns[name.upper()].round(5) for name in ("tpr", "tnr", "ppv", "npv")},
        "ranges": {name: [axis.low, axis.high] for name in ("densities", "rates")},
    }


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


def _threshold_section(found: dict[str, Any], positive: str) -> Section:
    last = len(found["score"]) - 1
    start = last - int(np.argmin(np.abs(np.asarray(found["score"]) - 0.5))) if last else 0
    slider = tag("input", type="range", id="threshold", min=0, max=last, value=start, step=1)
    words = tag("span", "threshold: ", tag("output", id="threshold-said", for_="threshold"))
    said = "An item is positive at or above the threshold."
    if found["distinct"] > last + 1:
        said += f" The slider has {last + 1} of {found['distinct']} distinct scores."
    names = list(found["rates"])
    rows: list[list[Child]] = [
        [name, tag("td", id=f"rate-{place}")] for place, name in enumerate(names)
    ]
    return section(
        "thresholds",
        "Move the threshold",
        tag("p", tag("label", words, slider, class_="slider")),
        tag("p", said, class_="note"),
        tag(
            "div",
            _two_by_two(positive),
            table(["rate", "at the threshold"], rows, "Rates"),
            class_="figures",
        ),
    )


def _two_by_two(positive: str) -> Markup:
    def cell(name: str) -> Markup:
        return tag("td", id=f"cell-{name}", class_="cell")

    def margin(name: str, words: str) -> Markup:
        return tag("td", f"{words} ", tag("span", id=f"margin-{name}"), class_="rate")

    rows: list[list[Child]] = [
        [f"truly {positive}", cell("tp"), cell("fn"), margin("tpr", "TPR")],
        ["truly not", cell("fp"), cell("tn"), margin("tnr", "TNR")],
        ["of those said so", margin("ppv", "PPV"), margin("npv", "NPV"), tag("td")],
    ]
    head = ["", f"says {positive}", "says not", "of the truth"]
    return table(head, rows, "The matrix at this threshold", class_="matrix")


def _curves_section(thresholds: ThresholdTable) -> Section:
    shown = [
        picture(roc_figure(thresholds), "roc"),
        picture(densities_figure(thresholds), "densities"),
        picture(thresholds_figure(thresholds), "rates"),
    ]
    if are_probabilities(thresholds):
        shown.append(picture(calibration_figure(thresholds)))
    return section("curves", "Curves", tag("div", shown, class_="figures"))


def _confusion_section(confusion: Confusion) -> Section:
    counts, labels = confusion.matrix[0], confusion.labels
    true, said = counts.sum(axis=1), counts.sum(axis=0)
    recall, precision = ratio(counts.diagonal(), true), ratio(counts.diagonal(), said)
    note = None
    if len(labels) > MOST:
        note = tag("p", f"The first {MOST} of {len(labels)} classes.", class_="note")
    shown = range(min(len(labels), MOST))
    rows: list[list[Child]] = []
    for i in shown:
        cells = [count_cell(counts[i, j], true[i]) for j in shown]
        rows.append([labels[i], *cells, tag("td", rate(recall[i]), class_="rate"), f"{true[i]:g}"])
    bottom = [tag("td", rate(precision[j]), class_="rate") for j in shown]
    rows.append(["precision", *bottom, tag("td"), tag("td")])
    head: list[Child] = ["truth \\ predicted", *(labels[j] for j in shown), "recall", "items"]
    matrix = table(head, rows, "Truth in rows, prediction in columns", class_="matrix")
    return section("confusion", "Confusion matrix", matrix, note, _mistakes(confusion))


def count_cell(count: float, total: float) -> Markup:
    """A cell that is the fuller of colour, the greater its share of the row."""
    share = count / total if total else 0.0
    return tag("td", f"{count:g}", class_="cell", style=f"--share:{share:.3f}")


def rate(value: float) -> str:
    """A share in percent; a dash where it is undefined."""
    return "–" if value != value else f"{value:.1%}"


def _mistakes(confusion: Confusion) -> Markup | None:
    """The pairs of classes that are taken for each other most often."""
    counts, labels = confusion.matrix[0], confusion.labels
    wrong = counts * (1 - np.eye(len(labels)))
    if len(labels) < 3 or not wrong.any():
        return None
    order = np.argsort(-wrong, axis=None, kind="stable")[:5]
    places = [np.unravel_index(each, wrong.shape) for each in order.tolist()]
    said = [
        tag("li", f"{labels[i]} taken for {labels[j]}: {wrong[i, j]:g}")
        for i, j in places
        if wrong[i, j]
    ]
    return tag("div", tag("h3", "The most frequent mistakes"), tag("ol", said))
