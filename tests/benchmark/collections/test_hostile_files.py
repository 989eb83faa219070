"""Files that are damaged on purpose: read in linear time, or refused with the place."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest

import assay
from assay.core.errors import FormatError

_TREC = "<DOC>\n<DOCNO> 1 </DOCNO>\n"
_REPEATED = {
    "comments before another root": ("<!-- x -->\n", "<html>\n"),
    "paragraphs without an end": (f"{_TREC}<P>text\n", "</DOC>\n"),
    "comments without an end": (f"{_TREC}<TEXT><!-- a ", "</TEXT></DOC>\n"),
    "scripts without an end": (f"{_TREC}<DOCHDR>\nh\n</DOCHDR>\n<script> a ", "</DOC>\n"),
    "titles without an end": (f"{_TREC}<DOCHDR>\nh\n</DOCHDR>\n<title> a ", "</DOC>\n"),
    "headers without an end": (f"{_TREC}<DOCHDR>\nh\n", "</DOC>\n"),
    "tags that are not complete": ("<DOC ", ""),
    "ids without an end": (f"{_TREC}</DOC>\n<DOC>\n<DOCNO> 2 \n", "</DOC>\n"),
    "fields of a topic": ("<top>\n<num> 1\n<title> a\n<x> y\n", "</top>\n"),
    "fields of a topic in one line": ("<top> <num> 1 <title> a <x> y ", "</top>\n"),
}
"""A start whose last line is repeated, and an end."""


@pytest.mark.parametrize("name", _REPEATED)
def test_what_is_repeated_is_read_in_linear_time(name: str, tmp_path: Path) -> None:
    start, end = _REPEATED[name]
    head, last = start[: start.rindex("<")], start[start.rindex("<") :]
    place = tmp_path / "file.txt"
    place.write_text(head + last * 30_000 + end)
    begin = time.process_time()
    with suppress(FormatError):
        assay.Collection.read(place).counts()
    # Quadratic time is a minute and more here, exponential time has no end.
    assert time.process_time() - begin < 10


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'<!DOCTYPE t [<!ENTITY a "b">]><topics><topic number="1"><query>&a;</query></topic>'
            b"</topics>",
            ":1: entities are not read",
        ),
        (b'<?xml version="1.0" encoding="klingon"?><topics/>', ":1: the XML declaration states"),
        ('<topics><topic number="1"/></topics>'.encode("utf-16-le"), ":1: this is UTF-16"),
        ("1\tabc\n".encode("utf-32-be"), ":1: this is UTF-16 or UTF-32"),
        (b'{"_id": 1e400, "text": "a"}\n', ":1: the _id is Infinity, but a text or a number"),
        (b'{"_id": "1", "text": "a"}\n{"_id": true, "text": "a"}\n', ":2: the _id is true"),
        (b"<top>\n<num> 1\n<title> a\n", ":1: this topic does not end with </top>"),
    ],
)
def test_the_error_is_that_of_the_layout_with_its_place(
    content: bytes, message: str, tmp_path: Path
) -> None:
    place = tmp_path / "file.txt"
    place.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        assay.Collection.read(place).counts()
    assert message in str(caught.value)


def test_documents_of_news_have_their_titles_and_characters(tmp_path: Path) -> None:
    place = tmp_path / "news.txt"
    place.write_text(
        "<!-- PJG STAG 4700 -->\n\n<!-- PJG ITAG l=90 g=1 f=1 -->\n<DOC>\n"
        "<DOCNO> A&amp;B-1 </DOCNO>\n<HL> Near Accord\nTo Sell</HL>\n<TEXT>\n"
        "7&blank;CFR &sect; co&hyph;op <STYLE>x</STYLE>\n<P> a<!-- b -->\n</TEXT>\nloose\n</DOC>\n"
    )
    documents = assay.Collection.read(place).documents
    assert documents is not None
    (document,) = documents
    assert (document.id, document.title) == ("A&B-1", "Near Accord\nTo Sell")
    assert " ".join(document.fields["text"].split()) == "7 CFR § co-op a loose"
