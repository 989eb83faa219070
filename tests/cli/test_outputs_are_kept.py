"""Nothing that was given, asked for or found is lost without a word."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay

QRELS = "".join(f"{query} 0 D{doc} {doc % 2}\n" for query in range(9) for doc in range(6))
RUN = "".join(f"{query} Q0 D{doc} 1 {9 - doc} a\n" for query in range(9) for doc in range(6))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(RUN.replace(" a\n", " b\n"))
    (tmp_path / "labels.csv").write_text("label,old,new,p\nyes,yes,no,.9\nno,no,no,.1\n")
    (tmp_path / "header.csv").write_text("label,old,new,p\n")
    return tmp_path


def test_an_option_that_is_taken_once_is_not_given_twice(folder: Path) -> None:
    done = call("classification", "labels.csv", "--truth", "label", "--truth", "old")
    assert done.code == 2
    assert "--truth is given 2 times, but taken once" in done.err


def test_the_truth_is_one_column(folder: Path) -> None:
    with pytest.raises(assay.AssayError, match="the name of one column, not a list"):
        assay.classification("labels.csv", truth=["label"], predicted="old")


@pytest.mark.parametrize(
    ("command", "column"),
    [("classification", "--score"), ("classification", "--predicted"), ("threshold", "--score")],
)
def test_a_table_without_rows(folder: Path, command: str, column: str) -> None:
    done = call(command, "header.csv", "--truth", "label", column, "p")
    assert done.code == 1
    assert "header.csv: there are no rows to evaluate" in done.err


def test_a_gate_does_not_hold_because_nothing_is_judged(folder: Path) -> None:
    (folder / "lower.txt").write_text(QRELS.lower())
    words = ("a.run", "--baseline", "b.run", "-m", "AP", "--margin", "0.01")
    assert call("gate", "retrieval", "qrels.txt", *words).code == 0
    done = call("gate", "retrieval", "lower.txt", *words)
    assert done.code == 1
    assert "no document of a or b is judged, so that nothing can be checked" in done.err


def test_a_baseline_that_is_no_file_either(folder: Path) -> None:
    done = call("gate", "retrieval", "qrels.txt", "a.run", "--baseline", "c.run", "--margin", "0")
    assert done.code == 2
    assert "'c.run' is not among the systems: a, nor is there such a file" in done.err


def test_one_number_is_explained_at_a_time(folder: Path) -> None:
    done = call("explain", "retrieval", "qrels.txt", "a.run", "-m", "AP RR", "--query", "1")
    assert done.code == 2
    assert "one number is explained at a time: name AP or RR" in done.err


def test_scores_are_kept_although_nobody_reads_the_output(folder: Path) -> None:
    words = ["retrieval", "qrels.txt", "a.run", "--save", "kept.parquet"]
    with subprocess.Popen([sys.executable, "-m", "assay", *words], stdout=subprocess.PIPE) as done:
        assert done.stdout is not None
        done.stdout.close()
    assert assay.load("kept.parquet").systems == ("a",)


def test_inputs_are_hashed_where_their_digests_are_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = f"sha256:{hashlib.sha256(RUN.encode()).hexdigest()}"
    done = call("retrieval", "qrels.txt", "a.run", "-m", "AP", "--format", "json")
    assert json.loads(done.out)["conventions"]["inputs"]["a"] == expected
    assert call("retrieval", "qrels.txt", "a.run", "--save", "scores.parquet").code == 0
    assert assay.load("scores.parquet").conventions["inputs"]["a"] == expected
    hashed: list[bytes] = []

    class Digest:
        update = hashed.append

        def hexdigest(self) -> str:
            return ""

    monkeypatch.setattr("assay.formats.input_files.hashlib.sha256", Digest)
    assert call("retrieval", "qrels.txt", "a.run", "-m", "AP").out.splitlines()[1].startswith("AP")
    assert RUN.encode() not in hashed
    assay.retrieval("qrels.txt", "a.run", "AP")
    assert RUN.encode() in hashed
