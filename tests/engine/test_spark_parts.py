"""What executors compute and the driver joins, without a Spark session."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.core.arrays import unit_values
from assay.core.conventions import Conventions
from assay.core.errors import DataError, UsageError
from assay.core.tables import Judgments, Source
from assay.engine.spark import ranking_job
from assay.engine.spark.frames import plain_failures
from assay.engine.spark.list_stream import ListStream
from assay.engine.spark.list_values import ListValues
from assay.engine.spark.packed_values import States
from assay.engine.spark.query_stream import JoinedValues
from assay.engine.spark.query_values import QueryTable
from assay.engine.spark.ranking_job import RankingJob

JUDGED = Judgments(
    pl.DataFrame({"query": ["q1", "q2"], "doc": ["d1", "d2"], "grade": [1.0, 1.0]}), Source("qrels")
)


def _states(values: ListValues, rows: pl.DataFrame) -> pa.Table:
    keyed = rows.with_columns(key=pl.struct("run", "query").rank("dense").cast(pl.Int64))
    return pa.Table.from_batches(ListStream(values)(iter(keyed.to_arrow().to_batches())))


def test_lists_with_the_same_key_are_told_apart() -> None:
    rows = {"run": ["r"] * 4, "query": ["q1", "q2", "q1", "q2"], "doc": ["x", "d2", "d1", "y"]}
    table = pl.DataFrame({**rows, "score": [2.0, 2.0, 1.0, 1.0]})
    values = ListValues(JUDGED, ("RR",), Conventions())
    found = ListStream(values)(iter(table.with_columns(key=1).to_arrow().to_batches()))
    states = States(pl.DataFrame(pa.Table.from_batches(found)))
    assert states.queries().to_list() == ["q1", "q2"]
    (measure,) = values.parsed
    assert unit_values(states.values(0, [measure])[measure].parts).tolist() == [0.5, 1.0]


@pytest.mark.parametrize("policy", ["zero", "skip"])
def test_a_run_without_judged_queries_is_named(
    policy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pl.DataFrame({"run": ["r"], "query": ["x"], "doc": ["d1"], "score": [1.0]})
    values = ListValues(JUDGED, ("AP",), replace(Conventions(), missing_queries=policy))

    class Frame:
        def toArrow(self) -> pa.Table:  # noqa: N802 (Spark's name)
            return _states(values, rows)

    monkeypatch.setattr(RankingJob, "states", lambda self: Frame())
    monkeypatch.setattr(ranking_job, "plan_text", lambda frame: "")
    measured = RankingJob(rows, values, path="shuffle").run()
    with pytest.raises(DataError, match="r: none of its queries is judged"):
        measured.runs["r"].alignment_notes(values)


def test_bad_rows_of_unjudged_queries_are_counted() -> None:
    rows = {"run": ["r", "r", "r"], "query": ["x", None, "x"], "doc": [None, "d2", "d3"]}
    table = pl.DataFrame({**rows, "score": [1.0, 2.0, 3.0]})
    (state,) = JoinedValues(("AP",), Conventions()).rows(table)
    notes = json.loads(state["notes"])
    assert notes["bad"] == 2
    assert notes["unknown"] == ["x"]
    assert notes["counts"] == {"documents": 1}


def test_bad_rows_are_refused_in_tables_by_query() -> None:
    rows = pl.DataFrame(
        {"run": ["r", "r"], "query": ["q1", "q1"], "doc": ["d1", None], "score": [1.0, 2.0]}
    )
    states = _states(ListValues(JUDGED, ("AP",), Conventions()), rows).to_batches()
    with pytest.raises(DataError, match="1 row of a part without a query"):
        list(QueryTable(("AP",), "undefined")(iter(states)))
    (kept,) = QueryTable(("AP",), "undefined", refuses_bad_rows=False)(iter(states))
    assert kept.to_pylist() == [{"run": "r", "query": "q1", "AP": 1.0}]


def test_an_error_of_an_executor_keeps_its_text() -> None:
    failed = type("PythonException", (Exception,), {"__module__": "pyspark.errors"})
    text = "An exception was thrown from the Python worker.\nassay.core.errors.DataError: no row\n"
    with pytest.raises(DataError, match=r"^no row$"), plain_failures("the runs"):
        raise failed(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("calling o1.getResult.\n: x\nCaused by: a.b.C$D: no space left", "failed: no space left"),
        ("[PATH_ALREADY_EXISTS] Path file:/values already exists.", "remove it, or choose another"),
        ("ModuleNotFoundError: No module named 'assay'", "PYSPARK_PYTHON to sys.executable"),
        ("no cause\nat line 2", "the runs: Spark failed: no cause$"),
    ],
)
def test_what_a_failure_of_spark_means(text: str, said: str) -> None:
    failed = type("Py4JJavaError", (Exception,), {"__module__": "py4j.protocol"})
    with (
        pytest.raises(DataError, match=re.escape(said).replace(r"\$", "$")),
        plain_failures("the runs"),
    ):
        raise failed(text)


def test_settings_are_checked_where_they_are_given() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"path": "quick"}, "path must be one of 'fast', 'shuffle', 'plain'; found 'quick'"),
        ({"judgments": "send"}, "judgments must be one of 'auto', 'broadcast', 'join'"),
        ({"partitions": 0}, "partitions is a whole number from 1, not '0'"),
        ({"partitions": "many"}, "partitions is a whole number from 1, not 'many'"),
    ]
    for given, said in wrong:
        with pytest.raises(UsageError, match=said):
            assay.SparkSettings(**given)
    judged, run = {"q": {"d": 1}}, {"q": {"d": 1.0}}
    with pytest.raises(UsageError, match=r"settings of the job, such as .*, not a dict"):
        assay.retrieval(judged, run, "AP", spark={"partitions": 2})
    with pytest.raises(UsageError, match="`spark` is for runs that are Spark frames"):
        assay.retrieval(judged, run, "AP", spark=assay.SparkSettings())


def test_judgments_are_unpacked_once_in_a_process() -> None:
    values = ListValues(JUDGED, ("AP",), Conventions())
    one, two = (pickle.loads(pickle.dumps(values)) for _ in range(2))
    assert one.judgments.frame.equals(JUDGED.frame)
    assert one.judgments is two.judgments
    other = replace(JUDGED, frame=JUDGED.frame.with_columns(grade=pl.lit(2.0)))
    assert pickle.loads(pickle.dumps(replace(values, judgments=other))).judgments.frame.equals(
        other.frame
    )
