"""SMART, LISA, NPL, TIME and Cystic Fibrosis, in small files of the same shape."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.benchmark.collections.layouts.cystic_fibrosis import read_assessors
from assay.benchmark.collections.read_files import read_documents, read_judgments
from assay.benchmark.collections.text_files import TextFile
from assay.core.errors import FormatError

SMART_DOCUMENTS = """\
.I 1
.T
wings in a stream
.A
doe,j.
.B
j. air. 1, 1950, 3.
.W
wings in a stream
  the lift of wings .
.I 2
.T
heat
.W
.X
1\t5\t2
7\t6\t2
"""
SMART_QUERIES = (
    ".I 001\n.W\nhow do wings lift .\n.I 004\n.W\nwhat is heat .\nin slabs\n.I 009\n.W\nice\n"
)
LISA_DOCUMENTS = """\
Document    1
LIBRARIES OF THE COAST AND
THEIR BOOKS

     A SURVEY OF LIBRARIES.  IT HAS
TWO LINES.
********************************************
Document    2
ANOTHER TITLE

A TEXT.
********************************************
"""
LISA_QUERIES = "1\nI AM INTERESTED IN LIBRARIES\nBY THE SEA. #\n2\nBOOKS #\n"
LISA_NAMED = "\nQuery 1\n2 Relevant Refs:\n1 2 -1\n\n\nQuery 2\n1 Relevant Refs:\n2 -1\n"
LISA_COUNTED = "         1         2         1         2\n         2         1\n         2\n"
NPL_DOCUMENTS = "1\ncompact stores of\nbits\n   /\n2\ntubes and gates\n   /\n"
NPL_QUERIES = "1\nSTORES OF BITS\n/\n2\nGATES\n/\n"
NPL_JUDGMENTS = "1\n   1   2\n /\n2\n   2\n   /\n"
TIME_DOCUMENTS = """\
*TEXT 017 01/04/63 PAGE 020

THE ALLIES MET

IN A TOWN .

*TEXT 020 01/04/63 PAGE 021

A ROAD WAS PAVED

*STOP
"""
TIME_QUERIES = "*FIND     1\n\n ALLIES AND\n\nTOWNS .\n\n*FIND     2\n\n ROADS\n\n*STOP\n"
TIME_JUDGMENTS = "\n1   1   2\n\n2   2\n"
FIBROSIS_DOCUMENTS = """\
PN 74001
RN 00001
AN 75051687
AU Hoe-N. Lee-J.
TI Enzymes in saliva of children.
SO Some J. 1974 Jan. 3(1). P 1-9.
MJ ENZYMES: an.  SALIVA: en.
AB Enzymes were measured in
   the saliva.
RF 001   SMITH J             J OTHER                5  1 970
CT   1   BLUM A              CLIN                  11   9   6

PN 74002
RN 00002
TI Lungs.
EX An extract.
"""
FIBROSIS_QUERIES = """\
QN 00001
QU What are the effects of
   enzymes in saliva?
NR 00002
RD      1 1222      2 0001

QN 00002
QU Lungs?
NR 00001
RD      2 2222
"""
FIBROSIS_XML = """\
<?xml version="1.0"?>
<ROOT><QUERY><QueryNumber>00001</QueryNumber><QueryText>Lungs
 and air?</QueryText><Records><Item score="0120">2</Item></Records></QUERY></ROOT>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def _write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def _ids(collection: assay.Collection) -> tuple[list[str], list[str], list[tuple]]:
    assert collection.documents is not None
    assert collection.topics is not None
    assert collection.judgments is not None
    docs = [each.id for each in collection.documents]
    return docs, collection.topics.ids, collection.judgments.frame.rows()


def test_cranfield_is_numbered_by_the_order_of_its_queries(folder: Path) -> None:
    _write(folder, cran__all=SMART_DOCUMENTS, cran__qry=SMART_QUERIES)
    _write(folder, cranqrel="1 1 2 \n2 2 4\n3 1 1\n3 2 -1")
    found = assay.Collection.read(folder)
    assert _ids(found) == (
        ["1", "2"],
        ["1", "2", "3"],
        [("1", "1", 3.0), ("2", "2", 1.0), ("3", "1", 4.0), ("3", "2", -1.0)],
    )
    assert found.topics is not None
    assert found.topics["2"].fields == {"text": "what is heat .\nin slabs", "number": "4"}
    assert "number the queries by their order" in " ".join(found.notes)
    assert "the codes from 1 (best) to 4 are grades from 4 (best) to 1" in " ".join(found.notes)
    first, second = list(found.documents or ())
    assert first.fields["authors"] == "doe,j."
    assert first.title == "wings in a stream"
    assert second.fields == {"title": "heat", "text": "", "references": "1\t5\t2\n7\t6\t2"}


