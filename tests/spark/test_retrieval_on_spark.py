"""Spark gives the bits of one machine: all ranking measures, partitions and batch sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.core.catalogue import catalogue
from assay.core.names import declared_variants
from assay.engine.scores import Scores
from assay.engine.spark import ranking_job
from assay.engine.spark.ranking_job import RankingJob
from assay.engine.spark.session import read_spark_table
from assay.evidence.views.judged_rankings import JudgmentGroups, SampledRankings, SubtopicRankings
from assay.evidence.views.rankings import Rankings


def variants(view: Any) -> list[str]:
    return [
        each.name
        for definition in catalogue().values()
        if definition.view is view
        for each in declared_variants(definition)
    ]


ALL = variants(Rankings)
SPARK_COUNTS = (1, 2, 8)
BATCHES = (100, 10_000)


def judged_runs(queries: int, length: int, runs: int = 1) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments with grades from -1 to 3, and runs with ties, some queries unanswered."""
    random = np.random.default_rng(queries * length + runs)
    query = np.repeat(np.arange(queries), 30)
    judged = pl.DataFrame(
        {
            "query": [f"q{n}" for n in query],
            "doc": [f"d{n % 30 * 7}" for n in range(len(query))],
            "grade": random.integers(-1, 4, len(query)).astype(float),
        }
    )
    parts = []
    for run in range(runs):
        own = np.repeat(np.arange(run, queries + 3), length)  # some have no judgments
        parts.append(
            pl.DataFrame(
                {
                    "run": f"run {run}",
                    "query": [f"q{n}" for n in own],
                    "doc": [f"d{n % length}" for n in range(len(own))],
                    "score": np.round(random.normal(size=len(own)), 1 + run),
                }
            )
        )
    return judged, pl.concat(parts)


def on_this_machine(judged: pl.DataFrame, runs: pl.DataFrame, measures: Any, **how: Any) -> Scores:
    by_name = {
        str(name): part.drop("run")
        for (name,), part in runs.partition_by("run", as_dict=True).items()
    }
    return assay.retrieval(judged, by_name, measures, **how)


def same_scores(found: Scores, expected: Scores) -> None:
    assert found.systems == expected.systems
    for one, other in zip(found.results, expected.results, strict=True):
        assert one == other, one.measure
        assert one.values.tobytes() == other.values.tobytes(), one.measure


@pytest.fixture(scope="module")
def lists() -> tuple[pl.DataFrame, pl.DataFrame]:
    """600 lists of 470 rows: a multiple of no batch size."""
    return judged_runs(600, 470)


@pytest.fixture(scope="module")
def expected(lists: tuple[pl.DataFrame, pl.DataFrame]) -> Scores:
    return on_this_machine(*lists, ALL, interval=None)


@pytest.fixture(scope="module")
def frame(spark: Any, lists: tuple[pl.DataFrame, pl.DataFrame]) -> Any:
    return spark.createDataFrame(lists[1].to_arrow()).cache()


