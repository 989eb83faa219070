"""Formats of judging tools: there and back, as their tools write them, and broken ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.core.errors import FormatError
from assay.formats import containers
from assay.formats.containers import formats
from assay.formats.conversion import convert
from assay.formats.input_files import Input
from assay.formats.rating_format import RatingFormat

NAMES = [name for name, form in formats().items() if isinstance(form, RatingFormat)]
GRADES = [("-q1 x", "d 1", 2.0), ("-q1 x", "=d2", 0.0), ("é", "x", 1.5), ("3", "x", -1.0)]
FILES = {
    "quepid": "query,docid,rating\n -solr,12,3\nstar wars,7,0\nnothing,,",
    "quepid json": '{"queries": [{"query": "-solr", "ratings": {"12": 3}},\n{"query": "star wars", "ratings": {"7": 0}}, {"query": "nothing", "ratings": {}}]}',
    "quepid-book": json.dumps(
        {
            "name": "b",
            "scale": [0, 1, 2, 3],
            "query_doc_pairs": [
                {
                    "query_text": "-solr",
                    "doc_id": "12",
                    "position": 1,
                    "judgements": [{"rating": 3.0, "unrateable": False, "user_email": "a@b"}],
                },
                {
                    "query_text": "star wars",
                    "doc_id": "7",
                    "judgements": [{"rating": 0, "unrateable": None}],
                },
                {
                    "query_text": "star wars",
                    "doc_id": "8",
                    "judgements": [{"rating": None, "unrateable": True}],
                },
            ],
        }
    ),
    "opensearch": json.dumps(
        {
            "name": "x",
            "type": "IMPORT_JUDGMENT",
            "judgmentRatings": [
                {"query": "-solr", "ratings": [{"docId": "12", "rating": "3.000"}]},
                {"query": "star wars", "ratings": [{"docId": "7", "rating": "0.000"}]},
            ],
        }
    ),
    "rank-eval": json.dumps(
        {
            "requests": [
                {
                    "id": "-solr",
                    "request": {"query": {}},
                    "ratings": [{"_index": "i", "_id": "12", "rating": 3}],
                },
                {
                    "id": "star wars",
                    "request": {},
                    "ratings": [{"_index": "i", "_id": "7", "rating": 0}],
                },
            ],
            "metric": {"precision": {"k": 10}},
        }
    ),
    "rre": json.dumps(
        {
            "index": "i",
            "topics": [
                {
                    "description": "t",
                    "query_groups": [
                        {
                            "name": "g",
                            "queries": [
                                {"template": "t", "placeholders": {"$lang": "e", "$query": "-solr"}}
                            ],
                            "relevant_documents": {"12": {"gain": 3}},
                        },
                        {
                            "name": "h",
                            "queries": [{"placeholders": {"$query": "star wars"}}],
                            "relevant_documents": {"0": ["7"]},
                        },
                    ],
                }
            ],
        }
    ),
    "label-studio": json.dumps(
        [
            {
                "id": 1,
                "data": {"query": "-solr", "doc": "12"},
                "annotations": [
                    {
                        "completed_by": 1,
                        "lead_time": 3.5,
                        "was_cancelled": False,
                        "result": [{"type": "rating", "value": {"rating": 3}}],
                    }
                ],
            },
            {
                "id": 2,
                "data": {"query": "star wars", "doc": "7"},
                "annotations": [
                    {
                        "completed_by": 1,
                        "result": [{"type": "choices", "value": {"choices": ["0"]}}],
                    }
                ],
            },
        ]
    ),
    "mturk": '"HITId","WorkerId","AssignmentStatus","WorkTimeInSeconds","Input.query","Input.doc","Answer.grade"\n"H","W","Approved","31","-solr","12","3"\n"H","V","Rejected","2","-solr","12","0"\n"I","W","Submitted","20","star wars","7","0"\n',
    "doccano": '{"id": 1, "text": "t", "label": ["3"], "query": "-solr", "doc": "12"}\n{"id": 2, "text": "t", "label": ["0"], "query": "star wars", "doc": "7"}\n',
}


@pytest.mark.parametrize("name", NAMES)
def test_there_and_back(name: str, tmp_path: Path) -> None:
    lines = "".join(f"{json.dumps({'query': q, 'doc': d, 'grade': g})}\n" for q, d, g in GRADES)
    (tmp_path / "qrels.jsonl").write_text(lines, encoding="utf-8")
    convert(tmp_path / "qrels.jsonl", tmp_path / "there", "qrels", output_format=name)
    assert containers.open_file(tmp_path / "there", "qrels")[0].name == name
    assert containers.to_judgments(tmp_path / "there").frame.rows() == GRADES
    convert(tmp_path / "there", tmp_path / "back.jsonl")
    assert containers.to_judgments(tmp_path / "back.jsonl").frame.rows() == GRADES


@pytest.mark.parametrize("name", FILES)
def test_files_as_their_tools_write_them(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(FILES[name], encoding="utf-8")
    form, _ = containers.open_file(path, "qrels")
    assert form.name == name.split()[0]
    judged = containers.to_judgments(path)
    assert judged.frame.rows() == [("-solr", "12", 3.0), ("star wars", "7", 0.0)]
    if name.startswith("quepid") and "book" not in name:
        assert judged.empty == ("nothing",)
    if name == "quepid-book":
        assert "1 document that could not be rated" in judged.notes[0]


@pytest.mark.parametrize("name", NAMES)
def test_ratings_keep_assessors(name: str, tmp_path: Path) -> None:
    form = formats()[name]
    assert isinstance(form, RatingFormat)
    path = tmp_path / "file"
    (tmp_path / "q").write_text("1 0 d1 2\n1 0 d2 0\n")
    convert(tmp_path / "q", path, "qrels", output_format=name)
    frame, _ = form.read_frame(Input(path))
    assert frame["label"].to_list() == [2.0, 0.0]
    assert frame["item"].to_list() == ["1 d1", "1 d2"]


def test_ratings_are_aggregated(tmp_path: Path) -> None:
    task = json.loads(FILES["label-studio"])
    task[0]["annotations"].append({"completed_by": 2, "result": [{"value": {"rating": 3}}]})
    task[1]["annotations"].append({"completed_by": 2, "result": [{"value": {"rating": 0}}]})
    (tmp_path / "tasks.json").write_text(json.dumps(task))
    labels = assay.aggregate(tmp_path / "tasks.json").labels
    assert dict(labels.select("item", "label").iter_rows()) == {"-solr 12": "3", "star wars 7": "0"}


def test_several_assessors_are_combined_first(tmp_path: Path) -> None:
    task = json.loads(FILES["label-studio"])
    task[0]["annotations"].append({"completed_by": 2, "result": [{"value": {"rating": 1}}]})
    (tmp_path / "tasks.json").write_text(json.dumps(task))
    with pytest.raises(FormatError, match="ratings of several assessors; combine them first"):
        containers.to_judgments(tmp_path / "tasks.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query,docid,rating\na,b,often\n", "file:2: the rating 'often' is not a number"),
        ("query,docid,rating\na,b\n", "file:2: expected 3 fields, found 2"),
        ('{"query_doc_pairs": [{"doc_id": "1"}]}', "not a file of quepid-book: no 'query_text'"),
        ('{"judgmentRatings": [', "file:1: not JSON"),
        ('{"judgmentRatings": {"query": "a"}}', "it is not nested as .*judgmentRatings"),
        (
            '{"requests": [{"id": "a", "ratings": [{"_id": "d", "rating": 1}, {"_id": "e"}]}]}',
            r"rating 2: no 'rating' \(the one before is of query a, document d\)",
        ),
        (
            "HITId,WorkerId,Input.query,Input.doc,Answer.taskAnswers\n"
            'h,w,q,d,"[{""a"":1,""b"":2}]"\n',
            "file:2: the answer .* is not a number",
        ),
        ('{"label": ["x"], "query": "1", "doc": "d"}\n', "file:1: the label 'x' is not a number"),
    ],
)
def test_broken_files(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(FormatError, match=said):
        containers.to_judgments(path)


def test_rre_as_its_generator_writes_it(tmp_path: Path) -> None:
    """Groups without topics, a named placeholder among others, documents by their gain."""
    place = tmp_path / "ratings.json"
    group = {
        "name": "crash",
        "queries": [{"template": "t", "placeholders": {"$vector": "[0.1]", "text": "the crash"}}],
        "relevant_documents": {"2": ["1"], "0": ["2", "15"]},
    }
    content = {"index": "i", "id_field": "id", "query_placeholder": "text", "query_groups": [group]}
    place.write_text(json.dumps(content))
    rows = containers.to_judgments(place).frame.select("query", "doc", "grade").sort("doc").rows()
    assert rows == [("the crash", "1", 2.0), ("the crash", "15", 0.0), ("the crash", "2", 0.0)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("basic.csv", 'query,docid,rating\r\nmilk,1,3\r\n"a, b",2,0\r\nalone\r\n'),
        (
            "detailed.csv",
            "Team Name,Case Name,Case ID,Query Text,Doc ID,Title,Rating,price\r\n"
            '"T, U",C,6,milk,1,"Milk, 1 l",3,2\r\nT,C,6,"a, b",2,B,0,\r\nT,C,6,alone,3,C,,\r\n',
        ),
        (
            "case.json",
            '{"case_name": "C", "queries": [{"query_text": "milk", "options": {}, "ratings":'
            ' {"1": 3}}, {"query_text": "a, b", "ratings": [{"doc_id": "2", "rating": 0}]},'
            ' {"query_text": "alone", "ratings": null}]}',
        ),
    ],
)
def test_the_exports_of_a_quepid_case(name: str, text: str, tmp_path: Path) -> None:
    place = tmp_path / name
    place.write_text(text, newline="")
    rows = containers.to_judgments(place).frame.select("query", "doc", "grade").rows()
    assert rows == [("milk", "1", 3.0), ("a, b", "2", 0.0)]


def test_a_quepid_book_as_csv_has_a_column_for_each_assessor(tmp_path: Path) -> None:
    place = tmp_path / "book.csv"
    place.write_text('query,docid,Ann Lee,Bo\nmilk,1,2.0,1\n" =1+1",2,,3\nmilk,3,,')
    frame, _ = containers.read_table(place)
    assert frame.select("query", "doc", "assessor", "label").rows() == [
        ("milk", "1", "Ann Lee", 2.0),
        ("milk", "1", "Bo", 1.0),
        ("=1+1", "2", "Bo", 3.0),
        ("milk", "3", "1", None),
    ]
    place.write_text("query,docid,Ann Lee,Bo\nmilk,1,2.0,good\n")
    with pytest.raises(FormatError, match=r"book.csv:2: the rating 'good' is not a number"):
        containers.read_table(place)
    place.write_text("query,docid,Ann Lee,Bo\nmilk\n")
    with pytest.raises(FormatError, match=r"book.csv:2: expected 4 fields, found 1"):
        containers.read_table(place)
    place.write_text("query,docid,Ann Lee,Bo\nmilk,1,2.0\n")
    with pytest.raises(FormatError, match=r"book.csv:2: expected 4 fields, found 3"):
        containers.read_table(place)


def test_a_label_that_is_not_a_number_is_named_with_its_place(tmp_path: Path) -> None:
    place = tmp_path / "tasks.json"
    notes = [{"result": [{"value": {"choices": [label]}}]} for label in ("2", "Relevant")]
    place.write_text(json.dumps([{"data": {"query": "q", "doc": "d"}, "annotations": notes}]))
    with pytest.raises(FormatError, match="rating 2: the rating 'Relevant' is not a number"):
        containers.read_table(place)


@pytest.mark.parametrize(
    "answers", ['{"grade": {"label": "2"}}', '{"x": {"1": false, "2": true}}', '{"grade": "2"}']
)
def test_answers_of_crowd_elements(answers: str, tmp_path: Path) -> None:
    quoted = f"[{answers}]".replace('"', '""')
    path = tmp_path / "batch.csv"
    path.write_text(
        f'HITId,WorkerId,Input.query,Input.doc,Answer.taskAnswers\nh,w,q,d,"{quoted}"\n'
    )
    assert containers.to_judgments(path).frame.rows() == [("q", "d", 2.0)]


def test_judgment_lists_within_a_search_result_of_opensearch(tmp_path: Path) -> None:
    listed = {"judgmentRatings": [{"query": "a", "ratings": [{"docId": "d", "rating": "3.000"}]}]}
    path = tmp_path / "lists.json"
    path.write_text(json.dumps({"took": 1, "hits": {"hits": [{"_id": "x", "_source": listed}]}}))
    assert containers.to_judgments(path).frame.rows() == [("a", "d", 3.0)]
