"""Runs and judgments in the containers that search engineers have, and their scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import assay
from assay.core.errors import DataError, UsageError

QRELS = {"1": {"d": 1}, "2": {"d": 1}}
FRAME = pd.DataFrame({"qid": ["1", "2"], "docno": ["d", "e"], "score": [1.0, 2.0]})
NOTHING = FRAME.iloc[:0]


def test_a_run_without_rows_among_several_scores_zero() -> None:
    for runs in ({"a": FRAME, "b": NOTHING}, [("a", FRAME), ("b", NOTHING)], {"a": FRAME, "b": {}}):
        scores = assay.retrieval(QRELS, runs, "AP", interval=None)
        assert scores["AP"] == {"a": 0.5, "b": 0.0}
        assert "b: 2 of 2 judged queries are not answered and score zero" in scores.warnings


@pytest.mark.parametrize("runs", [NOTHING, {"a": NOTHING}, [NOTHING], {}])
def test_the_only_run_has_rows(runs: Any) -> None:
    with pytest.raises(DataError, match="the run has no rows"):
        assay.retrieval(QRELS, runs, "AP")


def test_equal_scores_in_any_order() -> None:
    one = assay.retrieval(QRELS, {"a": FRAME, "b": NOTHING}, "AP RR")
    two = assay.retrieval(QRELS, {"b": NOTHING, "a": FRAME}, "RR AP")
    assert one == two
    assert hash(one) == hash(two)
    assert one != assay.retrieval(QRELS, {"b": FRAME, "a": NOTHING}, "RR AP")
    assert one != assay.retrieval(QRELS, {"a": FRAME, "b": NOTHING}, "AP")


def test_pairs_of_name_and_run(tmp_path: Path) -> None:
    file = tmp_path / "r.run"
    file.write_text("1 Q0 d 1 2 tag\n")
    for run in (FRAME, {"1": {"d": 1.0}}, file, str(file)):
        for pairs in ([("x", run), ("y", FRAME)], (("x", run), ("y", FRAME))):
            assert assay.retrieval(QRELS, pairs, "AP")["AP"] == {"x": 0.5, "y": 0.5}
    twice = assay.retrieval(QRELS, [("x", FRAME), ("x", FRAME)], "AP")
    assert twice.systems == ("x (1)", "x (2)")


def test_judgments_of_relevant_documents_alone_do_not_say_what_is_unjudged() -> None:
    relevant = {query: {f"{query}-{n}": 1 for n in range(12)} for query in QRELS}
    share = "run: 100% of its first 10 documents are unjudged"
    assert not any(share in note for note in assay.retrieval(relevant, FRAME, "P@10").warnings)
    judged = {query: {**docs, "n": 0} for query, docs in relevant.items()}
    assert any(share in note for note in assay.retrieval(judged, FRAME, "P@10").warnings)


def test_repeated_clicks_count_once() -> None:
    clicks = pd.DataFrame({"user": ["1", "1", "2", "1"], "item": ["d", "d", "d", "e"]})
    found = assay.retrieval(clicks, FRAME, "AP", interval=None)
    assert (
        found.results
        == assay.retrieval(clicks.drop_duplicates(), FRAME, "AP", interval=None).results
    )
    note = "there is no grade, so every row counts as relevant (grade 1); 1 repeated row left out"
    assert any(note in each for each in found.warnings)


def test_loaded_scores_say_how_to_explain_them(tmp_path: Path) -> None:
    assay.retrieval(QRELS, FRAME, "AP").save(tmp_path / "s.parquet")
    loaded = assay.load(tmp_path / "s.parquet")
    with pytest.raises(UsageError, match=r"evaluate again, as in explain\(assay.retrieval\(qrels"):
        assay.explain(loaded, "AP", "1")


def test_convert_says_that_a_name_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "r.run"
    file.write_text("1 Q0 d 1 2 bm25\n")
    for ending in ("parquet", "csv", "json"):
        _, notes = assay.convert(file, tmp_path / f"x.{ending}")
        assert notes == [
            f"{ending} holds no name of the run: bm25 is called x there, after the file"
        ]
    assert not assay.convert(file, tmp_path / "bm25.csv")[1]
    assert not assay.convert(file, tmp_path / "again.run")[1]


def test_convert_knows_a_run_and_judgments_of_ranx(tmp_path: Path) -> None:
    class Run(dict[str, dict[str, float]]):
        """Stands in for the class of ranx, which is not needed here."""

    Run.__module__ = "ranx.data_structures.run"
    Qrels = type("Qrels", (dict,), {"__module__": "ranx.data_structures.qrels"})
    run = assay.convert(Run({"1": {"d": 1.0}}), tmp_path / "r.run")[0]
    assert run.frame["score"].to_list() == [1.0]
    assert assay.convert(Qrels({"1": {"d": 1}}), tmp_path / "q.txt")[0].frame[
        "grade"
    ].to_list() == [1]


def test_files_are_read_as_tables(tmp_path: Path) -> None:
    (tmp_path / "r.run").write_text("1 Q0 d 1 2 bm25\n")
    (tmp_path / "q.txt").write_text("1 0 d 2\n")
    run, judged = assay.read_run(tmp_path / "r.run"), assay.read_qrels(tmp_path / "q.txt")
    assert (run.name, run.to_pandas()["score"].tolist()) == ("bm25", [2.0])
    assert judged.frame.rows() == [("1", "d", 2.0)]
    assert assay.retrieval(judged, run, "AP")["AP"] == {"bm25": 1.0}
