"""The figures of the lectures, compared by their points."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from scipy.integrate import quad
from tests.cli.terminal import call
from tests.reports.report_inputs import LECTURE, LECTURE_SCORES

import assay
from assay.core.errors import AssayError
from assay.reports.figures.figure import Axis
from assay.reports.figures.judgment_figures import judged_figure
from assay.reports.figures.lines_and_labels import PointLabel, place_labels
from assay.reports.figures.matrix_figures import mistake_factor
from assay.reports.figures.plane import Plane

MARKS = "++-+-+------+-"
QRELS = {"q": {f"d{n}": int(mark == "+") for n, mark in enumerate(MARKS, 1)}}
RUN = {"q": {f"d{n}": float(-n) for n in range(1, 15)}}
ITEMS: dict[str, Any] = {
    "sick": ["yes" if letter == "P" else "no" for letter in LECTURE],
    "p": [float(score) for score in LECTURE_SCORES],
}
COLUMNS = {"truth": "sick", "score": "p", "positive": "yes"}


def test_area_distance_and_break_even_point_of_a_precision_recall_curve() -> None:
    figure = assay.plot("pr", QRELS, RUN, query="q", mark=True)
    area = figure.points["area of AP"]
    steps = np.asarray(area["to"]) - np.asarray(area["from"])
    assert float((steps * area["precision"]).sum()) == pytest.approx(0.7603, abs=5e-5)
    start = figure.points["distance"]
    assert [start["recall"][0], start["precision"][0]] == pytest.approx([0.8, 4 / 6])
    assert figure.points["break-even point"]["recall"].tolist() == [0.6]
    assert "AP 0.76, distance 0.39, break-even 0.60" in figure.title


def test_curves_averaged_at_ranks_with_single_queries_behind() -> None:
    qrels = {"a": {"1": 1, "3": 1}, "b": {"2": 1, "9": 1}}
    run = {"a": {"1": 4.0, "2": 3.0, "3": 2.0, "4": 1.0}, "b": {"1": 2.0, "2": 1.0}}
    points = assay.plot("pr", qrels, run, ranks=[1, 2], each=True).points
    mean, first, second = points.values()
    assert mean["precision"].tolist() == [0.5, 0.5]
    assert mean["recall"].tolist() == [0.25, 0.5]
    assert first["precision"].tolist() == [1, 0.5]
    assert second["recall"].tolist() == [0, 0.5]
    recalls = assay.plot("pr", qrels, run, each=True).points
    assert len(recalls) == 3
    assert next(iter(recalls.values()))["precision"][5] == pytest.approx((1 + 1 / 2) / 2)


def test_every_threshold_of_a_roc_curve_is_written_and_the_chosen_one_marked() -> None:
    figure = assay.plot("roc", ITEMS, **COLUMNS, every_threshold=True, threshold=0.54, shade=True)
    chosen = figure.points["chosen"]
    assert [chosen["FPR"][0], chosen["TPR"][0]] == pytest.approx([0.1, 0.5])
    written = [score for score in ITEMS["p"] if f">{score:g}</text>" in figure.svg]
    assert len(written) == 19  # All but the chosen one, whose words are longer.
    assert "0.54: FPR 0.10, TPR 0.50" in figure.svg


def test_thresholds_without_room_are_left_out_of_a_crowded_roc_curve_and_counted() -> None:
    y, p = [n % 2 for n in range(400)], [(n * 37 % 400) / 400 for n in range(400)]
    figure = assay.plot(
        "roc", {"y": y, "p": p}, truth="y", score="p", positive="1", every_threshold=True
    )
    stated = re.search(r"thresholds at (\d+) of (\d+) steps", figure.title)
    assert stated is not None
    written = len(re.findall(r'font-size="9.5"', figure.svg))
    assert (written, int(stated[2])) == (int(stated[1]), len(figure.points["ROC"]["FPR"]) - 1)
    assert 20 < written < 200


def test_the_four_areas_are_named_and_the_wrong_ones_hatched() -> None:
    figure = assay.plot("densities", ITEMS, **COLUMNS, threshold=0.54)
    assert all(f">{name}</text>" in figure.svg for name in ("TN", "FP", "FN", "TP"))
    assert figure.svg.count('stroke-width="1"') > 40  # The lines of the hatching.
    # In the key, FN is hatched by a wide dashed line, FP by a high one.
    assert [f'stroke-width="{wide}" stroke-dasharray' in figure.svg for wide in (12, 16)] == [
        True
    ] * 2


def test_the_four_areas_at_a_threshold_have_the_rates_of_the_items() -> None:
    for panels in (1, 2):
        figure = assay.plot("densities", ITEMS, **COLUMNS, threshold=0.54, panels=panels)
        rates = {name: value[0] for name, value in figure.points["rates"].items()}
        wanted = {"threshold": 0.54, "TNR": 0.9, "FPR": 0.1, "FNR": 0.5, "TPR": 0.5}
        assert rates == pytest.approx(wanted)
        assert all(f"{name}:" in figure.svg for name in ("TN", "FP", "FN", "TP"))


def test_curves_of_a_single_query_name_it() -> None:
    judged, ranked = {"q7": {"a": 1, "b": 0}}, {"q7": {"a": 1.0, "b": 2.0}}
    assert assay.plot("pr", judged, ranked).title.endswith("query q7")
    two = assay.plot("pr", judged | {"q8": {"a": 1}}, ranked | {"q8": {"a": 1.0}})
    assert two.title.endswith("mean over the queries")


def test_rates_from_normal_densities_and_from_a_table() -> None:
    found = assay.rates(f_n="normal(90,12)", f_p="normal(140,25)", at=[110, 120])
    expected = stats.norm(90, 12).cdf([110, 120]), stats.norm(140, 25).sf([110, 120])
    assert found.rates["TNR"].to_list() == pytest.approx(expected[0])
    assert found.rates["TPR"].to_list() == pytest.approx(expected[1])
    table = assay.rates({"score": [0, 1], "f_n": [2, 0], "f_p": [0, 2]}, at=[0.5], prevalence=0.5)
    row = table.rates.row(0, named=True)
    assert (row["TNR"], row["TPR"], row["PPV"], row["ACC"]) == pytest.approx((0.75,) * 4)
    assert "0.8333" in table.notes[-1]  # The probability 5/6 that a positive item scores higher.
    assert "T = 110" in found.plot(panels=2).svg


def test_rates_from_distributions_and_functions() -> None:
    one, two = stats.beta(2, 5), stats.beta(5, 2)
    for given in (
        {"f_n": one, "f_p": two},
        {"f_n": one.pdf, "f_p": two.pdf, "support": (0, 1)},
        {"f_n": one, "f_p": lambda x: 30 * x**4 * (1 - x) if x < 1 else 0.0, "support": (0, 1)},
    ):
        found = assay.rates(**given, at=[0.4, 0.5])
        assert found.rates["FPR"].to_list() == pytest.approx(one.sf([0.4, 0.5]), abs=1e-6)
        assert found.rates["TPR"].to_list() == pytest.approx(two.sf([0.4, 0.5]), abs=1e-6)
        area, _ = quad(lambda x: one.pdf(x) * two.sf(x), 0, 1)
        assert f"{area:.4f}" in found.notes[-1]
        assert "T = 0.4" in found.plot(panels=2).svg
    mixed = assay.rates(f_n="normal(90, 12)", f_p=stats.norm(140, 25), at=[110])
    assert mixed.rates["TPR"].to_list() == pytest.approx([stats.norm(140, 25).sf(110)])
    scaled = assay.rates(f_n=lambda x: 3 * (1 - x), f_p=two, support=(0, 1), at=[0.5])
    assert "the area under f_n is 1.5; it was scaled to 1" in scaled.notes[0]
    assert scaled.rates["TNR"][0] == pytest.approx(0.75)


@pytest.mark.parametrize(
    "options",
    [
        {"at": [1]},
        {"f_n": abs, "f_p": "normal(2,1)", "at": [1]},
        {"f_n": np.sin, "f_p": "normal(2,1)", "at": [1], "support": (0, 6)},
        {"f_n": np.zeros_like, "f_p": "normal(2,1)", "at": [1], "support": (0, 6)},
        {"f_n": abs, "f_p": "normal(2,1)", "at": [1], "support": (6, 0)},
        {"f_n": 3, "f_p": "normal(2,1)", "at": [1]},
        {"f_n": "normal(1,0)", "f_p": "normal(2,1)", "at": [1]},
        {"f_n": "normal(1,1)", "f_p": "normal(2,1)", "at": []},
        {"f_n": "normal(1,1)", "f_p": "normal(2,1)", "at": [1], "prevalence": 2},
        {"data": {"score": [0, 0], "f_n": [1, 1], "f_p": [1, 1]}, "at": [0]},
        {"data": {"score": [0, 1], "f_n": [-1, 1], "f_p": [1, 1]}, "at": [0]},
        {"data": {"score": [0, 1], "f_n": [1, 1]}, "at": [0]},
    ],
)
def test_densities_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(AssayError):
        assay.rates(**options)


def test_a_matrix_of_counts_in_either_orientation() -> None:
    rows = [[13, 4, 2], [2, 15, 1], [5, 1, 57]]
    matrix = assay.confusion(rows, rows="predicted", labels=["woman", "man", "child"])
    predicted = assay.plot("confusion", matrix, show="predicted").points["counts"]
    assert [predicted[name].tolist() for name in predicted] == [[13, 2, 5], [4, 15, 1], [2, 1, 57]]
    actual = assay.plot("confusion", matrix)
    assert actual.points["counts"]["woman"].tolist() == [13, 4, 2]
    assert "actual classes in rows" in actual.title


def test_sets_as_circles_with_their_counts(tmp_path: Path) -> None:
    figure = assay.plot("venn", QRELS, RUN, cutoff=10)
    assert figure.points["query q"] == {"both": [4], "only retrieved": [6], "only relevant": [1]}
    assert "precision 4/10 = 0.40, recall 4/5 = 0.80" in figure.svg
    path = tmp_path / "two.csv"
    path.write_text("method,retrieved,relevant_retrieved,relevant\nA,14,7,20\nB,6,4,20\n")
    done = call("plot", "sets", str(path), "-o", str(tmp_path / "sets.svg"))
    assert done.code == 0, done.err
    text = (tmp_path / "sets.svg").read_text()
    assert "precision 7/14 = 0.50, recall 7/20 = 0.35" in text
    path.write_text("method,retrieved,relevant_retrieved,relevant\nA,4,7,20\n")
    assert call("plot", "sets", str(path), "-o", str(tmp_path / "x.svg")).code == 1


def test_the_overlap_of_the_circles_has_the_area_of_the_count() -> None:
    from assay.reports.figures.set_figures import _distance

    first, second = math.sqrt(14 / math.pi), math.sqrt(20 / math.pi)
    apart = _distance(first, second, 7)
    random = np.random.default_rng(1).uniform(-4, 8, (400_000, 2))
    inside = np.hypot(*random.T) < first
    both = inside & (np.hypot(random[:, 0] - apart, random[:, 1]) < second)
    assert 144 * both.mean() == pytest.approx(7, abs=0.1)


def test_histograms_side_by_side() -> None:
    values = np.random.default_rng(2).normal(size=50)
    points = assay.plot("histogram", {"value": values}, bins=[4, 9]).points
    assert list(points) == ["4 bins", "9 bins"]
    expected, edges = np.histogram(values, 9, density=True)
    assert points["9 bins"]["density"].tolist() == expected.tolist()
    assert points["9 bins"]["from"].tolist() == edges[:-1].tolist()


def test_labels_of_near_points_do_not_collide() -> None:
    plane = Plane(Axis("x"), Axis("y"))
    labels = [PointLabel(0.5 + 0.02 * n, 0.5, f"point {n}") for n in range(4)]
    place_labels(plane, labels)
    drawn = [str(each) for each in plane._words]
    places = [(float(each.split('y="')[1].split('"')[0]), each) for each in drawn]
    assert len({place for place, _ in places}) >= 3


def test_nine_near_methods_keep_their_names() -> None:
    right, wrong = [95, 93, 94, 92, 95, 40, 93, 96, 94], [30, 28, 29, 31, 29, 80, 30, 31, 27]
    table = {
        "method": list("ABCDEFGHI"),
        "tp": right,
        "fp": wrong,
        "fn": [100 - tp for tp in right],
        "tn": [100 - fp for fp in wrong],
    }
    drawn = str(assay.plot("methods", table).svg)
    assert all(f">{name}</text>" in drawn for name in "ABCDEFGHI")


def test_a_rare_mistake_is_lighter_than_a_correct_cell() -> None:
    rare, frequent = np.asarray([[239.0, 25], [40, 180]]), np.asarray([[30.0, 70], [5, 95]])
    assert mistake_factor(rare) * 40 / 220 == pytest.approx(0.5)
    assert mistake_factor(frequent) == 1
    assert mistake_factor(np.diag([3.0, 4])) == 1


def test_cells_of_judged_documents_are_filled_by_their_shares() -> None:
    rows = [("q", f"d{n}", float(n % 4 == 0)) for n in range(640)]
    frame = pl.DataFrame(rows, schema=["query", "doc", "grade"], orient="row")
    drawn = str(judged_figure(frame, 1.0).svg)
    boxes = re.findall(r'height="([\d.]+)" fill="var\(--(accent|muted)\)"', drawn)
    blue, gray = (
        [float(high) for high, name in boxes if name == color] for color in ("accent", "muted")
    )
    assert blue[0] / (blue[0] + gray[0]) == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize(
    "call_of",
    [
        lambda: assay.plot("pr", QRELS, RUN, mark=True),
        lambda: assay.plot("densities", ITEMS, **COLUMNS, panels=2),
        lambda: assay.plot("pr", QRELS, RUN, ranks=[0]),
        lambda: assay.plot("histogram", {"value": [1.0]}, bins=[0]),
        lambda: assay.plot("venn", QRELS, RUN, query="z"),
    ],
)
def test_options_that_make_no_sense_are_refused(call_of: Callable[[], object]) -> None:
    with pytest.raises(AssayError):
        call_of()


def test_ranks_without_a_value_are_not_written_into_a_figure() -> None:
    found = assay.plot("pr", {"q": {"d1": 0}}, RUN, ranks=[1, 5]).points
    assert all(math.isnan(value) for value in next(iter(found.values()))["recall"])


@pytest.mark.parametrize("kind", ["roc", "densities"])
@pytest.mark.parametrize("threshold", [math.nan, math.inf])
def test_a_threshold_of_a_figure_is_finite(kind: str, threshold: float) -> None:
    with pytest.raises(AssayError, match="finite number"):
        assay.plot(kind, ITEMS, **COLUMNS, threshold=threshold)


@pytest.mark.parametrize("rank", [math.nan, math.inf, 0, 1.5])
def test_ranks_of_a_figure_are_whole_numbers(rank: float) -> None:
    with pytest.raises(AssayError, match="whole numbers from 1"):
        assay.plot("pr", QRELS, RUN, ranks=[1, rank])


def _corners(svg: str, color: str) -> list[tuple[float, float]]:
    """Return the points of the first line of a color, in the drawing."""
    path = re.search(rf'<path d="([^"]*)" fill="none" stroke="var\(--{color}\)"', svg)
    assert path is not None
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", path[1])]


def _are_steps(corners: list[tuple[float, float]]) -> bool:
    pairs = list(pairwise(corners))
    return len(pairs) > 4 and all(a[0] == b[0] or a[1] == b[1] for a, b in pairs)


def test_rates_by_threshold_and_interpolated_precision_are_steps() -> None:
    assert _are_steps(_corners(assay.plot("thresholds", ITEMS, **COLUMNS).svg, "line-1"))
    assert _are_steps(_corners(assay.plot("pr", QRELS, RUN, query="q").svg, "bad"))
    given = {"recall": [0.1, 0.3, 0.5, 0.8, 1], "precision": [0.9, 0.6, 0.7, 0.4, 0.3]}
    drawn = assay.plot("pr-points", given)
    assert _are_steps(_corners(drawn.svg, "line-1"))
    assert ">interpolated</text>" in drawn.svg


def test_interpolated_precision_is_the_highest_from_that_recall_on() -> None:
    from assay.reports.figures.precision_recall_figures import interpolated_steps

    xs, ys = interpolated_steps([0.1, 0.3, 0.5, 1], [0.9, 0.6, 0.7, 0.3])
    assert xs == [0, 0.1, 0.1, 0.3, 0.3, 0.5, 0.5, 1]
    assert ys == [0.9, 0.9, 0.7, 0.7, 0.7, 0.7, 0.3, 0.3]


def test_densities_have_the_name_of_the_column_and_end_near_zero() -> None:
    items = {"sick": ITEMS["sick"], "glucose": [100 * each for each in ITEMS["p"]]}
    columns = {"truth": "sick", "score": "glucose", "positive": "yes"}
    for threshold in (None, 50):
        drawn = assay.plot("densities", items, **columns, threshold=threshold)
        assert ">glucose</text>" in drawn.svg
        for name in ("negative", "positive"):
            curve = drawn.points[name if threshold else f"{name}, smooth"]["density"]
            assert max(curve[0], curve[-1]) < 0.03 * max(curve)


def test_sets_of_several_methods_have_one_scale_and_at_most_three_in_a_row() -> None:
    methods = {
        "method": ["A", "B", "C", "D"],
        "retrieved": [400, 100, 100, 100],
        "relevant_retrieved": [0, 0, 50, 100],
        "relevant": [100] * 4,
    }
    svg = str(assay.plot("sets", methods).svg)
    panels = svg.split("<svg ")[2:]
    assert len({panel.split('y="')[1].split('"')[0] for panel in panels}) == 2
    wide = []
    for panel in panels[:2]:
        xs = [x for x, _ in _corners(panel, "accent")]
        wide.append(max(xs) - min(xs))
    assert wide[0] == pytest.approx(2 * wide[1], abs=0.3)


def test_halves_of_percents_are_rounded_up_as_the_lectures_do() -> None:
    rows = [[13, 6], [7, 74]]
    matrix = assay.confusion(rows, rows="predicted", labels=["woman", "others"], positive="woman")
    assert "TNR 93%" in assay.plot("confusion", matrix).svg  # 74/80 = 92.5 %


CLUSTERINGS = {
    "k2": [0, 0, 0, 1, 1, 1],
    "k3": [0, 0, 1, 1, 2, 2],
    "class": ["a", "a", "a", "b", "b", "b"],
    "x": [0.0, 0.1, 0.3, 5.0, 5.1, 5.4],
}


def test_every_clustering_has_a_contingency_table_and_silhouettes() -> None:
    named = {"cluster": ["k2", "k3"]}
    tables = assay.plot("contingency", CLUSTERINGS, classes="class", **named)
    assert tables.title.startswith("Contingency tables")
    assert tables.points["k2: counts"]["a"].tolist() == [3, 0]
    assert tables.points["k3: counts"]["a"].tolist() == [2, 1, 0]
    drawn = assay.plot("silhouette", CLUSTERINGS, features="x", **named)
    assert {name.partition(":")[0] for name in drawn.points} == {"k2", "k3"}
    alone = assay.plot("contingency", CLUSTERINGS, classes="class", cluster="k2")
    assert alone.points["counts"]["a"].tolist() == [3, 0]


def test_every_system_has_its_residuals() -> None:
    data = {"truth": [1.0, 2.0, 3.0], "low": [0.0, 1.0, 2.0], "high": [2.0, 3.0, 4.0]}
    drawn = assay.plot("residuals", data, truth="truth", predicted=["low", "high"])
    residuals = {name: points["residual"].tolist() for name, points in drawn.points.items()}
    assert residuals == {"low: residuals": [1, 1, 1], "high: residuals": [-1, -1, -1]}


def test_hatching_is_as_wide_whatever_the_number_of_points() -> None:
    """Densities that are given have far more points than an area has room for lines."""
    found = assay.rates(f_n="normal(90, 12)", f_p="normal(140, 25)", at=[110])
    hatched = re.findall(
        r'd="M([\d.]+),[^"]*" fill="none" stroke="var\(--warn\)"', found.plot().svg
    )
    places = sorted(map(float, hatched))
    assert len(places) > 5
    assert min(b - a for a, b in pairwise(places)) > 5


def test_lines_of_training_and_validation_differ_without_color() -> None:
    points = {"x": [n / 10 for n in range(30)], "y": [float(n % 7) for n in range(30)]}
    drawn = assay.learn.capacity("polynomial", points, "y", values=[1, 2], features=["x"]).plot()
    assert 'stroke-dasharray="7 3"' in drawn.svg


def test_parts_of_a_split_are_drawn_in_the_order_of_their_use() -> None:
    items = {"item": [str(n) for n in range(10)]}
    parts = assay.split_items(items, shares=[60, 20, 20], item="item", seed=1)
    drawn = assay.plot("splits", parts).points
    assert {name: own["begin"] for name, own in drawn.items()} == {
        "train": [0],
        "validation": [6],
        "test": [8],
    }


def test_error_rates_are_written_at_the_axes_of_normal_deviates() -> None:
    data = {"truth": [0, 1, 0, 1, 1, 0], "p": [0.1, 0.9, 0.4, 0.35, 0.8, 0.6]}
    svg = assay.plot("det", data, truth="truth", score="p").svg
    assert svg.count(">0.05<") == 2
    assert ">-1<" not in svg
