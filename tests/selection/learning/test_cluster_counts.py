"""The number of clusters: criteria against scikit-learn and by hand, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.cluster_counts import elbow
from assay.selection.learning_tasks.cluster_criteria import gap_statistic, stability

pytest.importorskip("sklearn")


def groups(count: int = 3, size: int = 90) -> tuple[Any, Any]:
    draw = np.random.default_rng(2)
    y = np.arange(size) % count
    turn = 2 * np.pi * y / count
    return 6 * np.column_stack([np.cos(turn), np.sin(turn)]) + draw.normal(size=(size, 2)), y


def test_all_criteria_find_clear_groups() -> None:
    X, y = groups()
    found = assay.learn.clusters(X, y, counts=range(1, 7), rounds=5, by={"y": y})
    assert found.chosen == dict.fromkeys(("silhouette", "elbow", "gap", "stability"), 3)
    agreement = found.tables["agreement with the classes"]
    assert agreement.filter(system="k=3", measure="ARI")["value"].item() == 1
    assert found.comparison is not None
    others = found.comparison.pairs.filter(slice="all", system="k=2")
    assert others["high"].item() < 0
    one = found.criteria.filter(criterion="silhouette", k=1)
    assert one["reasons"].item() == "one cluster has no other beside it"
    assert len(found.scores.slices) == 3
    for name in ("silhouette", "elbow", "gap", "stability", "clusters"):
        assert found.plot(show=name).svg.startswith("<svg")


def test_values_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import silhouette_score
    from sklearn.preprocessing import StandardScaler

    X, _ = groups()
    found = assay.learn.clusters(X, counts=[2, 3, 4], rounds=2)
    scaled = StandardScaler().fit_transform(X)
    for k, labels in found.clusterings.items():
        rows = found.criteria.filter(k=k)
        silhouette = rows.filter(criterion="silhouette")["value"].item()
        assert silhouette == pytest.approx(silhouette_score(scaled, labels))
        within = sum(
            ((scaled[labels == c] - scaled[labels == c].mean(axis=0)) ** 2).sum() for c in range(k)
        )
        assert rows.filter(criterion="elbow")["value"].item() == pytest.approx(within)


def test_the_elbow_worked_by_hand() -> None:
    # In powers of ten 4, 3, 1, 0.5, 0: from 4 to 0 the line is at 4, 3, 2, 1, 0.
    assert elbow([1, 2, 3, 4, 5], np.array([1e4, 1e3, 10, 10**0.5, 1])) == 3
    assert elbow([1, 2], np.array([2.0, 1.0])) is None


def test_the_gap_of_data_without_structure_is_near_zero() -> None:
    from sklearn.cluster import KMeans

    # Three times as wide as high, so that the main components are along the sides.
    X = np.random.default_rng(3).uniform(size=(300, 2)) * [3, 1]

    within = KMeans(3, n_init=5, random_state=0).fit(X).inertia_
    gap, error = gap_statistic(X, within, 3, 20, 1)
    # The box around the data is a little smaller than the rectangle, and turned a little.
    assert abs(gap) < 5 * max(error, 0.03)


def test_stable_clusterings_agree() -> None:
    X, _ = groups()
    assert stability(X, 3, 4, 1).min() == 1
    noise = np.random.default_rng(4).normal(size=(120, 4))
    assert stability(noise, 5, 4, 1).mean() < 0.7


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x\n1\n1\n1\n", {}, "all items are equal"),
        ("x\n1\n\n3\n", {}, "the feature x is missing"),
        ("x\n1\n2\n3\n4\n5\n6\n", {"counts": [9]}, "whole numbers from 1 to 3"),
        ("x\n1\n2\n3\n4\n5\n6\n", {"counts": [1, 2], "rounds": 1}, "at least 2"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text.replace("\n\n", "\nnan\n"))
    with pytest.raises(AssayError, match=message):
        assay.learn.clusters(tmp_path / "t.csv", **options)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, _ = groups(2, 40)
    Path("t.csv").write_text("a,b,one\n" + "".join(f"{a},{b},1\n" for a, b in X))
    arguments = ("t.csv", "--counts", "1,2,3", "--rounds", "3", "--show", "gap", "--plot", "g.svg")
    done = call("learn", "clusters", *arguments)
    assert done.code == 0, done.err
    assert "number of clusters: silhouette 2" in done.out
    assert "same value in every row: one" in done.out


def test_few_items_have_fewer_counts_by_default() -> None:
    found = assay.learn.clusters(np.array([[0.0], [1], [10], [11], [20]]))
    assert [*found.clusterings] == [1, 2, 3]
