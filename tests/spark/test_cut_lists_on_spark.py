"""Lists are cut before the shuffle where no measure needs more, with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.spark.test_retrieval_on_spark import ALL, judged_runs, on_this_machine, same_scores

import assay
from assay.core.conventions import Conventions
from assay.core.names import measures
from assay.engine.spark.list_cut import needed_depth

CUT = [each.split("@")[0] + "@7" for each in ALL if each.endswith(("@3", "@5", "@10"))]
"""Measures of the catalogue with a cutoff, at another one than the least that is kept."""
SHUFFLE = assay.SparkSettings(path="shuffle")


def tied_lists() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists of 1 to 60 documents whose scores have few values, so that ties cross every depth."""
    judged, runs = judged_runs(30, 60, runs=2)
    random = np.random.default_rng(5)
    tied = runs.with_columns(score=pl.Series(random.integers(0, 9, runs.height).astype(float)))
    kept = random.random(runs.height) < 0.7
    return judged, tied.filter(pl.Series(kept))


def test_measures_with_a_cutoff(spark: Any) -> None:
    judged, runs = tied_lists()
    frame = spark.createDataFrame(runs.to_arrow())
    found = assay.retrieval(judged, frame, CUT, interval=None, spark=SHUFFLE)
    same_scores(found, on_this_machine(judged, runs, CUT, interval=None))
    assert any("cut to their first 10 documents, with ties" in each for each in found.warnings)
    counts = found.conventions["counts"]["run 0"]
    assert counts["documents"] < runs.filter(pl.col("run") == "run 0").height
    inputs = str(found.conventions["inputs"])
    assert "first 10 of each list, rows:" in inputs


@pytest.mark.parametrize(
    "how",
    [
        {"profile": "trec_eval-9"},
        {"depth": 12},
        {"policies": {"nan_scores": "drop"}},
        {"policies": {"nan_scores": "keep", "ties": "document ascending"}},
    ],
    ids=str,
)
def test_conventions(spark: Any, how: dict[str, Any]) -> None:
    judged, runs = tied_lists()
    close = runs.with_columns(pl.col("score") + pl.int_range(pl.len()) % 3 * 1e-9)
    if "nan_scores" in how.get("policies", {}):
        odd = pl.int_range(pl.len()) % 5 == 0
        close = close.with_columns(score=pl.when(odd).then(float("nan")).otherwise("score"))
    names = ["nDCG@10", "P@20", "RR@5"] + (["AP"] if "depth" in how else [])
    frame = spark.createDataFrame(close.to_arrow())
    found = assay.retrieval(judged, frame, names, interval=None, spark=SHUFFLE, **how)
    same_scores(found, on_this_machine(judged, close, names, interval=None, **how))
    assert any("lists were cut" in each for each in found.warnings)


def test_bad_rows_are_counted_all_the_same(spark: Any) -> None:
    judged, runs = tied_lists()
    bad = runs[:20].with_columns(score=pl.lit(None, dtype=pl.Float64))
    frame = spark.createDataFrame(pl.concat([runs, bad]).to_arrow())
    with pytest.raises(assay.AssayError, match="20 rows without a run, a query"):
        assay.retrieval(judged, frame, "nDCG@10", spark=SHUFFLE)
    dropped = assay.SparkSettings(path="shuffle", bad_rows="drop")
    found = assay.retrieval(judged, frame, "nDCG@10", spark=dropped)
    same_scores(found, on_this_machine(judged, runs, "nDCG@10"))


def test_values_by_query_joined_judgments_and_whole_lists(spark: Any) -> None:
    judged, runs = tied_lists()
    frame = spark.createDataFrame(runs.to_arrow())
    expected = on_this_machine(judged, runs, "nDCG@10")
    rows = assay.SparkRetrieval.read(judged, frame).per_query("nDCG@10").collect()
    for result in expected.results:
        own = {row["query"]: row["nDCG@10"] for row in rows if row["run"] == result.system}
        values = dict(zip(result.units, result.values.tolist(), strict=True))
        assert own == {query: values[query] for query in own}
    joined = assay.SparkSettings(judgments="join")
    graded = spark.createDataFrame(judged.to_arrow())
    same_scores(assay.retrieval(graded, frame, "nDCG@10", spark=joined), expected)
    whole = assay.SparkSettings(path="shuffle", cut=False)
    found = assay.retrieval(judged, frame, "nDCG@10", spark=whole)
    same_scores(found, expected)
    assert found.conventions["counts"] == expected.conventions["counts"]


def test_the_plan_says_so(spark: Any) -> None:
    judged, runs = tied_lists()
    evidence = assay.SparkRetrieval.read(judged, spark.createDataFrame(runs.to_arrow()))
    assert "shuffle by run and query of the first 20 documents" in str(evidence.plan("P@20"))
    assert "of the first" not in str(evidence.plan("AP"))


@pytest.mark.parametrize(
    ("names", "how", "depth"),
    [
        ("nDCG@10 P@5", {}, 10),
        ("P@5", {}, 10),
        ("R@100 nDCG@10", {}, 100),
        ("nDCG@10 AP", {}, None),
        ("nDCG@10 AP", {"depth": 50}, 50),
        ("P@2000", {}, None),
        ("nDCG(ideal=retrieved)@10", {}, None),
        ("P(judged_only=true)@10", {}, None),
        ("P@10 bpref", {}, None),
        ("P@10", {"unjudged": "drop"}, None),
        ("P@10", {"own_document": "drop"}, None),
        ("P@10", {"order": "rank"}, None),
    ],
)
def test_depth(names: str, how: dict[str, Any], depth: int | None) -> None:
    conventions = Conventions().change(**how)
    assert needed_depth(measures(names.split(), "retrieval"), conventions) == depth
