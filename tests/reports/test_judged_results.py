"""Which results of runs are judged and relevant, compared by the points of the figure."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"b": 2, "c": 0}}
RETURNED = {
    "one": {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"c": 1.0}},
    "two": {"q1": {"x": 2.0, "y": 1.0}, "q3": {"z": 1.0}},
}
PARTS = {
    "query": ["q1", "q2", "q3"],
    "retrieved, relevant": [1, 0, 0],
    "retrieved, not relevant": [1, 1, 0],
    "retrieved, unjudged": [2, 0, 1],
    "relevant, not retrieved": [0, 1, 0],
    "not relevant, not retrieved": [0, 0, 0],
}


def test_results_of_runs_that_are_judged_and_relevant() -> None:
    # q1 judges a (relevant) and b, q2 judges b (relevant) and c; q3 has no judgments.
    drawn = assay.plot("judged", JUDGED, RETURNED)
    assert drawn.points["queries"] == PARTS
    assert "6 documents, 3 of them judged, 1 relevant" in drawn.title
    evidence = assay.RetrievalEvidence.read(JUDGED, RETURNED)
    assert assay.plot("judged", evidence).points == drawn.points
    first = assay.plot("judged", JUDGED, RETURNED, cutoff=1).points["queries"]
    assert first["retrieved, unjudged"] == [1, 0, 1]
    assert first["not relevant, not retrieved"] == [1, 0, 0]
    with pytest.raises(AssayError, match="cutoff"):
        assay.plot("judged", JUDGED, cutoff=3)


def test_the_key_of_judged_documents_names_unjudged_ones() -> None:
    assert ">unjudged</text>" in assay.plot("judged", JUDGED).svg


def test_judged_results_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 b 2\nq2 0 c 0\n")
    Path("one.run").write_text(
        "q1 Q0 a 1 3 one\nq1 Q0 x 2 2 one\nq1 Q0 b 3 1 one\nq2 Q0 c 1 1 one\n"
    )
    Path("two.run").write_text("q1 Q0 x 1 2 two\nq1 Q0 y 2 1 two\nq3 Q0 z 1 1 two\n")
    done = call("plot", "judged", "q.txt", "one.run", "two.run", "-o", "j.svg")
    assert done.code == 0, done.err
    assert "Results of 2 runs for 3 queries: 6 documents" in done.out
    assert "retrieved, unjudged: 2</title>" in Path("j.svg").read_text()
    refused = call("plot", "judged", "q.txt", "--cutoff", "2", "-o", "j.svg")
    assert (refused.code, "--cutoff" in refused.err) == (2, True)
