from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.conftest import ROOT

from assay.core.errors import AssayError, DataError, FormatError, UsageError
from assay.formats import containers
from assay.formats.containers import formats
from assay.formats.conversion import convert
from assay.formats.input_files import Input

zstandard = pytest.importorskip("zstandard")

ROWS = [("1", "d1", 2.5), ("1", "d2", 2.0), ("1", "d3", -1e-9), ("02", "d1", 7.0), ("é", "x", 0.1)]
GRADES = [("1", "d1", 2.0), ("1", "d2", 0.0), ("1", "d3", -1.0), ("02", "d1", 1.0), ("é", "x", 1.0)]
LINES = "".join(f"{q} Q0 {d} {n} {s!r} tag\n" for n, (q, d, s) in enumerate(ROWS, 1))
QRELS = "".join(f"{q} 0 {d} {g:g}\n" for q, d, g in GRADES)


def written(folder: Path, content: str | bytes, name: str = "file.run") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows(path: Path | str, **options: str) -> list[tuple]:
    return containers.to_run(path, **options).frame.select("query", "doc", "score").rows()


IRREGULAR = {
    "as it is": LINES,
    "tabs": LINES.replace(" ", "\t"),
    "blanks and tabs": LINES.replace(" Q0 ", "\tQ0 "),
    "repeated blanks": LINES.replace(" ", "   "),
    "indented": "  " + LINES.replace("\n", "\n \t"),
    "trailing": LINES.replace("\n", " \n"),
    "windows": LINES.replace("\n", "\r\n"),
    "old mac": LINES.replace("\n", "\r"),
    "no last line end": LINES.rstrip("\n"),
    "comments": "# made by hand\n" + LINES.replace("02 Q0", "  # more\n\n02 Q0"),
    "more columns": LINES.replace("tag", "tag more fields"),
    "more columns here and there": LINES.replace("3 -1e-09 tag", "3 -1e-09 tag and a remark"),
    "mark of byte order": "\ufeff" + LINES,
    "form feed": LINES.replace(" Q0 ", "\fQ0\f"),
}


@pytest.mark.parametrize("content", IRREGULAR.values(), ids=IRREGULAR.keys())
def test_white_space_of_any_kind(content: str, tmp_path: Path) -> None:
    assert rows(written(tmp_path, content)) == ROWS


@pytest.mark.parametrize("content", IRREGULAR.values(), ids=IRREGULAR.keys())
@pytest.mark.parametrize("size", [1, 20, 64])
def test_pieces_of_any_size(content: str, size: int, tmp_path: Path) -> None:
    from assay.formats import input_files

    path = written(tmp_path, content)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(input_files.Input.pieces, "__defaults__", (size,))
        assert rows(path) == ROWS
        assert containers.to_run(path).source.place(4) == containers.to_run(path).source.place(4)


def test_a_row_knows_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, IRREGULAR["comments"])
    assert containers.to_run(path).source.place(0) == f"{path}:2"
    assert containers.to_run(path).source.place(3) == f"{path}:7"


@pytest.mark.parametrize("pack", ["gzip", "zstd", "two members"])
def test_packed(pack: str, tmp_path: Path) -> None:
    content = LINES.encode()
    packed = {
        "gzip": gzip.compress(content),
        "zstd": zstandard.compress(content),
        "two members": gzip.compress(content[:40]) + gzip.compress(content[40:]),
    }[pack]
    assert rows(written(tmp_path, packed)) == ROWS
    for cut in range(5, len(packed) - 1, 7):
        with pytest.raises(FormatError, match=r"cut off|damaged|fields|empty|expected"):
            assert rows(written(tmp_path, packed[:cut])) != ROWS


