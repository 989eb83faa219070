"""Traps that new users walk into: codes that look like numbers, lists, empty judgments, endings."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assay
from assay.core.errors import AssayError, DataError, FormatError, UsageError
from assay.formats.containers import read_table
from assay.formats.conversion import convert


def test_codes_with_leading_zeros_stay_as_they_stand(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("truth,guess,n\n01,1,5\n1,1,6\n02,02,7\n")
    frame, _ = read_table(tmp_path / "t.csv")
    assert frame["truth"].to_list() == ["01", "1", "02"]
    assert frame["n"].to_list() == [5, 6, 7]
    columns = {"truth": "truth", "predicted": "guess"}
    from_file = assay.classification(tmp_path / "t.csv", "ACC", **columns)["ACC"]
    listed = {"truth": ["01", "1", "02"], "guess": ["1", "1", "02"]}
    assert from_file == assay.classification(listed, "ACC", **columns)["ACC"]


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        ({}, {"q": {"d": 1.0}}, "qrels: there are no judgments"),
        ({"q": {}}, {"q": {"d": 1.0}}, "qrels: there are no judgments"),
        (
            {"q": {"d": 1}},
            {"bm25": {"q": {"d": "x"}}},
            "the score of document d for query q is 'x'",
        ),
        ({"q": {"d": 1}}, {"bm25": {"q": {"d"}}}, "a set, which has no order"),
        ({"q": {"d": 1}}, {"q": ["d", "d"]}, "document d for query q occurs twice"),
        ({"q": ["d", "d"]}, {"q": {"d": 1.0}}, "document d for query q occurs twice"),
    ],
)
def test_dicts_that_are_not_quite_right(qrels: object, run: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        assay.retrieval(qrels, run, "AP")


def test_a_misspelt_column_is_pointed_at(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("qid,docid,scroe\n1,a,2\n")
    with pytest.raises(FormatError, match=r"Is the score in 'scroe'\? Then rename that column"):
        assay.retrieval({"1": {"a": 1}}, {"a": tmp_path / "run.csv"}, "AP")


def test_convert_writes_no_unknown_ending_and_not_over_its_input(tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    run.write_text("1 Q0 a 1 2.0 t\n")
    with pytest.raises(UsageError, match=r"no format is written to files that end in '\.foo'"):
        convert(run, tmp_path / "x.foo")
    with pytest.raises(UsageError, match="this file is an input"):
        convert(run, run)
    assert run.read_text() == "1 Q0 a 1 2.0 t\n"


def test_all_of_these_are_errors_of_assay() -> None:
    assert issubclass(DataError, AssayError)


@pytest.mark.parametrize("damage", ["cut", "no footer", "flipped"])
def test_a_damaged_parquet_file_is_told_and_nothing_else_is_printed(
    damage: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = io.BytesIO()
    pl.DataFrame({"query": ["1", "1"], "doc": ["a", "b"], "score": [2.0, 1.0]}).write_parquet(out)
    whole = out.getvalue()
    last = int.from_bytes(whole[-8:-4], "little") + 8
    content = {
        "cut": whole[: len(whole) // 2],
        "no footer": b"PAR1" + bytes(4) + b"PAR1",
        "flipped": whole[:-last] + bytes([255] * (last - 8)) + whole[-8:],
    }[damage]
    (tmp_path / "run.parquet").write_bytes(content)
    with pytest.raises(FormatError, match="this Parquet file cannot be read"):
        assay.retrieval({"1": {"a": 1}}, tmp_path / "run.parquet", "AP")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["odd.csv", "odd.tsv", "odd.jsonl", "odd.parquet"])
def test_columns_that_are_not_understood_are_listed_beside_the_expected(
    name: str, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"text": ["a", "b"], "weight": [1, 2], "note": ["x", "y"]})
    out = io.BytesIO()
    writers = {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet}
    if name.endswith("tsv"):
        frame.write_csv(out, separator="\t")
    else:
        writers[name.partition(".")[2]](out)
    (tmp_path / name).write_bytes(out.getvalue())
    told = "no column for the query and the doc and the {} among text, weight, note; expected are"
    with pytest.raises(FormatError, match=told.format("score")):
        assay.retrieval({"q": {"d": 1}}, tmp_path / name, "AP")
    with pytest.raises(FormatError, match=told.format("grade")):
        assay.retrieval(tmp_path / name, {"q": {"d": 1.0}}, "AP")


def test_rows_without_a_line_of_names_are_told(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("q1,d1,3.5\nq1,d2,2.5\n")
    with pytest.raises(FormatError, match="Is there no header"):
        assay.retrieval({"q": {"d": 1}}, tmp_path / "run.csv", "AP")


def test_fields_of_json_that_are_no_queries_are_named(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"name": "x", "rows": 3}')
    with pytest.raises(FormatError, match="the fields are name, rows; expected is"):
        assay.retrieval({"q": {"d": 1}}, tmp_path / "run.json", "AP")


def test_blanks_around_fields_are_no_part_of_them(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('truth, "guess" , p\nyes, yes, 0.5\nno , "a, b", 1\n')
    frame, _ = read_table(tmp_path / "t.csv")
    assert frame.to_dict(as_series=False) == {
        "truth": ["yes", "no"],
        "guess": ["yes", "a, b"],
        "p": [0.5, 1.0],
    }
    (tmp_path / "run.csv").write_text("query, doc, score\n007, 01, 3\n")
    assert assay.retrieval({"007": {"01": 1}}, tmp_path / "run.csv", "AP")["AP"] == {"run": 1.0}


@pytest.mark.parametrize("row", ["q1, a,3", "q1,a ,3", " q1,a,3", "q1,a,3 ", 'q1, "a",3'])
def test_blanks_in_any_row_are_no_part_of_its_fields(row: str, tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text(f"query,doc,score\nq1,b,2\n{row}\n")
    assert assay.retrieval({"q1": {"a": 1}}, tmp_path / "run.csv", "AP")["AP"] == {"run": 1.0}


def test_blanks_within_quotes_stay(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('truth,guess\n" a","b, ""c"", d"\n')
    frame, _ = read_table(tmp_path / "t.csv")
    assert frame.row(0) == (" a", 'b, "c", d')


@pytest.mark.parametrize("comma", [",", ", "])
def test_bytes_that_are_not_utf8_are_refused_with_their_line(comma: str, tmp_path: Path) -> None:
    rows = [["query", "doc", "score"], ["q1", "b", "2"], ["q1", "café", "3"]]
    content = "\n".join(comma.join(row) for row in rows).encode("latin1")
    (tmp_path / "run.csv").write_bytes(content)
    with pytest.raises(FormatError, match=r"run\.csv:3: this line is not UTF-8 text; convert"):
        assay.retrieval({"q1": {"b": 1}}, tmp_path / "run.csv", "AP")


def test_a_column_that_stands_twice_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("query,doc,score, score\nq,d,1,2\n")
    with pytest.raises(FormatError, match=r"t\.csv:1: columns 3 and 4 are both called 'score'"):
        read_table(tmp_path / "t.csv")


def test_a_run_with_tabs_and_blanks_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "run.tsv").write_text("q\tQ0 d  1 1e-3 a\nq\tQ0 e  2 1e-4 a\n")
    assert assay.retrieval({"q": {"d": 1}}, tmp_path / "run.tsv", "AP")["AP"] == {"a": 1.0}


@pytest.mark.parametrize(
    ("given", "whose"),
    [
        ({"q": {None: 2.0, "a": 1.0}}, "a document of query q"),
        ({"q": {None: 2.0, 7: 1.0}}, "a document of query q"),
        ({None: {"a": 1.0}, "q": {"a": 1.0}}, "a query"),
        ({None: {}, "q": {"a": 1.0}}, "a query"),
    ],
)
def test_none_is_no_id(given: Any, whose: str) -> None:
    with pytest.raises(DataError, match=f"run: the id of {whose} is None; name it or leave it out"):
        assay.retrieval({"q": {"a": 1}}, given, "AP")
    with pytest.raises(DataError, match=f"qrels: the id of {whose} is None"):
        assay.retrieval(given, {"q": {"a": 1.0}}, "AP")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le"])
@pytest.mark.parametrize("rest", [b"", b"\n"])
def test_json_in_another_encoding_is_refused(encoding: str, rest: bytes, tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    run.write_bytes('{"q": {"d": 1.5}}'.encode(encoding) + rest)
    with pytest.raises(FormatError, match=r"run\.json: this is UTF-16"):
        assay.retrieval({"q": {"d": 1}}, run, "AP", input_format="json")


def test_json_lines_with_thousands_of_fields_are_no_nested_file(tmp_path: Path) -> None:
    further = {f"p_{n}": 0 for n in range(12_000)}
    records = [{"truth": label, "predicted": "a", **further} for label in "aab"]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    columns = {"truth": "truth", "predicted": "predicted"}
    found = assay.classification(tmp_path / "p.jsonl", "ACC", interval=None, **columns)
    assert found.results[0].value == pytest.approx(2 / 3)
    (tmp_path / "run.json").write_text(json.dumps({"q": {f"d{n}": n for n in range(9_000)}}))
    found = assay.retrieval({"q": {"d8999": 1}}, tmp_path / "run.json", "RR", interval=None)
    assert found.results[0].value == 1


@pytest.mark.parametrize("line", ["1 Q0 my document 1 5.0 tag", "1\tQ0\tmy document\t1\t5.0\ttag"])
def test_an_id_with_a_space_does_not_shift_the_score(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.run").write_text(f"1 Q0 a 1 6.0 tag\n\n{line}\n")
    with pytest.raises(FormatError, match=r"a\.run:3: the document is 'my document'"):
        assay.retrieval({"1": {"a": 1}}, tmp_path / "a.run", "AP")
    (tmp_path / "a.run").write_text("1 Q0 a 1 6.0 my tag\n")
    found = assay.retrieval({"1": {"a": 1}}, tmp_path / "a.run", "AP", interval=None)
    assert found.results[0].value == 1
