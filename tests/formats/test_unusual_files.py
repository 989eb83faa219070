"""Files that others write: read where the meaning is clear, refused with the line where not."""

from __future__ import annotations

import bz2
import json
import lzma
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assay
from assay.core.errors import AssayError
from assay.formats.containers import read_table, to_judgments
from assay.formats.conversion import convert
from assay.formats.text_by_id import read_texts

ROWS = [("q1", "d1", 1.0), ("q2", "d2", 0.0)]
LINES = "q1 0 d1 1\nq2 0 d2 0\n"
RECORDS = [{"query": query, "doc": doc, "grade": grade} for query, doc, grade in ROWS]
JSON_LINES = "".join(f"{json.dumps(record)}\n" for record in RECORDS)
WIDE = {f"column_{n:05d}": 1 for n in range(12_000)}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bzip2.txt.bz2", bz2.compress(LINES.encode())),
        ("xz.txt.xz", lzma.compress(LINES.encode())),
        ("mark.jsonl", b"\xef\xbb\xbf" + JSON_LINES.encode()),
        ("returns.jsonl", JSON_LINES.replace("\n", "\r").encode()),
        ("returns.csv", b"query,doc,grade\rq1,d1,1\rq2,d2,0\r"),
        ("returns.txt", LINES.replace("\n", "\r").encode()),
        ("header.csv", f"query,doc,grade,{'x' * 70_000}\nq1,d1,1,2\nq2,d2,0,2\n".encode()),
        ("wide.jsonl", "".join(f"{json.dumps(each | WIDE)}\n" for each in RECORDS).encode()),
        ("id.csv", b"query,qid,doc,grade\nwhat is x,q1,d1,1\nwhat is y,q2,d2,0\n"),
        ("records.json", json.dumps(RECORDS, indent=1).encode()),
    ],
)
def test_read(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert to_judgments(tmp_path / name).frame.select("query", "doc", "grade").rows() == ROWS


@pytest.mark.parametrize("ending", [".bz2", ".xz"])
def test_compressed_output_is_read_back(tmp_path: Path, ending: str) -> None:
    (tmp_path / "q.txt").write_text(LINES)
    convert(tmp_path / "q.txt", tmp_path / f"q.txt{ending}")
    assert to_judgments(tmp_path / f"q.txt{ending}").frame.rows() == ROWS


def test_a_file_may_not_unpack_to_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "q.txt.xz"
    path.write_bytes(lzma.compress(LINES.encode() * 10_000))
    monkeypatch.setenv("ASSAY_MAX_UNPACKED", "100000")
    with pytest.raises(AssayError, match=r"q\.txt\.xz: .* more than 100,000 bytes"):
        to_judgments(path)
    monkeypatch.setenv("ASSAY_MAX_UNPACKED", "1000000")
    assert len(to_judgments(path)) == 20_000


def test_line_separators_stay_within_strings(tmp_path: Path) -> None:
    record = {"truth": ["a\u2028b"], "predicted": ["a\u2028b"]}
    (tmp_path / "sets.jsonl").write_text(json.dumps(record, ensure_ascii=False) + "\n", "utf-8")
    assert [*assay.labelsets(tmp_path / "sets.jsonl", "F")["F"].values()] == [1.0]


# ruff: noqa: E501 (one case per line)
REFUSED: list[tuple[str, bytes, str, Callable[[Path], Any]]] = [
    ("key.jsonl", b'{"query":"q","doc":"a","doc":"b","grade":1}\n', ":1: the key 'doc'", to_judgments),
    ("key.json", b'{"q1": {"a": 1},\n"q2": {"a": 1, "a": 2}}', ":2: the key 'a'", to_judgments),
    ("tab.txt", b"q1 0 d1 1\nq1 0 d\x0b2 1\n", ":2: there is a vertical tab", to_judgments),
    ("half.json", b'{"q1": {"a": 1},\n"q2": {"\\ud800": 1}}', r":2: \\ud800 is half", to_judgments),
    ("half.jsonl", JSON_LINES.replace("d2", "\\udc00").encode(), r":2: \\udc00 is half", to_judgments),
    ("bytes.json", b'{"q1": {"a": 1},\n"q2": {"\xff": 1}}', ":2: this line is not UTF-8", to_judgments),
    ("twice.csv", b"label,guess\na,a\nlabel,guess\nb,b\n", ":3: the header is repeated", read_table),
    ("nested.json", b'{"q1": {"a": 1}}', "a list of objects is expected", read_table),
    ("broken.json", b'[{"label": "a",\n "guess" "b"}]', ":2: not JSON", read_table),
    ("quote.csv", b'a,b\n1,2\n"3,4\n5,"6\n', "quote", read_table),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message", "reader"), REFUSED)
def test_refused(
    tmp_path: Path, name: str, content: bytes, message: str, reader: Callable[[Path], Any]
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AssayError, match=message):
        reader(tmp_path / name)


@pytest.mark.parametrize("grade", [timedelta(seconds=1), {"value": 1.0}])
def test_a_grade_is_a_number(tmp_path: Path, grade: object) -> None:
    frame = pl.DataFrame({"query": ["q1"], "doc": ["d1"], "grade": [grade]})
    frame.write_parquet(tmp_path / "q.parquet")
    with pytest.raises(AssayError, match=r"q\.parquet, row 1: .* numbers are expected"):
        to_judgments(tmp_path / "q.parquet")


def test_pairs_of_surrogates_and_escaped_backslashes_are_text(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text('{"q1": {"\\ud83d\\ude00": 1, "\\\\ud800": 2}}')
    assert to_judgments(tmp_path / "q.json").frame["doc"].to_list() == ["😀", "\\ud800"]


def test_half_a_character_in_a_text_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"id": "d1", "text": "a\\ud800b"}\n')
    assert read_texts(tmp_path / "docs.jsonl") == {"d1": "a?b"}


def test_rounds_of_judging_are_not_subtopics(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("q1 .5 d1 1\nq1 1 d2 0\nq1 1.5 d3 2\n")
    judgments = to_judgments(tmp_path / "q.txt")
    assert "subtopic" not in judgments.frame.columns
    scores = assay.retrieval(judgments, {"q1": {"d1": 2.0}}, "P@1", interval=None)
    assert any("q.txt:1: '.5' is not a subtopic" in note for note in scores.warnings)


def test_the_best_grade_over_subtopics_is_noted(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("q1 1 d1 0\nq1 2 d1 1\n")
    scores = assay.retrieval(tmp_path / "q.txt", {"q1": {"d1": 2.0}}, "P@1", interval=None)
    assert [*scores["P@1"].values()] == [1.0]
    assert any("counts with its best grade" in note for note in scores.warnings)


def test_numbers_beyond_all_integers_are_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"id,x\na,{'9' * 60}\nb,1\n")
    assert read_table(tmp_path / "t.csv")[0].rows() == [("a", 1e60), ("b", 1.0)]


def test_a_trailing_space_is_named_as_the_cause_of_a_third_class() -> None:
    table = {"label": ["Benign", "Malignant", "Benign "], "p": [0.1, 0.9, 0.2]}
    with pytest.raises(AssayError, match="'Benign' and 'Benign ' differ only by case or spaces"):
        assay.classification(table, "ACC", truth="label", score="p", threshold=0.5)
