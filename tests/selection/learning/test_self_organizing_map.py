"""Self-organizing maps: errors and U-matrix by hand, learning, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.self_organizing_map import (
    MapTraining,
    quantization_errors,
    topographic_errors,
    train_map,
    u_matrix,
)

pytest.importorskip("sklearn")
LINE = np.array([[[0.0], [1.0], [5.0]]])
"""A map of one row with units at 0, 1 and 5."""


def test_errors_worked_by_hand() -> None:
    items = np.array([[0.4], [2.0], [5.5]])
    np.testing.assert_allclose(quantization_errors(items, LINE), [0.4, 1.0, 0.5])
    # The best two units: 0 and 1, 1 and 0, 5 and 1: all adjacent.
    assert topographic_errors(items, LINE).tolist() == [0, 0, 0]
    torn = LINE[:, [0, 2, 1]]  # units at 0, 5 and 1: those of 0.4 are at both ends
    assert topographic_errors(items, torn).tolist() == [1, 1, 0]
    assert np.isnan(topographic_errors(items, LINE[:, :1])).all()


def test_u_matrix_worked_by_hand() -> None:
    assert u_matrix(LINE).tolist() == [[1.0, 2.5, 4.0]]
    square = np.array([[[0.0], [3.0]], [[4.0], [1.0]]])
    # Each unit of 2 × 2 has the other three as neighbors.
    assert u_matrix(square).tolist() == [[8 / 3, 2.0], [8 / 3, 2.0]]


def test_one_step_worked_by_hand() -> None:
    # The item 1.2 is nearest to the unit 1, which moves half the way; the others by half of
    # exp(-1/2) of theirs.
    found = train_map(np.array([[1.2]]), LINE, np.array([0]), MapTraining(rate=0.5, width=1.0))
    near = 0.5 * np.exp(-0.5)
    expected = [near * 1.2, 1.1, 5 + near * (1.2 - 5)]
    np.testing.assert_allclose(found[0, :, 0], expected)


def test_a_map_learns_and_keeps_its_mesh() -> None:
    draw = np.random.default_rng(0)
    y = np.arange(240) % 4
    corners = np.array([[0, 0, 0], [6, 0, 0], [0, 6, 0], [6, 6, 3]])
    X = corners[y] + draw.normal(size=(240, 3))
    found = assay.learn.som(X, y, rows=5, columns=5, by={"y": y})
    errors = found.scores["quantization_error"]
    assert errors["map"] < errors["start"]
    assert found.scores["topographic_error"]["map"] < 0.3
    undefined = found.scores.summary().filter(system="k-means", measure="topographic_error")
    assert undefined["reasons"][0].startswith("no two units are adjacent")
    assert found.scores["unit_accuracy"]["map"] > 0.9
    assert found.comparison is not None
    assert found.comparison.pairs.filter(slice="all", system="start")["low"].item() > 0
    assert int(found.hits.sum()) == 72
    assert {label for row in found.labels for label in row} >= {"0", "1", "2", "3"}
    assert len(found.plot(show="u-matrix").points["units"]["value"]) == 25
    assert len(found.scores.slices) == 4


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y\n1,2\n,1\n3,4\n", {}, r"t\.csv:3: the feature x is missing"),
        ("x,y\n1,2\n2,1\n3,4\n", {"rows": 0}, "1 or more"),
        ("x,y\n1,a\n2,a\n3,a\n", {"target": "y"}, "every y is a"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.som(tmp_path / "t.csv", **options)


def test_command_notes_constant_features(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,b,c\n" + "".join(f"{n % 7},{n % 5},1\n" for n in range(40)))
    done = call("learn", "som", "t.csv", "--rows", "3", "--columns", "2", "--plot", "f.svg")
    assert done.code == 0, done.err
    assert "1 feature with the same value in every row: c" in done.out


def test_an_error_has_one_interval_wherever_it_is_shown() -> None:
    X = np.random.default_rng(4).lognormal(size=(90, 3))
    found = assay.learn.som(X, rows=3, columns=4, epochs=2)
    own = next(each for each in found.scores.of("quantization_error") if each.system == "map")
    last = found.course.row(-1, named=True)
    assert (last["value"], last["low"], last["high"]) == (own.value, own.low, own.high)
