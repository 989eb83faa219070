"""``assay compare``, ``gate`` and ``power``: from files to a page and an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from tests.cli.terminal import call

from assay.cli.application import application

QUERIES = [f"q{n:02}" for n in range(12)]


def _run(name: str, ranks: list[int]) -> str:
    """The relevant document of each query at the given rank, below others."""
    lines = []
    for query, rank in zip(QUERIES, ranks, strict=True):
        docs = [f"x{n}" for n in range(1, rank)] + ["good"]
        lines += [f"{query} Q0 {d} {n} {-n} {name}" for n, d in enumerate(docs, 1)]
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 good 1\n" for q in QUERIES))
    (tmp_path / "main.run").write_text(_run("main", [2, 3] * 6))
    (tmp_path / "new.run").write_text(_run("new", [1] * 11 + [4]))
    (tmp_path / "old.run").write_text(_run("old", [5] * 12))
    (tmp_path / "topics.csv").write_text(
        "query,type,traffic,user\n"
        + "".join(
            f"{q},{'head' if n < 6 else 'tail'},{n + 1},{n // 2}\n" for n, q in enumerate(QUERIES)
        )
    )
    call(
        "retrieval",
        "qrels.txt",
        "main.run",
        "new.run",
        "old.run",
        "-m",
        "RR AP",
        "--save",
        "s.parquet",
    )
    return tmp_path


def test_compare_a_task(folder: Path) -> None:
    done = call(
        "compare", "retrieval", "qrels.txt", "main.run", "new.run", "-m", "RR", "--baseline", "main"
    )
    assert done.code == 0, done.err
    assert "main (baseline)  0.4167" in done.out
    row = next(line for line in done.out.splitlines() if line.strip().startswith("new"))
    assert "+0.5208" in row
    assert "11/0/1" in row
    assert row.rstrip().endswith("*")
    assert "randomization test (two-sided)" in done.out.replace(", 10,000 permutations, seed 1", "")
    assert "the shifts that the randomization" in done.out


def test_compare_saved_scores_equals_comparing_the_task(folder: Path) -> None:
    runs = ("main.run", "new.run", "old.run")
    task = call("compare", "retrieval", "qrels.txt", *runs, "-m", "RR", "--format", "csv")
    saved = call("compare", "s.parquet", "-m", "RR", "--format", "csv")
    assert task.out == saved.out
    assert len(saved.out.splitlines()) == 4


def test_a_baseline_may_be_a_file_of_its_own(folder: Path) -> None:
    done = call(
        "compare", "retrieval", "qrels.txt", "new.run", "--baseline", "main.run", "-m", "RR"
    )
    assert "main (baseline)" in done.out
    (folder / "before").mkdir()
    (folder / "before" / "new.run").write_text(_run("new", [2] * 12))
    same = call(
        *("compare", "retrieval", "qrels.txt", "new.run", "-m", "RR"),
        *("--baseline", "before/new.run"),
    )
    assert "before/new (baseline)  0.5000" in same.out


def test_formats_say_the_same(folder: Path) -> None:
    content = json.loads(call("compare", "s.parquet", "-m", "RR", "--format", "json").out)
    rows = call("compare", "s.parquet", "-m", "RR", "--format", "tsv").out.splitlines()
    head = rows[0].split("\t")
    assert float(rows[1].split("\t")[head.index("p")]) == content["pairs"][0]["p"]
    assert "| new | " in call("compare", "s.parquet", "--format", "markdown").out


def test_units_have_slices_weights_and_clusters(folder: Path) -> None:
    given = ("compare", "s.parquet", "-m", "RR", "--baseline", "main", "--units", "topics.csv")
    assert "tail" in call(*given, "--slice-by", "type").out
    plain = call(*given, "--format", "csv").out
    assert call(*given, "--weight-by", "traffic", "--format", "csv").out != plain
    assert call(*given, "--cluster-by", "user", "--format", "csv").out != plain
    wrong = call(*given, "--slice-by", "kind")
    assert (wrong.code, "no column 'kind'" in wrong.err) == (2, True)
    text = call(*given, "--weight-by", "type")
    assert (text.code, "must hold numbers only" in text.err) == (1, True)
    assert call("compare", "s.parquet", "--slice-by", "type").code == 2


def test_gains_and_correlations(folder: Path) -> None:
    done = call(
        "compare", "s.parquet", "-m", "RR", "--baseline", "main", "--show", "gains", "--most", "1"
    )
    lines = [line.split() for line in done.out.splitlines()]
    assert ["RR", "new", "main", "gain", "q01", "0.3333", "1.0000", "+0.6667"] in lines
    assert ["RR", "new", "main", "loss", "q11", "0.3333", "0.2500", "-0.0833"] in lines
    done = call("compare", "s.parquet", "--show", "correlations")
    assert "+1.0000" in done.out


def test_a_gate_ends_with_three(folder: Path) -> None:
    good = call(
        *("gate", "retrieval", "qrels.txt", "new.run", "--baseline", "main.run"),
        *("-m", "RR", "--margin", "0.05", "--confidence", "0.95"),
    )
    assert (good.code, good.out.splitlines()[0]) == (0, "The gate holds: 1 check.")
    bad = call("gate", "s.parquet", "-m", "RR", "--baseline", "main", "--margin", "0.05")
    assert bad.code == 3
    assert "old" in bad.out.splitlines()[3]
    assert "1 of 2 checks failed" in bad.out.splitlines()[0]
    assert bad.err == ""
    kept = call("gate", "s.parquet", "--floor", "0.1", "--format", "junit", "--save", "gate.xml")
    assert kept.code == 0
    assert (folder / "gate.xml").read_text().startswith("<?xml")


def test_power_tables(folder: Path) -> None:
    done = call("power", "s.parquet", "--detect", "0.05", "-m", "RR")
    assert done.code == 0, done.err
    assert "units_needed" in done.out
    for show in ("reliability", "measures", "units", "leaderboard"):
        assert call("power", "s.parquet", "--show", show).code == 0
    content = json.loads(call("power", "s.parquet", "--format", "json").out)
    assert content["leaderboard"][0]["system"] == "new"
    assert content["design"][0]["smallest_difference"] > 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("compare", "s.parquet", "--baseline", "mian"), 2, "Did you mean main?"),
        (("compare", "s.parquet", "--test", "tukei"), 2, "Did you mean tukey?"),
        (("compare", "s.parquet", "--interval", "bcaa"), 2, "Did you mean bca?"),
        (("compare", "s.parquet", "-m", "nDCG@10"), 2, "was not measured"),
        (("compare", "none.parquet"), 1, "there is no such file"),
        (("compare", "retreival", "q", "r"), 2, "Did you mean retrieval?"),
        (
            ("compare", "qrels.txt", "main.run", "new.run"),
            2,
            "name the task before its files: assay compare retrieval qrels.txt main.run new.run",
        ),
        (("compare", "retrieval", "qrels.txt", "main.run"), 2, "a comparison needs two"),
        (("gate", "s.parquet"), 2, "needs a condition"),
        (("gate", "s.parquet", "--floor", "x"), 2, "not 'x'"),
        (("power", "s.parquet", "--detect", "-1"), 2, "above 0"),
        (("power", "s.parquet", "--power", "0.01"), 2, "power"),
    ],
)
def test_mistakes_end_in_a_line_and_a_code(
    folder: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = call(*arguments)
    assert done.code == code, done.err
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", ["compare", "gate", "power"])
def test_every_task_is_taken_in(name: str) -> None:
    group = application.get_command(click.Context(application), name)
    assert isinstance(group, click.Group)
    tasks = group.list_commands(click.Context(group))
    assert {"retrieval", "classification", "regression", "clustering"} <= set(tasks)
    for task in tasks:
        assert call(name, task, "--help").code == 0
    assert "Tasks:" in call(name, "--help").out


def test_the_policy_on_items_and_that_on_units_are_two_options(folder: Path) -> None:
    (folder / "items.csv").write_text("id,truth,p\na,1,0.9\nb,0,\nc,1,0.4\nd,0,0.2\n")
    columns = ["--truth", "truth", "--score", "p", "--positive", "1", "--item", "id", "-m", "Brier"]
    task = ["classification", "items.csv", *columns]
    for command in ("gate", "power", "compare"):
        options = [option for p in _with(command, "classification") for option in p.opts]
        assert {"--missing", "--missing-units", "--item"} <= set(options)
    found = call("gate", *task, "--floor", "0.5", "--missing", "drop")
    assert found.code == 0, found.err


def _with(command: str, task: str) -> list[click.Parameter]:
    context = click.Context(application)
    group = application.get_command(context, command)
    assert isinstance(group, click.Group)
    found = group.get_command(context, task)
    assert found is not None
    return found.params