def test_cacm_and_cisi_end_lines_with_zeros(folder: Path) -> None:
    _write(folder, cacm__all=SMART_DOCUMENTS, query__text=SMART_QUERIES + ".I 0\n")
    _write(folder, qrels__text="01 1  0 0\n04 2  0 0\n")
    found = assay.Collection.read(folder)
    assert _ids(found)[1:] == (["1", "4", "9"], [("1", "1", 1.0), ("4", "2", 1.0)])
    assert found.findings.topics_without_judgments == ("9",)
    (folder / "CISI.REL").write_text("     1     28\t0\t0.000000\n     1     35\t0\t0.000000\n")
    assert read_judgments(folder / "CISI.REL").frame["doc"].to_list() == ["28", "35"]


def test_med_has_judgments_of_trec(folder: Path) -> None:
    (folder / "MED.REL").write_text("1 0 13 1\n1 0 14 1\n")
    assert read_judgments(folder / "MED.REL").frame.rows()[0] == ("1", "13", 1.0)


def test_lisa_in_both_judgment_layouts(folder: Path) -> None:
    files = {"LISA0__001": LISA_DOCUMENTS, "LISA__QUE": LISA_QUERIES, "LISA__REL": LISA_NAMED}
    _write(folder, **files, LISARJ__NUM=LISA_COUNTED)
    found = assay.Collection.read(folder)
    assert _ids(found) == (
        ["1", "2"],
        ["1", "2"],
        [("1", "1", 1.0), ("1", "2", 1.0), ("2", "2", 1.0)],
    )
    assert "again" in found.notes[0]
    first = next(iter(found.documents or ()))
    assert first.title == "LIBRARIES OF THE COAST AND\nTHEIR BOOKS"
    assert first.fields["text"] == "A SURVEY OF LIBRARIES.  IT HAS\nTWO LINES."
    assert found.topics is not None
    assert found.topics["1"].text == "I AM INTERESTED IN LIBRARIES BY THE SEA."


def test_npl_as_published(folder: Path) -> None:
    files = {"doc-text": NPL_DOCUMENTS, "query-text": NPL_QUERIES, "rlv-ass": NPL_JUDGMENTS}
    found = assay.Collection.read(_write(folder, **files))
    judged = [("1", "1", 1.0), ("1", "2", 1.0), ("2", "2", 1.0)]
    assert _ids(found) == (["1", "2"], ["1", "2"], judged)
    assert next(iter(found.documents or ())).text == "compact stores of\nbits"


def test_time_numbers_articles_by_their_order(folder: Path) -> None:
    files = {"TIME__ALL": TIME_DOCUMENTS, "TIME__QUE": TIME_QUERIES, "TIME__REL": TIME_JUDGMENTS}
    found = assay.Collection.read(_write(folder, **files, TIME__STP="A\nTHE\n"))
    judged = [("1", "1", 1.0), ("1", "2", 1.0), ("2", "2", 1.0)]
    assert _ids(found) == (["1", "2"], ["1", "2"], judged)
    first = next(iter(found.documents or ()))
    assert first.fields == {
        "number": "017 01/04/63 PAGE 020",
        "text": "THE ALLIES MET\nIN A TOWN .",
    }
    assert found.topics is not None
    assert found.topics["1"].text == "ALLIES AND TOWNS ."


def test_cystic_fibrosis_has_four_assessors(folder: Path) -> None:
    found = assay.Collection.read(_write(folder, cf74=FIBROSIS_DOCUMENTS, cfquery=FIBROSIS_QUERIES))
    assert _ids(found) == (
        ["1", "2"],
        ["1", "2"],
        [("1", "1", 7.0), ("1", "2", 1.0), ("2", "2", 8.0)],
    )
    first, second = list(found.documents or ())
    assert first.fields["abstract"] == "Enzymes were measured in\nthe saliva."
    assert second.fields["abstract"] == "An extract."
    ratings = read_assessors(TextFile(folder / "cfquery"))
    assert ratings.filter(query="1", doc="2")["label"].to_list() == [0, 0, 0, 1]
    (folder / "cfquery.xml").write_text(FIBROSIS_XML)
    assert read_judgments(folder / "cfquery.xml").frame.rows() == [("1", "2", 3.0)]
    assert assay.read_topics(folder / "cfquery.xml")["1"].text == "Lungs and air?"


def test_lisa_as_published_has_a_cut_list_and_a_cut_document(folder: Path) -> None:
    """LISA.REL lacks lines; LISA1.501 ends with a damaged copy of the first of LISA2.001."""
    copy = LISA_DOCUMENTS + "Document 3\nA TITLE\n\nA TEXT OF ANOTHER\n"
    third = "Document 3\nA TITLE\n     \nITS TEXT.\n********************************************\n"
    _write(folder, LISA1__501=copy, LISA2__001=third, LISA__QUE=LISA_QUERIES)
    cut = LISA_NAMED.replace("1 2 -1\n\n\nQuery 2\n", "1\n")
    _write(folder, LISA__REL=cut, LISARJ__NUM=LISA_COUNTED)
    found = assay.Collection.read(folder)
    assert _ids(found) == (
        ["1", "2", "3"],
        ["1", "2"],
        [("1", "1", 1.0), ("1", "2", 1.0), ("2", "2", 1.0)],
    )
    assert "LISA.REL:5: query 1: 2 documents are announced" in found.notes[0]
    assert [each.text for each in found.documents or ()][2] == "A TITLE\nITS TEXT."
    counts = LISA_NAMED.replace("2 Relevant", "5 Relevant")
    (folder / "LISA.REL").write_text(counts)
    notes = " ".join(assay.Collection.read(folder).notes)
    assert "5 documents are announced, but 2 are listed" in notes


