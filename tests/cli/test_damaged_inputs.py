"""Damaged files that once ended in a traceback, or in a message without a place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import Called, call

RUN = "".join(f"{q} Q0 d{n} {n} {9 - n} one\n" for q in (1, 2) for n in range(5))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    Path("qrels.txt").write_text("1 0 d1 1\n2 0 d2 1\n")
    Path("one.run").write_text(RUN)
    Path("two.run").write_text(RUN.replace("one", "two"))


def refused(*words: str) -> Called:
    done = call(*words)
    assert done.code in (1, 2), done.out
    assert done.err.startswith("assay: ")
    return done


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-32"])
def test_json_lines_in_another_encoding(encoding: str) -> None:
    line = '{"truth": ["a", "b"], "predicted": ["a"]}\n'
    Path("sets.jsonl").write_bytes((line * 4).encode(encoding))
    assert "sets.jsonl" in refused("classification", "sets.jsonl", "--sets").err


def test_runs_of_which_nothing_is_kept() -> None:
    Path("empty.run").write_text("# a comment\n\n")
    for words in (
        ("next", "qrels.txt", "empty.run", "two.run"),
        ("correlation", "empty.run", "two.run"),
    ):
        done = call(*words)
        assert done.code in (0, 1), done.err


def test_correlation_of_runs_without_a_common_document() -> None:
    Path("other.run").write_text(RUN.replace(" d", " x"))
    assert call("correlation", "one.run", "other.run", "--resamples", "0").code in (0, 1)


@pytest.mark.parametrize("count", ["1e308", "-1", "nan", "inf", "1e17"])
def test_counts_beyond_whole_numbers(count: str) -> None:
    Path("matrix.csv").write_text(f"actual,a,b\na,3,{count}\nb,1,4\n")
    Path("methods.csv").write_text(f"method,tp,fp,fn,tn\nm,3,{count},2,4\n")
    for words in (
        ("confusion", "matrix.csv", "--rows", "actual"),
        ("plot", "methods", "methods.csv", "-o", "x.svg"),
    ):
        assert "a number from 0 to 9,007,199,254,740,992 is expected" in refused(*words).err


def test_a_damaged_parquet_file_is_called_damaged() -> None:
    import polars as pl

    pl.DataFrame({"query": ["1"], "doc": ["d"], "score": [1.0]}).write_parquet("run.parquet")
    whole = Path("run.parquet").read_bytes()
    size = int.from_bytes(whole[-8:-4], "little")
    broken = whole[: -8 - size] + bytes(size) + whole[-8:]
    Path("run.parquet").write_bytes(broken)
    said = refused("retrieval", "qrels.txt", "run.parquet").err
    assert "run.parquet: this Parquet file cannot be read: it is damaged; fetch or write it" in said


def test_messages_about_data_name_the_file() -> None:
    Path("scores.csv").write_text("system,query,AP\nA,1,0.5\nA,2,0.25\n")
    for command in ("compare", "power"):
        assert "assay: scores.csv: " in refused(command, "scores.csv").err
    Path("folds.csv").write_text("system,fold,ACC\nA,1a,0.5\nA,1b,0.25\nB,1a,0.5\nB,1b,0.3\n")
    assert (
        "assay: folds.csv: a 5 × 2 test" in refused("compare", "folds.csv", "--test", "5x2-t").err
    )
    Path("qrels.csv").write_text("query,doc,grade\n1,d 1,1\n")
    assert "assay: qrels.csv: the doc 'd 1'" in refused("convert", "qrels.csv", "out.txt").err
    Path("more.txt").write_text("1 0 d1 1\n7 0 d1 1\n")
    said = refused("trec_eval", "--profile", "trec_eval-10", "more.txt", "one.run").err
    assert "one.run: 1 of 2 judged topics of more.txt are not answered, the first is 7" in said


def test_a_wrong_option_does_not_name_a_file() -> None:
    Path("scores.csv").write_text("system,query,AP\nA,1,0.5\nA,2,0.25\nB,1,0.5\nB,2,0.3\n")
    assert "scores.csv" not in refused("compare", "scores.csv", "--test", "nothing").err


def test_findings_have_no_control_characters() -> None:
    Path("odd.run").write_text(RUN.replace(" d3 ", " d\x1b[31m3 ") + "1 Q0 d\x1b[31m3 9 9 one\n")
    assert "\x1b[31m" not in call("check", "qrels.txt", "odd.run").out
