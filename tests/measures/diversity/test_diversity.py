"""Diversity measures: the printed digits of ndeval and gdeval, and cases worked by hand."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay import measure
from assay.core.errors import AlignmentError, BadParameter
from assay.testing import aspects

SYSTEMS = ["synthA", "synthB"]
QRELS_COLUMNS = ["query", "subtopic", "doc", "grade"]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def _differences(
    scores: assay.Scores, names: list[str], rows: list[dict[str, str]], digits: int
) -> Iterator[tuple[Any, ...]]:
    for result, name in zip(scores.results, names, strict=True):
        got = dict(zip(result.units, result.values, strict=True)) | {"amean": result.value}
        for row in rows:
            if abs(got[row["topic"]] - float(row[name])) > 0.51 * 10**-digits:
                yield name, row["topic"], got[row["topic"]], row[name]


@pytest.mark.shared
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("output", ["ndeval", "ndeval_c"])
def test_ndeval_prints_the_same_digits(shared_data: Path, system: str, output: str) -> None:
    folder = shared_data / "web2013_diversity"
    rows = _rows(folder / f"{system}.{output}.csv")
    names = [name for name in rows[0] if name not in ("runid", "topic")]
    qrels = shared_data / "qrels" / "qrels.web.201-250.ndeval.txt.gz"
    run = folder / f"{system}.run"
    scores = assay.retrieval(qrels, run, names, profile="ndeval", interval=None)
    assert list(_differences(scores, names, rows, 6)) == []


@pytest.mark.shared
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("output", "depth"), [("gdeval10c", 10), ("gdeval20", 20)])
def test_gdeval_prints_the_same_digits(
    shared_data: Path, system: str, output: str, depth: int
) -> None:
    folder = shared_data / "web2013_diversity"
    qrels = shared_data / "qrels" / "qrels.web.201-250.txt"
    asked = [f"nDCG@{depth}", f"ERR(gmax=4)@{depth}"]
    run = folder / f"{system}.run"
    scores = assay.retrieval(qrels, run, asked, profile="gdeval", interval=None)
    rows = _rows(folder / f"{system}.{output}.csv")
    printed = [f"ndcg@{depth}", f"err@{depth}"]
    assert list(_differences(scores, printed, rows, 5)) == []


@pytest.mark.shared
def test_the_diversity_case_of_ir_measures(shared_data: Path) -> None:
    cases = json.loads((shared_data / "ir_measures" / "cases.json").read_text())["cases"]
    case = next(each for each in cases if each["provider"] == "PyNdEvalProvider")
    named = {"query": "query_id", "doc": "doc_id", "subtopic": "iteration", "grade": "relevance"}
    qrels = {key: [row[name] for row in case["qrels"]] for key, name in named.items()}
    run = {
        key: [row[name] for row in case["run"]]
        for key, name in {"query": "query_id", "doc": "doc_id", "score": "score"}.items()
    }
    result = assay.retrieval(qrels, run, case["measures"], interval=None).results[0]
    expected = {row["query_id"]: row["value"] for row in case["results"]}
    got = dict(zip(result.units, result.values, strict=True))
    assert {query: got[query] for query in expected} == pytest.approx(expected, abs=1e-6)


@pytest.mark.shared
def test_the_case_of_pyndeval(shared_data: Path) -> None:
    case = json.loads((shared_data / "ir_measures" / "pyndeval_case.json").read_text())
    qrels = {
        name: [row[n] for row in case["qrels_query_subtopic_doc_rel"]]
        for n, name in enumerate(["query", "subtopic", "doc", "grade"])
    }
    run = {
        name: [row[n] for row in case["run_query_doc_score"]]
        for n, name in enumerate(["query", "doc", "score"])
    }
    names = list(case["expected"])
    scores = assay.retrieval(qrels, run, names, interval=None)
    for result, name in zip(scores.results, names, strict=True):
        assert result.value == pytest.approx(case["expected"][name], abs=1e-4), name


def test_rank_one_is_normalized_but_not_under_ndeval() -> None:
    qrels = {
        "query": ["1", "1", "1"],
        "subtopic": ["a", "b", "c"],
        "doc": ["d", "d", "e"],
        "grade": [1, 1, 1],
    }
    run = {"1": {"d": 2.0, "e": 1.0}}
    names = ["ERR_IA@1", "alpha_DCG@1"]
    ours = assay.retrieval(qrels, run, names, interval=None)
    theirs = assay.retrieval(qrels, run, names, profile="ndeval", interval=None)
    assert [each.value for each in ours.results] == pytest.approx([2 / 3, 2 / 3])
    assert [each.value for each in theirs.results] == [2.0, 2.0]
    earlier = {"first_rank": "normalised"}
    again = assay.retrieval(qrels, run, names, profile="ndeval", policies=earlier, interval=None)
    assert [each.value for each in again.results] == pytest.approx([2 / 3, 2 / 3])


@pytest.mark.oracle
def test_ndeval_averages_topics_without_a_relevant_document_as_0() -> None:
    pyndeval = pytest.importorskip("pyndeval")
    rows = [("1", "a", "d", 1), ("1", "b", "e", 1), ("2", "a", "d", 0)]
    listed = [(query, doc, score) for query in "12" for doc, score in (("d", 2.0), ("e", 1.0))]
    names = ["ERR-IA@5", "alpha-nDCG@5", "strec@5", "MAP-IA", "NRBP"]
    theirs = pyndeval.ndeval(rows, listed, names)
    qrels = {key: [row[n] for row in rows] for n, key in enumerate(QRELS_COLUMNS)}
    run = {key: [row[n] for row in listed] for n, key in enumerate(["query", "doc", "score"])}
    scores = assay.retrieval(qrels, run, names, profile="ndeval", interval=None)
    for result, name in zip(scores.results, names, strict=True):
        assert result.values == pytest.approx([theirs["1"][name], theirs["2"][name]], abs=1e-6)
        assert result.value == pytest.approx(result.values[0] / 2) != 0


def test_any_depth() -> None:
    view = aspects(["a"] * 30, known=["a"] * 30 + ["b"])
    assert measure("StRecall@30")(view)[0] == 0.5
    assert measure("ERR_IA@25")(view)[0] == pytest.approx(0.5)
    assert measure("alpha_nDCG")(view)[0] < measure("alpha_nDCG@1")(view)[0] == 1.0


def test_alpha_zero_is_plain_discounted_gain() -> None:
    view = aspects(["ab", "?", "a"], known=["ab", "a", "b"])
    assert measure("alpha_nDCG(alpha=0)")(view)[0] == pytest.approx(
        (2 + 1 / 2) / (2 + 1 / np.log2(3) + 1 / 2)
    )


def test_a_subtopic_that_nobody_treats_does_not_count() -> None:
    qrels = {
        "query": ["1", "1"],
        "subtopic": ["a", "b"],
        "doc": ["d", "e"],
        "grade": [1, 0],
    }
    scores = assay.retrieval(qrels, {"1": {"d": 1.0}}, "StRecall AP_IA", interval=None)
    assert [each.value for each in scores.results] == [1.0, 1.0]


def test_without_any_subtopic_the_value_is_undefined() -> None:
    qrels = {"query": ["1"], "subtopic": ["a"], "doc": ["d"], "grade": [0]}
    scores = assay.retrieval(qrels, {"1": {"d": 1.0}}, "alpha_nDCG ERR_IA@5 P_IA@5", interval=None)
    assert all(np.isnan(each.value) for each in scores.results)
    assert scores.results[0].reasons == ("no document covers a subtopic",)


def test_condensed_lists() -> None:
    view = aspects(["?", "a", "b"])
    assert measure("StRecall@1")(view)[0] == 0.0
    assert measure("StRecall@1")(view.select("judged_only"))[0] == 0.5


def test_judgments_without_subtopics_are_refused() -> None:
    with pytest.raises(AlignmentError, match="need a subtopic for each judgment"):
        assay.retrieval({"1": {"d": 1}}, {"1": {"d": 1.0}}, "alpha_nDCG@5", interval=None)


def test_a_depth_is_asked_for() -> None:
    with pytest.raises(BadParameter, match="ERR_IA needs cutoff"):
        measure("ERR_IA")