def test_two_frames_of_zstd(tmp_path: Path) -> None:
    content = LINES.encode()
    packed = zstandard.compress(content[:40]) + zstandard.compress(content[40:])
    assert rows(written(tmp_path, packed)) == ROWS


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        buffer = io.BytesIO(gzip.compress(LINES.encode()))

    monkeypatch.setattr(sys, "stdin", Terminal)
    given = containers.to_run("-")
    assert given.frame.select("query", "doc", "score").rows() == ROWS
    assert given.frame.height == sum(piece.height for piece in given.pieces())
    with pytest.raises(UsageError, match="only once"):
        containers.to_runs(["-", "-"])


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_once_and_kept(pack: Callable[[bytes], bytes]) -> None:
    ends = os.pipe()
    os.write(ends[1], pack(LINES.encode()))
    os.close(ends[1])
    given = containers.to_run(f"/dev/fd/{ends[0]}")
    assert given.frame.select("query", "doc", "score").rows() == ROWS
    assert given.digest().startswith("sha256:")
    os.close(ends[0])


@pytest.mark.parametrize(
    "name", [name for name, form in formats().items() if name != "msmarco" and form.endings]
)
@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
def test_there_and_back(name: str, packing: str, tmp_path: Path) -> None:
    form = formats()[name]
    run = written(tmp_path, LINES)
    there = tmp_path / f"there{form.endings[0]}{packing}"
    convert(run, there)
    assert containers.open_file(there, "run")[0].name == name
    assert rows(there) == ROWS
    back = tmp_path / "back.run"
    convert(there, back, kind="run")
    assert rows(back) == ROWS
    qrels = written(tmp_path, QRELS, "qrels.txt")
    convert(qrels, tmp_path / f"qrels{form.endings[0]}{packing}")
    again = containers.to_judgments(tmp_path / f"qrels{form.endings[0]}{packing}").frame
    assert again.select("query", "doc", "grade").rows() == GRADES


def test_ms_marco(tmp_path: Path) -> None:
    path = written(tmp_path, "7\t11\t1\n7\t12\t2\n8\t11\t1\n", "run.tsv")
    assert rows(path) == [("7", "11", -1.0), ("7", "12", -2.0), ("8", "11", -1.0)]
    assert [row[0] for row in containers.to_run(path).frame.select("rank").rows()] == [1, 2, 1]
    scored = written(tmp_path, "7\t11\t1\t9.5\n7\t12\t2\t9.25\n", "ranking.tsv")
    assert rows(scored) == [("7", "11", 9.5), ("7", "12", 9.25)]
    qrels = written(tmp_path, "7\t0\t11\t1\n", "qrels.dev.tsv")
    assert containers.to_judgments(qrels).frame.rows() == [("7", "11", 1.0)]
    _, notes = convert(written(tmp_path, LINES), tmp_path / "out.msmarco")
    assert notes == [
        "msmarco holds no score: it is left out",
        "msmarco holds no name of the run: tag is called out.msmarco there, after the file",
    ]
    assert (tmp_path / "out.msmarco").read_text().splitlines()[0] == "1\td1\t1"


