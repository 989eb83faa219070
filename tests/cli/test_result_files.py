"""``-o`` of commands that print a result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 d 1\n"
RUN = "1 Q0 b 1 3 bm25\n1 Q0 a 2 2 bm25\n2 Q0 a 1 3 bm25\n"
OTHER = "1 Q0 a 1 9 dense\n2 Q0 d 1 3 dense\n2 Q0 a 2 2 dense\n"
RETRIEVAL = ("retrieval", "qrels.txt", "bm25.run", "dense.run", "-m", "AP RR")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(RUN)
    (tmp_path / "dense.run").write_text(OTHER)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "form"),
    [
        ("s.csv", "csv"),
        ("s.tsv", "tsv"),
        ("s.json", "json"),
        ("s.md", "markdown"),
        ("s.tex", "latex"),
        ("s.html", "html"),
        ("s.txt", "table"),
    ],
)
@pytest.mark.parametrize("words", [RETRIEVAL, ("compare", *RETRIEVAL), ("holes", *RETRIEVAL[1:4])])
def test_the_extension_sets_the_format(words: tuple[str, ...], file: str, form: str) -> None:
    printed = call(*words, "--format", form)
    written = call(*words, "-o", file)
    assert written.out == ""
    assert written.err.endswith(f"wrote {file}\n")
    assert Path(file).read_text() == printed.out


def test_a_gate_is_saved_as_in_python() -> None:
    words = ("gate", *RETRIEVAL[:3], "-m", "RR", "--floor", "0.5")
    shown = call(*words, "--save", "gate.xml")
    assert shown.out.startswith("The gate holds: 1 check.")
    assert Path("gate.xml").read_text().startswith("<?xml")
    assert call(*words, "--format", "markdown", "--save", "gate.json").out.startswith(
        "### The gate"
    )
    loaded = assay.load("gate.json")
    assert (loaded.holds, loaded.checks[0].found) == (True, 0.75)
    call(*words, "-o", "printed.json")
    with pytest.raises(assay.AssayError, match=r"a gate with --save gate\.json"):
        assay.load("printed.json")
    call(*words, "-o", "printed.xml")
    assert Path("printed.xml").read_text() == loaded.to_junit() + "\n"
    call(*words, "--save", "gate.md")
    assert Path("gate.md").read_text().startswith("### The gate")
    call(*words, "--save", "gate.log")
    assert Path("gate.log").read_text() == shown.out


def test_a_named_format_wins() -> None:
    call(*RETRIEVAL, "-o", "scores.dat", "--format", "json", "--quiet")
    assert json.loads(Path("scores.dat").read_text())["task"] == "retrieval"


def test_a_parquet_file_is_saved() -> None:
    shown = call(*RETRIEVAL, "-o", "scores.parquet")
    assert "0.7500" in shown.out
    assert assay.load("scores.parquet")["RR"] == {"bm25": 0.75, "dense": 1.0}


def test_other_extensions_are_refused() -> None:
    failed = call(*RETRIEVAL, "-o", "scores.xyz")
    assert failed.code == 2
    assert ".csv, .html, .json, .md, .tex, .tsv, .txt, .parquet, or give --format" in failed.err
    assert not Path("scores.xyz").exists()


def test_no_file_without_a_result_and_no_input_is_lost() -> None:
    call("retrieval", "qrels.txt", "absent.run", "-o", "s.csv")
    assert not Path("s.csv").exists()
    call(*RETRIEVAL, "-o", "qrels.txt")
    assert Path("qrels.txt").read_text() == QRELS
    call("retrieval", "-o", "s.csv")  # arguments are missing
    assert "AP" in call(*RETRIEVAL).out


def test_two_files_of_scores_are_refused() -> None:
    done = call(*RETRIEVAL, "-o", "a.parquet", "--save", "b.parquet")
    assert done.code == 2
    assert "-o a.parquet saves the scores as --save does" in done.err
    assert not Path("b.parquet").exists()


def test_standard_output() -> None:
    assert call(*RETRIEVAL, "-o", "-").out == call(*RETRIEVAL).out


def test_a_gate_that_fails_writes_its_file() -> None:
    words = ("gate", *RETRIEVAL, "--floor", "AP=0.99", "-o", "gate.xml")
    done = call(*words)
    assert done.code == 3
    assert "does not hold" in done.err
    assert Path("gate.xml").read_text().startswith("<?xml")


def test_each_system_is_checked_against_the_one_of_its_name() -> None:
    """A saved baseline of two systems, in another order, and a file of two."""
    rows = [(n, n % 2, 0.1 + 0.8 * (n % 2), (7 * n % 12) / 12) for n in range(12)]
    text = "".join(f"{n},{y},{a},{b}\n" for n, y, a, b in rows)
    Path("main.csv").write_text("id,y,a,b\n" + text)
    Path("bad.csv").write_text("id,y,b,a\n" + text)  # the scores of a are those of b
    columns = ("--truth", "y", "--item", "id", "-m", "Brier")
    systems = ("--score", "a", "--score", "b")
    call("classification", "main.csv", *columns, *systems[2:], *systems[:2], "-o", "main.parquet")
    words = ("gate", "classification", "main.csv", *columns, "--margin", "0.001")
    for baseline in ("main.parquet", str(Path("main.csv").rename("old.csv"))):
        Path("main.csv").write_text(Path("old.csv").read_text())
        same = call(*words, *systems, "--baseline", baseline)
        assert (same.code, "holds: 2 checks" in same.out) == (0, True)
        other = (*words[:2], "bad.csv", *words[3:], *systems, "--baseline", baseline)
        swapped = call(*other)
        assert swapped.code == 3
        assert "1 of 2 checks failed" in swapped.out
        assert "against a (baseline)" in swapped.out
    call("classification", "main.csv", *columns, *systems, "-o", "new.parquet")
    saved = call("gate", "new.parquet", "--baseline", "main.parquet", "--margin", "0.001")
    assert (saved.code, "holds: 2 checks" in saved.out) == (0, True)
    refused = call(*words, "--score", "a", "--baseline", "main.parquet")
    assert refused.code == 2
    assert "the baseline has the scores of 2 systems (b, a)" in refused.err


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_file_of_two_tables_has_a_note(ending: str) -> None:
    rows = "".join(f"{n % 2},{(7 * n % 12) / 12}\n" for n in range(12))
    Path("items.csv").write_text("y,p\n" + rows)
    words = ("threshold", "items.csv", "--truth", "y", "--score", "p", "--goal", "youden")
    both = (*words, "--evaluate", "items.csv")
    done = call(*both, "-o", f"t.{ending}")
    assert f"t.{ending} has 2 tables" in done.err
    assert "--format json" in done.err
    assert done.err.endswith(f"wrote t.{ending}\n")
    assert "\n\n" in Path(f"t.{ending}").read_text()
    for other in ((*both, "-o", "t.json"), (*words, "-o", f"t.{ending}"), (*both, "-o", "t.txt")):
        assert "2 tables" not in call(*other).err
    assert call(*both, "-o", f"t.{ending}", "--quiet").err == ""


def test_saved_scores_are_the_baseline_of_a_task() -> None:
    Path("main.csv").write_text("id,y,p\n" + "".join(f"{n},{n},{n + 1}\n" for n in range(12)))
    Path("new.csv").write_text("id,y,p\n" + "".join(f"{n},{n},{n + 2}\n" for n in range(12)))
    columns = ("--truth", "y", "--predicted", "p", "--item", "id", "-m", "MAE")
    call("regression", "main.csv", *columns, "-o", "main.parquet", "--quiet")
    words = ("gate", "regression", "new.csv", *columns, "--margin", "0.1", "--format", "csv")
    saved, file = (call(*words, "--baseline", name) for name in ("main.parquet", "main.csv"))
    assert (saved.code, saved.out) == (3, file.out)
