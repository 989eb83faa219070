"""User models: the recorded cases of ir_measures and cwl_eval, residuals, and cases by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay import measure
from assay.core.errors import BadParameter
from assay.testing import rankings

SAME = {"AP": "AP(denominator=found)"}
"""cwl_eval's AP looks at the relevant documents that were retrieved."""


@pytest.mark.shared
def test_the_cases_of_cwl_eval(shared_data: Path) -> None:
    cases = json.loads((shared_data / "ir_measures" / "cases.json").read_text())["cases"]
    own = [case for case in cases if case["provider"] == "CwlEvalProvider"]
    assert len(own) == 18
    for case in own:
        name = SAME.get(case["measures"][0], case["measures"][0])
        columns = {"query": "query_id", "doc": "doc_id"}
        qrels = {key: [row[name] for row in case["qrels"]] for key, name in columns.items()}
        qrels["grade"] = [row["relevance"] for row in case["qrels"]]
        run = {key: [row[name] for row in case["run"]] for key, name in columns.items()}
        run["score"] = [row["score"] for row in case["run"]]
        result = assay.retrieval(qrels, run, name, bootstrap=None).results[0]
        expected = {row["query_id"]: row["value"] for row in case["results"]}
        got = dict(zip(result.units, result.values, strict=True))
        assert got == pytest.approx(expected, abs=1e-12), name


@pytest.mark.parametrize("name", ["INST", "INSQ", "NERR10", "NERR11"])
def test_a_residual_is_what_the_unjudged_could_add(name: str) -> None:
    view = rankings("+?-")
    least = measure(f"{name}(max_rel=1)")(view)[0]
    more = measure(f"{name}(max_rel=1,residual=true)")(view)[0]
    filled = measure(f"{name}(max_rel=1)")(rankings("++-" + "+" * 997))[0]
    assert least + more == pytest.approx(filled)


def test_sdcg_residual_within_the_cutoff() -> None:
    view = rankings("+?")
    discounts = 1 / np.log2(np.arange(1, 4) + 1)
    assert measure("SDCG(max_rel=1,residual=true)@3")(view)[0] == pytest.approx(
        discounts[1:].sum() / discounts.sum()
    )


def test_a_table_of_ones_is_precision() -> None:
    view = rankings("+-+?", "-++")
    given = measure("CWL(max_rel=1,table={1:1,2:1})")(view)
    assert given == pytest.approx(measure("P@3", "retrieval")(view))


def test_a_steady_user_is_rank_biased_precision() -> None:
    table = ",".join(f"{rank}:0.5" for rank in range(1, 60))
    view = rankings("+-+?++")
    given = measure(f"CWL(max_rel=1,table={{{table}}})")(view)[0]
    assert given == pytest.approx(measure("RBP(p=0.5)")(view)[0])


def test_time_biased_gain_by_hand() -> None:
    # Rank 2 is reached after one summary, and a relevant document read with chance .64.
    time = 4.4 + 0.64 * (0.018 * 500 + 7.8)
    expected = 0.64 * 0.77 * (1 + 2 ** (-time / 224))
    assert measure("TBG")(rankings("++"))[0] == pytest.approx(expected)


def test_the_highest_grade_is_asked_for() -> None:
    with pytest.raises(BadParameter, match="INST needs max_rel"):
        measure("INST")


@pytest.mark.parametrize("name", ["NERR8@7", "NERR10", "INSQ", "BPM@7", "SDCG@7"])
def test_the_trace_of_a_residual_arrives(name: str) -> None:
    residual = measure(f"{name}:max_rel=1:residual=true")
    view = rankings("+?-+")
    table = residual.trace(view)
    assert table["residual"][-1] == pytest.approx(residual(view)[0])
