"""Figures are compared as data: the points of the worked examples."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import LECTURE, LECTURE_SCORES

from assay.core.errors import DataError, UsageError
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.order_pairs import OrderPairs
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_pairs import ValuePairs
from assay.reports.figures.cluster_figures import silhouette_figure
from assay.reports.figures.figure import Axis, Figure
from assay.reports.figures.judgment_figures import judged_cells, judged_figure
from assay.reports.figures.matrix_figures import confusion_figure, contingency_figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.precision_recall_figures import (
    averaged_figure,
    sawtooth_curves_figure,
    sawtooth_figure,
)
from assay.reports.figures.ranking_figures import (
    SystemPair,
    gain_figure,
    paired_values,
    per_query_figure,
)
from assay.reports.figures.roc_figures import roc_figure, roc_plane_figure
from assay.reports.figures.score_density_figures import densities_figure
from assay.reports.figures.score_figures import calibration_figure, thresholds_figure
from assay.reports.figures.themes import THEMES
from assay.reports.figures.value_figures import orders_figure, predicted_figure, residuals_figure
from assay.reports.text.confusion_clusters import cluster_confusions
from assay.tasks.retrieval.retrieval import retrieval
from assay.testing import placed, rankings


def _table() -> ThresholdTable:
    scores = np.asarray([float(score) for score in LECTURE_SCORES])
    return ThresholdTable.of(scores, np.asarray([letter == "P" for letter in LECTURE], dtype=float))


def _matrix(tp: float, fp: float, fn: float, tn: float) -> Confusion:
    return Confusion.of(np.asarray([[tp, fn], [fp, tn]]), ("yes", "no"), "yes")


def _methods() -> dict[str, Confusion]:
    return {
        "A": _matrix(95, 30, 5, 70),
        "B": _matrix(40, 80, 60, 20),
        "C": _matrix(90, 70, 10, 30),
        "D": _matrix(60, 5, 40, 95),
    }


def _judgments() -> pl.DataFrame:
    rows = [("q1", "a", 1.0), ("q1", "b", 0.0), ("q2", "b", 2.0), ("q2", "c", 0.0)]
    return pl.DataFrame(rows, schema=["query", "doc", "grade"], orient="row")


def _all() -> dict[str, Figure]:
    ranked = rankings("-+--+--+--|+")
    return {
        "pr": averaged_figure({"one": ranked, "two": rankings("+--+|+")}, 1, None, False),
        "sawtooth": sawtooth_figure(ranked, ranked.queries[0]),
        "gain": gain_figure({"one": rankings("0213020313|3322222222")}),
        "roc": roc_figure(_table()),
        "plane": roc_plane_figure(_methods()),
        "thresholds": thresholds_figure(_table()),
        "densities": densities_figure(_table(), 0.54),
        "calibration": calibration_figure(_table()),
        "confusion": confusion_figure(_matrix(20, 180, 10, 1820)),
        "contingency": contingency_figure(
            Contingency.of(np.asarray([[5.0, 1, 0], [1, 4, 1]]), ("1", "2"), ("x", "o", "d"))
        ),
        "judged": judged_figure(_judgments(), 1.0),
        "silhouette": silhouette_figure(placed("aab", [0, 1, 5])),
        "residuals": residuals_figure(ValuePairs.of(np.asarray([1.0, 2]), np.asarray([1.5, 1.5]))),
        "predicted": predicted_figure(ValuePairs.of(np.asarray([1.0, 2]), np.asarray([1.5, 1.5]))),
    }


@pytest.mark.parametrize("name", _all())
def test_a_drawing_is_well_formed_and_says_what_it_is(name: str) -> None:
    figure = _all()[name]
    root = ElementTree.fromstring(figure.svg)
    assert root.attrib["aria-label"] == figure.title
    assert "nan" not in figure.svg.lower()
    assert "var(--" not in figure._repr_svg_()


def test_interpolated_precision_of_the_lecture() -> None:
    """A = d1…d10, R = {d2, d5, d8, d15}."""
    points = averaged_figure({"A": rankings("-+--+--+--|+")}, 1, None, False).points["A"]
    expected = [0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.375, 0.375, 0, 0, 0]
    assert points["precision"] == pytest.approx(expected)
    assert points["recall"] == pytest.approx(np.linspace(0, 1, 11))


def test_the_sawtooth_of_the_lecture() -> None:
    """5 relevant in all; ranks 1..14 hit at 1, 2, 4, 6, 13."""
    ranked = rankings("++-+-+------+-")
    points = sawtooth_figure(ranked, ranked.queries[0]).points[ranked.queries[0]]
    said = [1, 1, 0.67, 0.75, 0.60, 0.67, 0.57, 0.50, 0.44, 0.40, 0.36, 0.33, 0.38, 0.36]
    assert points["precision"] == pytest.approx(said, abs=0.0051)
    assert points["recall"][[0, 1, 3, 5, 12]] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1])
    assert points["interpolated"][4] == pytest.approx(4 / 6)


def test_gain_is_the_ndcg_table_of_the_lecture() -> None:
    points = _all()["gain"].points["one"]
    said = {1: 0.00, 2: 0.26, 3: 0.28, 4: 0.40, 5: 0.35, 6: 0.39, 8: 0.43, 10: 0.49}
    found = dict(zip(points["depth"].tolist(), points["nDCG"].tolist(), strict=True))
    for depth, value in said.items():
        assert found[depth] == pytest.approx(value, abs=0.0051)


def test_roc_of_the_lecture() -> None:
    points = roc_figure(_table()).points["ROC"]
    at = list(points["threshold"]).index(0.54)
    assert (points["FPR"][at], points["TPR"][at]) == (0.1, 0.5)
    assert "area 0.680" in roc_figure(_table()).title


def test_the_roc_plane_of_the_four_methods() -> None:
    figure = roc_plane_figure(_methods())
    found = {name: (at["FPR"][0], at["TPR"][0]) for name, at in figure.points.items()}
    assert found == {"A": (0.3, 0.95), "B": (0.8, 0.4), "C": (0.7, 0.9), "D": (0.05, 0.6)}
    assert "B negated" in figure.svg
    assert "A negated" not in figure.svg


def test_rates_by_threshold() -> None:
    points = thresholds_figure(_table()).points
    at = list(points["ACC"]["threshold"]).index(0.54)
    assert points["ACC"]["rate"][at] == pytest.approx(0.7)
    assert points["ACC"]["rate"].max() == pytest.approx(0.7)
    assert points["TPR"]["rate"][at] == pytest.approx(0.5)


def test_densities_are_densities() -> None:
    points = densities_figure(_table()).points
    for name in ("positive", "negative"):
        bars = points[name]
        assert ((bars["to"] - bars["from"]) * bars["density"]).sum() == pytest.approx(1)


def test_calibration_by_hand() -> None:
    scores = np.asarray([0.1, 0.1, 0.95, 0.95])
    table = ThresholdTable.of(scores, np.asarray([0.0, 1, 1, 1]))
    points = calibration_figure(table).points["calibration"]
    assert points["forecast"] == pytest.approx([0.1, 0.95])
    assert points["came true"] == pytest.approx([0.5, 1])
    assert points["items"] == pytest.approx([2, 2])
    with pytest.raises(DataError, match="from 0 to 1"):
        calibration_figure(ThresholdTable.of(scores * 10, np.asarray([0.0, 1, 1, 1])))


def test_silhouettes_of_the_lecture() -> None:
    """Points 0, 1 and 5 in clusters {0, 1} and {5}: .80, .75, 0."""
    points = silhouette_figure(placed("aab", [0, 1, 5])).points
    assert points["a"]["silhouette"] == pytest.approx([0.8, 0.75])
    assert points["b"]["silhouette"] == pytest.approx([0])


def test_the_margins_of_the_cancer_test() -> None:
    svg = confusion_figure(_matrix(20, 180, 10, 1820)).svg
    for said in ("TPR 67%", "TNR 91%", "PPV 10%", "NPV 99%"):
        assert f">{said}</text>" in svg


def test_labels_keep_apart_and_stay_on_the_paper() -> None:
    same = rankings("+-")
    figure = gain_figure({f"system {n}": same for n in range(12)})
    root = ElementTree.fromstring(figure.svg)
    names = [each for each in root.iter() if (each.text or "").startswith("system ")]
    heights = sorted(float(each.attrib["y"]) for each in names)
    assert len(heights) == 12
    assert min(np.diff(heights)) >= 13.9
    assert heights[-1] <= float(root.attrib["height"])


def _luminance(color: str) -> float:
    parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    "name", [name for name in THEMES if name not in ("page", "paper", "panel", "grid")]
)
def test_colours_can_be_read(name: str, theme: int) -> None:
    for ground in ("page", "paper", "panel"):
        ends = sorted(_luminance(THEMES[each][theme]) for each in (name, ground))
        assert (ends[1] + 0.05) / (ends[0] + 0.05) >= 4.5


def test_of_many_queries_the_extremes_are_named() -> None:
    first = np.zeros(100)
    second = np.linspace(-0.5, 0.4, 100)
    units = tuple(f"q{n}" for n in range(100))
    svg = per_query_figure(SystemPair("AP", ("one", "two"), units, first, second)).svg
    named = re.findall(r"(q\d+)  [+-]0", svg)
    assert named == ["q0", "q1", "q2", "q3", "q4", "q99", "q98", "q97", "q96", "q95"]


def test_ranks_of_two_orders() -> None:
    pairs = replace(
        OrderPairs.of(np.asarray([3.0, 2.0, 2.0]), np.asarray([1.0, 5.0, 4.0])),
        items=("a", "b", "c"),
    )
    points = orders_figure(pairs, ("one", "two")).points["ranks"]
    assert points["first"].tolist() == [1, 2.5, 2.5]
    assert points["second"].tolist() == [3, 1, 2]


def test_clusters_of_confusion_have_a_frame() -> None:
    matrix = np.asarray([[9.0, 5, 0, 0], [5, 9, 0, 0], [0, 0, 9, 0], [0, 0, 1, 9]])
    found = cluster_confusions(Confusion.of(matrix, ("a", "b", "c", "d")))
    assert [each.labels for each in found.clusters] == [("a", "b")]
    plain = confusion_figure(found.confusion).svg
    framed = confusion_figure(found.confusion, found.clusters).svg
    assert framed.count("<path") == plain.count("<path") + 1
    assert ">A</text>" in framed


@pytest.mark.parametrize(
    ("runs", "first", "second", "expected"),
    [
        (("good", "bad"), None, None, ("good", "bad")),
        (("bad", "good"), None, None, ("bad", "good")),
        (("bad", "fair", "good"), None, None, ("fair", "good")),
        (("bad", "fair", "good"), "good", None, ("good", "fair")),
        (("bad", "fair", "good"), "bad", None, ("bad", "good")),
        (("bad", "fair", "good"), None, "bad", ("fair", "bad")),
    ],
)
def test_which_pair_is_drawn(
    runs: tuple[str, ...], first: str | None, second: str | None, expected: tuple[str, str]
) -> None:
    """Two systems as they are given; of more, from the second best to the best."""
    qrels = {"q": {"a": 1, "b": 0, "c": 0}}
    lists = {"good": "abc", "fair": "bac", "bad": "bca"}
    given = {name: {"q": {d: -n for n, d in enumerate(lists[name])}} for name in runs}
    scores = retrieval(qrels, given, "RR", interval=None)
    assert paired_values(scores, "RR", first, second).names == expected


def test_what_is_counted_has_whole_numbers_on_its_axis() -> None:
    axis = Axis.around("number of clusters", [2, 5], whole=True)
    assert [written for _, written in axis.ticks()] == ["2", "3", "4", "5"]


def test_one_query_of_several_runs_has_a_line_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text("1 0 a 1\n1 0 b 1\n2 0 a 1\n")
    Path("one.run").write_text("1 Q0 a 1 3 one\n1 Q0 x 2 2 one\n1 Q0 b 3 1 one\n")
    Path("two.run").write_text("1 Q0 x 1 2 two\n1 Q0 b 2 1 two\n2 Q0 a 1 1 two\n")
    for query, lines in (("1", 2), ("2", 1)):
        done = call("plot", "pr", "q.txt", "one.run", "two.run", "--query", query, "-o", "pr.svg")
        assert done.code == 0, done.err
        drawn = Path("pr.svg").read_text()
        assert {"one", "two"} <= set(re.findall(r">([a-z]+)</text>", drawn))
        assert len(re.findall(r"<(?:polyline|path)[^>]*stroke=", drawn)) >= lines
    figure = sawtooth_curves_figure({"one": rankings("+-+"), "two": rankings("-+")}, "q1")
    assert figure.points["one"]["precision"].tolist() == pytest.approx([1, 1 / 2, 2 / 3])
    assert figure.points["two"]["precision"].tolist() == [0, 1 / 2]


def test_judged_documents_by_query() -> None:
    cells = judged_cells(_judgments(), ["q1", "q2"], 1.0)
    assert cells.judged.tolist() == [[1, 1, 0], [0, 1, 1]]
    assert cells.relevant.tolist() == [[1, 0, 0], [0, 1, 0]]
    drawn = judged_figure(_judgments(), 1.0)
    assert "2 queries: 2 of each in the median, 3 documents in all" in drawn.title
    assert drawn.points["queries"] == {
        "query": ["q1", "q2"],
        "documents": [2, 2],
        "relevant": [1, 1],
    }


def test_many_judgments_are_drawn_in_few_cells() -> None:
    names = [f"q{number}" for number in range(100)]
    rows = [(query, f"{query}-{doc}", 0.0) for query in names for doc in range(10)]
    frame = pl.DataFrame(rows, schema=["query", "doc", "grade"], orient="row")
    cells = judged_cells(frame, names, 1.0)
    assert cells.judged.shape == (40, 160)
    assert cells.documents == 400
    # Each cell holds 2 or 3 of the 400 documents, and each document is judged once.
    assert set(cells.judged.sum(axis=0).round(9)) == {1.0}
    assert "40 of 100 queries" in judged_figure(frame, 1.0).title


def test_a_figure_refuses_other_endings(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        roc_figure(_table()).save(tmp_path / "roc.bmp")


def test_a_logarithmic_axis_has_round_ticks_at_equal_ratios() -> None:
    axis = Axis("bins", 1, 100, log=True)
    assert [name for _, name in axis.ticks()] == ["1", "2", "5", "10", "20", "50", "100"]
    assert axis.share(10) == pytest.approx(0.5)
    wide = Axis.logarithmic("loss", [1e-9, 0.0, 1e3, np.nan, np.inf])  # 0 has no place on it
    assert wide.low < 1e-9 < 1e3 < wide.high
    powers = np.log10([place for place, _ in wide.ticks()])
    assert powers == pytest.approx(powers.round())
    assert np.diff(powers) == pytest.approx(2)
    assert all(0 < wide.share(place) < 1 for place, _ in wide.ticks())
    narrow = Axis.logarithmic("loss", [7.0, 9.0])
    assert len(narrow.ticks()) > 2
    assert all(0 <= narrow.share(place) <= 1 for place, _ in narrow.ticks())


def test_long_labels_at_ticks_make_room_for_the_title() -> None:
    planes = [Plane(Axis("x"), Axis.around("y", [0, top])) for top in (1, 2e9)]
    assert planes[0].left < planes[1].left
