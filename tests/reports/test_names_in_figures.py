"""Names in figures: all of them stand inside the drawing, and a system keeps its colour."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import polars as pl
import pytest

import assay
from assay.core.errors import UsageError
from assay.core.tables import Decisions
from assay.evidence.views.threshold_table import ThresholdTable, build_threshold_table
from assay.reports.figures.figure import Figure
from assay.reports.figures.key_names import key_names
from assay.reports.figures.precision_recall_figures import averaged_figure
from assay.reports.figures.ranking_figures import gain_figure
from assay.reports.figures.roc_figures import roc_curves_figure
from assay.reports.figures.score_figures import calibration_curves_figure
from assay.reports.pages.retrieval import retrieval_page
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.testing import rankings

WIDTHS = {
    "WWWWWMMMMM_w%ide&name": 178.9,
    "SABIR03BASE": 78.0,
    "illicit-tilt": 37.0,
}
"""What these names take at 11.5 points, by the published widths of the letters of Helvetica."""


def _drawn(figure: Figure, name: str) -> tuple[float, float]:
    """Where the name begins, and where the drawing ends."""
    written = name.replace("&", "&amp;")
    found = re.search(rf'<text x="([\d.]+)"[^>]*>{re.escape(written)}</text>', figure.svg)
    edge = re.search(r'viewBox="0 0 (\d+) ', figure.svg)
    assert found is not None
    assert edge is not None
    return float(found[1]), float(edge[1])


RECALL_FIGURE = partial(averaged_figure, rel=1, ranks=None, behind=False)


@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize("draw", [RECALL_FIGURE, gain_figure])
def test_names_beside_a_plane_are_not_cut_off(name: str, draw: Any) -> None:
    start, edge = _drawn(draw({name: rankings("+-+"), "b": rankings("-++")}), name)
    assert start + WIDTHS[name] + 6 <= edge
    assert edge < start + 1.5 * WIDTHS[name] + 20


def _tables() -> dict[str, ThresholdTable]:
    truth = ["P", "P", "N", "N"]
    scores = {"old": [0.9, 0.2, 0.6, 0.1], "new": [0.9, 0.8, 0.3, 0.1]}
    return {
        name: build_threshold_table(
            Decisions.of(pl.DataFrame({"truth": truth, "score": score})), "P"
        )
        for name, score in scores.items()
    }


def _colour(figure: Figure, name: str) -> str:
    found = re.search(rf'<text [^>]*fill="([^"]+)"[^>]*>{name}[^<]*</text>', figure.svg)
    assert found is not None
    return found[1]


def test_a_system_has_one_colour_in_all_figures() -> None:
    roc, calibration = roc_curves_figure(_tables()), calibration_curves_figure(_tables())
    assert roc.svg.index(">new: AUC 1.000<") < roc.svg.index(">old: AUC 0.750<")
    for name in ("old", "new"):
        assert _colour(roc, name) == _colour(calibration, name)
    assert _colour(roc, "old") == "var(--line-1)"


def test_the_curves_of_a_page_have_the_colours_of_the_order_given() -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    runs = {"worse": {"q": {"b": 2.0, "a": 1.0}}, "better": {"q": {"a": 2.0, "b": 1.0}}}
    evidence = RetrievalEvidence.read(qrels, runs)
    page = retrieval_page(evidence, evidence.scores("AP", interval=None))
    coloured = re.findall(r'fill="var\(--line-(\d)\)"[^>]*>(worse|better)<', page)
    assert set(coloured) == {("1", "worse"), ("2", "better")}


def test_a_long_name_does_not_hide_the_area() -> None:
    table = _tables()["new"]
    figure = roc_curves_figure({"a" * 40: table, "b" * 40: table})
    assert figure.svg.count("…: AUC 1.000<") == 2
    assert list(figure.points) == ["a" * 40, "b" * 40]


@pytest.mark.parametrize(
    ("kind", "shows"),
    [
        ("click-rates", "a LogSummary"),
        ("click-relevance", "a ClickJudgments"),
        ("click-models", "a ModelComparison"),
        ("learning", "a CapacityCurve or LearningCurve or LossCurve"),
        ("functions", "a CapacityCurve"),
        ("learning-task", "a TaskResult"),
    ],
)
def test_a_figure_of_a_result_says_of_which(kind: str, shows: str) -> None:
    with pytest.raises(UsageError, match=rf"'{kind}' shows {shows}, not a dict"):
        assay.plot(kind, {"value": [1, 2]})


@pytest.mark.parametrize("kind", ["roc", "pr", "gain", "lift"])
def test_names_that_begin_with_the_same_letters_have_a_curve_each(kind: str) -> None:
    long = "logistic-regression-with-features-of-set-"
    truth, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    systems = {f"{long}a": score, f"{long}b": score, f"{long}c": [1 - each for each in score]}
    figure = assay.classification(truth, y_score=systems).plot(kind)
    assert list(figure.points) == [*systems]
    rates = {"roc": "TPR", "pr": "P", "gain": "gain", "lift": "lift"}[kind]
    one, two, three = (each[rates].tolist()[1:] for each in figure.points.values())
    assert one == two != three
    assert all(re.search(rf"… \({n}\)(: [A-Za-z0-9. ]+)?<", figure.svg) for n in (1, 2))


def test_names_in_a_key_have_room_for_their_values() -> None:
    same = key_names({"a" * 40: ": 0.123", "a" * 41: ": 0.124", "b": ": 0.9"})
    assert list(same.values()) == [f"{'a' * 19}… (1): 0.123", f"{'a' * 19}… (2): 0.124", "b: 0.9"]
