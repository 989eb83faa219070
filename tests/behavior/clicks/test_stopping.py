"""ERR with the stopping probabilities of a click model, joined as evidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.behavior.clicks.small_logs import rows

import assay
from assay.cli.application import main
from assay.core.errors import AlignmentError, NeedsInput
from assay.formats.containers import to_judgments
from assay.tasks.explanation.ranking_explanations import explain_query

QRELS = {"q": {"a": 1, "b": 0}, "r": {"x": 1}}
RUN = {"q": {"a": 3.0, "z": 2.0, "b": 1.0}, "r": {"x": 1.0}}
STOPPING = {"q": {"a": 0.5, "b": 0.4, "c": 0.9}}


def test_err_by_hand() -> None:
    scores = assay.retrieval(QRELS, RUN, "ERR ERR@2 nDCG clickEU", stopping=STOPPING, interval=None)
    per_query = {name: scores[name] for name in scores.measures}
    assert list(per_query) == ["clickERR", "clickERR@2", "nDCG", "clickEU"]
    frame = scores.per_unit()
    values = {(m, u): v for m, u, v in frame.select("measure", "unit", "value").iter_rows()}
    assert values["clickERR", "q"] == pytest.approx(0.5 / 1 + 0.5 * 0.4 / 3)
    assert values["clickERR@2", "q"] == pytest.approx(0.5)
    assert values["clickEU", "q"] == pytest.approx(0.5 + 0.5 * 0.4)
    assert values["nDCG", "q"] == 1, "other measures use the judgments"
    assert values["clickERR", "r"] != values["clickERR", "r"], "nothing is known of this query"
    assert any("1 judged query without a stopping probability" in w for w in scores.warnings)


def test_it_is_err_where_the_probabilities_are_those_of_the_grades() -> None:
    qrels = {"q": {"a": 2, "b": 1, "c": 0, "d": 2}}
    run = {"q": {"b": 4.0, "c": 3.0, "d": 2.0, "x": 1.5, "a": 1.0}}
    chances = {"q": {doc: (2**grade - 1) / 2**2 for doc, grade in qrels["q"].items()}}
    ours = assay.retrieval(qrels, run, "clickERR", stopping=chances, interval=None)
    plain = assay.retrieval(qrels, run, "ERR(gmax=2)", interval=None)
    assert ours["clickERR"]["run"] == pytest.approx(plain["ERR(gmax=2)"]["run"], abs=1e-15)


def test_what_cannot_be_joined_is_refused() -> None:
    with pytest.raises(NeedsInput, match="needs stopping probabilities"):
        assay.retrieval(QRELS, RUN, "clickERR", interval=None)
    with pytest.raises(AlignmentError, match=r"is 1.5; it lies between 0 and 1"):
        assay.retrieval(QRELS, RUN, "clickERR", stopping={"q": {"a": 1.5}}, interval=None)
    table = {"query": ["q", "q"], "doc": ["a", "a"], "grade": [0.1, 0.2]}
    with pytest.raises(AlignmentError, match="row 2: document a of query q has two"):
        assay.retrieval(QRELS, RUN, "clickERR", stopping=table, interval=None)


def test_the_command_takes_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = [(("a", "b"), (1, 0)), (("b", "a"), (0, 1)), (("a", "b"), (0, 1))] * 30
    model = assay.clicks.fit(rows(log), "sdbn")
    model.save(tmp_path / "model.json")
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 b 1 2 r\nq Q0 a 2 1 r\n")
    monkeypatch.chdir(tmp_path)
    words = "retrieval qrels run --stopping model.json -m ERR --format csv --resamples 0"
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 0
    chance = dict(model.stopping.frame.select("doc", "grade").iter_rows())
    expected = chance["b"] + (1 - chance["b"]) * chance["a"] / 2
    table = pl.read_csv(capsys.readouterr().out.encode())
    assert table["measure"].to_list() == ["clickERR"]
    assert table["value"].to_list() == pytest.approx([expected])
    run = {"q": {"b": 2, "a": 1}}
    scores = assay.retrieval({"q": {"a": 1}}, run, "ERR", stopping=model, interval=None)
    assert scores["clickERR"]["run"] == pytest.approx(expected)


def test_other_commands_name_what_they_lack() -> None:
    evidence = assay.RetrievalEvidence.read(QRELS, RUN)
    for call in (
        lambda: assay.explain_retrieval(QRELS, RUN, "clickERR", "q"),
        lambda: assay.plot("gain", evidence, measure="clickERR"),
    ):
        with pytest.raises(NeedsInput, match=r"clickERR(@1)? needs stopping probabilities"):
            call()
    explained = explain_query(
        replace(evidence, stopping=to_judgments(STOPPING)), "run", "clickERR", "q"
    )
    assert explained.value == pytest.approx(0.5 + 0.5 * 0.4 / 3)
    assert explained.table["sum"][-1] == explained.value
