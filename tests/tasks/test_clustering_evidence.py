"""Clusterings are read once: from columns, files or both, with the runs that use them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score, silhouette_score
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError, NeedsInput
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.points import Points
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.clustering.cluster_columns import ClusterColumns
from assay.tasks.clustering.clustering import ClusteringEvidence
from assay.tasks.explanation.table_explanations import explain_system

RANDOM = np.random.default_rng(11)
TOPICS = RANDOM.integers(0, 3, 60)
PLACES = np.asarray([[0, 0], [9, 0], [0, 9]])[TOPICS] + RANDOM.normal(size=(60, 2))


def _table(seed: int) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    noisy = np.where(random.random(60) < 0.3, random.integers(0, 3, 60), TOPICS)
    return pl.DataFrame(
        {
            "id": [f"i{n}" for n in range(60)],
            "topic": TOPICS,
            "k2": np.minimum(noisy, 1),
            "k3": noisy,
            "x1": PLACES[:, 0],
            "x2": PLACES[:, 1],
        }
    )


OLD, NEW = _table(1), _table(2)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, table in (("old", OLD), ("new", NEW)):
        table.write_csv(tmp_path / f"{name}.csv")
    return str(tmp_path / "old.csv"), str(tmp_path / "new.csv")


def test_a_clustering_is_called_by_what_distinguishes_it(files: tuple[str, str]) -> None:
    names = {
        ("k3", 1): ("k3",),
        ("k*", 1): ("k2", "k3"),
        ("k3", 2): ("old", "new"),
        ("k*", 2): ("old k2", "old k3", "new k2", "new k3"),
    }
    for (cluster, count), expected in names.items():
        columns = ClusterColumns(cluster, "topic")
        assert ClusteringEvidence.read(list(files[:count]), columns).systems == expected
    columns = ClusterColumns(["k2", "k3"], "topic")
    found = ClusteringEvidence.read({"a": OLD, "b": NEW}, columns)
    assert found.systems == ("a k2", "a k3", "b k2", "b k3")


def test_each_clustering_has_the_numbers_of_its_own_table() -> None:
    tables = {"a": OLD, "b": NEW}
    scores = assay.clustering(
        tables, "ARI silhouette", cluster="k3", classes="topic", features="x*", item="id"
    )
    for name, table in tables.items():
        places = table.select("x1", "x2").to_numpy()
        rand = adjusted_rand_score(table["topic"], table["k3"])
        assert scores["ARI"][name] == pytest.approx(rand, abs=1e-12)
        assert scores["silhouette"][name] == pytest.approx(
            silhouette_score(places, table["k3"]), abs=1e-12
        )
        alone = assay.clustering(table, "ARI", cluster="k3", classes="topic").results[0]
        beside = next(each for each in scores.of("ARI") if each.system == name)
        assert (alone.value, alone.low, alone.high) == (beside.value, beside.low, beside.high)
    assert scores.conventions["clusters"] == {"a": 3, "b": 3}
    assert len(set(scores.conventions["inputs"].values())) == 2


def test_two_frames_are_paired_by_named_items_only() -> None:
    unnamed = assay.clustering([OLD, NEW], "ARI", cluster="k3", classes="topic")
    with pytest.raises(DataError, match="name the column of items"):
        assay.compare(unnamed)
    named = assay.clustering([OLD, NEW], "ARI", cluster="k3", classes="topic", item="id")
    row = assay.compare(named).pairs.row(0, named=True)
    rand = [adjusted_rand_score(TOPICS, table["k3"]) for table in (OLD, NEW)]
    assert abs(row["difference"]) == pytest.approx(abs(rand[1] - rand[0]), abs=1e-12)


def test_gaps_are_noted_by_the_name_of_the_clustering() -> None:
    gap = OLD.with_columns(k3=pl.when(pl.col("id") == "i4").then(None).otherwise("k3"))
    scores = assay.clustering(
        {"a": gap, "b": NEW}, "purity", cluster="k3", classes="topic", missing="drop"
    )
    assert scores.warnings == ("a: items without a cluster: 1, left out",)


def test_views_need_their_columns() -> None:
    evidence = ClusteringEvidence.read(OLD, ClusterColumns("k3", "topic"))
    table = evidence.view("k3", Contingency, "a table")
    assert table.cells.sum() == 60
    assert evidence.view("k3", Contingency, "a table") is table
    with pytest.raises(NeedsInput, match="a figure needs the coordinates of the points"):
        evidence.view("k3", Points, "a figure")
    with pytest.raises(NeedsInput, match="silhouette needs the coordinates"):
        explain_system(evidence, "silhouette")


def test_an_explanation_follows_the_distance_and_the_system() -> None:
    columns = ClusterColumns("k*", features="x*", distance="manhattan")
    evidence = ClusteringEvidence.read(OLD, columns)
    places = OLD.select("x1", "x2").to_numpy()
    for name in ("k2", "k3"):
        found = explain_system(evidence, "silhouette", name)
        expected = silhouette_score(places, OLD[name], metric="manhattan")
        assert found.value == pytest.approx(expected, abs=1e-12)
        assert found.about == f"the clusters, clusters {name}"


def test_a_table_of_too_many_cells_has_a_warning_and_no_interval() -> None:
    many = pl.DataFrame({"c": np.arange(20_001), "class": np.arange(20_001)})
    evidence = ClusteringEvidence.read(many, ClusterColumns("c"))
    scores = evidence.scores("purity")
    assert np.isnan(scores.results[0].low)
    assert scores.warnings == (
        "c: a table of 20,001 cells is too large for intervals (at most 20,000)",
    )
    assert evidence.scores("purity", interval=None).warnings == ()
    assert scores.conventions["clusters"] == {"c": 20_001}


def test_progress_ends_with_all_pairs() -> None:
    shares: list[float] = []
    assay.clustering(OLD, "silhouette", cluster="k3", features="x*", progress=shares.append)
    assert shares[-1] == pytest.approx(1)
    assert shares == sorted(shares)


def test_runs_may_have_any_interval() -> None:
    qrels = {f"q{n}": {"d": 1} for n in range(6)}
    run = {f"q{n}": {"d": 1.0, "e": float(n % 3)} for n in range(6)}
    columns = ClusterColumns("k3", "topic")
    evidence = ClusteringEvidence.read(OLD, columns, qrels, {"k3": run})
    scores = evidence.scores("ARI", interval=Bootstrap(method="percentile", resamples=50))
    assert scores.measures[0] == "ARI"
    alone = assay.retrieval(
        qrels, {"k3": run}, interval=Bootstrap(method="percentile", resamples=50)
    )
    for one in alone.results:
        added = scores.of(f"retrieval.{one.measure}")[0]
        assert (added.value, added.low, added.high) == (one.value, one.low, one.high)
    assert scores.conventions["interval"]["name"] == "jackknife"
    assert scores.conventions["interval"]["runs"]["method"] == "bootstrap percentiles"


def test_scores_of_one_name_are_told_from_each_other(files: tuple[str, str]) -> None:
    def names(*tables: str | pl.DataFrame) -> list[str]:
        parts = [
            assay.clustering(each, "ARI", cluster="k3", classes="topic", item="id")
            for each in tables
        ]
        return assay.compare(parts).systems["system"].sort().to_list()

    assert names(*files) == ["new", "old"]
    assert names(OLD, NEW) == ["k3 (1)", "k3 (2)"]


def test_commands_take_several_files(files: tuple[str, str]) -> None:
    inputs = (*files, "--cluster", "k3", "--classes", "topic", "--item", "id")
    table = call("clustering", *inputs, "-m", "ARI").out
    assert {"old", "new"} <= {line.split()[0] for line in table.splitlines() if line.split()}
    rows = call("clustering", *inputs, "--per-cluster", "--format", "csv").out.splitlines()
    assert [line.split(",")[0] for line in rows[1:]] == ["old"] * 3 + ["new"] * 3


def test_figures_say_which_columns_they_need(files: tuple[str, str], tmp_path: Path) -> None:
    figure = str(tmp_path / "figure.svg")
    done = call(
        "plot", "silhouette", files[0], "--cluster", "k3", "--classes", "topic", "-o", figure
    )
    assert "name their columns with --features" in done.err
    done = call(
        "plot", "contingency", files[0], "--cluster", "k3", "--features", "x*", "-o", figure
    )
    assert "name its column with --classes" in done.err
    assert not Path(figure).exists()
