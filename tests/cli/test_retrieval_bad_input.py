"""Bad input gives one line with the place and what to do, never a traceback."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n"
RUN = "1 Q0 a 1 2.5 tag\n1 Q0 b 2 1.5 tag\n2 Q0 a 1 1.0 tag\n"
FULL = Path("/dev/full")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


BAD: dict[str, tuple[str | bytes, str]] = {
    "truncated gzip": (
        gzip.compress(RUN.encode() * 50)[:-20],
        "run: the compressed file is cut off",
    ),
    "damaged gzip": (
        gzip.compress(RUN.encode())[:-8] + b"\1" * 8,
        "run: the compressed file is damaged",
    ),
    "binary": (bytes(range(256)) * 4, "run: this looks like a binary file"),
    "utf-16": (RUN.encode("utf-16"), "run: this is UTF-16 text; save the file as UTF-8"),
    "too few fields": (RUN + "2 Q0 b 2\n", "run:4: 4 fields where 6 are expected"),
    "text for a number": (RUN.replace("1.5", "high"), "run:2: the score is 'high'"),
    "not a number": (RUN.replace("1.5", "nan"), "run:2: the score is not a number (NaN)"),
    "duplicate": (RUN + "\n1 Q0 a 9 0.5 tag\n", "run:5: the document a for query 1 occurs twice"),
    "empty": ("", "run: the file is empty"),
    "blank": (" \n\n", "run: the file is empty"),
    "comments only": ("# nothing\n", "run: the file has no lines to read"),
    "not UTF-8": (RUN.encode() + b"2 Q0 d\xff 2 0.5 tag\n", "run:4: this line is not UTF-8 text"),
    "no query in common": (RUN.replace("1 Q0", "7 Q0").replace("2 Q0", "8 Q0"), "run: none of its"),
    "zeros": (RUN.replace("1 Q0", "01 Q0").replace("2 Q0", "02 Q0"), "'01' and '1' differ only by"),
    "broken json": ('{"1": {"a": 2.5}', "run:1: not JSON"),
    "text in json": ('{"1": {"a": "x"}}', "run: a value is not a number"),
}


@pytest.mark.parametrize(("content", "said"), BAD.values(), ids=BAD.keys())
def test_bad_runs(content: str | bytes, said: str, folder: Path) -> None:
    (folder / "run").write_bytes(content.encode() if isinstance(content, str) else content)
    done = call("retrieval", "qrels", "run")
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert done.err.startswith("assay: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("command", ["retrieval", "check"])
@pytest.mark.parametrize(
    ("qrels", "run", "said"),
    [
        ("run", "qrels", "run:1: 6 fields where 4 are expected"),
        ("qrels", ".", ".: this is a folder, but a run is a file"),
        (".", "run", "not a BEIR folder"),
        ("qrels", "nothing", "nothing: there is no such file"),
        ("nothing", "run", "nothing: there is no such file"),
    ],
)
def test_wrong_files(command: str, qrels: str, run: str, said: str, folder: Path) -> None:
    done = call(command, qrels, run)
    assert done.code == 1
    assert said in done.err + done.out
    assert "Traceback" not in done.err


def test_swapped_files_are_hinted(folder: Path) -> None:
    assert "is this a run file? The judgments come first" in call("retrieval", "run", "qrels").err


def test_infinite_scores_are_told(folder: Path) -> None:
    (folder / "run").write_text(RUN.replace("2.5", "inf"))
    done = call("retrieval", "qrels", "run", "-m", "AP")
    assert done.code == 0
    assert "note: tag: 1 score is infinite" in done.err


def assay(arguments: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assay", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        **options,
    )


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["retrieval", "qrels", "run"],
        ["retrieval", "qrels", "run", "--format", "json"],
        ["check", "qrels", "run"],
        ["convert", "run", "-", "--output-format", "csv"],
        ["convert", "run", "/dev/full", "--output-format", "csv"],
        ["measures"],
    ],
    ids=" ".join,
)
def test_a_full_disk(arguments: list[str], folder: Path) -> None:
    with FULL.open("w") as full:
        done = assay(arguments, stdout=full)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def _closed(arguments: list[str]) -> tuple[int, str]:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as out:
        done = assay(arguments, stdout=out)
    return done.returncode, done.stderr


@pytest.mark.parametrize("arguments", [["retrieval", "qrels", "run"], ["convert", "run", "-"]])
def test_a_closed_pipe(arguments: list[str], folder: Path) -> None:
    code, said = _closed(arguments)
    assert code == 0
    assert "Traceback" not in said
    assert "Exception ignored" not in said


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--policy", "duplicates"), "'duplicates' is not NAME=CHOICE"),
        (
            ("--policy", "duplicates=both"),
            "must be one of 'error', 'first', 'last'",
        ),
        (("--policy", "duplicate=first"), "Did you mean duplicates?"),
        (("--policy", "depth=0"), "depth is a whole number from 1"),
        (("--input-format", "trek"), "Did you mean trec"),
        (("--profile", "trec"), "there is no profile 'trec'"),
        (("--order", "name"), "--order"),
    ],
)
def test_wrong_options(option: tuple[str, ...], said: str, folder: Path) -> None:
    done = call("retrieval", "qrels", "run", *option)
    assert done.code == 2
    assert said in done.err


def test_check_says_everything(folder: Path) -> None:
    (folder / "qrels").write_text(QRELS + "1 0 a 1\n3 0 x 0\n2 0 B 1.5\n")
    run = (
        RUN
        + "x\n2 Q0 a 5 9 tag\n2 Q0 c 2 nan tag\n2 Q0 d 3 inf t2\n2 Q0 b 4 inf tag\n4 Q0 a 1 1 t\n"
    )
    (folder / "run").write_text(run)
    done = call("check", "qrels", "run")
    assert done.code == 1
    for said in (
        "qrels:4: the judgment of document a for query 1 occurs twice, first at qrels:1",
        "qrels:6: the grade 1.5 is not a whole number",
        "qrels: 1 query without a relevant document (3)",
        "run:4: 1 field where 6 are expected",
        "run:5: the document a for query 2 occurs twice, first at run:3",
        "run:6: the score is not a number",
        "run:7: the score is infinite (2 such scores)",
        "3 run tags in one file",
        "1 judged query is not answered (3)",
        "1 query is unjudged (4)",
        "run:8: the document 'b' is unjudged, but 'B' is",
    ):
        assert said in done.out, said


def test_check_is_content_with_good_files(folder: Path) -> None:
    done = call("check", "qrels", "run", "--format", "json")
    assert done.code == 0
    assert '"severity": "error"' not in done.out


def test_check_sees_ranks_against_scores_and_ties_across_a_cutoff(folder: Path) -> None:
    lines = [f"1 Q0 d{n} {n} {9 if n in (5, 6) else 20 - n} tag\n" for n in range(1, 9)]
    (folder / "run").write_text("".join(lines))
    done = call("check", "qrels", "run")
    assert "run:7: the rank contradicts the score (in 1 query)" in done.out
    assert done.code == 0


def test_every_way_to_show_scores(folder: Path) -> None:
    table = call("retrieval", "qrels", "run", "-m", "AP", "--format", "latex").out
    assert table.splitlines()[:4] == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"retrieval & AP \\",
        r"\midrule",
    ]
    lines = call("retrieval", "qrels", "run", "-m", "AP", "--format", "trec", "--per-query").out
    assert "AP                    \t1\t1.0000" in lines
    assert lines.splitlines()[-1] == "AP                    \tall\t1.0000"


@pytest.fixture
def typed() -> Callable[..., str]:
    return lambda *arguments: call(*arguments).out


def test_convert(folder: Path, typed: Callable[..., str]) -> None:
    lost = "note: parquet holds no name of the run: tag is called run there, after the file\n"
    assert call("convert", "run", "run.parquet").err == f"{lost}3 rows written to run.parquet\n"
    assert typed("retrieval", "qrels", "run.parquet") == typed("retrieval", "qrels", "run")
    assert call("convert", "run.parquet", "again.run.gz").code == 0
    assert gzip.decompress((folder / "again.run.gz").read_bytes()).startswith(b"1 Q0 a 1 2.5 ")


@pytest.mark.parametrize("command", ["retrieval", "check"])
def test_judgments_of_other_queries_are_named(command: str, folder: Path) -> None:
    (folder / "other").write_text("NA 0 a 1\n")
    done = call(command, "other", "run")
    assert done.code == 1
    said = "run: none of its queries is judged (it answers 1, 2; judged in other are NA)"
    assert said in " ".join((done.out + done.err).split())
