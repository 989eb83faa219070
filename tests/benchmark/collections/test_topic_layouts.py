"""Every layout of topics: read, written, and read again unchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.benchmark.collections.read_files import read_topics, write_topics
from assay.benchmark.collections.topics import Subtopic
from assay.core.errors import FormatError

TIPSTER = """\
<top>

<head> Tipster Topic Description

<num> Number:  051

<dom> Domain:  International Economics

<title> Topic:  Airbus Subsidies

<desc> Description:

Document mentions prices < 5 & costs > 3.

<smry> Summary:

A summary.

<narr> Narrative:

A relevant document
has two lines.

<con> Concept(s):

1. Airbus, Boeing

<fac> Factor(s):

<nat> Nationality:  U.S.

</fac>

<def> Definition(s):

</top>
"""
PLAIN = """\
<top>
<num> Number: 201
<desc> Description:
No title, a description alone.
</top>
<top>
<num> Number: 202
<title> A title
<desc>
Core track: no labels.

<narr>
A narrative.
</top>
"""
CLOSED = (
    "<top>\n<num> Number: MB001 </num>\n<title> Service cuts </title>\n"
    "<querytime> Tue Feb 08 </querytime>\n</top>\n"
    "<top><num>2</num><title>one line</title></top>\n"
)
CLEF_2001 = """\
<top>
<num> C041 </num>
<DE-title> Pestizide in Babynahrung </DE-title>
<DE-desc> Berichte über Pestizide. </DE-desc>
<DE-narr> Zwei
Zeilen. </DE-narr>
</top>
"""
CLEF_TWO = """\
<top>
<num> C041 </num>
<EN-title> Pesticides </EN-title>
<FR-title> Pesticides en français </FR-title>
</top>
"""
WEB = """\
<?xml version="1.0"?>
<!DOCTYPE webtrack [
  <!ELEMENT topic (query, description, subtopic*)>
]>
<webtrack>
<!-- a note -->
<topic number="1" type="faceted">
  <query>a &amp; b</query>
  <description>
  What is it?
  </description>
  <subtopic number="1" type="inf">First.</subtopic>
  <subtopic number="2" type="nav">Second.</subtopic>
</topic>
<topic number="2" type="ambiguous"><query>c</query><description>d</description></topic>
</webtrack>
"""
COVID = """\
<topics task="x" batch="1">
  <topic number="1">
    <query>origin</query>
    <question>what is the origin</question>
    <narrative>seeking
    more</narrative>
  </topic>
</topics>
"""
CLINICAL = """\
<topics><topic number="1" type="diagnosis"><note>n</note><description>A woman.</description>
<summary>Woman, 58.</summary></topic></topics>
"""
TRIALS = '<topics task="ct"><topic number="1">\nPatient is a man.\n</topic></topics>\n'
CLEF_2008 = """\
<topics><topic lang="en"><identifier>10.2452/701-AH</identifier><title>Arctic</title>
<description>Find documents.</description><narrative>More.</narrative></topic></topics>
"""
IMAGES = """\
<topics><topic><number>1</number><title lang="en">church</title><title lang="de">Kirche</title>
<image>a.jpg</image><image>b.jpg</image></topic></topics>
"""
NO_ROOT = '<topic number="1"><query>a</query></topic>\n<topic number="2"><query>b</query></topic>\n'
INEX_2002 = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE INEX-Topic SYSTEM "topic.dtd">
<INEX-Topic topic-id="09" query-type="CAS" ct-no="048">
<Title><te>article</te><cw>reasoning</cw><ce>bdy/sec</ce><cw>-calendar</cw><ce>tig/atl</ce></Title>
<Description>Retrieve articles.</Description><Narrative>All.</Narrative>
<Keywords>belief revision</Keywords></INEX-Topic>
"""
INEX_2002_CO = """\
<INEX-Topic topic-id="45" query-type="CO" ct-no="056"><Title><cw>reality and medicine</cw></Title>
<Description>How?</Description><Keywords>a b</Keywords></INEX-Topic>
"""
INEX_2004 = """\
<inex_topic topic_id="127" query_type="CAS"><title>//sec[about(., x &lt; 1)]</title>
<description>D</description></inex_topic>
"""
INEX_2007 = """\
<inex_topics><topic id="544" ct_no="6"><title>t</title><castitle>//*[about(., t)]</castitle>
<description>d</description><narrative>n</narrative></topic>
<topic id="2009-Eff-228"><title>u</title><castitle>//sec[about(., u)]</castitle></topic>
</inex_topics>
"""
CAST = json.dumps(
    [
        {
            "number": 31,
            "title": "sharks",
            "turn": [
                {"number": 1, "raw_utterance": "Tell me about sharks."},
                {
                    "number": 2,
                    "raw_utterance": "What do they eat?",
                    "manual_rewritten_utterance": "What do sharks eat?",
                },
            ],
        }
    ]
)
JSONL = (
    '{"_id": "1", "text": "a question", "metadata": {"x": [1]}}\n'
    '{"_id": "2", "text": "another", "metadata": {}}\n'
)

