"""Figures in print, on dark pages and of several systems: what must differ or agree there."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import LECTURE, LECTURE_SCORES

import assay
from assay.core.errors import AssayError
from assay.reports.figures.retrieved_and_judged import DistanceAxis
from assay.reports.figures.score_figures import rate_steps

QRELS = {"q": {f"r{n}": 1 for n in range(20)}}
RUNS = {
    name: {"q": {f"{'r' if n < hits else 'n'}{n}": float(-n) for n in range(size)}}
    for name, hits, size in (("A", 7, 14), ("B", 4, 6))
}
ITEMS: dict[str, Any] = {
    "sick": ["yes" if letter == "P" else "no" for letter in LECTURE],
    "p": [float(score) for score in LECTURE_SCORES],
}


def test_the_area_of_ap_has_a_box_in_the_key() -> None:
    svg = assay.plot("pr", QRELS, {"A": RUNS["A"]}, query="q", mark=True).svg
    assert re.search(r'<rect [^>]*width="16" height="12"[^>]*fill-opacity="0.16"', svg)
    assert ">area: AP 0.35</text>" in svg


def test_hatching_fills_an_area_between_few_points() -> None:
    table = {"score": [0, 0.5, 1], "f_n": [2, 1, 0], "f_p": [0, 1, 2]}
    figure = assay.rates(table, at=[0.5]).plot()
    left, _, width, _ = map(float, re.findall(r'data-plane="([^"]+)"', figure.svg)[0].split())
    level = r'<path d="([^"]+)" fill="none" stroke="var\(--bad\)" stroke-width="1"'
    ends = [float(re.findall(r"[ML]([\d.]+),", path)[-1]) for path in re.findall(level, figure.svg)]
    shares = [(end - left) / width for end in ends]
    # f_n falls from 1 at 0.5 to 0 at 1: the lines end evenly between them.
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.97
    assert max(np.diff(sorted(shares))) < 0.05


def test_sets_of_several_runs_have_a_panel_each_and_relevant_ones_a_dashed_circle() -> None:
    figure = assay.plot("venn", QRELS, RUNS)
    assert figure.points["A: query q"] == {
        "both": [7],
        "only retrieved": [7],
        "only relevant": [13],
    }
    assert figure.points["B: query q"]["both"] == [4]
    assert "precision 4/6 = 0.67, recall 4/20 = 0.20" in figure.svg
    # Of each run the circle, and the line below the words that stand for it.
    assert figure.svg.count('stroke-dasharray="6 4"') == 4


def test_judged_documents_are_counted_on_the_axis() -> None:
    qrels = {f"q{n}": {f"d{n}_{m}": 1 for m in range(10)} for n in range(5)}
    svg = assay.plot("judged", qrels).svg
    assert [f">{n}</text>" in svg for n in (0, 10, 20, 30, 40, 50)] == [True] * 6


def test_very_different_sides_of_zero_have_a_scale_each() -> None:
    axis = DistanceAxis("", -1000, 10, whole=True)
    assert [axis.share(x) for x in (-1000, -500, 0, 5, 10)] == [0, 0.25, 0.5, 0.75, 1]
    assert {(-1000.0, "1000"), (0.0, "0"), (10.0, "10")} <= set(axis.ticks())
    even = DistanceAxis("", -20, 10, whole=True)
    assert even.share(0) == pytest.approx(2 / 3)
    assert not DistanceAxis("", 0, 10).halved
    qrels = {"q": {f"r{n}": int(n < 3) for n in range(1000)}}
    svg = assay.plot("judged", qrels, {"A": RUNS["A"]}).svg
    assert "(two scales)" in svg


def test_rates_of_chosen_thresholds_are_steps() -> None:
    corners = rate_steps({"TPR": {"threshold": np.array([3.0, 1.0]), "rate": np.array([0.5, 1.0])}})
    assert corners["TPR"]["threshold"].tolist() == [3, 1, 1]
    assert corners["TPR"]["rate"].tolist() == [0.5, 0.5, 1]
    found = assay.threshold(ITEMS, "youden", truth="sick", score="p", positive="yes")
    figure = found.plot()
    assert figure.points["TPR"]["threshold"][0] == 0.9
    first = re.findall(r'<path d="([^"]+)" fill="none" stroke="var\(--line-1\)"', figure.svg)[0]
    places = [tuple(map(float, each)) for each in re.findall(r"([\d.]+),([\d.]+)", first)]
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(places))


def test_values_of_measures_and_checks_that_fail(tmp_path: Path) -> None:
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(6)}
    run = {f"q{n}": {"a": 1.0, "b": float(n % 2 * 2)} for n in range(6)}
    scores = assay.retrieval(qrels, {"S": run}, "P@1 P@2")
    scores.save(tmp_path / "scores.parquet")
    assert ">value</text>" in assay.load(tmp_path / "scores.parquet").plot().svg
    gate = assay.gate(scores, floor={"P@1": 0.4, "P@2": 0.9})
    svg = gate.plot().svg
    assert [check.holds for check in gate.checks] == [True, False]
    assert len(re.findall(r'fill="var\(--paper\)"[^>]*stroke="var\(--bad\)"', svg)) == 1


def test_residuals_of_several_systems_have_the_same_axes() -> None:
    data = {"y": [1.0, 2.0, 3.0], "a": [1.1, 2.1, 2.9], "b": [5.0, 2.0, -4.0]}
    svg = assay.plot("residuals", data, truth="y", predicted=["a", "b"]).svg
    first, second = (re.findall(r">(-?[\d.]+)</text>", part) for part in svg.split(">b</text>"))
    assert first == second


def test_names_of_regions_keep_away_from_methods() -> None:
    counts = {"method": ["M"], "tp": [50], "fp": [0], "fn": [50], "tn": [20]}
    svg = assay.plot("methods", counts).svg
    place = re.search(r'y="([\d.]+)"[^>]*>high specificity</text>', svg)
    method = re.search(r'y="([\d.]+)"[^>]*>M</text>', svg)
    assert place is not None
    assert method is not None
    assert abs(float(place[1]) - float(method[1])) > 14


def test_ranks_are_drawn_as_large_as_there_is_room() -> None:
    qrels = {"q": {f"r{n}": 1 for n in range(100)}}
    svg = assay.plot("pr", qrels, {"A": RUNS["A"]}, ranks=[5, 10]).svg
    assert ">0.08</text>" in svg
    assert re.findall(r">1\.0</text>", svg) == [">1.0</text>"]  # Precision reaches 1, not recall.


@pytest.mark.parametrize(
    ("theme", "has", "lacks"),
    [
        ("light", 'fill="#ffffff"', "var("),
        ("dark", 'fill="#16181d"', "var("),
        ("auto", "light-dark(#ffffff, #16181d)", 'fill="#ffffff"'),
    ],
)
def test_themes_of_files(tmp_path: Path, theme: Any, has: str, lacks: str) -> None:
    figure = assay.plot("venn", QRELS, RUNS)
    figure.save(tmp_path / "venn.svg", theme=theme)
    written = (tmp_path / "venn.svg").read_text()
    assert has in written
    assert lacks not in written


def test_a_theme_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    figure = assay.plot("venn", QRELS, RUNS)
    with pytest.raises(AssayError, match="only an SVG file"):
        figure.save(tmp_path / "venn.png", theme="auto")
    wrong: Any = "drak"
    with pytest.raises(AssayError, match="Did you mean dark"):
        figure.save(tmp_path / "venn.svg", theme=wrong)


def test_the_only_query_need_not_be_named_and_classes_have_their_rates(tmp_path: Path) -> None:
    qrels, run, matrix = (tmp_path / name for name in ("q.txt", "r.run", "m.csv"))
    qrels.write_text("q 0 a 1\nq 0 b 0\n")
    run.write_text("q Q0 b 1 2 S\nq Q0 a 2 1 S\n")
    done = call("explain", "retrieval", str(qrels), str(run), "-m", "RR")
    assert "RR = 0.5000\nS, query q" in done.out
    qrels.write_text("q 0 a 1\nz 0 b 1\n")
    done = call("explain", "retrieval", str(qrels), str(run), "-m", "RR")
    assert done.code == 2
    assert "name one of 2 queries with --query, such as q," in done.err
    matrix.write_text(",Woman,Man,Child\nWoman,13,4,2\nMan,2,15,1\nChild,5,1,57\n")
    done = call("confusion", str(matrix), "--rows", "predicted", "--interval", "none")
    row = next(line for line in done.out.splitlines() if line.startswith("  Child   "))
    assert row.split() == ["Child", "0.9048", "0.9500", "0.9268", "0.9100", "0.6000", "60"]


def test_a_gap_before_a_test_is_hatched() -> None:
    folds = assay.split_items({"t": list(range(60))}, "k-fold", folds=4, time="t", gap=3)
    figure = assay.plot("splits", folds)
    hatching = r'<path d="M([\d.]+),[^"]*" fill="none" stroke="var\(--muted\)"'
    left, _, width, _ = map(float, re.findall(r'data-plane="([^"]+)"', figure.svg)[0].split())
    lines = [(float(x) - left) / width * 60 for x in re.findall(hatching, figure.svg)]
    gaps = figure.points["gap"]
    spans = list(zip(gaps["begin"], gaps["end"], strict=True))
    assert len(lines) >= 2 * len(spans)
    assert all(any(begin < x < end for begin, end in spans) for x in lines)


def test_the_power_law_of_a_learning_curve_ends_where_the_plane_does() -> None:
    points = {"x": [n / 30 for n in range(60)]}
    points["y"] = [x * x - x + (n * 7 % 5) / 20 for n, x in enumerate(points["x"])]
    figure = assay.learn.curve("polynomial:3", points, "y", features=["x"]).plot()
    top = float(re.findall(r'data-plane="[\d.]+ ([\d.]+)', figure.svg)[0])
    law = re.search(r'<path d="([^"]+)" fill="none" stroke="var\(--muted\)"', figure.svg)
    assert law is not None
    heights = [float(y) for y in re.findall(r",([\d.]+)", law[1])]
    assert heights.count(top) <= 1  # Not drawn along the upper edge.


def test_bars_of_both_classes_have_outlines_that_differ_without_color() -> None:
    svg = assay.plot("densities", ITEMS, truth="sick", score="p", positive="yes").svg
    outline = r'stroke="var\(--([\w-]+)\)" stroke-width="1"[^>]*stroke-opacity="0.7"([^>]*)'
    dashed = {color: "dasharray" in rest for color, rest in re.findall(outline, svg)}
    assert dashed == {"bad": True, "accent": False}


def test_intervals_of_a_capacity_curve_are_whole() -> None:
    xs = [n / 30 for n in range(60)]
    points = {"x": xs, "y": [np.sin(3 * x) + 0.3 * np.sin(57 * x) for x in xs]}
    curve = assay.learn.capacity("polynomial", points, "y", values=[1, 2, 3], features=["x"])
    svg = curve.plot().svg
    top = max(float(each) for each in re.findall(r'text-anchor="end"[^>]*>([\d.]+)</text>', svg))
    assert top >= max(curve.curve["high"].to_list())


def test_a_det_figure_without_points_says_why() -> None:
    table = {"truth": ["no", "yes"], "p": [0.0, 1.0]}
    figure = assay.plot("det", table, truth="truth", score="p", positive="yes")
    assert "at every threshold an error rate is 0 or 1" in figure.svg
    assert "an error rate is" not in assay.plot("det", ITEMS, truth="sick", score="p").svg


def test_dashed_lines_have_no_fill_that_readers_of_pdf_draw_solid() -> None:
    for svg in (
        assay.plot("roc", ITEMS, truth="sick", score="p").svg,
        assay.plot("methods", {"method": ["M"], "tp": [4], "fp": [8], "fn": [6], "tn": [2]}).svg,
    ):
        dashed = re.findall(r"<line [^>]*stroke-dasharray[^>]*>", svg)
        assert dashed
        assert all('fill="none"' in each for each in dashed)
