"""The recorded cases of ir_measures, as far as they are about sets and rankings."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay

pytestmark = pytest.mark.oracle

OTHER_PARTS = {
    "PyNdEvalProvider": "diversity",
    "BPM": "C/W/L",
    "INSQ": "C/W/L",
    "INST": "C/W/L",
    "SDCG": "C/W/L",
    "NERR": "C/W/L",
}
"""Cases (by provider or the beginning of a measure's name) that belong to other parts."""

Rename = Callable[[str], str]
OUR_NAMES: dict[str, Rename] = {
    # gdeval's gains are 2^g − 1 where nothing else is said.
    "GdevalProvider": lambda name: name.replace("nDCG@", "nDCG(dcg='exp-log2')@"),
    # cwl_eval divides by the relevant documents that were found.
    "CwlEvalProvider": lambda name: "AP(denominator=found)" if name == "AP" else name,
    # Parameters that choose another measure: a relative precision, a count, a beta that is β².
    "PytrecEvalProvider": lambda name: (
        name.replace("SetP(relative=True)", "SetRelP")
        .replace("SetP(relative=True,", "SetRelP(")
        .replace("NumRet(", "NumRelRet(")
        .replace("SetF(beta=0.5)", "set_F@0.5")
        .replace("SetF(beta=2.0)", "set_F@2")
    ),
}


def _ours(case: dict[str, Any]) -> str:
    return OUR_NAMES.get(case["provider"], str)(case["measures"][0])


def _belongs_elsewhere(case: dict[str, Any]) -> bool:
    return any(
        case["provider"] == key or case["measures"][0].startswith(key) for key in OTHER_PARTS
    )


def _table(rows: list[dict[str, Any]], value: str) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for row in rows:
        table.setdefault(row["query_id"], {})[row["doc_id"]] = row[value]
    return table


@pytest.mark.shared
def test_recorded_cases(shared_data: Path) -> None:
    cases = json.loads((shared_data / "ir_measures" / "cases.json").read_text())["cases"]
    ours = [case for case in cases if not _belongs_elsewhere(case)]
    assert (len(cases), len(ours)) == (109, 97)
    for case in ours:
        name = _ours(case)
        qrels, run = _table(case["qrels"], "relevance"), _table(case["run"], "score")
        scores = assay.retrieval(qrels, run, name, profile="ir_measures", interval=None)
        result = scores.results[0]
        values = dict(zip(result.units, result.values, strict=True))
        # gdeval prints five decimals.
        within = 5e-6 if case["provider"] == "GdevalProvider" else 1e-9
        for row in case["results"]:
            assert values[row["query_id"]] == pytest.approx(row["value"], abs=within), case["test"]


def test_f_with_beta_is_another_number_than_that_of_ir_measures() -> None:
    qrels = {"1": dict.fromkeys("abcdefgh", 1)}
    run = {"1": {"a": 4.0, "b": 3.0, "x": 2.0, "y": 1.0}}
    scores = assay.retrieval(qrels, run, "F(beta=2) set_F_2", interval=None)
    assert scores["F(beta=2)"]["run"] == pytest.approx(5 * 0.5 * 0.25 / (4 * 0.5 + 0.25))
    assert scores["set_F@2"]["run"] == pytest.approx(0.30)
    ir_measures = pytest.importorskip("ir_measures")
    rows = [ir_measures.Qrel("1", doc, 1) for doc in "abcdefgh"]
    listed = [ir_measures.ScoredDoc("1", doc, score) for doc, score in run["1"].items()]
    theirs = ir_measures.calc_aggregate([ir_measures.SetF(beta=2.0)], rows, listed)
    assert next(iter(theirs.values())) == pytest.approx(0.30)


ROBUST = [
    'nDCG(dcg="exp-log2")@10',
    'nDCG(dcg="log2", cutoff=20)',
    "nDCG(judged_only=True)@10",
    "nDCG(gains={0:0,1:1,2:5})@10",
    "AP(rel=2, judged_only=True)@100",
    "ERR@20",
    "Compat(p=0.95)",
    "Compat(p=0.8,normalize=False)",
]


@pytest.mark.shared
@pytest.mark.parametrize("name", ROBUST)
@pytest.mark.parametrize("run", ["humR03dc", "aplrob03a"])
def test_its_spelling_gives_its_numbers(shared_data: Path, name: str, run: str) -> None:
    qrels, listed = _robust(shared_data, run)
    by_query = _theirs(name, qrels, listed)
    found = assay.retrieval(qrels, listed, name, profile="ir_measures", interval=None).results[0]
    # gdeval prints five decimals.
    within = 5.1e-6 if "exp" in name or name == "ERR@20" else 1e-9
    for query, value in zip(found.units, found.values, strict=True):
        assert value == pytest.approx(by_query[query], abs=within), query


def test_compat_orders_ties_as_ir_measures_does() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels = {"1": {"a": 1, "b": 2, "c": 1, "e": 1}}
    run = {"1": {"a": 2.0, "b": 2.0, "x": 2.0, "c": 1.0, "y": 1.0}}
    rows = [ir_measures.Qrel("1", doc, grade) for doc, grade in qrels["1"].items()]
    listed = [ir_measures.ScoredDoc("1", doc, score) for doc, score in run["1"].items()]
    theirs = ir_measures.calc_aggregate([ir_measures.Compat(p=0.8)], rows, listed)
    ours = assay.retrieval(qrels, run, "Compat(p=0.8)", profile="ir_measures", interval=None)
    assert ours.results[0].value == pytest.approx(next(iter(theirs.values())), abs=1e-12)
    made = assay.explain_retrieval(qrels, run, "Compat(p=0.8)", "1", profile="ir_measures")
    assert made.value == ours.results[0].value
    forward = assay.retrieval(qrels, run, "Compat(p=0.8,compare_to=lists)", interval=None)
    assert forward.results[0].value != ours.results[0].value


def test_negative_grades_are_judgments_for_judged() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = {"1": {"a": -2, "b": 1, "c": 0}}, {"1": {"a": 4.0, "x": 3.0, "b": 2.0, "c": 1.0}}
    rows = [ir_measures.Qrel("1", doc, grade) for doc, grade in qrels["1"].items()]
    listed = [ir_measures.ScoredDoc("1", doc, score) for doc, score in run["1"].items()]
    theirs = ir_measures.calc_aggregate([ir_measures.Judged @ 3], rows, listed)
    for profile in ("assay", "ir_measures"):
        ours = assay.retrieval(qrels, run, "Judged@3", profile=profile, interval=None)
        assert ours.results[0].value == next(iter(theirs.values())) == 2 / 3
    policy = {"negative_grades": "unjudged"}
    pooled = assay.retrieval(qrels, run, "Judged@3", policies=policy, interval=None)
    assert pooled.results[0].value == 1 / 3


def test_err_takes_the_scale_of_gdeval_in_an_explanation_too() -> None:
    qrels, run = {"1": {"a": 4, "b": 1}}, {"1": {"a": 1.0, "b": 2.0}}
    made = assay.explain_retrieval(qrels, run, "ERR@5", "1", profile="ir_measures")
    assert made.value == pytest.approx(1 / 16 + 15 / 16 * 15 / 16 / 2)


def _robust(shared_data: Path, run: str) -> tuple[Path, Path]:
    folder = shared_data / "robust03"
    return folder / "qrels.txt.gz", folder / "runs" / f"{run}.gz"


def _theirs(name: str, qrels: Path, run: Path) -> dict[str, float]:
    ir_measures = pytest.importorskip("ir_measures")
    texts = [gzip.decompress(path.read_bytes()).decode() for path in (qrels, run)]
    judged = list(ir_measures.read_trec_qrels(texts[0]))
    listed = list(ir_measures.read_trec_run(texts[1]))
    asked = ir_measures.parse_measure(name)
    return {each.query_id: each.value for each in ir_measures.iter_calc([asked], judged, listed)}
