"""The part of a page in which a threshold can be moved, with the curves around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.curves import thresholds
from assay.reports.figures.figure import Axis
from assay.reports.figures.roc_figures import roc_figure
from assay.reports.figures.score_density_figures import densities_figure, density_axis
from assay.reports.figures.score_figures import (
    calibration_figure,
    in_unit_interval,
    thresholds_figure,
)
from assay.reports.figures.value_figures import sample_evenly
from assay.reports.markup import Child, Markup, data_block, join_markup, tag
from assay.reports.pages.page import figure_block, note, page_table, select_panel

MOST_THRESHOLDS = 1000
"""The positions of one slider; several sliders share them."""
LEAST_THRESHOLDS = 200
COUNTS = ("threshold", "TP", "FP", "FN", "TN")


Questions: TypeAlias = Mapping[str, tuple[str, ThresholdTable]]
"""By name: the positive class, and the counts at each score."""


def threshold_parts(questions: Questions, label: str) -> tuple[Markup, list[Markup]]:
    """Return a slider with matrix, rates and curves for each question, and the data behind them."""
    most = max(MOST_THRESHOLDS // len(questions), LEAST_THRESHOLDS)
    panels, data = [], []
    for number, (name, (positive, table)) in enumerate(questions.items(), 1):
        suffix = "" if number == 1 else f"-{number}"
        found = thresholds_data(table, most)
        panels.append((name, _panel(positive, table, found, suffix)))
        data.append(data_block(f"thresholds-data{suffix}", found))
    return select_panel("question", label, panels), data


def thresholds_data(table: ThresholdTable, most: int = MOST_THRESHOLDS) -> dict[str, Any]:
    """Counts and rates at each threshold; of very many, a part that is spread evenly."""
    chosen = sample_evenly(len(table.score), most)
    columns = {name: column[chosen] for name, column in thresholds(table).items()}
    axis, wide = Axis.around("score", table.score.tolist()), density_axis(table)
    return {
        "score": columns["threshold"],
        "tp": columns["TP"],
        "fp": columns["FP"],
        "positives": float(table.tp[0][-1]),
        "negatives": float(table.fp[0][-1]),
        "distinct": len(table.score),
        "rates": {name: columns[name] for name in columns if name not in COUNTS},
        "ranges": {"densities": [wide.low, wide.high], "rates": [axis.low, axis.high]},
    }


def _panel(positive: str, table: ThresholdTable, found: dict[str, Any], suffix: str) -> Markup:
    names = list(found["rates"])
    values: list[Child] = [tag("td", id=f"rate-{place}{suffix}") for place in range(len(names))]
    return tag(
        "div",
        _slider(found, suffix),
        tag(
            "div",
            figure_block(roc_figure(table), f"roc{suffix}"),
            tag(
                "div",
                _two_by_two(positive, suffix),
                page_table(names, [values], "Rates at this threshold"),
            ),
            class_="figures",
        ),
        tag("div", _curves(table, suffix), class_="row"),
        class_="thresholds",
        data_suffix=suffix,
    )


def _slider(found: dict[str, Any], suffix: str) -> Markup:
    last = len(found["score"]) - 1
    youden = np.nan_to_num(np.asarray(found["rates"]["Youden"], dtype=float), nan=-1)
    start = last - int(np.argmax(youden))
    name = f"threshold{suffix}"
    words = tag("span", "threshold ", tag("output", id=f"threshold-said{suffix}", for_=name))
    slider = tag("input", type="range", id=name, min=0, max=last, value=start, step=1)
    said = (
        "An item is positive at or above the threshold; the slider opens where TPR − FPR is largest"
    )
    if found["distinct"] > last + 1:
        said += f". It has {last + 1} of {found['distinct']} distinct scores"
    return join_markup(
        tag("div", tag("label", words, slider, class_="slider"), class_="sticky"),
        note(f"{said}."),
    )


def _two_by_two(positive: str, suffix: str) -> Markup:
    def cell(name: str) -> Markup:
        """Return the cell of a count."""
        kind = "cell wrong" if name in ("fp", "fn") else "cell"
        return tag("td", id=f"cell-{name}{suffix}", class_=kind)

    def margin(name: str, words: str) -> Markup:
        """Return the cell of a rate."""
        return tag("td", f"{words} ", tag("span", id=f"margin-{name}{suffix}"), class_="rate")

    rows: list[list[Child]] = [
        [f"actual {positive}", cell("tp"), cell("fn"), margin("tpr", "TPR")],
        ["actual negative", cell("fp"), cell("tn"), margin("tnr", "TNR")],
        ["of the predicted", margin("ppv", "PPV"), margin("npv", "NPV"), tag("td")],
    ]
    head = ["", f"predicted {positive}", "predicted negative", "of the actual"]
    return page_table(head, rows, "The matrix at this threshold", class_="matrix")


def _curves(table: ThresholdTable, suffix: str) -> list[Markup]:
    shown = [
        figure_block(densities_figure(table), f"densities{suffix}"),
        figure_block(thresholds_figure(table), f"rates{suffix}"),
    ]
    if in_unit_interval(table):
        shown.append(figure_block(calibration_figure(table)))
    return shown
