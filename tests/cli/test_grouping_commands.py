"""The commands on clusterings, orders and assessors, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner, Result

import assay
from assay.cli.application import application


def run(*arguments: object) -> Result:
    return CliRunner().invoke(application, [str(each) for each in arguments])


@pytest.fixture
def points(tmp_path: Path) -> Path:
    random = np.random.default_rng(1)
    truth = np.repeat([0, 1, 2], 20)
    place = np.asarray([[0, 0], [9, 0], [0, 9]])[truth] + random.normal(size=(60, 2))
    frame = pl.DataFrame({"x1": place[:, 0], "x2": place[:, 1], "topic": truth.astype(str)})
    halves = np.where(np.arange(60) % 2, truth, truth + 3)
    frame = frame.with_columns(k2=np.minimum(truth, 1), k3=truth, k6=halves)
    frame.write_parquet(tmp_path / "points.parquet")
    return tmp_path / "points.parquet"


def test_the_number_of_clusters_is_chosen(points: Path) -> None:
    done = run(
        *("clustering", points, "--cluster", "k*", "--features", "x*", "--classes", "topic"),
        *("-m", "silhouette WSS NMI"),
    )
    assert done.exit_code == 0, done.output
    best = done.stdout.split("Best by each measure")[1]
    assert [line.split()[:2] for line in best.splitlines()[3:6]] == [
        ["silhouette", "k3"],
        ["WSS", "k3"],
        ["NMI", "k3"],
    ]
    assert "the elbow" in best


def test_a_row_for_each_cluster(points: Path) -> None:
    done = run(
        *("clustering", points, "--cluster", "k2", "--classes", "topic", "--features", "x*"),
        *("--per-cluster", "--format", "json"),
    )
    rows = json.loads(done.stdout)
    assert [(row["items"], row["purity"]) for row in rows] == [(20, 1.0), (40, 0.5)]
    assert {"silhouette", "squares within", "commonest class"} <= set(rows[0])


def test_retrieval_scores_stand_beside(points: Path, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "good.run").write_text("q1 Q0 d1 1 2 a\n")
    (tmp_path / "bad.run").write_text("q1 Q0 d2 1 2 b\nq1 Q0 d1 2 1 b\n")
    arguments = [
        "clustering",
        points,
        "--cluster",
        "k2",
        "--cluster",
        "k3",
        "--classes",
        "topic",
        "-m",
        "NMI",
    ]
    runs = ["--run", f"k2={tmp_path / 'bad.run'}", "--run", f"k3={tmp_path / 'good.run'}"]
    done = run(*arguments, "--qrels", tmp_path / "qrels", *runs, "--format", "json")
    rows = {(r["system"], r["measure"]): r["value"] for r in json.loads(done.stdout)["summary"]}
    assert rows["k3", "retrieval.AP"] == 1
    assert rows["k2", "retrieval.AP"] == 0.5
    missing = run(*arguments, "--qrels", tmp_path / "qrels", *runs[:2])
    assert "no run for the clustering k3" in str(missing.exception)


def test_ratings_by_the_command(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("doc,who,grade\nx,a,1\nx,b,1\ny,a,2\ny,b,0\nz,a,0\nz,b,0\n")
    named = ["--item", "doc", "--assessor", "who", "--label", "grade"]
    done = run("agreement", path, *named, "--scale", "ordinal", "--format", "json")
    measured = {row["measure"] for row in json.loads(done.stdout)["summary"]}
    assert "alpha(scale=ordinal)" in measured
    labels = run("aggregate", path, *named, "--method", "median", "--format", "json")
    assert [row["label"] for row in json.loads(labels.stdout)] == ["1", "0", "0"]
    for show in ("assessors", "free-loaders"):
        assert run("aggregate", path, *named, "--show", show).exit_code == 0
    outside = run("agreement", path, *named, "--labels", "0,1")
    assert "ratings.csv:4: the label '2' is not among the labels" in str(outside.exception)


def test_a_bootstrap_of_a_clustering_is_refused(points: Path) -> None:
    done = run("clustering", points, "--cluster", "k2", "--classes", "topic", "--interval", "bca")
    assert "clusterings have jackknife intervals" in str(done.exception)


def test_the_runs_beside_clusterings_have_their_own_intervals(points: Path, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("".join(f"q{n} 0 d1 1\n" for n in range(9)))
    lines = [f"q{n} Q0 d{1 + n % 2} 1 2 a\nq{n} Q0 d{2 - n % 2} 2 1 a\n" for n in range(9)]
    (tmp_path / "one.run").write_text("".join(lines))
    done = run(
        *("clustering", points, "--cluster", "k2", "--classes", "topic", "-m", "NMI"),
        *("--qrels", tmp_path / "qrels", "--run", f"k2={tmp_path / 'one.run'}"),
        *("--interval", "percentile"),
    )
    assert done.exit_code == 0, done.output
    assert "interval, jackknife over items" in done.output
    assert "retrieval.AP: jackknife does not apply; its interval is by bootstrap" in done.output
    assert "NMI: jackknife" not in done.output


@pytest.mark.parametrize("head", ["item,rater,label", "doc,Annotator,grade", "id,judge,rating"])
def test_ratings_under_the_names_that_others_give_the_columns(tmp_path: Path, head: str) -> None:
    rows = ["1,ann,yes", "1,ben,yes", "2,ann,no", "2,ben,yes", "3,ann,no", "3,ben,no"]
    (tmp_path / "ratings.csv").write_text("\n".join([head, *rows]) + "\n")
    found = assay.agreement(tmp_path / "ratings.csv", "percent")
    assert found["percent"]["assessors"] == pytest.approx(2 / 3)
