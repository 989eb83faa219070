"""What new users stumbled over: the class in question, baselines by file, printed scores."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay
from assay.reports.text.score_notes import score_notes


def test_the_positive_class_is_told_and_doubted(tmp_path: Path) -> None:
    rows = ["good,0.1", "good,0.2", "good,0.3", "bad,0.8", "bad,0.7", "bad,0.9"] * 5
    (tmp_path / "t.csv").write_text("truth,p\n" + "\n".join(rows) + "\n")
    scores = assay.classification(tmp_path / "t.csv", "AUC", truth="truth", score="p")
    assert score_notes(scores)[0] == "positive class: 'good' (`positive` names another)"
    assert (
        "AUC is surely below .5: is 'good' the class with the higher scores?"
        in score_notes(scores)[1]
    )
    right = assay.classification(
        tmp_path / "t.csv", "AUC", truth="truth", score="p", positive="bad"
    )
    assert "positive class: 'bad'" in score_notes(right)[0]
    assert not any("surely below" in note for note in score_notes(right))


@pytest.fixture
def _two_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in range(8)))
    Path("base.run").write_text("".join(f"{q} Q0 a 1 2.0 STANDARD\n" for q in range(8)))
    Path("new.run").write_text("".join(f"{q} Q0 b 1 2.0 new\n" for q in range(8)))


RUNS = ("retrieval", "qrels.txt", "base.run", "new.run", "-m", "AP")


@pytest.mark.usefixtures("_two_runs")
@pytest.mark.parametrize("baseline", ["base", "base.run", "./base.run", "STANDARD"])
def test_a_baseline_may_be_named_by_its_file(baseline: str) -> None:
    twice = ("--baseline", baseline, "--baseline", "STANDARD")
    assert call(*RUNS, "--save", "scores.parquet").code == 0
    for given in (("compare", *RUNS), ("compare", "scores.parquet")):
        done = call(*given, *twice)
        assert done.code == 0, done.err
        assert done.out.count("STANDARD (baseline)") == 1
        assert "files: STANDARD = base.run\n" in done.out


@pytest.mark.usefixtures("_two_runs")
def test_a_baseline_that_is_one_more_file_is_taken_once() -> None:
    own = ("compare", "retrieval", "qrels.txt", "new.run", "-m", "AP")
    done = call(*own, "--baseline", "base.run", "--baseline", "./base.run")
    assert done.out.count("STANDARD (baseline)") == 1, done.err
    assert "against" not in done.out


@pytest.mark.usefixtures("_two_runs")
def test_an_unknown_or_doubtful_baseline_is_refused_with_the_names() -> None:
    refused = call("compare", *RUNS, "--baseline", "other")
    assert "the baseline 'other' is not among the systems: STANDARD, new" in refused.err
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "run.txt").write_text(Path("base.run").read_text())
    runs = ("retrieval", "qrels.txt", "one/run.txt", "two/run.txt", "-m", "AP")
    doubtful = call("compare", *runs, "--baseline", "run.txt")
    assert "could be one/run or two/run: several systems come from files of that" in doubtful.err
    chosen = call("compare", *runs, "--baseline", "two/run.txt")
    assert "two/run (baseline)" in chosen.out
    assert "files:" not in chosen.out


@pytest.mark.usefixtures("_two_runs")
def test_a_system_called_by_its_tag_is_shown_with_its_file() -> None:
    told = call(*RUNS).out
    assert "files: STANDARD = base.run\n" in told
    names = [f"tag{number}" for number in range(7)]
    for name in names:
        Path(f"{name[3:]}.run").write_text(Path("new.run").read_text().replace("new", name))
    files = [f"{number}.run" for number in range(7)]
    assert "tag4 = 4.run and 2 more" in call("retrieval", "qrels.txt", *files, "-m", "AP").out


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


@pytest.mark.usefixtures("_two_runs")
def test_figures_and_costs_know_systems_by_their_files() -> None:
    given = ("qrels.txt", "base.run", "new.run")
    chosen = ("--from", "new.run", "--to", "base", "-o", "x.svg")
    done = call("plot", "per-query", *given, *chosen)
    assert "STANDARD against new" in done.out, done.err
    unknown = call("plot", "scatter", *given, "--from", "none", "-o", "x.svg")
    assert "the system 'none' is not among the systems: STANDARD, new" in unknown.err
    Path("seconds.csv").write_text("system,seconds\nbase.run,3\nnew,1\n")
    table = call("cost", *given, "-m", "AP", "--cost", "seconds.csv").out
    assert [line.split()[-2:] for line in table.splitlines()[1:3]] == [["1", "yes"], ["3", "yes"]]