def test_copies_of_time_without_an_end_and_without_relevant_documents(folder: Path) -> None:
    files = {"TIME__ALL": TIME_DOCUMENTS, "TIME__QUE": TIME_QUERIES}
    _write(folder, **{name: text.replace("*STOP\n", "") for name, text in files.items()})
    _write(folder, TIME__REL="1   1   2\n\n2  \n\n3   2")
    found = assay.Collection.read(folder)
    judged = [("1", "1", 1.0), ("1", "2", 1.0), ("3", "2", 1.0)]
    assert _ids(found) == (["1", "2"], ["1", "2"], judged)


def test_vectors_of_npl_programs_and_hidden_folders_are_not_read(folder: Path) -> None:
    files = {"doc-text": NPL_DOCUMENTS, "query-text": NPL_QUERIES, "rlv-ass": NPL_JUDGMENTS}
    _write(folder, **files, **{"query-vec": "1  1  16 /\n", "doc-vecs": "1 7 25 /\n"})
    (folder / "queries.py").write_text("print('read')\n")
    (folder / ".settings").mkdir()
    (folder / ".settings" / "queries.json").write_text("{\n")
    found = assay.Collection.read(folder)
    assert _ids(found)[:2] == (["1", "2"], ["1", "2"])
    assert found.notes == ("files that were not read: doc-vecs, queries.py, query-vec",)


def test_the_published_xml_of_cystic_fibrosis_has_lost_a_query(folder: Path) -> None:
    records = (
        '<Item score="0120">2</Item><Item score="00018">00093</Item><Item score="2222">1</Item>'
    )
    text = FIBROSIS_XML.replace('<Item score="0120">2</Item>', records)
    (folder / "cfquery.xml").write_text(text)
    found = read_judgments(folder / "cfquery.xml")
    assert found.frame.rows() == [("1", "2", 3.0)]
    assert "the last 1 records belong to query 93" in found.notes[0]
    record = (
        "<RECORD><RECORDNUM>00001 </RECORDNUM><AUTHORS><AUTHOR>Hoe-N</AUTHOR><AUTHOR>Lee-J"
        "</AUTHOR></AUTHORS><TITLE>Lungs</TITLE></RECORD>"
    )
    (folder / "cf74.xml").write_text(f"<root>{record}</root>")
    (document,) = read_documents([folder / "cf74.xml"])
    assert document.fields == {"authors": "Hoe-N Lee-J", "title": "Lungs"}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("text\n.I 1\n.W\na\n", 1, "does not look like documents"),
        (".I 1\nno section\n", 2, "a section such as '.W' is expected"),
        (".I 1\n.W\na\n.I 2\n", 4, "cut off"),
        ("*TEXT 1\n\nA\n", 1, r"not followed by \*STOP"),
        ("Document 1\nA\n\nB\n", 1, "cut off"),
        ("1\na text\n /\n2\nb\n", 4, "cut off"),
        ("PN 1\nTI a title\n", 1, "no number"),
    ],
)
def test_a_broken_file_is_told_with_its_place(
    text: str, line: int, said: str, folder: Path
) -> None:
    path = folder / "file"
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"file:{line}: .*{said}"):
        read_documents([path]).scan()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("1 184 7\n2 1 1\n", 1, "the code is 7"),
        ("\nQuery 1\n3 Relevant Refs:\n1 2\n\nQuery 2\n1 Relevant Refs:\n1 -1\n", 6, "breaks off"),
        ("\nQuery 1\n3 Relevant Refs:\n1 2\n1 Relevant Refs:\n4 -1\n", 5, "breaks off after 2"),
        ("\nQuery 1\n3 Relevant Refs:\n1 2\n", 4, "breaks off after 2"),
        ("QN 1\nQU a\nRD 1 1222 2 0301\n", 1, "'0301' is not 4 digits from 0 to 2"),
    ],
)
def test_broken_judgments_are_told_with_their_place(
    text: str, line: int, said: str, folder: Path
) -> None:
    path = folder / "file"
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"file:{line}: .*{said}"):
        read_judgments(path)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("cranfield", [1400, 225, 1837, 225, 924]),
        ("cacm", [3204, 64, 796, 52, 555]),
        ("vaswani", [11429, 93, 2083, 93, 1735]),
    ],
)
def test_published_counts(name: str, counts: list[int], shared_data: Path) -> None:
    found = assay.Collection.read(shared_data / name)
    assert found.counts()["count"].to_list() == counts
    assert not found.findings.missing_documents
    assert not found.findings.judged_without_topic
    if name == "cranfield":
        assert found.grades()["judgments"].to_list() == [225, 363, 734, 387, 128]