LAYOUTS = {
    "tipster": (TIPSTER, "sgml", "051", "Airbus Subsidies"),
    "adhoc without titles": (PLAIN, "sgml", "201", "No title, a description alone."),
    "a missing end": (
        PLAIN.replace("</top>", "", 1),
        "sgml",
        "201",
        "No title, a description alone.",
    ),
    "closed tags": (CLOSED, "sgml", "MB001", "Service cuts"),
    "clef with a language": (CLEF_2001, "sgml", "C041", "Pestizide in Babynahrung"),
    "clef with two languages": (CLEF_TWO, "sgml", "C041", "Pesticides"),
    "web track": (WEB, "xml", "1", "a & b"),
    "covid": (COVID, "xml", "1", "origin"),
    "clinical decision support": (CLINICAL, "xml", "1", "Woman, 58."),
    "clinical trials": (TRIALS, "xml", "1", "Patient is a man."),
    "clef since 2007": (CLEF_2008, "xml", "10.2452/701-AH", "Arctic"),
    "images": (IMAGES, "xml", "1", "church"),
    "no root": (NO_ROOT, "xml", "1", "a"),
    "inex 2002 CAS": (INEX_2002, "inex", "09", "reasoning -calendar"),
    "inex 2002 CO": (INEX_2002_CO, "inex", "45", "reality and medicine"),
    "inex 2004": (INEX_2004, "inex", "127", "//sec[about(., x < 1)]"),
    "inex 2007": (INEX_2007, "inex", "544", "t"),
    "conversations": (CAST, "cast", "31_1", "Tell me about sharks."),
    "json lines": (JSONL, "jsonl", "1", "a question"),
    "json list": (
        '[\n {"question_id": "CQ1", "question": "where from", "background": "b"},\n'
        ' {"question_id": "CQ2", "question": "why"}]',
        *("jsonl", "CQ1", "where from"),
    ),
    "tab, with titles": ("7\tTitle\tlong text\n8\tAnother\ttext\n", "tsv", "7", "Title"),
    "tab": ("7\t two words \n8\tthree\n", "tsv", "7", "two words"),
    "csv": ('query_id,text\n007,"a, b"\n', "tsv", "007", "a, b"),
    "colon": ("10:first: query\n11:second\n", "colon", "10", "first: query"),
    "colon with a priority": ("20001:1:a tree\n20002:2:b\n", "colon", "20001", "a tree"),
    "docno": ("<DOC>\n<DOCNO> 1 </DOCNO>\n\n What & why?\n</DOC>\n", "docno", "1", "What & why?"),
    "smart": (".I 1\n.W\nwhat\n.N\n a note\n", "smart", "1", "what"),
    "lisa": ("1\nBOOKS\nAND MORE #\n", "lisa", "1", "BOOKS AND MORE"),
    "npl": ("1\nBITS\n/\n", "npl", "1", "BITS"),
    "time": ("*FIND     1\n\n ALLIES\n\n*STOP\n", "time", "1", "ALLIES"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_read_written_and_read_again(name: str, tmp_path: Path) -> None:
    text, layout, first, query = LAYOUTS[name]
    path = tmp_path / ("topics.csv" if name == "csv" else "topics")
    path.write_text(text, encoding="utf-8")
    topics = assay.read_topics(path)
    assert (topics.layout, topics.ids[0], topics.topics[0].text) == (layout, first, query)
    assay.write_topics(topics, tmp_path / "again")
    again = assay.read_topics(tmp_path / "again")
    assert again == topics
    assay.write_topics(topics, tmp_path / "as-json", "jsonl")
    as_json = assay.read_topics(tmp_path / "as-json", "jsonl")
    assert as_json.topics == topics.topics


def test_fields_of_the_first_topics(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text(TIPSTER)
    topic = assay.read_topics(path)["051"]
    assert topic.fields["description"] == "Document mentions prices < 5 & costs > 3."
    assert topic.fields["narrative"] == "A relevant document\nhas two lines."
    assert topic.fields["domain"] == "International Economics"
    assert topic.fields["concepts"] == "1. Airbus, Boeing"
    assert topic.fields["nationality"] == "U.S."
    path.write_text(WEB)
    topic = assay.read_topics(path)["1"]
    assert topic.fields == {"type": "faceted", "query": "a & b", "description": "What is it?"}
    assert topic.subtopics == (Subtopic("1", "First.", "inf"), Subtopic("2", "Second.", "nav"))
    path.write_text(IMAGES)
    topic = assay.read_topics(path)["1"]
    assert topic.fields["title:de"] == "Kirche"
    assert topic.fields["image"] == "a.jpg\nb.jpg"
    path.write_text(INEX_2002)
    assert assay.read_topics(path)["09"].fields == {
        "title": "reasoning -calendar",
        "castitle": "te: article\ncw: reasoning\nce: bdy/sec\ncw: -calendar\nce: tig/atl",
        "description": "Retrieve articles.",
        "narrative": "All.",
        "keywords": "belief revision",
        "type": "CAS",
        "ct_no": "048",
    }
    path.write_text(CAST)
    assert assay.read_topics(path)["31_2"].text == "What do sharks eat?"
    path.write_text(CLEF_2001)
    assert assay.read_topics(path)["C041"].fields["language"] == "de"


@pytest.mark.shared
def test_every_layout_of_the_shared_data(shared_data: Path, tmp_path: Path) -> None:
    files = sorted((shared_data / "topics").iterdir())
    files += [shared_data / name for name in ("cranfield/cran.qry", "cacm/query.text")]
    counts = {}
    for file in [*files, shared_data / "vaswani" / "query-text.trec"]:
        topics = assay.read_topics(file)
        assay.write_topics(topics, tmp_path / "again")
        assert assay.read_topics(tmp_path / "again", topics.layout) == topics
        counts[file.name] = len(topics)
    assert counts["topics.adhoc.401-450.txt"] == 50
    assert counts["topics.dl19-passage.txt"] == 43
    assert counts["topics.covid-round1.xml"] == 30
    assert counts["topics.cacm.txt"] == 64
    assert len(counts) == 13


_TRACKS = {
    "news": (
        "<top>\n<num> Number: 934 </num>\n<docid>ab</docid>\n<url>https://w.com/?a=1&b=2</url>\n"
        '<subtopics>\n<sub num="1">What is it?</sub>\n<sub num="2">Who?</sub>\n</subtopics>\n'
        "</top>\n",
        "934",
        {"docid": "ab", "url": "https://w.com/?a=1&b=2"},
    ),
    "labels without a colon": (
        "<top>\n<num> 401\n<title> a\n<desc> Description\nText.\n<narr> Narrative\nMore.\n</top>\n",
        "401",
        {"title": "a", "description": "Text.", "narrative": "More."},
    ),
    "lower case": (
        "<top>\n<num> number:  051\n<title> topic:  airbus\n<desc> description:\ntext.\n</top>\n",
        "051",
        {"title": "airbus", "description": "text."},
    ),
    "Chinese of TREC-5": (
        "<top>\n<num> Number: CH1\n<E-title> Trade\n<C-title> 貿易\n"
        "<E-desc> Description:\nd\n</top>\n",
        "CH1",
        {"title:e": "Trade", "title:c": "貿易", "description:e": "d"},
    ),
    "prefixed": (
        '<t:topics xmlns:t="http://x"><t:topic number="1"><t:query>a</t:query></t:topic>'
        "</t:topics>",
        "1",
        {"query": "a"},
    ),
    "language of a topic": (
        "<top lang='hi'>\n<num>26</num>\n<title>a</title>\n</top>\n",
        "26",
        {"title": "a", "language": "hi"},
    ),
    "genomics": ("<200>What [GENES] matter?\n", "200", {"text": "What [GENES] matter?"}),
    "legal": (
        "<Requests><ProductionRequest><RequestNumber>7</RequestNumber><RequestText>All</RequestText>"
        "</ProductionRequest></Requests>\n",
        "7",
        {"requesttext": "All"},
    ),
    "session": (
        '<sessiontrack><session num="3"><topic num="1"><desc>d</desc></topic>'
        "<currentquery><query>last</query></currentquery></session></sessiontrack>\n",
        "3",
        {"topic": "d", "currentquery": "last"},
    ),
    "cast of 2022": (
        '[{"number": "132", "turn": [{"number": "1-1", "participant": "User", "utterance": "a?"},'
        ' {"number": "1-2", "participant": "System", "response": "b"}]}]\n',
        "132_1-1",
        {"rewritten": "a?", "participant": "User", "utterance": "a?"},
    ),
    "ikat": (
        '[{"number": "9-1", "title": "t", "turns": [{"turn_id": 1, "utterance": "one?",'
        ' "resolved_utterance": "this one?"}]}]\n',
        "9-1_1",
        {
            "rewritten": "this one?",
            "utterance": "one?",
            "resolved_utterance": "this one?",
            "topic_title": "t",
        },
    ),
}


@pytest.mark.parametrize("track", _TRACKS)
def test_topics_of_further_tracks(track: str, tmp_path: Path) -> None:
    content, name, fields = _TRACKS[track]
    place = tmp_path / "topics.txt"
    place.write_text(content)
    topics = read_topics(place)
    assert topics.ids == [name]
    assert topics[name].fields == fields
    assert len(topics[name].subtopics) == (2 if track == "news" else 0)
    for layout in (None, "jsonl", "xml"):
        write_topics(topics, place, layout)
        assert read_topics(place).topics == topics.topics


def test_the_query_of_a_session_is_its_last_one(tmp_path: Path) -> None:
    place = tmp_path / "topics.xml"
    place.write_text(_TRACKS["session"][0])
    assert read_topics(place).texts == {"3": "last"}


def test_a_turn_that_is_not_an_object_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "topics.json"
    place.write_text('[{"number": 1, "turn": [5]}]')
    with pytest.raises(FormatError, match="a turn of conversation 1 has no number"):
        read_topics(place)


def test_topics_print_as_a_line(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text("".join(f'{{"id": "{n}", "title": "words"}}\n' for n in range(9)))
    expected = "9 topics: 0, 1, 2, 3, 4, 5 and 3 more; fields: title"
    assert repr(assay.read_topics(path)) == expected
