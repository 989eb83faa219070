"""Feather, workbooks, and tags of tokens."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import assay
from assay.core.errors import FormatError
from assay.formats.tagged_tokens import spans_of_tags

TABLE = {"truth": ["a", "b", "a", "b"], "guess": ["a", "a", "a", "b"], "p": [0.5, 1.0, 2.5, 3.0]}


def write_workbook(path: Path, columns: dict[str, list[object]]) -> None:
    """Write a workbook with one sheet, as small as the format allows."""
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    cells = "".join(
        "<row>"
        + "".join(
            f"<c><v>{cell}</v></c>"
            if isinstance(cell, float)
            else f'<c t="inlineStr"><is><t>{cell}</t></is></c>'
            for cell in row
        )
        + "</row>"
        for row in rows
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
        "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1"'
        f' Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="one" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData>'
        "</worksheet>",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


def test_tables_in_feather_and_workbooks(tmp_path: Path) -> None:
    pl.DataFrame(TABLE).write_ipc(tmp_path / "table.feather")
    write_workbook(tmp_path / "table.xlsx", TABLE)
    expected = assay.classification(TABLE, "ACC MCC", predicted="guess")
    for name in ("table.feather", "table.xlsx"):
        found = assay.classification(tmp_path / name, "ACC MCC", predicted="guess")
        assert found["MCC"] == expected["MCC"]


def test_runs_in_feather_and_workbooks(tmp_path: Path) -> None:
    run = {"query": ["q", "q"], "doc": ["a", "b"], "score": [2.0, 1.0]}
    pl.DataFrame(run).write_ipc(tmp_path / "run.feather")
    write_workbook(tmp_path / "run.xlsx", run)
    for name in ("run.feather", "run.xlsx"):
        assert [*assay.retrieval({"q": {"b": 1}}, tmp_path / name, "RR")["RR"].values()] == [0.5]


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "table.feather").write_bytes(b"ARROW1\0\0 and no more")
    (tmp_path / "table.xlsx").write_bytes(b"not a workbook")
    for name in ("table.feather", "table.xlsx"):
        with pytest.raises(assay.AssayError, match="cannot be read"):
            assay.classification(tmp_path / name, predicted="guess")


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_workbook(tmp_path / "table.xlsx", TABLE)
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(assay.AssayError, match=r"assay-eval\[excel\]"):
        assay.classification(tmp_path / "table.xlsx", predicted="guess")


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("B-PER I-PER O B-LOC", [(0, 2, "PER"), (3, 4, "LOC")]),  # BIO
        ("I-PER I-PER O I-LOC", [(0, 2, "PER"), (3, 4, "LOC")]),  # IOB1
        ("I-PER B-PER O", [(0, 1, "PER"), (1, 2, "PER")]),  # IOB1, two spans side by side
        ("B-PER E-PER S-LOC O S-LOC", [(0, 2, "PER"), (2, 3, "LOC"), (4, 5, "LOC")]),  # BIOES
        ("B-PER L-PER U-LOC", [(0, 2, "PER"), (2, 3, "LOC")]),  # BILOU
        ("B-PER I-LOC", [(0, 1, "PER"), (1, 2, "LOC")]),  # another type begins another span
        ("O O", []),
        ("B-PER B-PER", [(0, 1, "PER"), (1, 2, "PER")]),
    ],
)
def test_tags_of_tokens(tags: str, spans: list[tuple[int, int, str]]) -> None:
    assert spans_of_tags(tags.split()) == spans


def test_conll_files(tmp_path: Path) -> None:
    lines = "-DOCSTART- O O\n\nAnn NNP B-PER B-PER\nsat VBD O O\n\nOslo NNP B-LOC B-PER\n"
    (tmp_path / "tags.conll").write_text(lines)
    found = assay.spans(tmp_path / "tags.conll")
    true, said = [["B-PER", "O"], ["B-LOC"]], [["B-PER", "O"], ["B-PER"]]
    assert found["P"] == assay.spans(true, said)["P"]
    expected = assay.spans([[(0, 1, "PER")], [(0, 1, "LOC")]], [[(0, 1, "PER")], [(0, 1, "PER")]])
    assert found["F"] == expected["F"]
    (tmp_path / "tags.conll").write_text("Ann B-PER\n")
    with pytest.raises(assay.AssayError, match=r"tags.conll:1: found 2 columns"):
        assay.spans(tmp_path / "tags.conll")


def test_queries_are_listed_in_natural_order() -> None:
    qrels = {f"q{n}": {"d": 1} for n in (10, 2, 1)}
    scores = assay.retrieval(qrels, {q: {"d": 1.0} for q in qrels}, "AP")
    assert scores.per_query()["query"].to_list() == ["q1", "q2", "q10"]


ORIENTATIONS = ["columns", "split", "table", "index", "list"]


def _write_json(frame: pd.DataFrame, orient: str, path: Path) -> Path:
    if orient == "list":
        path.write_text(json.dumps(frame.to_dict("list")))
    else:
        frame.to_json(path, orient=orient)
    return path


@pytest.mark.parametrize("orient", ORIENTATIONS)
def test_json_of_pandas_in_columns(orient: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"label": [0, 1, 1, 0], "p": [0.1, 0.9, 0.4, None]})
    path = _write_json(frame, orient, tmp_path / "table.json")
    found = assay.classification(path, "AUC", truth="label", score="p", missing="drop")
    assert found["AUC"] == {"classifier": 1.0}
    run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "score": [1.5, 2, 1]})
    path = _write_json(run, orient, tmp_path / "run.json")
    expected = assay.retrieval({"1": ["a"], "2": ["a"]}, {"run": run}, "RR")
    if orient != "index":  # That of one run is {"query": {"document": score}}.
        found = assay.retrieval({"1": ["a"], "2": ["a"]}, path, "RR")
        assert found.results == expected.results


@pytest.mark.parametrize(
    "content",
    [
        {"columns": 5, "data": 7},
        {"columns": ["query", "doc", "score"], "data": [1, 2]},
        {"columns": ["query", "doc", "score"], "data": [["1", "a", 1.0, 2.0]]},
        {"columns": [["query"], "doc", "score"], "data": [["1", "a", 1.0]]},
    ],
)
def test_columns_that_do_not_fit_their_rows_are_refused(content: object, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(content))
    with pytest.raises(FormatError, match="the fields are columns, data"):
        assay.retrieval({"1": ["a"]}, tmp_path / "run.json", "RR")


@pytest.mark.parametrize("names", [("columns", "data"), ("schema", "data")])
def test_queries_may_have_the_names_of_fields(names: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({name: {"b": 2.0, "a": 1.0} for name in names}))
    found = assay.retrieval({name: ["a"] for name in names}, tmp_path / "run.json", "RR")
    assert found.results[0].value == 0.5


@pytest.mark.parametrize(
    ("judged", "ranked"),
    [
        ({"q1": ["a"], "q2": ["b"]}, {"q1": ["c", "a"], "q2": ["b", "a"]}),
        ({"q1": "a", "q2": "b"}, {"q1": [["a", 1], ["c", 2]], "q2": [["b", 2]]}),
        (
            {"q1": [{"doc_id": "a", "grade": 1}], "q2": [{"doc_id": "b", "grade": 1}]},
            {"q1": [{"doc_id": "c", "score": 2}, {"doc_id": "a", "score": 1}], "q2": ["b"]},
        ),
        ({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["c", "a"], "q2": ["b"]}),
    ],
)
def test_json_of_documents_by_query(judged: object, ranked: dict[str, Any], tmp_path: Path) -> None:
    if isinstance(ranked["q1"][0], dict):
        ranked["q2"] = [{"doc_id": "b", "score": 1}]
    qrels, run = tmp_path / "qrels.json", tmp_path / "run.json"
    qrels.write_text(json.dumps(judged))
    run.write_text(json.dumps(ranked))
    assert assay.retrieval(qrels, run, "RR")["RR"] == {"run": 0.75}
    assay.convert(run, tmp_path / "run.trec", kind="run")
    assert assay.retrieval(qrels, tmp_path / "run.trec", "RR")["RR"].popitem()[1] == 0.75


def test_documents_without_numbers_are_of_no_kind(tmp_path: Path) -> None:
    path = tmp_path / "lists.json"
    path.write_text('{"q1": ["a", "b"]}')
    with pytest.raises(assay.AssayError, match="choose `kind=run` or `kind=qrels`"):
        assay.convert(path, tmp_path / "run.trec")
