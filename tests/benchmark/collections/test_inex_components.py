"""Judgments of INEX components, by both quantizations."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.benchmark.collections.read_files import read_judgments
from assay.core.errors import FormatError, UsageError

XML = """\
<assessments topic="127">
<file file="an/1995/a1004">
<path path="/article[1]" E="3" S="1"/>
<path path="/article[1]/bdy[1]/sec[2]" exhaustivity="3" specificity="3"/>
<path path="/article[1]/bdy[1]/sec[3]" E="0" S="0"/>
</file></assessments>
"""
LINES = "9 c/r7 /article[1] 2 E\n9 c/r7 /article[1]/fm[1] 1 S\n9 c/r8 /article[1] 3 L\n"


def test_strict_and_generalized(tmp_path: Path) -> None:
    path = tmp_path / "assessments.xml"
    path.write_text(XML)
    strict = read_judgments(path).frame
    assert strict["doc"][0] == "an/1995/a1004/article[1]"
    assert strict["grade"].to_list() == [0.0, 1.0, 0.0]
    with pytest.raises(UsageError, match=r"known for 2002 only.*Give a table"):
        read_judgments(path, None, "generalized")
    table = tmp_path / "table.csv"
    table.write_text("exhaustivity,specificity,value\n3,3,1\n3,1,0.4\n")
    assert read_judgments(path, None, table).frame["grade"].to_list() == [0.4, 1.0, 0.0]
    own = {(3, 3): 1.0, (0, 0): 0.1}
    assert read_judgments(path, None, own).frame["grade"].to_list() == [0.0, 1.0, 0.1]
    (tmp_path / "lines").write_text(LINES)
    found = assay.Collection.read(qrels=tmp_path / "lines", quantization="generalized").judgments
    assert found is not None
    assert found.frame["grade"].to_list() == [0.75, 0.25, 0.75]  # 2E, 1S and 3L of 2002


def test_what_is_not_a_quantization_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("9 c/r7 /article[1] 3 S\n")
    with pytest.raises(UsageError, match="is 3S"):
        read_judgments(tmp_path / "lines", None, "generalized")
    with pytest.raises(UsageError, match="neither a quantization"):
        read_judgments(tmp_path / "lines", None, "lenient")
    (tmp_path / "table.csv").write_text("exhaustivity,specificity,value\n3,3,1\n3,3,0.4\n")
    with pytest.raises(FormatError, match=r"table\.csv:3: a pair from 0 to 3 occurs once"):
        read_judgments(tmp_path / "lines", None, tmp_path / "table.csv")


@pytest.mark.parametrize(
    ("text", "line"),
    [(LINES + "9 a /b 4 1\n", 4), (XML.replace('E="0"', 'E="7"'), 5)],
)
def test_bad_components_are_told_with_their_place(text: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(FormatError, match=f"file:{line}: "):
        read_judgments(path)


def test_a_component_is_in_the_collection_if_its_document_is(tmp_path: Path) -> None:
    (tmp_path / "articles").mkdir()
    for name in ("a1", "a2"):
        (tmp_path / "articles" / f"{name}.xml").write_text("<article><bdy>x</bdy></article>")
    qrels = tmp_path / "assessments.txt"
    qrels.write_text("126 a1 /article[1]/bdy[1] 3 3\n126 a3 /article[1] 0 0\n")
    collection = assay.Collection.read(tmp_path / "articles", qrels=qrels)
    assert collection.findings.missing_documents == ("a3/article[1]",)
