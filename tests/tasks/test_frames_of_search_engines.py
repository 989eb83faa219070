"""Frames, tables and options as those have them who evaluate search in a notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

QUERIES = [str(n) for n in range(1, 13)]
TYPES = {query: "head" if int(query) % 2 else "tail" for query in QUERIES}
QRELS = {query: {"a": 1, "b": 0} for query in QUERIES}
MAIN = {query: {"a": 2.0, "b": 1.0} for query in QUERIES}
NEW = {q: {"a": 2.0 if TYPES[q] == "head" else 0.5, "b": 1.0} for q in QUERIES}
"""Half a reciprocal rank is lost on each query of the tail."""
TOPICS = pl.DataFrame(
    {"qid": QUERIES, "query": [f"text {q}" for q in QUERIES], "type": list(TYPES.values())}
)


def measured(**options: Any) -> assay.Scores:
    """Return the scores of both runs."""
    return assay.retrieval(QRELS, {"main": MAIN, "new": NEW}, "RR", interval=None, **options)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the judgments, both runs and the topics."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{q} 0 {doc} {grade}" for q in QUERIES for doc, grade in QRELS[q].items()]
    Path("qrels.txt").write_text("\n".join(lines) + "\n")
    for name, run in (("main", MAIN), ("new", NEW)):
        rows = [f"{q} Q0 {doc} 1 {score} {name}" for q in QUERIES for doc, score in run[q].items()]
        Path(f"{name}.run").write_text("\n".join(rows) + "\n")
    TOPICS.write_csv("topics.csv")
    return tmp_path


GATE = ["gate", "retrieval", "qrels.txt", "new.run", "--baseline", "main.run", "-m", "RR"]
SLICED = ["--margin", "0.3", "--units", "topics.csv", "--by", "type"]


def test_topics_with_texts_name_units_by_id(files: Path) -> None:
    """The loss of 0.25 over all is within the margin of 0.3; that of 0.5 on the tail is not."""
    assert call(*GATE, "--margin", "0.3", "--prove", "worse").code == 0
    done = call(*GATE, *SLICED, "--prove", "worse")
    assert done.code == 3
    said = done.out
    assert "tail" in said
    assert "(no slice)" not in said


def test_units_of_other_queries_are_an_error(files: Path) -> None:
    TOPICS.with_columns(pl.col("qid") + "x").write_csv("topics.csv")
    done = call(*GATE, *SLICED)
    assert done.code == 1
    assert "no query is in a slice" in done.err
    with pytest.raises(AssayError, match="no query is in a slice"):
        assay.compare(measured(), by={"900": "a"})


def test_small_slices_are_left_out(files: Path) -> None:
    few = {query: "few" if query in ("1", "2") else "many" for query in QUERIES}
    found = assay.gate(measured(), baseline="main", margin=0.9, by=few, min_size=3)
    assert {check.slice for check in found.checks} == {"all", "many"}
    assert "slices left out, with fewer than 3 units: few (2)" in found.warnings
    pairs = assay.compare(measured(), by=few, min_size=3).pairs
    assert set(pairs["slice"]) == {"all", "many"}
    floors = assay.gate(measured(by=TYPES), floor=0.1, min_size=7)
    assert {check.slice for check in floors.checks} == {"all"}
    assert "tail (6)" in call(*GATE, *SLICED, "--min-size", "7").err


@pytest.mark.parametrize(
    "by", [TYPES, TOPICS.select("qid", "type"), TOPICS], ids=["dict", "table", "topics"]
)
def test_slices_are_given_alike(by: Any) -> None:
    named = assay.compare(measured(), by="type", units=TOPICS).pairs
    assert set(named["slice"]) == {"all", "type=head", "type=tail"}
    if isinstance(by, dict):  # it does not name a column
        named = named.with_columns(pl.col("slice").str.replace("type=", "", literal=True))
    assert assay.compare(measured(), by=by).pairs.equals(named)
    sliced = measured(by="type", units=TOPICS)
    assert sliced.slices == ("type=head", "type=tail")
    assert [each.value for each in sliced.results if each.slice == "type=tail"] == [1.0, 0.5]


def test_a_series_has_slices() -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(TYPES)
    assert assay.compare(measured(), by=series) == assay.compare(measured(), by=TYPES)


def test_a_column_needs_its_table() -> None:
    with pytest.raises(AssayError, match="name the table of units with `units`"):
        assay.compare(measured(), by="type")
    with pytest.raises(AssayError, match="which column has the slices"):
        assay.compare(measured(), by=TOPICS.with_columns(other=pl.lit(1)))
    with pytest.raises(AssayError, match="`units` has the columns for `by`"):
        measured(units=TOPICS)


def test_a_gate_is_true_where_it_holds(tmp_path: Path) -> None:
    good = assay.gate(measured(), floor=0.1)
    bad = assay.gate(measured(), floor={"RR": 0.9})
    assert good
    assert not bad
    bad.save(tmp_path / "gate.xml")
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    bad.save(tmp_path / "gate.json")
    assert assay.load(tmp_path / "gate.json") == bad


@pytest.mark.parametrize("function", [assay.retrieval, assay.holes, assay.ties])
def test_unknown_options_are_refused(function: Any) -> None:
    with pytest.raises(AssayError, match=r"no argument 'judged_onl'.*Did you mean judged_only"):
        function(QRELS, MAIN, "RR", judged_onl=True)


def test_no_run_is_an_error() -> None:
    with pytest.raises(AssayError, match="there is no run"):
        assay.retrieval(QRELS, [], "RR")


def test_one_frame_has_several_runs() -> None:
    rows = [
        {"system": name, "qid": q, "docno": doc, "score": score}
        for name, run in (("main", MAIN), ("new", NEW))
        for q, docs in run.items()
        for doc, score in docs.items()
    ]
    found = assay.retrieval(QRELS, pl.DataFrame(rows), "RR", interval=None)
    assert found["RR"] == measured()["RR"] == {"main": 1.0, "new": 0.75}


def test_ratings_are_predicted_scores(files: Path) -> None:
    """Implicit feedback against predicted ratings: MovieLens' names."""
    seen = pl.DataFrame({"userId": ["1", "1", "2"], "movieId": ["a", "b", "c"]})
    predicted = {"userId": ["1", "1", "2"], "movieId": ["a", "x", "y"], "rating": [4.5, 3, 5]}
    assert assay.retrieval(seen, pl.DataFrame(predicted), "R@2", interval=None)["R@2"] == {
        "run": 0.25
    }
    seen.write_csv("seen.csv")
    pl.DataFrame(predicted).write_csv("predicted.csv")
    assert assay.retrieval("seen.csv", "predicted.csv", "R@2", interval=None)["R@2"] == {
        "predicted": 0.25
    }


