"""Laws of all figures: words do not collide and are not cut, and no line needs its color."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reports.drawn_words import collisions, cut_words
from tests.reports.report_inputs import LECTURE, LECTURE_SCORES
from tests.reports.test_figures import _luminance

import assay
from assay.reports.figures.lines_and_labels import MOST_DOTS, line_dash
from assay.reports.figures.plane import SHAPES
from assay.reports.figures.plot import figure_kinds
from assay.reports.figures.themes import INTERVAL, THEMES

ITEMS: dict[str, Any] = {
    "sick": ["yes" if letter == "P" else "no" for letter in LECTURE],
    "p": [float(score) for score in LECTURE_SCORES],
}
SCORED: dict[str, Any] = {"truth": "sick", "score": "p", "positive": "yes"}
MANY: dict[str, Any] = {
    "sick": ["yes" if n % 7 == 0 else "no" for n in range(900)],
    "p": [round(min(0.9999, (n * 37 % 900) / 1500 + 0.35 * (n % 7 == 0)), 4) for n in range(900)],
}
QRELS = {f"query {q}": {f"d{n}": int((n * 5 + q * 3) % 7 < 2) for n in range(60)} for q in range(8)}
RUNS = {
    f"a system with a long name {k}": {
        q: {f"d{n}": -((n * (k + 2 + place)) % 61) for n in range(60)}
        for place, q in enumerate(QRELS)
    }
    for k in range(8)
}
ONE = {"only": RUNS["a system with a long name 0"]}
PAIR = dict(list(RUNS.items())[:2])
MODELS = {
    "method": [f"M{n}" for n in range(1, 6)],
    "retrieved": [80, 90, 120, 0, 50],
    "relevant_retrieved": [80, 70, 100, 0, 50],
    "relevant": [100] * 5,
    "corpus": [120] * 5,
}
METHODS: dict[str, Any] = {
    "method": [f"method {n}" for n in range(12)],
    "tp": [50 + 4 * n for n in range(12)],
    "fp": [n * n % 50 for n in range(12)],
    "fn": [50 - 4 * n for n in range(12)],
    "tn": [100 - n * n % 50 for n in range(12)],
}
NAMES = [f"category {chr(97 + n)} of things" for n in range(14)]
CLUSTERED = {
    **{f"k{k}": [int((3.4 * (n % 3) + n % 10 / 9) * k / 9) for n in range(60)] for k in (2, 3, 4)},
    "x": [3.4 * (n % 3) + n % 10 / 9 for n in range(60)],
    "y": [n % 3 + n * 7 % 30 / 10 for n in range(60)],
}
POINTS: dict[str, Any] = {"x": [n / 30 for n in range(60)]}
POINTS["y"] = [math.sin(3 * x) + 0.3 * math.sin(57 * x) for x in POINTS["x"]]


def _plot(kind: str, *inputs: Any, **options: Any) -> Callable[[], assay.Figure]:
    return lambda: assay.plot(kind, *inputs, **options)


def _capacity() -> Any:
    return assay.learn.capacity("polynomial", POINTS, "y", values=[1, 3, 8], features=["x"])


def _folds() -> Any:
    items = {"item": [f"i{n}" for n in range(50)]}
    return assay.split_items(items, "k-fold", folds=5, item="item", seed=1)


FIGURES = {
    "pr": _plot("pr", QRELS, RUNS),
    "pr each": _plot("pr", QRELS, RUNS, each=True),
    "pr ranks": _plot("pr", QRELS, RUNS, average="ranks"),
    "pr ranks each": _plot("pr", QRELS, ONE, average="ranks", each=True),
    "pr query": _plot("pr", QRELS, RUNS, query="query 0"),
    "pr mark": _plot("pr", QRELS, ONE, query="query 0", mark=True),
    "pr-points": _plot("pr-points", {"precision": [1, 0.8, 0.5], "recall": [0.1, 0.5, 0.9]}),
    "venn": _plot("venn", QRELS, PAIR, query="query 0", cutoff=10),
    "sets": _plot("sets", MODELS),
    "judged": _plot("judged", QRELS),
    "judged runs": _plot("judged", QRELS, RUNS, cutoff=20),
    "gain": _plot("gain", QRELS, RUNS),
    "gain of one query": _plot("gain", {"q": QRELS["query 0"]}, {"q": ONE["only"]["query 0"]}),
    "per-query": _plot("per-query", QRELS, PAIR),
    "scatter": _plot("scatter", QRELS, PAIR),
    "roc": _plot("roc", ITEMS, **SCORED, every_threshold=True, threshold=0.54, shade=True),
    "roc many": _plot("roc", MANY, **SCORED, every_threshold=True, threshold=0.5),
    "precision-recall": _plot("precision-recall", ITEMS, **SCORED),
    "lift": _plot("lift", ITEMS, **SCORED),
    "cumulative-gain": _plot("cumulative-gain", MANY, **SCORED),
    "det": _plot("det", MANY, **SCORED),
    "thresholds": _plot("thresholds", ITEMS, **SCORED),
    "densities": _plot("densities", ITEMS, **SCORED),
    "densities areas": _plot("densities", ITEMS, **SCORED, threshold=0.54),
    "densities two": _plot("densities", MANY, **SCORED, threshold=0.9, panels=2),
    "calibration": _plot("calibration", ITEMS, **SCORED),
    "confusion": _plot("confusion", {"truth": NAMES, "guess": NAMES}, predicted="guess"),
    "matrix": _plot("matrix", MODELS, show="predicted"),
    "methods": _plot("methods", METHODS),
    "contingency": _plot("contingency", {"c": NAMES, "class": NAMES}, cluster="c"),
    "silhouette": _plot("silhouette", CLUSTERED, cluster="k3", features=["x", "y"]),
    "elbow": _plot("elbow", CLUSTERED, cluster=["k2", "k3", "k4"], features=["x", "y"]),
    "histogram": _plot("histogram", {"value": [n * n % 97 / 9 for n in range(99)]}, bins=[5, 30]),
    "residuals": _plot("residuals", {"truth": [3.0, 5, 2.5, 7], "predicted": [2.5, 5, 4, 8]}),
    "orders": _plot("orders", {"item": NAMES, "first": range(14), "second": [*range(13, -1, -1)]}),
    "splits": lambda: assay.plot("splits", _folds()),
    "learning": lambda: assay.plot("learning", _capacity()),
    "functions": lambda: assay.plot("functions", _capacity()),
    "rates": lambda: assay.rates(f_n="normal(90, 12)", f_p="normal(140, 25)", at=[110]).plot(),
    "scores": lambda: assay.retrieval(QRELS, RUNS, "AP").plot(),
    "comparison": lambda: assay.compare(assay.retrieval(QRELS, RUNS, "AP")).plot(),
}
ELSEWHERE = {"click-models", "click-rates", "click-relevance", "learning-task"}
"""Figures of results that take long to compute; they are drawn with the same plane."""


@pytest.mark.parametrize("name", FIGURES)
def test_words_of_a_figure_do_not_collide_and_are_whole(name: str) -> None:
    svg = FIGURES[name]().svg
    assert collisions(svg) == []
    assert cut_words(svg) == []


def test_every_kind_of_figure_is_held_to_the_laws() -> None:
    assert {name.split()[0] for name in FIGURES} | ELSEWHERE >= set(figure_kinds())


def test_collisions_and_cut_words_are_found() -> None:
    begin, end = '<svg viewBox="0 0 100 50">', "</svg>"
    style = 'font-size="10" text-anchor="middle"'
    one = f'<text x="50" y="20" {style}>first words</text>'
    assert collisions(f'{begin}{one}<text x="60" y="24" {style}>second</text>{end}')
    assert not collisions(f'{begin}{one}<text x="60" y="40" {style}>second</text>{end}')
    turned = f'<text x="50" y="20" transform="rotate(-90 50 20)" {style}>first words</text>'
    assert collisions(f'{begin}{turned}<text x="50" y="42" {style}>below</text>{end}')
    assert cut_words(f'{begin}<text x="95" y="20" {style}>first words</text>{end}')
    panel = f'<svg x="40" y="0"><text x="50" y="20" {style}>first words</text></svg>'
    assert cut_words(f"{begin}{panel}{end}")


def test_no_two_lines_of_a_figure_need_their_color() -> None:
    shapes = list(SHAPES)
    looks = {(line_dash(number), shapes[number % len(shapes)]) for number in range(12)}
    assert len(looks) == 12
    svg = FIGURES["pr"]().svg
    dashed = re.findall(r'<line x1="[\d.]+" x2="[\d.]+" [^>]*stroke-width="2"[^>]*>', svg)
    assert len(dashed) == 8
    assert len({re.sub(r'[xy]\d="[\d.]+"', "", each) for each in dashed}) == 8


@pytest.mark.parametrize("theme", [0, 1])
def test_intervals_are_seen_on_paper(theme: int) -> None:
    paper = np.asarray([int(THEMES["paper"][theme][n : n + 2], 16) for n in (1, 3, 5)])
    for name in (*(each for each in THEMES if each.startswith("line-")), "accent", "bad"):
        color = np.asarray([int(THEMES[name][theme][n : n + 2], 16) for n in (1, 3, 5)])
        mixed = paper + INTERVAL["stroke_opacity"] * (color - paper)
        ends = sorted(
            _luminance("#{:02x}{:02x}{:02x}".format(*each.round().astype(int)))
            for each in (mixed, paper)
        )
        assert (ends[1] + 0.05) / (ends[0] + 0.05) >= 3


def test_long_lines_have_no_dots_that_hide_them() -> None:
    qrels = {"q": {f"d{n}": int(n % 3 == 0) for n in range(300)}}
    for depth, marked in ((MOST_DOTS, True), (MOST_DOTS + 1, False)):
        run = {"q": {f"d{n}": -n for n in range(depth)}}
        for given in ({"one": run}, {"one": run, "two": run}):
            svg = assay.plot("pr", qrels, given, query="q").svg
            assert (svg.count("<circle") >= depth) == marked


def test_each_method_has_a_name_beside_it_or_in_the_key() -> None:
    svg = FIGURES["methods"]().svg
    for name in METHODS["method"]:
        assert f">{name}</text>" in svg


def test_bars_of_calibration_stand_in_the_bins_of_their_items() -> None:
    table = {"truth": ["no", "yes", "no", "yes"], "p": [0.3, 0.35, 0.5, 1.0]}
    figure = assay.plot("calibration", table, truth="truth", score="p", positive="yes")
    left, _, width, _ = map(float, re.findall(r'data-plane="([^"]+)"', figure.svg)[0].split())
    bars = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="[\d.]+"', figure.svg)
    # A bin is open below and closed above: 0.3 is in the third, 0.5 in the fifth, 1 in the last.
    assert [round((float(x) - left) / width, 1) for x in bars] == [0.2, 0.3, 0.4, 0.9]
    assert "Bars: the number of items, at most 1" in figure.title


def test_rates_that_are_nearly_0_do_not_read_0() -> None:
    qrels = {"q": {f"r{n}": 1 for n in range(535)}}
    svg = assay.plot("venn", qrels, {"A": {"q": {"r1": 2, "x": 1}}}).svg
    assert "recall 1/535 = 0.002" in svg
    data = {"y": [*["no"] * 300, "yes"], "p": [*[0.1] * 299, 0.9, 0.95]}
    roc = assay.plot("roc", data, truth="y", score="p", positive="yes", threshold=0.9).svg
    assert "0.9: FPR 0.003, TPR 1.00" in roc


def test_chance_is_drawn_where_it_is_the_same_for_all_curves() -> None:
    data: dict[str, Any] = {"label": ["a", "a", "b", "c"] * 5}
    data |= {
        f"p_{name}": [0.5 if each == name else 0.25 for each in data["label"]] for name in "abc"
    }
    several = assay.plot("precision-recall", data, truth="label", probabilities="p_*")
    assert "dashed" not in several.title
    assert "<line" in assay.plot("precision-recall", ITEMS, **SCORED).svg
    assert assay.plot("lift", ITEMS, **SCORED).title == "Lift: at most 2.00; dashed: a random order"


def test_low_curves_are_as_large_as_there_is_room() -> None:
    qrels = {"q": {f"r{n}": 1 for n in range(1000)}}
    run = {"q": {f"r{n}": -n for n in range(20)}}
    gain = assay.plot("gain", qrels, {"A": run}, measure="R")
    assert ">1.0</text>" not in gain.svg
    assert gain.title == "R when lists are cut at a depth, query q"
    short = assay.plot("pr", qrels, {"A": run, "B": run}, query="q").svg
    assert ">0.020</text>" in short


def test_a_wide_figure_fits_a_notebook() -> None:
    figure = FIGURES["sets"]()
    for shown in (figure._repr_svg_(), figure._repr_html_()):
        assert shown.count('<svg style="max-width: 100%; height: auto" ') == 1
    assert "max-width" not in figure.svg


def test_a_heading_of_a_page_keeps_the_name_of_a_measure(tmp_path: Path) -> None:
    scores = assay.retrieval(QRELS, PAIR, "nDCG@10 AP", interval=None)
    page = assay.report(assay.compare(scores), tmp_path / "page.html").read_text("utf-8")
    headings = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    assert any(each.startswith("nDCG@10") for each in headings)
    assert not any(each.startswith("NDCG") for each in headings)


def test_printed_pages_keep_rows_and_labels_together(tmp_path: Path) -> None:
    scores = assay.retrieval(QRELS, PAIR, "AP", interval=None)
    page = assay.report(scores, tmp_path / "page.html").read_text("utf-8")
    style = page[page.index("@media print") :]
    assert ".controls" in style[: style.index("break-inside: avoid; }")]
    assert "details:not([open])" in style[: style.index("{ display: none; }")]


@pytest.mark.parametrize("panels", [1, 2])
def test_smoothed_areas_say_that_rates_are_those_of_the_items(panels: int) -> None:
    figure = assay.plot("densities", ITEMS, **SCORED, threshold=0.54, panels=panels)
    assert "smoothed, the rates are those of the items" in figure.title
    given = assay.rates(f_n="normal(90, 12)", f_p="normal(140, 25)", at=[110]).plot(panels=panels)
    assert "smoothed" not in given.title


def test_columns_of_sets_may_be_written_as_in_a_lecture() -> None:
    names = {"method": "model", "relevant_retrieved": "Relevant Retrieved"}
    written = {names.get(name, name.capitalize()): column for name, column in MODELS.items()}
    assert assay.plot("sets", written).points == assay.plot("sets", MODELS).points
    scores = assay.ConfusionEvidence.read(written).scores("P R", interval=None)
    assert scores["PPV"]["M2"] == pytest.approx(70 / 90)


def test_the_page_of_matrices_warns_of_rare_positives_and_prints_every_method(
    tmp_path: Path,
) -> None:
    counts = {
        "method": ["A", "B"],
        "tp": [20, 5],
        "fp": [180, 9],
        "fn": [10, 25],
        "tn": [1820, 1991],
    }
    page = assay.report(assay.ConfusionEvidence.read(counts), tmp_path / "page.html")
    text = page.read_text("utf-8")
    assert "No findings" not in text
    assert "A: Only 1.5 % of the items are positive" in text
    assert 'role="group" aria-label="method B"' in text
    style = text[text.index("@media print") :]
    assert "~ .panel[hidden] { display: block !important; }" in style


def test_regions_of_methods_name_what_the_plane_shows() -> None:
    counts = {"method": ["test"], "tp": [20], "fp": [180], "fn": [10], "tn": [1820]}
    svg = assay.plot("methods", counts).svg
    assert "rules in" not in svg  # Its positive predictive value is 10 %.
    assert ">high specificity</text>" in svg
