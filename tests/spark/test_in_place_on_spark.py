"""Lists that are together in the input are evaluated without a shuffle, others after one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.spark.test_retrieval_on_spark import ALL, judged_runs, on_this_machine, same_scores

import assay
from assay.engine.spark.frames import is_shuffled, plan_text
from assay.engine.spark.ranking_job import RankingJob


@pytest.fixture
def small_splits(spark: Any) -> Iterator[None]:
    """Each file is a partition of its own."""
    settings = {"openCostInBytes": "9000", "maxPartitionBytes": "9000"}
    for name, value in settings.items():
        spark.conf.set(f"spark.sql.files.{name}", value)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    yield
    for name in settings:
        spark.conf.unset(f"spark.sql.files.{name}")


def write_files(rows: pl.DataFrame, folder: Path, size: int) -> str:
    folder.mkdir()
    for number, first in enumerate(range(0, rows.height, size)):
        rows[first : first + size].write_parquet(folder / f"{number:03}.parquet")
    return str(folder)


@pytest.fixture
def no_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RankingJob) -> None:
        raise AssertionError("the rows are shuffled")

    monkeypatch.setattr(RankingJob, "states", refuse)


@pytest.mark.usefixtures("small_splits", "no_shuffle")
def test_whole_catalogue_without_a_shuffle(spark: Any, tmp_path: Path) -> None:
    judged, runs = judged_runs(120, 47, runs=3)
    frame = spark.read.parquet(write_files(runs, tmp_path / "runs", 1009))
    assert frame.rdd.getNumPartitions() >= 8
    expected = on_this_machine(judged, runs, ALL, interval=None)
    found = assay.retrieval(judged, frame, ALL, interval=None)
    same_scores(found, expected)
    assert found.conventions["counts"] == expected.conventions["counts"]
    inputs = (each.conventions["inputs"] for each in (found, expected))
    one, other = ({k: v for k, v in each.items() if k != "qrels"} for each in inputs)
    assert one == other


@pytest.mark.usefixtures("small_splits", "no_shuffle")
def test_one_run_and_bad_rows_without_a_shuffle(spark: Any, tmp_path: Path) -> None:
    judged, runs = judged_runs(40, 31)
    bad = runs[:2].with_columns(doc=pl.lit(None, dtype=pl.String), query=pl.lit("q99"))
    table = pl.concat([runs, bad])
    frame = spark.read.parquet(write_files(table.drop("run"), tmp_path / "run", 500))
    settings = assay.SparkSettings(bad_rows="drop")
    found = assay.retrieval(judged, {"run 0": frame}, "AP nDCG@10", spark=settings)
    same_scores(found, on_this_machine(judged, runs, "AP nDCG@10"))
    assert any("2 rows without a query, a document" in each for each in found.warnings)
    with pytest.raises(assay.AssayError, match="2 rows without a run, a query, a document"):
        assay.retrieval(judged, {"run 0": frame}, "AP")


@pytest.mark.usefixtures("small_splits")
@pytest.mark.parametrize("order", ["interleaved", "divided"])
def test_other_orders_are_shuffled(spark: Any, tmp_path: Path, order: str) -> None:
    judged, runs = judged_runs(40, 31, runs=2)
    if order == "interleaved":
        table = runs.sample(fraction=1, shuffle=True, seed=1)
    else:  # in order within each file, but each list in both
        table = pl.concat([runs.gather_every(2), runs.gather_every(2, 1)])
    frame = spark.read.parquet(write_files(table, tmp_path / "runs", 1210))
    found = assay.retrieval(judged, frame, ["AP", "bpref", "num_ret"])
    same_scores(found, on_this_machine(judged, runs, ["AP", "bpref", "num_ret"]))


def test_rows_that_are_shuffled_anyway_are_recognized(spark: Any) -> None:
    frame = spark.range(100).selectExpr("id % 7 AS query")
    assert not is_shuffled(plan_text(frame))
    assert is_shuffled(plan_text(frame.groupBy("query").count()))
