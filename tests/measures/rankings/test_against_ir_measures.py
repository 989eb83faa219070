"""The recorded cases of ir_measures, as far as they are about sets and rankings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay

pytestmark = pytest.mark.shared

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
    # gdeval: gains 2^g − 1, and a scale that always ends at 4.
    "GdevalProvider": lambda name: name.replace("ERR", "ERR(gmax=4)").replace(
        "nDCG", "nDCG(gain=exp)"
    ),
    # cwl_eval divides by the relevant documents that were found.
    "CwlEvalProvider": lambda name: "AP(denominator=found)" if name == "AP" else name,
    # Parameters that choose another measure: a relative precision, a count, a beta that is β².
    "PytrecEvalProvider": lambda name: (
        name.replace("SetP(relative=True)", "SetRelP")
        .replace("SetP(relative=True,", "SetRelP(")
        .replace("NumRet(", "NumRelRet(")
        .replace("gains=", "gain=")
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


def test_recorded_cases(shared_data: Path) -> None:
    cases = json.loads((shared_data / "ir_measures" / "cases.json").read_text())["cases"]
    ours = [case for case in cases if not _belongs_elsewhere(case)]
    assert (len(cases), len(ours)) == (109, 97)
    for case in ours:
        name = _ours(case)
        qrels, run = _table(case["qrels"], "relevance"), _table(case["run"], "score")
        scores = assay.retrieval(qrels, run, name, profile="ir_measures", bootstrap=None)
        result = scores.results[0]
        values = dict(zip(result.units, result.values, strict=True))
        # gdeval prints five decimals.
        within = 5e-6 if case["provider"] == "GdevalProvider" else 1e-9
        for row in case["results"]:
            assert values[row["query_id"]] == pytest.approx(row["value"], abs=within), case["test"]


def test_f_with_beta_is_another_number_than_that_of_ir_measures() -> None:
    qrels = {"1": dict.fromkeys("abcdefgh", 1)}
    run = {"1": {"a": 4.0, "b": 3.0, "x": 2.0, "y": 1.0}}
    scores = assay.retrieval(qrels, run, "F(beta=2) set_F_2", bootstrap=None)
    assert scores["F(beta=2)"]["run"] == pytest.approx(5 * 0.5 * 0.25 / (4 * 0.5 + 0.25))
    assert scores["set_F@2"]["run"] == pytest.approx(0.30)
    ir_measures = pytest.importorskip("ir_measures")
    rows = [ir_measures.Qrel("1", doc, 1) for doc in "abcdefgh"]
    listed = [ir_measures.ScoredDoc("1", doc, score) for doc, score in run["1"].items()]
    theirs = ir_measures.calc_aggregate([ir_measures.SetF(beta=2.0)], rows, listed)
    assert next(iter(theirs.values())) == pytest.approx(0.30)
