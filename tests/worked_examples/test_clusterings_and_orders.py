"""The worked examples of the lectures on clusterings and orders, through the public functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.terminal import call

import assay

SEVENTEEN = ("xxxxxo", "xooood", "xxddd")


def seventeen() -> Any:
    rows = [(f"k{n}", mark) for n, word in enumerate(SEVENTEEN) for mark in word]
    return {"cluster": [name for name, _ in rows], "class": [mark for _, mark in rows]}


def near(printed: Any) -> Any:
    """Within half a unit of the last digit that is printed."""
    digits = len(printed.split(".")[1]) if "." in printed else 0
    return pytest.approx(float(printed), abs=0.5 * 10**-digits + 1e-12)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("purity", "0.71"),
        ("NMI", "0.36"),
        ("RI", "0.68"),
        ("pairF(beta=5)", "0.46"),
        ("pairTP", "20"),
        ("pairFP", "20"),
        ("pairFN", "24"),
        ("pairTN", "72"),
    ],
)
def test_seventeen_points(name: str, printed: str) -> None:
    assert assay.clustering(seventeen(), name, interval=None)[name]["cluster"] == near(printed)


def test_seventeen_points_by_the_command(tmp_path: Path) -> None:
    data = seventeen()
    lines = [f"{c},{k}" for c, k in zip(data["cluster"], data["class"], strict=True)]
    path = tmp_path / "clusters.csv"
    path.write_text("\n".join(["c,topic", *lines]) + "\n")
    names = "purity NMI RI pairF(beta=5)"
    arguments = ["clustering", str(path), "--cluster", "c", "--classes", "topic", "-m", names]
    done = call(*arguments, "--format", "json")
    assert done.code == 0, done.err
    values = {row["measure"]: row["value"] for row in json.loads(done.out)["summary"]}
    assert [values[name] for name in names.split()] == [
        near("0.71"),
        near("0.36"),
        near("0.68"),
        near("0.46"),
    ]


@pytest.mark.parametrize(
    ("name", "printed"),
    [("silhouette", [0.80, 0.75, 0]), ("silhouette(form=lecture)", [0.90, 0.875, 0])],
)
def test_silhouettes_of_three_points(name: str, printed: Any) -> None:
    data = {"c": ["a", "a", "b"], "x": [0, 1, 5]}
    scores = assay.clustering(data, name, cluster="c", features="x", interval=None)
    assert scores.per_unit()["value"].to_list() == pytest.approx(printed)


def test_purity_is_one_when_every_item_is_a_cluster() -> None:
    data = {"cluster": [1, 2, 3], "class": ["x", "x", "y"]}
    assert assay.clustering(data, "purity", interval=None)["purity"]["cluster"] == 1


def test_two_orders_of_five() -> None:
    data = {"item": list("abcde"), "first": [5, 4, 3, 2, 1], "second": [4, 5, 3, 1, 2]}
    scores = assay.correlation(data, "tau rho rho(ties=none)", interval=None)
    assert scores["tau"]["orders"] == near("0.6")
    assert scores["rho"]["orders"] == near("0.8")
    assert scores["rho(ties=none)"]["orders"] == near("0.8")


def test_two_orders_of_five_by_the_command(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("system,score\na,5\nb,4\nc,3\nd,2\ne,1\n")
    two.write_text("system,score\na,4\nb,5\nc,3\nd,1\ne,2\n")
    arguments = ["correlation", str(one), str(two), "-m", "tau rho", "--format", "json"]
    done = call(*arguments)
    assert done.code == 0, done.err
    rows = json.loads(done.out)["summary"]
    assert [row["value"] for row in rows] == [near("0.6"), near("0.8")]