@pytest.fixture(params=["spark", "worker"])
def _sorted_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What sorts the rows of a partition: large ones Spark, others the worker that has them."""
    size = ranking_job.SORTED_BY_WORKERS
    monkeypatch.setattr(RankingJob, "size", size if request.param == "spark" else size / 2)


@pytest.mark.usefixtures("_sorted_by")
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("partitions", SPARK_COUNTS)
def test_whole_catalogue(
    spark: Any, lists: Any, frame: Any, expected: Scores, partitions: int, batch: int
) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", batch)
    settings = assay.SparkSettings(partitions=partitions)
    found = assay.retrieval(lists[0], frame, ALL, interval=None, spark=settings)
    assert len(found.results[0].units) == 600
    same_scores(found, expected)
    assert found.conventions["inputs"] == expected.conventions["inputs"] | {
        "qrels": found.conventions["inputs"]["qrels"]
    }


def test_a_single_run_without_a_name(spark: Any, lists: Any, frame: Any, expected: Scores) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    found = assay.retrieval(lists[0], {"run 0": frame.drop("run")}, ALL, interval=None)
    same_scores(found, expected)
    assert assay.retrieval(lists[0], frame.drop("run"), "AP").systems == ("run",)


def test_plain_path(lists: Any, frame: Any, expected: Scores) -> None:
    found = assay.retrieval(
        lists[0], frame, ALL, interval=None, spark=assay.SparkSettings(path="plain")
    )
    same_scores(found, expected)


@pytest.mark.parametrize("partitions", SPARK_COUNTS)
def test_judgments_that_are_joined(spark: Any, lists: Any, frame: Any, partitions: int) -> None:
    names = ["nDCG@10", "AP", "GMAP", "bpref", "num_ret", "R(average=micro)@10"]
    settings = assay.SparkSettings(partitions=partitions, judgments="join")
    judged = spark.createDataFrame(lists[0].to_arrow())
    found = assay.retrieval(judged, frame, names, spark=settings)
    same_scores(found, on_this_machine(lists[0], lists[1], names))


def test_joined_judgments_of_several_runs(spark: Any) -> None:
    judged, runs = judged_runs(40, 25, runs=3)
    graded, frame = (spark.createDataFrame(each.to_arrow()) for each in (judged, runs))
    settings = assay.SparkSettings(judgments="join")
    found = assay.retrieval(graded, frame, spark=settings)
    expected = on_this_machine(judged, runs, None)
    same_scores(found, expected)
    assert found.conventions["counts"] == expected.conventions["counts"]
    with pytest.raises(assay.AssayError, match="StRecall needs all columns of the judgments"):
        assay.retrieval(graded, frame, "StRecall", spark=settings)


def test_several_runs_with_intervals_slices_and_warnings(spark: Any) -> None:
    judged, runs = judged_runs(40, 25, runs=3)
    by = {f"q{n}": "even" if n % 2 == 0 else "odd" for n in range(40)}
    expected = on_this_machine(judged, runs, None, by=by)
    found = assay.retrieval(
        spark.createDataFrame(judged.to_arrow()), spark.createDataFrame(runs.to_arrow()), by=by
    )
    same_scores(found, expected)
    assert found.conventions["counts"] == expected.conventions["counts"]
    assert set(found.warnings) == set(expected.warnings)


@pytest.mark.parametrize("partitions", [None, *SPARK_COUNTS])
def test_many_runs(spark: Any, partitions: int | None) -> None:
    judged, runs = judged_runs(30, 8, runs=20)
    settings = assay.SparkSettings(partitions=partitions)
    frame = spark.createDataFrame(runs.to_arrow())
    names = ["nDCG@10", "AP", "GMAP", "num_ret"]
    found = assay.retrieval(judged, frame, names, spark=settings, interval=None)
    same = on_this_machine(judged, runs, names, interval=None)
    by_key = {(each.system, each.measure): each for each in found.results}
    assert len(by_key) == len(same.results) == 80
    assert all(by_key[each.system, each.measure] == each for each in same.results)


@pytest.mark.parametrize("view", [SubtopicRankings, JudgmentGroups, SampledRankings])
def test_judgments_of_other_kinds(spark: Any, view: Any) -> None:
    judged, runs = judged_runs(20, 25, runs=2)
    part = pl.Series([f"{n % 3 + 1}" for n in range(judged.height)])
    if view is SampledRankings:
        judged = judged.with_columns(stratum=part, stratum_size=pl.lit(10.0))
    else:
        other = judged.with_columns(subtopic=pl.lit("9"), grade=3 - pl.col("grade"))
        judged = pl.concat([judged.with_columns(subtopic=part), other])
    expected = on_this_machine(judged, runs, variants(view), interval=None)
    for partitions in (None, *SPARK_COUNTS):
        settings = assay.SparkSettings(partitions=partitions)
        frame = spark.createDataFrame(runs.to_arrow())
        found = assay.retrieval(judged, frame, variants(view), interval=None, spark=settings)
        same_scores(found, expected)


def test_the_interval_of_a_sample_is_refused(spark: Any) -> None:
    judged, runs = judged_runs(5, 10)
    sampled = judged.with_columns(stratum=pl.lit("1"), stratum_size=pl.lit(30.0))
    frame = spark.createDataFrame(runs.to_arrow())
    with pytest.raises(assay.AssayError, match="xinfAP: its interval needs all samples"):
        assay.retrieval(sampled, frame, "xinfAP")


@pytest.mark.parametrize(
    "how",
    [
        {"profile": "trec_eval-9"},
        {"profile": "beir"},
        {"depth": 5, "rel": 2},
        {"judged_only": True},
        {"policies": {"missing_queries": "skip", "negative_grades": "unjudged"}},
    ],
    ids=str,
)
def test_conventions(spark: Any, how: dict[str, Any]) -> None:
    judged, runs = judged_runs(12, 25, runs=2)
    names = ["nDCG@10", "AP", "GMAP", "bpref", "P(average=micro)@5", "num_ret"]
    expected = on_this_machine(judged, runs, names, interval=None, **how)
    found = assay.retrieval(
        judged, spark.createDataFrame(runs.to_arrow()), names, interval=None, **how
    )
    same_scores(found, expected)


@pytest.mark.usefixtures("_sorted_by")
@pytest.mark.parametrize("partitions", [None, *SPARK_COUNTS])
def test_one_query_with_a_third_of_all_rows(spark: Any, partitions: int | None) -> None:
    judged, runs = judged_runs(60, 100)
    hot = pl.DataFrame(
        {
            "run": "run 0",
            "query": "q7",
            "doc": [f"long{n}" for n in range(2700)],
            "score": np.random.default_rng(1).normal(size=2700),
        }
    )
    runs = pl.concat([runs, hot])
    expected = on_this_machine(judged, runs, ALL, interval=None)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    settings = assay.SparkSettings(partitions=partitions)
    rows = spark.createDataFrame(runs.to_arrow())
    found = assay.retrieval(judged, rows, ALL, interval=None, spark=settings)
    same_scores(found, expected)


def test_values_by_query_stay_in_spark(spark: Any, tmp_path: Any) -> None:
    judged, runs = judged_runs(20, 25, runs=2)
    names = ["nDCG@10", "RR"]
    evidence = assay.SparkRetrieval.read(judged, spark.createDataFrame(runs.to_arrow()))
    evidence.per_query(names).write.parquet(str(tmp_path / "values"))
    found = pl.read_parquet(tmp_path / "values" / "*.parquet").sort("run", "query")
    expected = on_this_machine(judged, runs, names, interval=None)
    for result in expected.results:
        own = found.filter(pl.col("run") == result.system)
        by_query = dict(zip(own["query"], own[result.measure], strict=True))
        values = dict(zip(result.units, result.values.tolist(), strict=True))
        assert by_query == {query: values[query] for query in by_query}
        assert len(by_query) == 20 - int(result.system[-1])


def test_plan_before_the_job(spark: Any) -> None:
    judged, runs = judged_runs(20, 25, runs=2)
    evidence = assay.SparkRetrieval.read(judged, spark.createDataFrame(runs.to_arrow()))
    text = str(evidence.plan("nDCG@10"))
    assert "1,125 in 45 lists of 2 runs" in text
    assert "the longest list has 25 rows" in text
    assert "600 judgments" in text
    assert "600 judgments (0.0 MB) go to every executor" in text
    assert "(none if the rows of each list are together in the input)" in text
    graded = spark.createDataFrame(judged.to_arrow())
    settings = assay.SparkSettings(judgments="join")
    joined = assay.SparkRetrieval.read(graded, evidence.rows, spark=settings)
    text = str(joined.plan("AP"))
    assert "after one shuffle by query, 562 rows each" in text
    assert "600 judgments are shuffled by query, beside the runs" in text


@pytest.mark.shared
@pytest.mark.parametrize("name", ["robust03", "trec_covid_round1"])
def test_real_runs(spark: Any, shared_data: Path, name: str) -> None:
    (qrels,) = (shared_data / name).glob("qrels*")
    runs = sorted((shared_data / name / "runs").glob("*"))[:3]
    expected = assay.retrieval(qrels, {path.name: path for path in runs}, ALL, interval=None)
    frames = {path.name: read_spark_table(spark, str(path)) for path in runs}
    for partitions in (None, *SPARK_COUNTS):
        settings = assay.SparkSettings(partitions=partitions)
        found = assay.retrieval(qrels, frames, ALL, interval=None, spark=settings)
        by_key = {(each.system, each.measure): each for each in found.results}
        assert len(by_key) == len(expected.results)
        for result in expected.results:
            same = by_key[result.system, result.measure]
            assert same == result, result.measure
            assert same.values.tobytes() == result.values.tobytes(), result.measure
