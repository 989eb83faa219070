"""Jobs with very many lists: values come piece by piece and are kept in a file, the same bits."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.spark.test_in_place_on_spark import write_files
from tests.spark.test_retrieval_on_spark import ALL, judged_runs, on_this_machine, same_scores

import assay
from assay.engine.spark import collected_states, ranking_job
from assay.engine.spark.frames import estimated_bytes, plan_text


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking_job, "LARGE", 0.0)
    monkeypatch.setattr(collected_states, "PIECE", 1e5)


def in_a_file(values: Any) -> bool:
    while isinstance(values, np.ndarray):
        values = values.base
    return isinstance(values.obj if isinstance(values, memoryview) else values, mmap.mmap)


@pytest.mark.parametrize("path", ["fast", "shuffle"])
def test_whole_catalogue(spark: Any, tmp_path: Path, path: Any) -> None:
    judged, runs = judged_runs(60, 47, runs=3)
    frame = spark.read.parquet(write_files(runs, tmp_path / "runs", 1009))
    settings = assay.SparkSettings(path=path, cut=False)
    found = assay.retrieval(judged, frame, ALL, interval=None, spark=settings)
    expected = on_this_machine(judged, runs, ALL, interval=None)
    same_scores(found, expected)
    assert found.conventions["counts"] == expected.conventions["counts"]
    assert all(in_a_file(each.values) for each in found.results)


def test_intervals_slices_comparisons_and_joined_judgments(spark: Any) -> None:
    judged, runs = judged_runs(40, 25, runs=3)
    names, by = ["nDCG@10", "AP", "P@5"], {f"q{n}": "ab"[n % 2] for n in range(40)}
    frame = spark.createDataFrame(runs.to_arrow())
    expected = on_this_machine(judged, runs, names, by=by)
    found = assay.retrieval(judged, frame, names, by=by)
    same_scores(found, expected)
    one, two = (assay.compare(each, "AP", baseline="run 0") for each in (found, expected))
    assert one.to_polars().equals(two.to_polars())
    joined = assay.SparkSettings(judgments="join")
    graded = spark.createDataFrame(judged.to_arrow())
    same_scores(
        assay.retrieval(graded, frame, names, spark=joined), on_this_machine(judged, runs, names)
    )


def test_lists_that_are_apart_and_bad_rows(spark: Any, tmp_path: Path) -> None:
    judged, runs = judged_runs(20, 31, runs=2)
    table = pl.concat([runs.gather_every(2), runs.gather_every(2, 1)])
    frame = spark.read.parquet(write_files(table, tmp_path / "runs", 700))
    skip: dict[str, Any] = {"policies": {"missing_queries": "skip"}}
    found = assay.retrieval(judged, frame, "AP nDCG", **skip)
    same_scores(found, on_this_machine(judged, runs, "AP nDCG", **skip))
    bad = runs[:2].with_columns(doc=pl.lit(None, dtype=pl.String))
    broken = spark.createDataFrame(pl.concat([runs, bad]).to_arrow())
    with pytest.raises(assay.AssayError, match="2 rows without a run, a query"):
        assay.retrieval(judged, broken, "AP")


def test_the_size_of_a_frame(spark: Any, tmp_path: Path) -> None:
    _, runs = judged_runs(60, 47)
    frame = spark.read.parquet(write_files(runs, tmp_path / "runs", 1000))
    on_disk = sum(each.stat().st_size for each in (tmp_path / "runs").glob("*.parquet"))
    assert on_disk / 2 < estimated_bytes(plan_text(frame)) < on_disk * 2