def test_next_takes_the_measure_after_the_runs() -> None:
    runs = {"one": {"1": {"n": 3.0, "a": 1.0}}, "two": {"1": {"a": 2.0, "m": 1.0}}}
    named = assay.next(QRELS, runs, measure="P@1")
    assert assay.next(QRELS, runs, "P@1").equals(named)
    assert named["doc"].to_list() == ["n"]


@pytest.mark.parametrize("ending", ["feather", "parquet", "xlsx", "csv"])
def test_systems_are_named_after_files_of_every_kind(ending: str) -> None:
    from assay.formats.system_names import file_stem

    assert file_stem(f"runs/bm25.{ending}") == "bm25"


def test_a_named_index_has_columns() -> None:
    """Frames after set_index, groupby or pivot, and Series of both."""
    pandas = pytest.importorskip("pandas")
    rows = [(q, doc, grade) for q in QUERIES for doc, grade in QRELS[q].items()]
    judged = pandas.DataFrame(rows, columns=["qid", "docno", "label"]).set_index(["qid", "docno"])
    for given in (judged, judged["label"]):
        assert assay.retrieval(given, NEW, "RR", interval=None)["RR"] == {"run": 0.75}
    matrix = pandas.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.6]}, index=["x", "y"])
    pair = assay.compare(matrix.rename_axis("dataset")).pairs.row(0, named=True)
    assert pair["difference"] == pytest.approx(0.3)


RETRIEVED = {"q1": ["d1", "d2", "d3"], "q2": ["d8", "d9"], "q3": []}
RELEVANT = [{"query_id": "q1", "relevant": ["d1", "d3"]}, {"query_id": "q2", "relevant": ["d9"]}]