def test_beir_folder(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    text = "query-id\tcorpus-id\tscore\n1\t007\t1\n1\td2\t0\n"
    (tmp_path / "qrels" / "test.tsv").write_text(text)
    (tmp_path / "qrels" / "dev.tsv").write_text(text.replace("007", "8"))
    assert containers.to_judgments(tmp_path).frame.rows() == [("1", "007", 1.0), ("1", "d2", 0.0)]
    (tmp_path / "qrels" / "test.tsv").rename(tmp_path / "qrels" / "train.tsv")
    with pytest.raises(DataError, match=r"more than one file, and no test\.tsv"):
        containers.to_judgments(tmp_path)
    with pytest.raises(DataError, match="not a BEIR folder"):
        containers.to_judgments(tmp_path / "qrels")


def test_columns_under_other_names(tmp_path: Path) -> None:
    path = written(tmp_path, "Query_ID;docno;sim;run\n01;d;1.5;mine\n", "x.csv")
    read = containers.to_run(path)
    assert (read.name, rows(path)) == ("mine", [("01", "d", 1.5)])
    lines = written(tmp_path, '{"qid": "1", "docid": "d", "rel": 2}\n', "x.jsonl")
    assert containers.to_judgments(lines).frame.rows() == [("1", "d", 2.0)]
    listed = written(tmp_path, '[{"qid": 1, "docid": "d", "score": 2}]', "x.json")
    assert rows(listed) == [("1", "d", 2.0)]
    with pytest.raises(FormatError, match="no column for the doc among qid, dok, score"):
        containers.to_run(written(tmp_path, "qid,dok,score\n1,d,2\n", "y.csv"))


def test_json_keeps_empty_lists_and_refuses_repeated_keys(tmp_path: Path) -> None:
    path = written(tmp_path, '{"q1": {"d": 1.5}, "q2": {}}', "x.json")
    assert containers.to_run(path).empty == ("q2",)
    convert(path, tmp_path / "y.json")
    assert json.loads((tmp_path / "y.json").read_text()) == {"q1": {"d": 1.5}, "q2": {}}
    twice = written(tmp_path, '{"q1": {"d": 1.5, "d": 2}}', "twice.json")
    with pytest.raises(FormatError, match="the key 'd' occurs twice"):
        containers.to_run(twice)


def test_sampled_judgments(tmp_path: Path) -> None:
    prels = written(tmp_path, "1 clueweb-a 2 1 0.25\n1 clueweb-b 0 0 1\n", "prels.txt")
    frame = containers.to_judgments(prels).frame
    assert frame.rows(named=True)[0] == {
        "query": "1", "doc": "clueweb-a", "grade": 2.0, "stratum": "1", "probability": 0.25,
    }  # fmt: skip
    strata = written(tmp_path, "1 0 a 3 2\n1 0 b 1 0\n", "strata.txt")
    assert containers.to_judgments(strata).frame["stratum"].to_list() == ["3", "1"]
    for path in (prels, strata):
        convert(path, tmp_path / "again.txt")
        assert containers.to_judgments(tmp_path / "again.txt").frame.equals(
            containers.to_judgments(path).frame
        )
    with pytest.raises(FormatError, match="cannot hold the stratum"):
        convert(strata, tmp_path / "x.json")


def test_subtopics(tmp_path: Path) -> None:
    path = written(tmp_path, "1 2 a 1\n1 3 a 0\n", "qrels.txt")
    assert containers.to_judgments(path).frame["subtopic"].to_list() == ["2", "3"]
    plain = written(tmp_path, "1 0 a 1.5\n1 Q0 b -2\n", "plain.txt")
    assert containers.to_judgments(plain).frame.columns == ["query", "doc", "grade"]


def test_names_of_runs(tmp_path: Path) -> None:
    for name in ("a.run", "b.run.gz", "c.txt"):
        content = (LINES if name != "c.txt" else LINES.replace("tag", "other")).encode()
        written(tmp_path, gzip.compress(content) if name.endswith("gz") else content, name)
    paths = [tmp_path / "a.run", tmp_path / "b.run.gz", tmp_path / "c.txt", tmp_path / "a.run"]
    assert [run.name for run in containers.to_runs(paths)] == ["a (1)", "b", "other", "a (2)"]
    frames = [pl.DataFrame(ROWS, schema=["query", "doc", "score"], orient="row")] * 2
    assert [run.name for run in containers.to_runs(frames)] == ["run (1)", "run (2)"]
    assert [run.name for run in containers.to_runs({"x": frames[0], "y": paths[0]})] == ["x", "y"]


def test_a_format_may_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, LINES)
    assert rows(path, format_name="trec") == ROWS
    with pytest.raises(AssayError):
        rows(path, format_name="json")
    with pytest.raises(UsageError, match=r"no format 'trek'.*Did you mean trec"):
        rows(path, format_name="trek")


def test_the_fingerprint_is_that_of_the_file(tmp_path: Path) -> None:
    import hashlib

    for content in (LINES.encode(), gzip.compress(LINES.encode())):
        path = written(tmp_path, content)
        expected = f"sha256:{hashlib.sha256(content).hexdigest()}"
        before = containers.to_run(path)
        assert before.digest() == expected
        list(before.pieces())
        assert before.digest() == expected
        assert Input(path).digest() == expected


