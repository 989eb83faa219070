"""Collections in small files of the shapes in which others publish them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.benchmark.collections.read_files import read_texts
from assay.core.errors import DataError, FormatError


def test_topics_and_components_are_found_by_their_content(tmp_path: Path) -> None:
    """CLEF declares an encoding; INEX has a file of assessments for each topic."""
    (tmp_path / "Top-en06.txt").write_bytes(
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<topics>\n<top lang="en">\n'
        "<num>C301</num>\n<title>Nestlé Brands</title>\n</top>\n</topics>\n".encode("latin-1")
    )
    assessed = (
        '<assessments topic="{0}"><file file="a"><path E="3" S="3" path="/x[1]"/></file>'
        "</assessments>"
    )
    for name in ("126", "127"):
        (tmp_path / f"{name}.xml").write_text(assessed.format(name))
    collection = assay.Collection.read(tmp_path)
    assert collection.topics is not None
    assert collection.topics.texts == {"C301": "Nestlé Brands"}
    assert collection.judgments is not None
    assert collection.judgments.frame.select("query", "doc", "grade").rows() == [
        ("126", "a/x[1]", 1.0),
        ("127", "a/x[1]", 1.0),
    ]
    assert [each.split for each in collection.parts] == [""]


def test_judgments_in_several_files(tmp_path: Path) -> None:
    """Of other queries they are joined, the same are noted, and what differs is refused."""
    (tmp_path / "qrels.51-100.part1").write_text("51 0 a 1\n")
    (tmp_path / "qrels.51-100.part2").write_text("52 0 a 0\n")
    collection = assay.Collection.read(tmp_path)
    collection.write(tmp_path / "out")
    assert (tmp_path / "out" / "qrels" / "test.tsv").read_text().count("\n") == 3
    (tmp_path / "out" / "qrels" / "test.tsv").unlink()
    (tmp_path / "out" / "qrels").rmdir()
    (tmp_path / "qrels.52.txt").write_text("52 0 a 0\n")
    assert "again" in " ".join(assay.Collection.read(tmp_path).notes)
    (tmp_path / "qrels.52.txt").write_text("52 0 b 0\n")
    with pytest.raises(DataError, match=r"part2 and .*qrels\.52\.txt both hold judgments"):
        assay.Collection.read(tmp_path)


def test_a_passage_has_its_own_id_beside_that_of_its_document(tmp_path: Path) -> None:
    path = tmp_path / "msmarco_passage_00.jsonl"
    path.write_text(
        '{"pid": "p_0", "passage": "x", "docid": "d"}\n'
        '{"pid": "p_1", "passage": "y", "docid": "d"}\n'
    )
    collection = assay.Collection.read(path)
    assert collection.documents is not None
    assert [each.id for each in collection.documents] == ["p_0", "p_1"]
    assert read_texts(path) == {"p_0": "x", "p_1": "y"}


def test_a_query_beside_a_passage_keeps_its_own_id(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text('{"qid": "q1", "text": "what", "pid": "p7"}\n')
    assert assay.read_topics(path).ids == ["q1"]
    assert read_texts(path) == {"q1": "what"}


def test_metadata_of_cord_19(tmp_path: Path) -> None:
    path = tmp_path / "metadata.csv"
    path.write_text(
        'cord_uid,sha,title,abstract\nug7v899j,d1,"A, b","Two ""x""\nlines"\n02tn,,N,\n'
    )
    collection = assay.Collection.read(path)
    assert collection.documents is not None
    (first, second) = collection.documents
    assert (first.id, first.title, first.fields["abstract"]) == (
        "ug7v899j",
        "A, b",
        'Two "x"\nlines',
    )
    assert (second.id, second.text) == ("02tn", "N")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04rest", "a zip archive; unpack it"),
        (b"\x1f\x9d\x90abc", "compressed by compress; unpack it"),
        (b"docs".ljust(257, b"\0") + b"ustar\0".ljust(255, b"\0"), "a tar archive; unpack it"),
    ],
)
def test_archives_are_named(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    for name in ({"path": path}, {"topics": path}, {"qrels": path}):
        with pytest.raises(FormatError, match=f"file: this is {said}"):
            assay.Collection.read(**name)


def test_ids_that_would_change_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "a\\tb", "text": "x"}\n')
    collection = assay.Collection.read(path)
    for kind in ("trec", "msmarco"):
        with pytest.raises(DataError, match=r"cannot hold the id 'a\\tb'; write beir"):
            collection.write(tmp_path / kind, kind)
    collection.write(tmp_path / "beir", "beir")
    assert [each.id for each in assay.Collection.read(tmp_path / "beir").documents or ()] == [
        "a\tb"
    ]


def test_runs_and_training_data_beside_documents_are_no_documents(tmp_path: Path) -> None:
    """MS MARCO's folder has five kinds of tab-separated files, one of which holds passages."""
    files = {
        "collection.tsv": "7\tpassage a\n8\tpassage b\n",
        "queries.dev.tsv": "1\tq\n",
        "qrels.dev.tsv": "1\t0\t7\t1\n",
        "top1000.dev.tsv": "1\t7\tq\tpassage a\n1\t8\tq\tpassage b\n",
        "qidpidtriples.tsv": "1\t7\t8\n1\t8\t7\n",
        "bm25.eval": "map\tall\t0.25\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    collection = assay.Collection.read(tmp_path)
    assert [each.id for each in collection.documents or ()] == ["7", "8"]
    assert "bm25.eval, qidpidtriples.tsv, top1000.dev.tsv" in " ".join(collection.notes)
    (tmp_path / "collection.tsv").rename(tmp_path / "texts.trec")
    (tmp_path / "texts.trec").write_text("<DOC>\n<DOCNO>7</DOCNO>\nx\n</DOC>\n")
    assert [each.id for each in assay.Collection.read(tmp_path).documents or ()] == ["7"]


@pytest.mark.parametrize("read", [assay.read_topics, assay.read_labels, assay.Collection.read])
def test_control_characters_alone_are_no_text(read: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\x1c\x1d\n\x1f")
    with pytest.raises(FormatError, match="file:1: there is no text in this file"):
        read(path)


@pytest.mark.parametrize("stated", ["utf-16", "UTF-8", "koi8-r"])
def test_encodings_that_declarations_state(stated: str, tmp_path: Path) -> None:
    """UTF-16 cannot be right where the declaration itself is read as single bytes."""
    head = f'<?xml version="1.0" encoding="{stated}"?>\n'
    text = f'{head}<topics><topic number="1">вода</topic></topics>'
    path = tmp_path / "topics.xml"
    path.write_bytes(text.encode("utf-8" if stated == "utf-16" else stated))
    assert assay.read_topics(path).texts == {"1": "вода"}


TIME_FILES = {
    "TIME.ALL": "*TEXT 017 01\nA\n*TEXT 018\nB\n*STOP",
    "TIME.QUE": "*FIND 1\nq\n*FIND 2\nr\n*STOP\n",
    "TIME.REL": "1  1 2\n2  2 1\n",
}
LISA_FILES = {
    "LISA0.001": "Document    1\nT\n\nx\n" + "*" * 44 + "\n",
    "LISA.QUE": "1\nI AM INTERESTED #\n",
    "LISARJ.NUM": "           1           1           1\n",
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (TIME_FILES, [("1", "1", 1.0), ("1", "2", 1.0), ("2", "2", 1.0), ("2", "1", 1.0)]),
        (LISA_FILES, [("1", "1", 1.0)]),
    ],
)
def test_lists_that_look_like_codes_are_known_by_their_names(
    files: dict[str, str], expected: list[tuple[str, str, float]], tmp_path: Path
) -> None:
    """Lines of three numbers are query, document and code in Cranfield."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    judgments = assay.Collection.read(tmp_path).judgments
    assert judgments is not None
    assert judgments.frame.rows() == expected


def test_markup_within_texts_stays_and_comments_between_topics_go(tmp_path: Path) -> None:
    place = tmp_path / "topics.txt"
    place.write_text(
        '<top>\n<num> Number: 1\n<title> A\n<desc> Description:\nThe <i>word</i> "A" <b>and</b>'
        "\n</top>\n<!-- left out:\n<top>\n<num> Number: 2\n<title> B\n</top> -->\n"
        "<top>\n<num> Number: 3 </num>\n<title> C <em>x</em> & D </title>\n</top>\n"
    )
    found = {topic.id: dict(topic.fields) for topic in assay.read_topics(place).topics}
    assert found == {
        "1": {"title": "A", "description": 'The <i>word</i> "A" <b>and</b>'},
        "3": {"title": "C <em>x</em> & D"},
    }
    declared = (
        '<?xml version="1.0"?>\n<topics><top><num>1</num><title>A &amp; B</title></top></topics>'
    )
    place.write_text(declared)
    assert assay.read_topics(place).topics[0].fields == {"title": "A & B"}


def test_sections_of_characters_are_no_markup(tmp_path: Path) -> None:
    place = tmp_path / "docs.trec"
    place.write_text(
        "<DOC>\n<DOCNO>7</DOCNO>\n<TEXT><![CDATA[a <b> &amp; c]]> <P>d</P></TEXT>\n</DOC>\n"
    )
    documents = assay.Collection.read(place).documents
    assert documents is not None
    (document,) = documents
    assert document.fields["text"].split() == ["a", "<b>", "&amp;", "c", "d"]
