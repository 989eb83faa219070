"""What new users stumbled over: the class in question, baselines by file, printed scores."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay
from assay.reports.tables import notes


def test_the_positive_class_is_told_and_doubted(tmp_path: Path) -> None:
    rows = ["good,0.1", "good,0.2", "good,0.3", "bad,0.8", "bad,0.7", "bad,0.9"] * 5
    (tmp_path / "t.csv").write_text("truth,p\n" + "\n".join(rows) + "\n")
    scores = assay.classification(tmp_path / "t.csv", "AUC", truth="truth", score="p")
    assert notes(scores)[0] == "positive class: 'good' (`positive` names another)"
    assert "is 'good' the class with the higher scores?" in notes(scores)[1]
    right = assay.classification(
        tmp_path / "t.csv", "AUC", truth="truth", score="p", positive="bad"
    )
    assert "positive class: 'bad'" in notes(right)[0]
    assert not any("surely below" in note for note in notes(right))


@pytest.mark.parametrize("baseline", ["base", "base.run", "STANDARD"])
def test_a_baseline_may_be_named_by_its_file(
    baseline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in range(8)))
    Path("base.run").write_text("".join(f"{q} Q0 a 1 2.0 STANDARD\n" for q in range(8)))
    Path("new.run").write_text("".join(f"{q} Q0 b 1 2.0 new\n" for q in range(8)))
    done = call(
        "compare",
        "retrieval",
        "qrels.txt",
        "base.run",
        "new.run",
        "-m",
        "AP",
        "--baseline",
        baseline,
    )
    assert done.code == 0, done.err
    assert "STANDARD (baseline)" in done.out


def test_scores_print_as_a_table() -> None:
    scores = assay.retrieval({"q": {"a": 1}}, {"one": {"q": {"a": 1.0}}}, "AP")
    assert str(scores).splitlines()[0].split() == [
        "measure",
        "value",
        "low",
        "high",
        "units",
        "undefined",
    ]


def test_an_interval_holds_its_value() -> None:
    labels = {"c": list("aabbaabbab"), "k": list("xyxyxyxyxy")}
    scores = assay.clustering(labels, cluster="c", classes="k")
    for each in scores.results:
        if each.low == each.low:
            assert each.low <= each.value <= each.high
