"""Semi-supervised learning: transduction by hand, scikit-learn's learners, the assumptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.assumptions import check_assumptions
from assay.selection.learning_tasks.transduction import partition
from assay.statistics.intervals.unit_intervals import Bootstrap

pytest.importorskip("sklearn")


def on_a_line(places: list[float], labels: str) -> Any:
    """Partition points of one dimension; a dot is an item without a label."""
    names = np.array(list(labels))
    return partition(np.array(places, dtype=float)[:, None], names, names != ".")


@pytest.mark.parametrize(
    ("places", "labels", "expected"),
    [
        # One conflict: 0 and 12 have different labels. 2-means divides at 6.
        ([0, 1, 2, 10, 11, 12], "a....b", "aaabbb"),
        # Both labels have the mean 10, so that an outermost labeled item is a center: {0, 1} apart
        # from the rest, then {10, 11} apart from {20, 21}.
        ([0, 1, 10, 11, 20, 21], "a.b.a.", "aabbaa"),
        # One label only: one cluster, no conflict.
        ([0, 1, 50], "a..", "aaa"),
        # {0, 1, 2} has a conflict: centers 0 and 2; 1 is as near to the one as to the other, and
        # goes to the more frequent label, in a tie the first; 30 has no label and is with 2.
        ([0, 1, 2], "a.b", "aab"),
    ],
)
def test_partitioning_worked_by_hand(places: list[float], labels: str, expected: str) -> None:
    assert "".join(on_a_line(places, labels).labels) == expected


def test_a_cluster_without_a_label_takes_the_nearest() -> None:
    # a at 0; b at 40 and 41: the centers 0 and 40.5 move to 15 (0, 30) and 40.5, then 30 changes
    # sides, and 0 is alone; 30 is with 40 and 41.
    assert "".join(on_a_line([0, 30, 40, 41], "a.bb").labels) == "abbb"


def test_items_in_one_place_cannot_be_separated() -> None:
    found = on_a_line([5, 5, 5, 9], "aab.")
    assert "".join(found.labels) == "aaaa"
    assert found.inseparable.tolist() == [2]


def test_clusters_agree_in_their_labels() -> None:
    draw = np.random.default_rng(0)
    X = draw.normal(size=(150, 2))
    labels = np.array(list("abc"))[draw.integers(0, 3, 150)]
    known = draw.random(150) < 0.3
    found = partition(X, labels, known)
    for cluster in np.unique(found.clusters):
        assert len(set(labels[known & (found.clusters == cluster)])) <= 1
    assert (found.labels[known] == labels[known]).all()


def moons(size: int = 200) -> tuple[Any, Any]:
    from sklearn.datasets import make_moons

    X, y = make_moons(size, noise=0.08, random_state=0)
    return X, np.array(["o", "x"])[y]


def test_learners_are_those_of_scikit_learn() -> None:
    from sklearn.neighbors import kneighbors_graph
    from sklearn.preprocessing import StandardScaler
    from sklearn.semi_supervised import LabelPropagation

    X, y = moons()
    found = assay.learn.semisupervised(X, y, shares=[0.1], rounds=2)
    scaled = StandardScaler().fit_transform(X)
    codes = np.where(found.labeled, (y == "x").astype(int), -1)
    theirs = LabelPropagation(kernel="knn", n_neighbors=7, max_iter=10_000).fit(scaled, codes)
    assert (found.predictions["label-propagation"] == theirs.transduction_).all()
    # Propagation has a fixed point: each unlabeled item is the mean of its seven neighbors (itself
    # among them), solved here as linear equations.
    graph = kneighbors_graph(scaled, 7, include_self=True).toarray() / 7
    free = ~found.labeled
    known = np.stack([codes == 0, codes == 1], axis=1)[found.labeled].astype(float)
    solved = np.linalg.solve(
        np.eye(free.sum()) - graph[np.ix_(free, free)], graph[np.ix_(free, found.labeled)] @ known
    )
    clear = np.abs(solved[:, 0] - solved[:, 1]) > 0.05  # scikit-learn stops before the fixed point
    assert clear.mean() > 0.9
    agree = solved.argmax(axis=1) == found.predictions["label-propagation"][free]
    assert agree[clear].all()


def test_transduction_wins_where_clusters_are_curved() -> None:
    X, y = moons()
    found = assay.learn.semisupervised(X, y, shares=[0.1, 0.5], rounds=4, by={"y": y})
    accuracy = found.scores["ACC"]
    assert accuracy["label-propagation"] > accuracy["induction"]
    assert found.comparison is not None
    assert found.comparison.pairs.filter(slice="all", system="label-propagation")["low"].item() > 0
    assert {*found.scores.slices} == {"y=o", "y=x"}
    assert found.share == 0.1
    assert int(found.labeled.sum()) == 20
    labels = found.plot(show="labels")
    assert len(labels.points["labeled o"]["x"]) + len(labels.points["labeled x"]["x"]) == 20


def test_assumptions_have_numbers() -> None:
    draw = np.random.default_rng(1)
    # A curve in ten dimensions that two classes divide in the middle, and noise without structure.
    t = np.sort(draw.uniform(0, 3, 400))
    curve = np.column_stack([np.sin(t * k) for k in range(1, 11)])
    halves = (t > 1.5).astype(int)
    good = check_assumptions(curve, halves, Bootstrap(), 1)
    bad = check_assumptions(draw.normal(size=(400, 10)), draw.integers(0, 2, 400), Bootstrap(), 1)
    smooth, cluster, manifold = good["value"]
    assert smooth > 0.97
    assert good["low"][2] < 1.1
    assert manifold == pytest.approx(1, abs=0.15)  # 3 / √400
    assert bad["low"][0] < bad["chance"][0] < bad["high"][0]
    assert bad["value"][2] > 5
    assert cluster > bad["value"][1]


def test_the_dimension_of_duplicates_is_undefined() -> None:
    found = check_assumptions(
        np.repeat([[0.0], [1.0], [2.0]], 2, axis=0), np.arange(6) % 2, Bootstrap(), 1
    )
    assert np.isnan(found["value"][2])
    assert found["reasons"][2] == "the item has a duplicate"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y\n1,\n2,\n3,\n", {}, "the target y is missing in all 3 rows"),
        ("x,y\n1,a\n2,a\n3,\n", {}, "every y is a: two classes"),
        ("x,y\n1,a\n2,a\n3,b\n", {}, "the class b has one item"),
        ("x,y\n,a\n2,b\n3,a\n", {}, r"t\.csv:2: the feature x is missing"),
        ("x,y\n1,a\n2,b\n3,a\n4,b\n", {"rounds": 1}, "at least 2"),
        ("x,y\n1,a\n2,b\n3,a\n4,b\n", {"shares": [0.99]}, "no item is left to predict"),
        ("x,y\n1,a\n2,b\n3,a\n4,b\n", {"shares": [0]}, "to below 1 are expected"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.semisupervised(tmp_path / "t.csv", "y", **options)


def test_items_that_no_partition_separates_are_counted() -> None:
    places = np.repeat([[0.0, 0], [1, 1], [2, 2]], 8, axis=0)
    found = assay.learn.semisupervised(places, list("aabb" * 6), shares=[0.5], rounds=2)
    wrong = found.labeled & (found.predictions["partitioning"] != found.labels)
    said = [each for each in found.notes if "no partition separates" in each]
    assert said[0].startswith(f"{wrong.sum()} labeled items in one place")


def test_axes_have_the_names_of_the_features(tmp_path: Path) -> None:
    rows = [f"{n % 2 * 9 + n / 20},{n % 7},{'ab'[n % 2]}" for n in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["height,weight,y", *rows]) + "\n")
    found = assay.learn.semisupervised(tmp_path / "t.csv", "y", shares=[0.2], rounds=2)
    drawn = found.plot(show="labels").svg
    assert "height, standardized" in drawn
    assert "weight, standardized" in drawn


def test_items_without_a_label_are_counted(tmp_path: Path) -> None:
    rows = [f"{n % 2 * 9 + n / 20},{'' if n % 5 == 0 else 'ab'[n % 2]},1" for n in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["x,y,one", *rows]) + "\n")
    done = call(
        "learn", "semisupervised", str(tmp_path / "t.csv"), "--target", "y", "--rounds", "2"
    )
    assert done.code == 0, done.err
    assert "8 items without a label: learned from, not evaluated" in done.out
    assert "1 feature with the same value in every row: one" in done.out


def six(known: str, labels: str = "aaabbb") -> dict[str, list[Any]]:
    """Return six items on a line, of which some show their label."""
    named = [None if each == "." else each for each in labels]
    return {"x": [0, 1, 2, 10, 11, 12], "label": named, "known": list(known)}


def test_the_labels_that_learners_see_can_be_named() -> None:
    data = {**six("100001"), "group": list("pqpqpq")}
    found = assay.learn.semisupervised(data, "label", labeled="known", by="group")
    assert found.labeled.tolist() == [True, False, False, False, False, True]
    assert found.predictions["partitioning"].tolist() == [0, 0, 0, 1, 1, 1]
    assert [each.value for each in found.scores.of("ACC")] == [1.0] * 4
    assert found.curve["rounds"].to_list() == [1] * 4
    assert found.names == ("x",)
    assert "the learners see 2 labels, as `labeled` says" in found.notes[0]
    beside = assay.learn.semisupervised(
        np.array(data["x"]), np.array(data["label"]), labeled=np.arange(6) % 5 == 0
    )
    assert beside.labeled.tolist() == found.labeled.tolist()


def test_a_class_without_a_label_that_is_seen_is_noted() -> None:
    found = assay.learn.semisupervised(six("110000"), "label", labeled="known")
    assert "no label is shown of b: no learner can predict it" in found.notes
    assert {each.value for each in found.scores.of("ACC")} == {0.25}


@pytest.mark.parametrize(
    ("known", "labels", "message"),
    [
        ("10x001", "aaabbb", r"3: known is 'x'; yes or no, true or false, 1 or 0 is expected"),
        ("100001", ".aabbb", "1: known says that learners see the label, but there is none"),
        ("000000", "aaabbb", "known shows the label of 0 of 6 items with a label: one to learn"),
        ("111111", "aaabbb", "known shows the label of 6 of 6 items with a label: one to learn"),
    ],
)
def test_labels_that_cannot_be_seen_are_reported(known: str, labels: str, message: str) -> None:
    with pytest.raises(AssayError, match=message):
        assay.learn.semisupervised(six(known, labels), "label", labeled="known")
    with pytest.raises(AssayError, match="shown"):
        assay.learn.semisupervised(six(known), "label", labeled="shown")
    with pytest.raises(AssayError, match="`labeled` has 2 values, but there are 6 items"):
        assay.learn.semisupervised(six(known), "label", labeled=[True, False])
