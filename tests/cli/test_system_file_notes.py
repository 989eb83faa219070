"""Two runs of the same tag and file name, as when a branch is compared with main."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

from assay.formats.system_names import number_duplicates, unique_names


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in range(8)))
    for folder, doc in (("new", "a"), ("main", "b")):
        Path(folder).mkdir()
        lines = (f"{q} Q0 {doc} 1 2.0 bm25 0.5\n{q} Q0 c 2 1.0 bm25 0.5\n" for q in range(8))
        Path(folder, "bm25.run").write_text("".join(lines))
        rows = (f"i{n},{'ab'[n % 2]},{doc}\n" for n in range(20))
        Path(folder, "pred.csv").write_text("id,label,guess\n" + "".join(rows))
    Path("other.run").write_text("".join(f"{q} Q0 b 1 2.0 STANDARD 0.5\n" for q in range(8)))


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["new/bm25.run", "main/bm25.run"], ["new/bm25", "main/bm25"]),
        (["x/a/r.run", "y/a/r.run", "b/r.run"], ["x/a/r", "y/a/r", "b/r"]),
        (["a/r.run", "a/r.txt"], ["r.run", "r.txt"]),
        (["r.run", "new/r.run"], ["r.run", "new/r"]),
        (["/x/r.run.gz", "/y/r.run.gz"], ["x/r", "y/r"]),
        (["a.run", "b.run"], ["a", "b"]),
        (["a.run", "./a.run"], ["a", "a"]),
    ],
)
def test_files_have_the_shortest_names_that_tell_them_apart(
    files: list[str], names: list[str]
) -> None:
    assert unique_names(files) == names


def test_the_same_name_twice_is_numbered() -> None:
    assert number_duplicates(["a", "b", "a"]) == ["a (1)", "b", "a (2)"]


RUNS = ("qrels.txt", "new/bm25.run", "main/bm25.run")
CALLS = {
    "retrieval": ("retrieval", *RUNS),
    "holes": ("holes", *RUNS),
    "ties": ("ties", *RUNS),
    "cost": ("cost", *RUNS, "--cost", "7"),
    "risk": ("risk", *RUNS),
    "next": ("next", *RUNS),
    "explain": ("explain", "retrieval", *RUNS, "-m", "P@2", "--query", "3"),
    "profiles": ("explain", "retrieval", *RUNS, "-m", "P@2", "--profiles"),
    "plot": ("plot", "scatter", *RUNS, "-o", "x.svg"),
    "csv": ("compare", "retrieval", *RUNS, "-m", "AP", "--format", "csv"),
    "json": ("holes", *RUNS, "--format", "json"),
    "gate": ("gate", "retrieval", *RUNS[:2], "--baseline", RUNS[2], "-m", "AP", "--margin", "1"),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_command_says_which_is_which(name: str) -> None:
    done = call(*CALLS[name], "--quiet") if name != "plot" else call(*CALLS[name])
    assert done.code == 0, done.err
    assert "new/bm25" in done.out
    assert "main/bm25" in done.out
    assert "(1)" not in done.out


@pytest.mark.parametrize("name", ["retrieval", "holes", "ties", "cost", "risk", "explain", "plot"])
def test_a_tag_is_shown_with_its_file_below_every_table(name: str) -> None:
    asked = [each if each != "main/bm25.run" else "other.run" for each in CALLS[name]]
    done = call(*asked)
    assert "files: STANDARD = other.run" in done.out, done.err


def test_tables_to_be_read_by_programs_have_nothing_below() -> None:
    done = call("holes", "qrels.txt", "new/bm25.run", "other.run", "--format", "csv")
    assert "files:" not in done.out


def test_a_gate_over_tables_names_the_folders() -> None:
    done = call(
        *("gate", "classification", "new/pred.csv", "--baseline", "main/pred.csv"),
        *("--truth", "label", "--predicted", "guess", "--item", "id", "-m", "ACC"),
        *("--margin", "0.5"),
    )
    assert "new/pred " in done.out, done.err
    assert "main/pred" in done.out
    assert "(2)" not in done.out


def test_a_correlation_names_both_runs() -> None:
    done = call("correlation", "new/bm25.run", "main/bm25.run", "--format", "csv")
    assert "new/bm25 – main/bm25" in done.out, done.err
    assert "in new/bm25 and" in " ".join(done.err.split())
    page = call("report", "correlation", "new/bm25.run", "main/bm25.run", "-o", "p.html")
    assert page.code == 0, page.err
    assert "new/bm25" in Path("p.html").read_text()
