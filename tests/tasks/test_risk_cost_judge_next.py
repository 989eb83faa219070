"""Risk, cost and what to judge next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import assay
from assay.cli.application import application
from assay.core.errors import UsageError
from assay.tasks.retrieval.judge_next import judge_next
from assay.tasks.retrieval.risk import geo_risk, risk

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "c": 1}}
GOOD = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "c": 1.0}}
POOR = {"1": {"b": 2.0, "a": 1.0}, "2": {"x": 3.0, "a": 2.0}}


@pytest.mark.shared
@pytest.mark.parametrize("system", ["synthA", "synthB"])
def test_urisk_as_gdeval_prints_it(shared_data: Path, system: str) -> None:
    folder = shared_data / "web2013_diversity"
    printed = (folder / f"{system}.gdeval20_riskB_alpha5.csv").read_text().splitlines()[-1]
    found = risk(
        shared_data / "qrels" / "qrels.web.201-250.txt",
        folder / "synthB.run",
        folder / f"{system}.run",
        ["nDCG@20", "ERR(gmax=4)@20"],
        alpha=5,
        profile="gdeval",
    )
    shown = [float(number) for number in printed.split(",")[-2:]]
    assert found["URisk"].to_list() == pytest.approx(shown, abs=0.51e-5)


def test_wins_losses_and_risk_by_hand() -> None:
    row = risk(QRELS, GOOD, {"poor": POOR}, "RR", alpha=2).row(0, named=True)
    assert (row["wins"], row["ties"], row["losses"]) == (0, 0, 2)
    assert (row["difference"], row["URisk"]) == pytest.approx((-0.5, -1.5))


def test_georisk_of_equal_systems_is_that_of_no_surprise() -> None:
    values = np.asarray([[0.2, 0.4], [0.2, 0.4]])
    assert geo_risk(values, 1.0) == pytest.approx(np.sqrt(0.3 * 0.5))


def test_a_negative_weight_of_losses_is_refused() -> None:
    with pytest.raises(UsageError, match="alpha is -1"):
        risk(QRELS, GOOD, POOR, alpha=-1)


def test_the_document_that_matters_most_comes_first() -> None:
    first = {"1": {"u": 3.0, "a": 2.0}}
    second = {"1": {"a": 3.0, "b": 2.0, "v": 1.0}}
    found = judge_next({"1": {"a": 1, "b": 0}}, first, second, "RR")
    # u first would lift the first run to 1; v below a relevant document changes nothing.
    assert found.rows(named=True) == [
        {
            "query": "1",
            "doc": "u",
            "rank_in_first": 1,
            "rank_in_second": None,
            "now": -0.5,
            "change": pytest.approx(0.5),
        }
    ]


def test_a_change_is_what_the_judgment_would_bring() -> None:
    draw = np.random.default_rng(3)
    docs = [f"d{n}" for n in range(12)]
    grades = {doc: int(draw.integers(0, 3)) for doc in docs[:7]}
    runs = [
        {"1": {d: float(s) for d, s in zip(docs, draw.permutation(12), strict=True)}}
        for _ in range(2)
    ]
    for row in judge_next({"1": grades}, runs[0], runs[1], "nDCG@5", count=None).iter_rows(
        named=True
    ):
        told = {"1": grades | {row["doc"]: 2}}
        values = [assay.retrieval(told, run, "nDCG@5", interval=None) for run in runs]
        one, other = (each.results[0].value for each in values)
        assert one - other == pytest.approx(row["now"] + row["change"])


def test_a_measure_of_judging_cannot_say_what_to_judge() -> None:
    with pytest.raises(UsageError, match="cannot rank documents to judge"):
        judge_next(QRELS, GOOD, POOR, "bpref")


def test_the_commands(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "x").write_text("1 Q0 a 1 2 x\n1 Q0 c 2 1 x\n")
    (tmp_path / "y").write_text("1 Q0 c 1 2 y\n1 Q0 a 2 1 y\n")
    (tmp_path / "costs.csv").write_text("system,cost\nx,2\ny,1\n")
    place = [str(tmp_path / name) for name in ("qrels", "x", "y")]
    for arguments, expected in [
        (["next", *place], "c"),
        (["risk", *place], "URisk"),
        (["cost", *place, "--cost", str(tmp_path / "costs.csv")], "front"),
    ]:
        shown = CliRunner().invoke(application, arguments)
        assert shown.exit_code == 0, shown.output
        assert expected in shown.stdout


def test_less_is_better_where_the_measure_says_so() -> None:
    row = risk(QRELS, POOR, {"good": GOOD}, "RBP_residual(p=0.5)").row(0, named=True)
    assert (row["wins"], row["losses"]) == (1, 0), "POOR has an unjudged document, GOOD none"
    assert row["difference"] > 0
    assert np.isnan(row["GeoRisk"])
    with pytest.raises(UsageError, match="neither higher nor lower is better"):
        risk(QRELS, POOR, GOOD, "NumRet")


def test_undefined_changes_are_left_out_of_what_to_judge_next() -> None:
    unknown = QRELS | {"3": {"a": 0}}
    runs = [one | {"3": {"y": 2.0, "z": 1.0}} for one in (GOOD, POOR)]
    notes: list[str] = []
    found = judge_next(unknown, runs[0], runs[1], "AP", count=None, tell=notes.append)
    assert "2 documents of 1 queries are left out: AP is not defined" in notes[-1]
    assert "3" not in found["query"].to_list()
    assert not found["change"].is_nan().any()


def test_commands_tell_of_queries_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    Path("x.run").write_text("1 Q0 b 1 2 x\n1 Q0 c 2 1 x\n")
    Path("y.run").write_text("1 Q0 a 1 2 y\n1 Q0 d 2 1 y\n")
    Path("costs.csv").write_text("system,cost\nx,1\ny,2\n")
    for arguments in (
        ["holes", "qrels", "x.run"],
        ["ties", "qrels", "x.run"],
        ["next", "qrels", "x.run", "y.run"],
        ["cost", "qrels", "x.run", "y.run", "--cost", "costs.csv"],
        ["risk", "qrels", "x.run", "y.run"],
    ):
        done = CliRunner().invoke(application, arguments)
        assert done.exit_code == 0, done.output
        assert ": 1 of 2 judged queries is not answered" in done.stderr
        assert "note:" not in done.stdout


def test_more_than_two_runs_are_searched_in_pairs() -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    runs = {
        "one": {"q": {"a": 3.0, "x": 2.0, "b": 1.0}},
        "two": {"q": {"y": 3.0, "a": 2.0, "x": 1.0}},
        "three": {"q": {"b": 3.0, "x": 2.0, "a": 1.0}},
    }
    found = assay.next(qrels, runs, measure="P@1", count=None)
    assert found.select("first", "second", "doc").rows() == [("one", "two", "y")]
    pair = assay.next(qrels, runs["one"], runs["two"], "P@1", count=None)
    assert pair["change"].to_list() == found["change"].to_list()
    with pytest.raises(assay.AssayError, match="two or more"):
        assay.next(qrels, runs["one"])
