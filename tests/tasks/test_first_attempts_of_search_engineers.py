"""What search engineers write before they read the documentation."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import assay

QUERIES = [str(n) for n in range(1, 13)]
QRELS = {query: {"a": 1, "b": 0} for query in QUERIES}
GOOD = {query: {"a": 2.0, "b": 1.0} for query in QUERIES}
BAD = {q: {"a": 0.5 if int(q) > 9 else 2.0, "b": 1.0} for q in QUERIES}
TOPICS = pd.DataFrame(
    {
        "qid": QUERIES,
        "query": [f"text {q}" for q in QUERIES],
        "question": [f"What is {q}?" for q in QUERIES],
        "kind": ["head" if int(q) % 2 else "tail" for q in QUERIES],
        "language": ["de" if int(q) % 3 else "en" for q in QUERIES],
    }
)


@pytest.fixture(scope="module")
def scores() -> assay.Scores:
    """Return the scores of both runs."""
    return assay.retrieval(QRELS, {"good": GOOD, "bad": BAD}, "RR P@1")


Metric = namedtuple("Metric", ["query_id", "measure", "value"])


class Named:
    """A measure as ir_measures has it: an object that prints as its name."""

    def __str__(self) -> str:
        return "RR"


def test_values_of_ir_measures_are_compared(scores: assay.Scores) -> None:
    values = {
        system: {each["query"]: each["value"] for each in rows.to_dicts()}
        for (system,), rows in scores.per_query("RR").partition_by("system", as_dict=True).items()
    }
    tuples = {
        name: (Metric(query, Named(), value) for query, value in found.items())
        for name, found in values.items()
    }
    frames = {name: scores.per_query("RR").filter(pl.col("system") == name) for name in values}
    expected = assay.compare(scores, "RR", baseline="good")["RR"]
    for given in (tuples, frames, {name: each.to_pandas() for name, each in frames.items()}):
        assert assay.compare(given, baseline="good")["RR"].equals(expected)


def test_a_dict_of_tuples_that_is_no_table_is_an_error() -> None:
    with pytest.raises(assay.AssayError, match="neither numbers nor text"):
        assay.read_score_table({"query": [Metric("1", "RR", 0.5)], "RR": [0.5]})


def test_gains_are_shown_from_either_side(scores: assay.Scores) -> None:
    pairs = assay.compare(scores, "RR")
    lost = assay.gain_tables(pairs, system="bad")
    won = assay.gain_tables(pairs, system="good")
    assert lost["unit"].to_list() == won["unit"].to_list() == ["10", "11", "12"]
    assert {*lost["kind"]} == {"loss"}
    assert {*won["kind"]} == {"gain"}
    assert assay.gain_tables(pairs, baseline="bad").equals(won)
    with pytest.raises(assay.AssayError, match="good"):
        assay.gain_tables(pairs, baseline="gud")


def test_runs_are_checked_by_name() -> None:
    found = assay.check(QRELS, {"good": GOOD, "missing": "none.run", "empty": {"1": {}}})
    assert [each.text for each in found.findings if each.severity == "error"] == [
        "none.run: there is no such file; check the path"
    ]
    assert any(each.text.startswith("good: ") for each in found.findings)
    alone = assay.check(QRELS, pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]}))
    assert not alone.has_errors
    assert "0 errors" in str(alone)
    assert "<table" in found._repr_html_()


def test_queries_are_sliced_by_a_frame_of_topics() -> None:
    runs = {"good": GOOD, "bad": BAD}
    whole = assay.retrieval(QRELS, runs, "RR", by=TOPICS)
    assert whole.slices == ("kind=head", "kind=tail", "language=de", "language=en")
    assert "no slices by question: each query has another value" in " ".join(whole.warnings)
    indexed = TOPICS.set_index("qid")
    columns = assay.retrieval(QRELS, runs, "RR", by=indexed[["kind", "language"]])
    assert columns.results == whole.results
    assert not columns.warnings
    alone = assay.retrieval(QRELS, runs, "RR", by=indexed["question"])
    assert len(alone.slices) == len(QUERIES)
    text = assay.retrieval(QRELS, runs, "RR", by="question", units=indexed)
    assert len(text.slices) == len(QUERIES)


def test_one_column_of_slices_is_compared_alone() -> None:
    found = assay.retrieval(QRELS, {"good": GOOD, "bad": BAD}, "RR", by=TOPICS)
    kinds = assay.compare(found, by="kind", baseline="good")
    assert kinds.pairs["slice"].to_list() == ["all", "kind=head", "kind=tail"]
    gate = assay.gate(found, by="language", baseline="good", margin=0.5)
    assert {each.slice for each in gate.checks} == {"all", "language=de", "language=en"}
    assert "language=de" in gate.plot().svg
    with pytest.raises(assay.AssayError, match="nor have the scores such slices"):
        assay.compare(found, by="type")


def test_each_measure_has_its_margin(scores: assay.Scores) -> None:
    margins = {"mrr": 0.3, "P@1": 0.01}
    checks = assay.gate(scores, baseline="good", margin=margins).checks
    assert [(each.measure, each.limit) for each in checks] == [("RR", -0.3), ("P@1", -0.01)]
    one = assay.gate(scores, baseline="good", margin={"RR": 0.3})
    assert [each.measure for each in one.checks] == ["RR"]
    assert one.checks[0] == checks[0]
    with pytest.raises(assay.AssayError, match="a margin is given for P@1"):
        assay.gate(scores, "RR", baseline="good", margin=margins)
    with pytest.raises(assay.AssayError, match="tolerable"):
        assay.gate(scores, baseline="good", margin={"RR": -0.3})


def test_the_baseline_of_a_gate_may_be_a_file(tmp_path: Path) -> None:
    main, new = (
        assay.retrieval(QRELS, {name: run}, "RR") for name, run in (("main", GOOD), ("new", BAD))
    )
    main.save(tmp_path / "main.parquet")
    expected = assay.gate(new, baseline=main, margin=0.01)
    assert (
        assay.gate(new, baseline=tmp_path / "main.parquet", margin=0.01).checks == expected.checks
    )
    with pytest.raises(assay.AssayError, match="no such file"):
        assay.gate(new, baseline=str(tmp_path / "other.parquet"), margin=0.01)


def test_shares_of_depths_that_rankings_do_not_reach_are_left_out() -> None:
    found = assay.holes(QRELS, GOOD, "P@5", depth=10)
    assert found.judged.columns == ["system", "judged@5", "judged@10"]
    assert assay.holes(QRELS, GOOD, "P@1", depth=1).judged.columns == ["system", "judged@5"]
