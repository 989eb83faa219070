"""Collections as folders and files: what they hold, what does not fit, and hostile files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.benchmark.collections.read_files import read_documents, read_queries, read_texts
from assay.core.errors import AssayError, DataError, FormatError, UsageError

NEWS = """\
<DOC>
<DOCNO> AP1-0001 </DOCNO>
<HEAD>A &amp; B</HEAD>
<TEXT>
<P>First line.</P>
Second line.
</TEXT>
</DOC>
<DOC><DOCNO>AP1-0002</DOCNO><TEXT>Short.</TEXT></DOC>
"""
GOV2 = """\
<DOC>
<DOCNO>GX000-00-0000000</DOCNO>
<DOCHDR>
http://example.org/
HTTP/1.1 200 OK
</DOCHDR>
<html><head><title>A page</title><script>x < 1</script></head>
<body>Some <b>text</b> here.</body></html>
</DOC>
"""


def _beir(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    docs = [{"_id": "d1", "title": "T", "text": "one"}, {"_id": "d2", "title": "", "text": "two"}]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in docs))
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": q, "text": f"about {q}"}) + "\n" for q in ("q1", "q2", "q3"))
    )
    head = "query-id\tcorpus-id\tscore\n"
    (folder / "qrels" / "train.tsv").write_text(head + "q1\td1\t2\nq1\td2\t0\n")
    (folder / "qrels" / "test.tsv").write_text(head + "q2\tD1\t1\nq2\td9\t1\n")
    return folder


def test_a_beir_folder_has_splits_and_findings(tmp_path: Path) -> None:
    found = assay.Collection.read(_beir(tmp_path / "set"))
    assert found.splits == {"train": ("q1",), "test": ("q2",)}
    assert found.counts()["count"].to_list() == [2, 3, 4, 2, 4]
    assert found.grades().rows() == [
        ("test", 1.0, 2, 1),
        ("train", 0.0, 1, 1),
        ("train", 2.0, 1, 1),
    ]
    findings = found.findings
    assert findings.missing_documents == ("D1", "d9")
    assert findings.similar_documents == {"D1": "d1"}
    assert findings.topics_without_judgments == ("q3",)
    assert "zeros or case alone: D1 is d1" in " ".join(findings.notes)
    assert "documents" in repr(found)


def test_a_folder_of_ms_marco(tmp_path: Path) -> None:
    (tmp_path / "collection.tsv").write_text("0\tfirst passage\n1\tsecond\n")
    (tmp_path / "queries.train.tsv").write_text("10\t one\n")
    (tmp_path / "queries.dev.tsv").write_text("20\ttwo\n21\tthree\n")
    (tmp_path / "qrels.train.tsv").write_text("10\t0\t1\t1\n")
    (tmp_path / "qrels.dev.tsv").write_text("20\t0\t0\t1\n")
    found = assay.Collection.read(tmp_path)
    assert found.splits == {"train": ("10",), "dev": ("20", "21")}
    assert found.topics is not None
    assert found.topics["10"].text == "one"


def test_documents_of_ms_marco_have_a_url(tmp_path: Path) -> None:
    (tmp_path / "docs.tsv").write_text("D1\thttp://a\tTitle\tBody text\n")
    (document,) = read_documents([tmp_path / "docs.tsv"])
    assert document.fields == {"url": "http://a", "title": "Title", "text": "Body text"}


def test_news_and_web_pages(tmp_path: Path) -> None:
    (tmp_path / "news.gz").write_bytes(gzip.compress(NEWS.encode()))
    first, second = read_documents([tmp_path / "news.gz"])
    assert (first.id, first.title, second.line) == ("AP1-0001", "A & B", 9)
    assert first.fields["text"].split() == ["First", "line.", "Second", "line."]
    (tmp_path / "00").write_text(GOV2)
    (page,) = read_documents([tmp_path / "00"])
    assert page.title == "A page"
    assert page.fields["text"].split() == ["A", "page", "Some", "text", "here."]
    assert "HTTP/1.1" in page.fields["header"]


def test_articles_are_files(tmp_path: Path) -> None:
    (tmp_path / "an" / "1995").mkdir(parents=True)
    front = "<fm><ti>Journal</ti><atl>On trees</atl></fm>"
    text = f"<article>{front}<bdy><sec>A&ndash;B</sec></bdy></article>"
    for name in ("a1", "a2"):
        (tmp_path / "an" / "1995" / f"{name}.xml").write_text(text)
    (tmp_path / "an" / "1996").mkdir()
    (tmp_path / "an" / "1996" / "a1.xml").write_text(text)
    found = assay.Collection.read(tmp_path)
    assert found.documents is not None
    assert [each.id for each in found.documents] == ["1995/a1", "1995/a2", "1996/a1"]
    assert next(iter(found.documents)).fields == {
        "title": "On trees",
        "text": "Journal On trees A–B",
    }


def test_ids_are_matched_on_request(tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text("<top><num> Number: 051 <title> a\n</top>\n")
    (tmp_path / "qrels.txt").write_text("51 0 d1 1\n")
    plain = assay.Collection.read(tmp_path)
    assert plain.findings.similar_queries == {"51": "051"}
    matched = assay.Collection.read(tmp_path, match_ids=True)
    assert matched.topics is not None
    assert matched.topics.ids == ["51"]


@pytest.mark.parametrize("kind", ["beir", "trec", "msmarco"])
def test_written_and_read_again(kind: str, tmp_path: Path) -> None:
    found = assay.Collection.read(_beir(tmp_path / "set"))
    files = found.write(tmp_path / kind, kind)
    assert all(file.is_file() for file in files)
    again = assay.Collection.read(tmp_path / kind)
    assert again.splits == found.splits
    assert again.judgments is not None
    assert found.judgments is not None
    assert again.judgments.frame.equals(found.judgments.frame)
    assert again.topics is not None
    assert found.topics is not None
    assert again.topics.texts == found.topics.texts
    texts = [(each.id, each.text.split()) for each in found.documents or ()]
    assert [(each.id, each.text.split()) for each in again.documents or ()] == texts
    with pytest.raises(UsageError, match="not empty"):
        found.write(tmp_path / kind, kind)


def test_topics_and_documents_of_reports_take_every_layout(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("<top><num> 1 <title> a title\n</top>")
    (tmp_path / "d").write_text(".I 1\n.W\nwords\n.I 2\n.W\nmore\n")
    assert read_queries(tmp_path / "t") == {"1": "a title"}
    assert read_texts(tmp_path / "d", {"2"}) == {"2": "more"}


def test_a_set_of_ir_datasets() -> None:
    ir_datasets = pytest.importorskip("ir_datasets")
    from ir_datasets.formats import GenericDoc, GenericQuery, TrecQrel

    def part(kind: str, *records: object) -> object:
        methods = {f"{kind}_iter": lambda self: iter(records), f"{kind}_handler": lambda self: self}
        return type(kind, (getattr(ir_datasets.formats, f"Base{kind.capitalize()}"),), methods)()

    name = "assay-tests"
    if name not in ir_datasets.registry:
        docs = part("docs", GenericDoc("d1", "one"), GenericDoc("d2", "two"))
        queries = part("queries", GenericQuery("q1", "what"))
        qrels = part("qrels", TrecQrel("q1", "d2", 1, "0"))
        ir_datasets.registry.register(name, ir_datasets.Dataset(docs, queries, qrels))
    found = assay.Collection.read(f"ir_datasets:{name}")
    assert found.counts()["count"].to_list() == [2, 1, 1, 1, 1]
    with pytest.raises(DataError, match="no data set of that name"):
        assay.Collection.read("ir_datasets:no-such-set")


BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE t [\n<!ENTITY a "aaaaaaaa">\n<!ENTITY b "&a;&a;&a;&a;">\n]>\n'
    '<topics><topic number="1"><query>&b;</query></topic></topics>'
)
OUTSIDE = (
    '<!DOCTYPE t SYSTEM "file:///etc/hosts">\n<t><topic number="1"><query>&x;</query></topic></t>'
)


class Hostile(NamedTuple):
    content: bytes
    line: int
    said: str


TOPICS = {
    "entities that multiply": Hostile(BOMB.encode(), 3, "entities are not read"),
    "an entity from outside": Hostile(OUTSIDE.encode(), 2, "undefined entity"),
    "latin-1 bytes": Hostile(b"<top>\n<num> 1\n<title> caf\xe9\n</top>\n", 3, "not utf-8"),
    "utf-16": Hostile("<top>\n<num> 1\n</top>".encode("utf-16"), 1, "UTF-16"),
    "cut sgml": Hostile(b"<top>\n<num> 1\n</top>\n<top>\n<num> 2\n", 4, "cut off"),
    "a topic within a topic": Hostile(b"<top>\n<num> 1\n<top>\n<num> 2\n</top>\n", 3, "line 1"),
    "cut xml": Hostile(b'<topics>\n<topic number="1">\n<query>a', 3, "cut off"),
    "an ampersand": Hostile(b'<topics>\n<topic number="1"><query>a & b</query>', 2, "&amp;"),
    "duplicate ids": Hostile(b"1\ta\n2\tb\n1\tc\n", 3, "occurs twice"),
    "no number": Hostile(b"<top>\n<title> a\n</top>\n", 1, "no number"),
    "deep elements": Hostile(b'<topics><topic number="1">' + b"<a>" * 300, 1, "nested"),
    "half a json line": Hostile(b'{"_id": "1", "text": "a"}\n{"_id": "2", "te', 2, "not JSON"),
    "an empty file": Hostile(b"", 0, "empty"),
    "binary": Hostile(b"1\ta\n2\t\0b\n", 2, "zero byte"),
}


@pytest.mark.parametrize("name", TOPICS)
def test_hostile_topics(name: str, tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_bytes(TOPICS[name].content)
    with pytest.raises(AssayError) as raised:
        assay.read_topics(path)
    place = f"topics:{TOPICS[name].line}: " if TOPICS[name].line else "topics: "
    assert place in str(raised.value)
    assert TOPICS[name].said in str(raised.value)


DOCUMENTS = {
    "cut sgml": Hostile(NEWS.encode() + b"<DOC>\n<DOCNO>x</DOCNO>\ntext\n", 10, "cut off"),
    "a document within a document": Hostile(
        b"<DOC>\n<DOCNO>1</DOCNO>\n<DOC>\n<DOCNO>2</DOCNO>\n</DOC>", 3, "that of line 1"
    ),
    "no id": Hostile(NEWS.encode() + b"<DOC>\ntext\n</DOC>\n", 10, "no id"),
    "duplicate ids": Hostile(NEWS.encode() * 2, 10, "first at"),
    "duplicate smart": Hostile(b".I 1\n.W\na\n.I 01\n.W\nb\n", 4, "occurs twice"),
    "latin-1 bytes": Hostile(b"<DOC>\n<DOCNO>1</DOCNO>\n\xe9\n</DOC>", 3, "not utf-8"),
    "a large document": Hostile(
        b"<DOC>\n<DOCNO>1</DOCNO>\n" + b"words and words\n" * 500 + b"</DOC>", 1, "more than 4,096"
    ),
    "a large line": Hostile(
        b'{"_id": "1", "text": "' + b"a" * 5000 + b'"}\n', 1, "more than 4,096"
    ),
    "an empty file": Hostile(b"\n \n", 0, "empty"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_hostile_documents(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MAX_DOCUMENT", "4096")
    path = tmp_path / "docs"
    path.write_bytes(DOCUMENTS[name].content)
    with pytest.raises(FormatError) as raised:
        read_documents([path]).scan()
    place = f"docs:{DOCUMENTS[name].line}: " if DOCUMENTS[name].line else "docs: "
    assert place in str(raised.value)
    assert DOCUMENTS[name].said in str(raised.value)


def test_an_encoding_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "topics").write_bytes("<top><num> 1 <title> café\n</top>".encode("latin-1"))
    assert assay.read_topics(tmp_path / "topics", encoding="latin-1")["1"].text == "café"
    with pytest.raises(UsageError, match="no encoding 'klingon'"):
        assay.read_topics(tmp_path / "topics", encoding="klingon")
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    declared += '<t><topic number="1"><query>é</query></topic></t>'
    (tmp_path / "topics").write_bytes(declared.encode("latin-1"))
    assert assay.read_topics(tmp_path / "topics")["1"].text == "é"


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _beir(tmp_path / "set")
    monkeypatch.chdir(tmp_path)
    done = call("collection", "set", "--show", "counts", "--format", "csv")
    assert done.code == 0
    assert pl.read_csv(done.out.encode())["count"].to_list() == [2, 3, 4, 2, 4]
    assert "2 judged documents are not in the collection: D1, d9" in " ".join(done.err.split())
    done = call("collection", "set", "--write", "out", "--kind", "trec", "--quiet")
    assert done.code == 0
    assert (tmp_path / "out" / "documents.trec").is_file()
    (tmp_path / "empty").mkdir()
    done = call("collection", "empty")
    assert (done.code, "no documents, topics or judgments" in done.err) == (1, True)
    done = call("collection", "nowhere")
    assert (done.code, "there is no such file" in done.err) == (1, True)
