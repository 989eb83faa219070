"""The command line: results, formats, errors and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.terminal import Called, call

QRELS = "301 0 a 2\n301 0 b 0\n301 0 c 1\n302 0 d 1\n"
RUN = "301 Q0 c 1 3.0 bm25\n301 Q0 x 2 2.5 bm25\n301 Q0 a 3 2.0 bm25\n302 Q0 d 1 1.0 bm25\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(RUN)
    (tmp_path / "dense.run").write_text(RUN.replace("bm25", "dense").replace("3.0", "1.0"))
    (tmp_path / "predictions.csv").write_text(
        "label,guess,p\nyes,yes,0.9\nno,yes,0.6\nno,no,0.2\nyes,no,0.4\n"
    )
    (tmp_path / "clusters.csv").write_text("c,topic\n1,x\n1,x\n2,o\n2,x\n")
    return tmp_path


GOLDEN = """\
system               nDCG@10                    AP
bm25    0.8801 [.000, 1.000]  0.9167 [.000, 1.000]
dense   0.8348 [.000, 1.000]  0.7917 [.000, 1.000]
"""


def test_a_leaderboard(folder: Path) -> None:
    done = call("retrieval", "qrels.txt", "bm25.run", "dense.run", "-m", "nDCG@10 AP")
    assert done.code == 0, done.err
    assert done.out.startswith(GOLDEN), done.out
    assert "[low, high]: 95% interval\n" in done.out
    assert "at most 10 units: Student's t" in done.out


def test_formats_say_the_same(folder: Path) -> None:
    arguments = ("retrieval", "qrels.txt", "bm25.run", "-m", "AP")
    content = json.loads(call(*arguments, "--format", "json").out)
    assert content["summary"][0]["value"] == pytest.approx(11 / 12, abs=1e-15)
    for separator, name in ((",", "csv"), ("\t", "tsv")):
        head, row = call(*arguments, "--format", name).out.strip().splitlines()
        fields = dict(zip(head.split(separator), row.split(separator), strict=True))
        assert float(fields["value"]) == content["summary"][0]["value"]
    markdown = call(*arguments, "--format", "markdown").out.splitlines()
    assert markdown[1] == "| --- | --- |"
    assert "0.9167" in markdown[2]


def test_per_query(folder: Path) -> None:
    done = call("retrieval", "qrels.txt", "bm25.run", "-m", "AP RR", "--per-query")
    assert [line.split() for line in done.out.splitlines()] == [
        ["system", "query", "AP", "RR"],
        ["bm25", "301", "0.8333", "1.0000"],
        ["bm25", "302", "1.0000", "1.0000"],
    ]


def test_saved_scores_come_back(folder: Path) -> None:
    import assay

    done = call("retrieval", "qrels.txt", "bm25.run", "-m", "AP", "--save", "scores.parquet")
    assert "saved: scores.parquet" in done.err
    assert assay.load("scores.parquet")["AP"] == {"bm25": pytest.approx(11 / 12)}


def test_explain_names_the_documents(folder: Path) -> None:
    done = call("explain", "retrieval", "qrels.txt", "bm25.run", "-m", "nDCG@3", "--query", "301")
    assert done.out.splitlines()[0] == "nDCG@3 = 0.7602"
    rows = [line.split() for line in done.out.splitlines() if line.strip()[:1] in {"1", "2", "3"}]
    assert [row[1] for row in rows] == ["c", "x", "a"]
    done = call(
        "explain",
        "classification",
        "predictions.csv",
        "-m",
        "MCC",
        "--truth",
        "label",
        "--predicted",
        "guess",
    )
    assert "MCC = 0.0000" in done.out


def test_other_tasks(folder: Path) -> None:
    done = call(
        "classification",
        "predictions.csv",
        "--truth",
        "label",
        "--predicted",
        "guess",
        "--score",
        "p",
    )
    assert {line.split()[0] for line in done.out.splitlines()[1:9]} >= {"ACC", "AUC", "MCC"}
    done = call("clustering", "clusters.csv", "--cluster", "c", "--classes", "topic")
    assert "purity" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("retrieval", "missing.txt", "bm25.run"), 1, "assay: missing.txt: there is no such file"),
        (("retrieval", ".", "bm25.run"), 1, "this is a folder"),
        (("retrieval", "qrels.txt", "bm25.run", "-m", "nDGC"), 2, "Did you mean nDCG"),
        (
            ("retrieval", "qrels.txt", "bm25.run", "--profile", "trec"),
            2,
            "there is no profile 'trec'",
        ),
        (("retrieval", "qrels.txt"), 2, "Missing argument"),
        (("retreival",), 2, "Did you mean retrieval"),
        (
            ("classification", "predictions.csv", "--truth", "lable", "--predicted", "guess"),
            2,
            "there is no column 'lable' for --truth among label, guess, p. Did you mean label",
        ),
        (("classification", "predictions.csv", "--truth", "label"), 2, "name the column"),
        (
            ("explain", "retrieval", "qrels.txt", "bm25.run", "-m", "AP", "--query", "3O1"),
            1,
            "the query '3O1' has no judgments. Did you mean 301",
        ),
        (("measures", "nope"), 2, "there is no measure called 'nope'"),
    ],
)
def test_mistakes_end_in_one_line_and_an_exit_code(
    arguments: tuple[str, ...], code: int, message: str, folder: Path
) -> None:
    done: Called = call(*arguments)
    assert done.code == code
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_bad_line_is_named(folder: Path) -> None:
    (folder / "bad.run").write_text(RUN + "302 Q0 e 2\n")
    done = call("retrieval", "qrels.txt", "bad.run")
    assert done.code == 1
    assert "bad.run:5: 4 fields where 6 are expected" in done.err


def test_measures_lists_and_explains() -> None:
    assert "nDCG" in call("measures").out
    assert "no document with a gain is known" in call("measures", "ndcg").out
    assert "purity" not in call("measures", "--task", "retrieval").out
    assert call("measures", "retrieval").out == call("measures", "--task", "retrieval").out