def _store(file: Path, content: Any) -> Path:
    """Write records as a list or line by line, as the ending says; a dict is always JSON."""
    if file.suffix == ".jsonl" and isinstance(content, list):
        file.write_text("".join(json.dumps(each) + "\n" for each in content))
        return file
    file = file.with_suffix(".json")
    file.write_text(json.dumps(content))
    return file


@pytest.mark.parametrize("stored", ["", "json", "jsonl"])
@pytest.mark.parametrize(
    "run",
    [
        [{"query_id": q, "retrieved": docs} for q, docs in RETRIEVED.items()],
        [{"qid": q, "query": "text", "docs": docs, "ms": 3} for q, docs in RETRIEVED.items()],
        [
            {"query": q, "contexts": [{"id": doc, "text": "…"} for doc in docs]}
            for q, docs in RETRIEVED.items()
        ],
        {
            q: [{"id": doc, "score": -rank} for rank, doc in reversed([*enumerate(docs)])]
            for q, docs in RETRIEVED.items()
        },
        {q: [{"_id": doc, "text": "…"} for doc in docs] for q, docs in RETRIEVED.items()},
    ],
)
def test_lists_of_retrievers_are_rankings(run: Any, stored: str, tmp_path: Path) -> None:
    judged: Any = RELEVANT
    if stored:
        judged = _store(tmp_path / f"gold.{stored}", RELEVANT)
        run = _store(tmp_path / f"run.{stored}", run)
    scores = assay.retrieval(judged, run, "RR R@2", interval=None)
    assert [*scores["RR"].values(), *scores["R@2"].values()] == [0.75, 0.75]


def test_lists_of_retrievers_that_are_unclear_are_refused() -> None:
    twice = [{"qid": "q1", "docs": ["d1"]}, {"qid": "q1", "docs": ["d2"]}]
    with pytest.raises(AssayError, match="query q1 has two lists of documents; keep one"):
        assay.retrieval(RELEVANT, twice, "RR")
    with pytest.raises(AssayError, match="no column for the score among query, doc, distance"):
        assay.retrieval(RELEVANT, {"q1": [{"id": "d1", "distance": 0.5}]}, "RR")


def test_measures_are_found_under_the_profile_of_the_scores(tmp_path: Path) -> None:
    irm = pytest.importorskip("ir_measures")
    run = {"q": {"a": 1.0}}
    scores = assay.retrieval({"q": {"a": 1}}, run, [irm.ERR @ 10], profile="ir_measures")
    scores.save(tmp_path / "scores.parquet")
    for each in (scores, assay.load(tmp_path / "scores.parquet")):
        assert each[irm.ERR @ 10] == each["ERR@10"] == {"run": 1 / 16}
        with pytest.raises(AssayError, match="'nDCG@5' was not measured; there are ERR"):
            each[irm.nDCG @ 5]


def test_predictions_of_surprise_are_judgments_and_a_run() -> None:
    pandas = pytest.importorskip("pandas")
    fields = ("uid", "iid", "r_ui", "est")
    rows = [("u1", "a", 1, 2.5), ("u1", "b", 0, 3.5), ("u2", "a", 1, 1.5)]
    table = pandas.DataFrame(rows, columns=fields)
    assert assay.retrieval(table, table, "RR", interval=None)["RR"] == {"run": 0.75}


def test_a_column_name_separates_runs_where_pairs_are_repeated() -> None:
    pandas = pytest.importorskip("pandas")
    judged = {"q1": {"d1": 1}}
    rows = [("bm25", "q1", "d1", 2.0), ("bm25", "q1", "d2", 1.0)]
    rows += [("dense", "q1", "d1", 1.0), ("dense", "q1", "d2", 2.0)]
    both = pandas.DataFrame(rows, columns=["name", "qid", "docno", "score"])
    assert assay.retrieval(judged, both, "RR", interval=None)["RR"] == {"bm25": 1, "dense": 0.5}
    titles = pandas.DataFrame(rows[1:3], columns=["name", "qid", "docno", "score"])
    assert assay.retrieval(judged, titles, "RR", interval=None)["RR"] == {"run": 0.5}
