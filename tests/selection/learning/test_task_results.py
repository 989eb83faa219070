"""Every learning task shows itself, has a page, a command and a page of the handbook."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

import assay
from assay.cli.commands.learn import command
from assay.core.errors import AssayError
from assay.reports.figures.learning_task_figures import FIGURES_OF_TASKS, task_figures
from assay.reports.text.result_text import write
from assay.selection.learning_tasks.naive_bayes import fit_naive_bayes
from assay.selection.learning_tasks.task_result import TaskResult

pytest.importorskip("sklearn")
DRAW = np.random.default_rng(9)
Y = np.arange(60) % 2
X = DRAW.normal(size=(60, 3)) + 2 * Y[:, None]
BY = {"part": np.arange(60) % 3}
OPTIONS: dict[str, dict[str, Any]] = {
    "missing": {"shares": [0, 0.3]},
    "semisupervised": {"shares": [0.2], "rounds": 3},
    "density": {"models": ["normal", "kernel"]},
    "outliers": {"detectors": "neighbors"},
    "reduction": {"methods": ["pca", "random"]},
    "som": {"rows": 3, "columns": 3, "epochs": 2},
    "clusters": {"counts": [1, 2, 3], "rounds": 3},
    "preparation": {},
    "regression": {"iterations": 5},
}


def run(name: str, **more: Any) -> TaskResult:
    """Return the result of a task on the items above."""
    data = (X[:, 0],) if name == "density" else (X, X[:, 0] + Y / 7 if name == "regression" else Y)
    found: TaskResult = getattr(assay.learn, name)(*data, by=BY, **OPTIONS[name], **more)
    return found


TASKS: dict[str, Callable[[], TaskResult]] = {name: partial(run, name) for name in OPTIONS}


@pytest.mark.parametrize("name", TASKS)
def test_a_task_shows_itself(name: str, tmp_path: Path) -> None:
    result = TASKS[name]()
    shown = result._repr_html_()
    assert "<table" in shown
    assert "<svg" in shown
    assert result.scores.slices
    figures = task_figures(result)
    page = result.report(tmp_path / "page.html").read_text()
    assert page.count("<figure") == len(figures)
    for each in figures:
        assert result.plot(show=each).svg.startswith("<svg")
    assert "|" in result.to_markdown()
    assert "\\begin{tabular}" in result.to_latex()
    assert result.to_polars().height
    tables = json.loads(write(result, "json"))
    assert {"learners", "slices"} <= {*tables}
    for row in tables["learners"]:  # an interval, or why there is none
        assert row["low"] is not None or row["interval"] or row["reasons"], row


@pytest.mark.parametrize("name", TASKS)
def test_the_same_seed_gives_the_same_numbers(name: str) -> None:
    assert write(TASKS[name](), "json") == write(TASKS[name](), "json")


def widths(result: TaskResult) -> dict[tuple[str, int, str], float]:
    """Return the width of every interval of a result, by table, row and column."""
    tables: dict[str, list[dict[str, Any]]] = json.loads(write(result, "json"))
    found = {}
    for table, rows in tables.items():
        for place, row in enumerate(rows):
            for low in (each for each in row if each.endswith("low")):
                high = row[low.removesuffix("low") + "high"]
                if row[low] is not None and high is not None:
                    found[table, place, low] = high - row[low]
    return found


DIFFERENCES = (
    *("differences", "differences by slice", "changes", "changes by slice"),
    "integrate without a feature",
)
"""Differences have the interval of their test, in any case."""


@pytest.mark.parametrize("name", TASKS)
def test_intervals_follow_the_confidence(name: str) -> None:
    usual, narrow = widths(TASKS[name]()), widths(run(name, interval=assay.Bootstrap(0.5)))
    assert usual
    for place in usual.keys() & narrow.keys():
        few = "slice" in place[0]  # resamples of two items have three values
        assert narrow[place] < usual[place] or few or usual[place] == 0, place
    none = widths(run(name, interval=None))
    assert all(table in DIFFERENCES for table, *_ in none)


def test_every_task_has_figures_a_command_and_a_page_of_the_handbook() -> None:
    assert isinstance(command, click.Group)
    assert {*TASKS} <= {*command.commands}
    assert {*TASKS} <= {*assay.learn.__all__}
    assert {type(make()).__name__ for make in TASKS.values()} == {*FIGURES_OF_TASKS}
    pages = [each.read_text() for each in (ROOT / "docs" / "handbook").glob("*.md")]
    for name in TASKS:
        assert any(f"`assay learn {name}`" in page for page in pages), name


WINES = np.array(
    [
        [8.5, 0.28, 0.56, 3.30, 10.5],
        [8.1, 0.56, 0.28, 3.11, 9.3],
        [7.4, 0.59, 0.08, 3.38, 9.0],
        [7.9, 0.32, 0.51, 3.04, 9.2],
        [8.9, 0.22, 0.48, 3.39, 9.4],
    ]
)
"""Fixed acidity, volatile acidity, citric acid, pH and alcohol of five samples of wine."""
QUALITY = np.array([7, 5, 4, 6, 6])


def test_the_wines_of_the_lecture() -> None:
    # A wine is good from quality 6: low volatile acidity and much citric acid.
    good = np.where(QUALITY >= 6, "good", "plain")
    model = fit_naive_bayes(WINES, good)
    assert model.predict(WINES).tolist() == good.tolist()
    # The samples differ most in volatile and citric acidity; without one the other decides.
    for hidden in (1, 2):
        without = WINES.copy()
        without[:, hidden] = np.nan
        assert model.predict(without).tolist() == good.tolist()
    everything = model.predict(np.full((1, 5), np.nan))
    assert everything.tolist() == ["good"]  # three of five
    found = assay.learn.regression(np.tile(WINES, (6, 1)), np.tile(QUALITY, 6).astype(float))
    assert found.smallest == pytest.approx(0, abs=1e-20)  # five samples, six weights
    assert "depend on each other" in found.parameters["reasons"][0]


NAMED = {
    "semisupervised": {"labels", "shares"},
    "density": {"models", "few-bins", "many-bins", "likelihood", "pit"},
    "reduction": {"components", "contrast", "accuracy"},
}
"""Figures that the help names, where it also says that names of learners are figures."""


@pytest.mark.parametrize("name", TASKS)
def test_the_help_names_the_figures(name: str) -> None:
    assert isinstance(command, click.Group)
    option = next(each for each in command.commands[name].params if each.name == "show")
    assert isinstance(option, click.Option)
    said = str(option.help).split(": ", 1)[1].split(". [")[0]
    figures = {*task_figures(TASKS[name]())}
    assert NAMED.get(name, {*said.split(", ")}) <= figures
    for each in NAMED.get(name, figures):
        assert each in said


def test_a_figure_needs_a_file(tmp_path: Path) -> None:
    done = call("learn", "som", str(tmp_path / "t.csv"), "--show", "hits")
    assert done.code == 2
    assert "--show chooses the figure that --plot writes: add --plot FILE" in done.err


def test_a_column_that_names_the_items_is_noted(tmp_path: Path) -> None:
    rows = [f"#{n},{n % 7},{n % 7 * 2 + n % 2}" for n in range(30)]
    (tmp_path / "t.csv").write_text("\n".join(["sample,x,y", *rows]) + "\n")
    done = call("learn", "regression", str(tmp_path / "t.csv"), "--target", "y")
    assert done.code == 0, done.err
    assert "1 text feature with a different value in every row: sample" in done.out
    named = call(
        *("learn", "regression", str(tmp_path / "t.csv"), "--target", "y", "--features", "x")
    )
    assert "a different value in every row" not in named.out


def test_one_item_and_undefined_differences_have_reasons() -> None:
    found = assay.learn.regression(X[:6], X[:6, 0], test_share=0.17, iterations=2)
    assert {each.interval for each in found.scores.of("MAE")} == {"too few units"}
    tables = json.loads(write(TASKS["clusters"](), "json"))
    undefined = [row for row in tables["differences"] if row["difference"] is None]
    assert undefined
    assert {row["interval"] for row in undefined} == {"undefined for one of the two"}


def test_one_test_item_is_too_few_for_a_difference() -> None:
    found = assay.learn.regression(X[:4], X[:4, 0], test_share=0.2, iterations=2)
    rows = json.loads(write(found, "json"))["differences"]
    assert {row["interval"] for row in rows} == {"too few units"}


def test_a_column_of_slices_is_noted_unless_features_are_chosen() -> None:
    data = {"x": X[:, 0], "y": X[:, 1], "part": BY["part"]}
    words = "part: used for slices, not as a feature"
    options = {"by": "part", "iterations": 2, "interval": None}
    assert words in assay.learn.regression(data, "y", **options).notes
    assert words not in assay.learn.regression(data, "y", features="x", **options).notes
    assert words not in assay.learn.regression(X, X[:, 0], by=BY["part"], iterations=2).notes


def test_classes_differ_in_shape_and_are_named_by_it() -> None:
    from assay.reports.figures.series_figures import class_points

    places = np.random.default_rng(0).random((24, 2))
    drawn = class_points(places, [str(n % 12) for n in range(24)], "Points")
    svg = str(drawn.svg)
    shapes = [re.sub(r"[-\d.]+", "", each) for each in re.findall(r'<path d="([^"]+)"', svg)]
    assert svg.count("<circle") == 2 * (2 + 1)  # the first shape, of two classes, and in the key
    assert {each.count("L") for each in shapes} == {2, 3}


def test_the_task_and_the_share_of_test_items_can_be_chosen(tmp_path: Path) -> None:
    rows = [f"{n % 7},{n % 3},{'yes' if n % 6 == 0 else 'no'}" for n in range(60)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["x,y,odd", *rows]) + "\n")
    usual = call("learn", "preparation", str(path), "--target", "y", "--features", "x")
    asked = call(
        *("learn", "preparation", str(path), "--target", "y", "--features", "x"),
        *("--task", "regression", "--learner", "linear"),
    )
    assert "ACC" in usual.out
    assert "RMSE" in asked.out
    tested = call(
        *("learn", "outliers", str(path), "--target", "odd", "--detectors", "neighbors"),
        *("--test-share", "0.3"),
    )
    assert "of 18 test items" in tested.out


def test_a_frame_and_values_beside_it() -> None:
    import pandas as pd

    frame = pd.DataFrame(X, columns=["a", "b", "target"])
    y = pd.Series(X[:, 0] + Y / 7, name="y")
    by = {"part": BY["part"]}
    beside = assay.learn.regression(frame, y, by=by, iterations=5)
    whole = assay.learn.regression(frame.assign(y=y, part=by["part"]), "y", by="part", iterations=5)
    assert beside.scores == whole.scores
    assert beside.parameters["feature"].to_list() == ["constant", "a", "b", "target"]
    # A series that is a column of the table is no feature as well.
    again = assay.learn.regression(frame.assign(y=y), y, iterations=5)
    assert again.parameters["feature"].to_list() == ["constant", "a", "b", "target"]
    with pytest.raises(AssayError, match="target has 9 values, but there are 60 items"):
        assay.learn.regression(frame, y[:9])
    with pytest.raises(AssayError, match="species"):
        assay.learn.regression(X, "species")


def test_a_notebook_shows_the_figure_below_the_first_table() -> None:
    draw = np.random.default_rng(1)
    found = assay.learn.density(draw.normal(size=120), bins=(4, 20))
    shown = found._repr_html_()
    assert shown.count("<table>") > 2
    first, second = shown.index("</table>"), shown.index("<table>", shown.index("</table>"))
    assert first < shown.index("<svg") < second
