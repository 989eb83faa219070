"""Given points of precision and recall: the example of a lecture, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

PRECISION = [0.1, 0.5, 0.6, 0.6, 0.5, 0.5, 0.7, 0.9, 1]
RECALL = [1, 0.9, 0.7, 0.5, 0.4, 0.4, 0.3, 0.1, 0]


def test_the_points_of_the_lecture() -> None:
    found = assay.pr({"precision": PRECISION, "recall": RECALL})
    at = dict(zip(found.interpolated["recall"], found.interpolated["points"], strict=True))
    assert [at[r] for r in (0, 0.5, 0.9, 1)] == [1, 0.6, 0.5, 0.1]
    printed = [1, 0.9, 0.7, 0.7, 0.6, 0.6, 0.6, 0.6, 0.5, 0.5, 0.1]
    assert found.interpolated["points"].to_list() == printed
    row = found.summary.row(0, named=True)
    assert row["11pt_avg"] == pytest.approx(0.62, abs=0.005)
    assert row["break_even"] == 0.6
    assert row["best_F"] == pytest.approx(2 * 0.6 * 0.7 / 1.3)
    assert row["E"] == pytest.approx(1 - ((0.3**2 + 0.4**2) ** 0.5) / 2**0.5)
    assert "near recall 1 (at 1.00) the precision is 0.10" in found.notes[1]


def test_several_methods_and_a_curve_that_ends_early(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("method,precision,recall\nA,1,0.5\nA,0.8,1\nB,0.4,0.3\n")
    done = call("pr", str(path), "--plot", str(tmp_path / "pr.svg"))
    assert done.code == 0, done.err
    assert "B: the curve ends at recall 0.30: 70% of what is relevant is never found" in done.out
    points = assay.plot("pr-points", str(path)).points
    assert points["A, points"]["precision"].tolist() == [1, 0.8]
    assert points["A"]["precision"].tolist() == [1] * 6 + [0.8] * 5


@pytest.mark.parametrize(
    "data",
    [
        {"precision": [0.5]},
        {"precision": [1.5], "recall": [0.5]},
        {"precision": [], "recall": []},
        {"precision": ["x"], "recall": [0.5]},
    ],
)
def test_points_that_make_no_sense_are_refused(data: dict[str, list[float]]) -> None:
    with pytest.raises(AssayError):
        assay.pr(data)


def test_curves_without_recall_say_whether_anything_is_found() -> None:
    little, nothing = (
        assay.pr({"precision": [precision], "recall": [0.0]}).notes[0] for precision in (0.2, 0.0)
    )
    assert "little of what is relevant is found" in little
    assert "nothing relevant is found" in nothing