def test_a_missing_library_names_the_extra(tmp_path: Path) -> None:
    path = written(tmp_path, zstandard.compress(LINES.encode()))
    program = (
        "import sys; sys.modules['zstandard'] = None\n"
        f"from assay.cli import main; main(['retrieval', {str(path)!r}, {str(path)!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    assert done.returncode == 2
    assert 'pip install "assay-eval[zstd]"' in done.stderr


def test_dicts_with_numbers_as_ids() -> None:
    read = containers.to_run({1: {7: 2, "8": 1.5}, 2: {}})
    assert read.frame.rows() == [("1", "7", 2.0), ("1", "8", 1.5)]
    assert read.empty == ("2",)
    with pytest.raises(DataError, match="the score of document a for query q is 'x'"):
        list(containers.to_run({"q": {"b": 1, "a": "x"}}).pieces())


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ({"a": 1, "b": 2}, [1.0, 2.0]),
        ({"a": 1, "b": 0.5, "c": True}, [1.0, 0.5, 1.0]),
        ({"a": 1, "b": 2**70}, [1.0, float(2**70)]),
        ({"a": np.int32(3), "b": 1}, [3.0, 1.0]),
    ],
)
def test_grades_in_dicts_may_be_any_numbers(grades: dict, expected: list[float]) -> None:
    assert containers.to_judgments({"q": {}, "1": grades}).frame["grade"].to_list() == expected


def test_a_grade_in_a_dict_that_is_none_is_told() -> None:
    with pytest.raises(AssayError, match="row 2: the grade is nan, but a finite number"):
        containers.to_judgments({"1": {"a": 1, "b": None}})


def test_quotation_marks_in_ids_stay_as_they_are_in_trec_files(tmp_path: Path) -> None:
    path = written(tmp_path, 'query,doc,score\n1,"a""b",2.5\n', "x.csv")
    convert(path, tmp_path / "x.run")
    assert (tmp_path / "x.run").read_text() == '1 Q0 a"b 1 2.5 x\n'
    assert rows(tmp_path / "x.run") == [("1", 'a"b', 2.5)]


@pytest.mark.parametrize(
    ("name", "content", "modules"),
    [
        ("x.run", LINES, {"trec"}),
        ("x.qrels", QRELS, {"trec"}),
        ("x.csv", "query,doc,score\n1,a,2.5\n", {"trec", "delimited", "parquet"}),
    ],
)
def test_formats_are_imported_only_to_detect_files_that_are_not_trec(
    name: str, content: str, modules: set[str], tmp_path: Path
) -> None:
    path = written(tmp_path, content, name)
    kind = "qrels" if name == "x.qrels" else "run"
    code = (
        "import sys; from assay.formats.containers import open_file;"
        f"open_file({str(path)!r}, {kind!r});"
        "print(*(name.split('.')[-1] for name in sys.modules if 'formats.files.' in name))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert imported == modules if modules == {"trec"} else imported > modules


PIPES = """
from assay.formats.files.delimited import Delimited


class Bars(Delimited):
    name = "bars"
    about = "query, doc and score between double bars"
    endings = (".bars",)

    def matches(self, file, kind):
        return file.start.startswith(b"query||")

    def read_frame(self, file):
        import polars as pl
        from assay.core.tables import Source

        lines = [line.split("||") for line in file.content().decode().splitlines()]
        return pl.DataFrame(lines[1:], schema=lines[0], orient="row"), Source(file.name)

    def write(self, table, rows):
        lines = [rows.columns, *rows.iter_rows()]
        yield "".join("||".join(map(str, line)) + "\\n" for line in lines).encode()


FORMAT = Bars()
"""


def test_a_format_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.formats import files

    (tmp_path / "bars.py").write_text(PIPES)
    monkeypatch.setattr(files, "__path__", [*files.__path__, str(tmp_path)])
    formats.cache_clear()
    try:
        convert(written(tmp_path, LINES), tmp_path / "x.bars")
        assert containers.open_file(tmp_path / "x.bars", "run")[0].name == "bars"
        assert rows(tmp_path / "x.bars") == ROWS
    finally:
        formats.cache_clear()
        sys.modules.pop("assay.formats.files.bars", None)


def test_small_pieces_have_the_same_rows(tmp_path: Path) -> None:
    lines = (f"q{n // 9} Q0 {n:0200} {n % 9 + 1} {-n} tag\n" for n in range(3_000))
    run = containers.to_run(written(tmp_path, "".join(lines).encode()))
    pieces = list(run.unhashed(small_pieces=True).pieces(rank=True))
    assert len(pieces) > 2
    assert pl.concat(pieces).equals(run.frame)
