"""Bad rows in Spark frames are counted and shown, and what cannot be computed there is refused."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest
from tests.spark.test_retrieval_on_spark import judged_runs, on_this_machine, same_scores

import assay
from assay.core.catalogue import catalogue
from assay.core.names import declared_variants
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.retrieval.spark_retrieval import RANKED_VIEWS


def test_bad_rows_are_counted_and_shown(spark: Any) -> None:
    judged, runs = judged_runs(5, 10)
    rows = runs.with_columns(pl.col("score").cast(pl.String)).to_dicts()
    rows[3]["score"] = "high"
    rows[17]["doc"] = None
    frame = spark.createDataFrame(rows, "run string, query string, doc string, score string")
    with pytest.raises(
        assay.AssayError, match=r"2 rows without a run, a query, a document or a number"
    ):
        assay.retrieval(judged, frame, "AP")
    settings = assay.SparkSettings(bad_rows="drop")
    scores = assay.retrieval(judged, frame, "AP", spark=settings)
    (note,) = [each for each in scores.warnings if "left out, such as" in each]
    assert "2 rows" in note
    assert "query q0, document d3" in note


def test_rows_without_the_name_of_a_run_are_no_system(spark: Any) -> None:
    judged, runs = judged_runs(5, 10, runs=2)
    nameless = runs[13:15].with_columns(run=pl.lit(None, dtype=pl.String))
    frame = spark.createDataFrame(pl.concat([runs, nameless]).to_arrow())
    with pytest.raises(assay.AssayError, match=r"2 rows without a run, .* \(no name of a run\)"):
        assay.retrieval(judged, frame, "AP")
    found = assay.retrieval(judged, frame, "AP", spark=assay.SparkSettings(bad_rows="drop"))
    same_scores(found, on_this_machine(judged, runs, "AP"))
    (note,) = [each for each in found.warnings if "without the name of a run" in each]
    assert note.startswith("the runs: 2 rows without the name of a run left out, such as query q1")


def test_an_error_names_the_key(spark: Any) -> None:
    judged, runs = judged_runs(5, 10)
    twice = pl.concat([runs, runs[12:13]])
    with pytest.raises(assay.AssayError, match="document d2 for query q1"):
        assay.retrieval(judged, spark.createDataFrame(twice.to_arrow()), "AP")


def test_what_needs_an_order_or_all_documents_is_refused(spark: Any) -> None:
    judged, runs = judged_runs(5, 10)
    frame = spark.createDataFrame(runs.to_arrow())
    with pytest.raises(assay.AssayError, match="order=file"):
        assay.retrieval(judged, frame, "AP", order="file")
    with pytest.raises(assay.AssayError, match="`cost` cannot be used with runs on a cluster"):
        assay.retrieval(judged, frame, "AP", cost="score")
    with pytest.raises(assay.AssayError, match="no column for the doc among"):
        assay.retrieval(judged, frame.drop("doc"), "AP")
    with pytest.raises(assay.AssayError, match="clickERR cannot be computed on a cluster"):
        assay.retrieval(judged, frame, "clickERR")


REFUSED = sorted(
    each.name
    for definition in catalogue().values()
    if definition.view in RetrievalEvidence.needs and definition.view not in RANKED_VIEWS
    for each in declared_variants(definition)
)


def test_the_catalogue_is_computed_or_refused_by_name(spark: Any) -> None:
    judged, runs = judged_runs(5, 10)
    frame = spark.createDataFrame(runs.to_arrow())
    assert len(REFUSED) == 5
    for name in REFUSED:
        refusal = re.escape(f"{name} cannot be computed on a cluster; read the runs from files")
        with pytest.raises(assay.AssayError, match=refusal):
            assay.retrieval(judged, frame, ["AP", name])
