"""Pages without a browser: what they carry, what they leave out, and how large they are."""

from __future__ import annotations

import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import EVIL, EVIL_TEXT, write_decisions, write_retrieval

from assay.core.errors import FormatError
from assay.formats.text_by_id import read_texts
from assay.reports.markup import data_block, tag
from assay.reports.pages.query_data import most_changed_queries
from assay.reports.pages.retrieval import retrieval_page
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

VOID = {"meta", "link", "input", "br", "hr", "img", "line", "path", "rect", "circle"}


class _Balance(HTMLParser):
    """Every element that is opened is closed, in turn; ids are unique."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for key, value in attributes if key == "id"]
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name: str) -> None:
        if name not in VOID:
            assert self.open.pop() == name


def _checked(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    parser = _Balance()
    parser.feed(text)
    assert parser.open == []
    assert len(parser.ids) == len(set(parser.ids))
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    return text


def _data(text: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _retrieval(folder: Path, *more: str) -> str:
    runs = sorted(str(path) for path in (folder / "runs").iterdir())
    done = call("report", "retrieval", "qrels.txt", *runs, *more, "-o", "report.html")
    assert done.code == 0, done.err
    assert "report.html" in done.err
    return _checked(folder / "report.html")


def test_the_page_of_a_retrieval(folder: Path) -> None:
    write_retrieval(folder)
    (folder / "runs" / "silent.run").write_text("q1 Q0 q1-d1 1 1 silent\n")
    text = _retrieval(folder, "-m", "nDCG@5 AP", "--title", "My runs")
    assert "<h1>My runs</h1>" in text
    assert text.index("Know this first") < text.index("Leaderboard")
    assert "silent: 5 of 6 judged queries" in text
    assert "sha256:" in text
    assert "document descending" in text
    data = _data(text, "queries-data")
    assert data["queries"] == [f"q{n}" for n in range(1, 7)]
    first = data["rankings"]["q1"][str(data["systems"].index("system0"))]
    assert data["docs"][first[0][0]] == "q1-d1"
    assert [grade for _, grade in first] == [2, 1, 0, 1, 0, None]


def test_ranks_in_the_other_list_are_those_of_the_whole_list(folder: Path) -> None:
    docs = [f"d{n}" for n in range(60)]
    (folder / "qrels.txt").write_text("q 0 d0 1\n")
    (folder / "runs").mkdir()
    for name, order in (("one", docs[:59]), ("two", [*docs[1:51], "d0", "d59"])):
        lines = [f"q Q0 {doc} {n} {100 - n} {name}\n" for n, doc in enumerate(order, 1)]
        (folder / "runs" / f"{name}.run").write_text("".join(lines))
    data = _data(_retrieval(folder), "queries-data")
    names = [data["docs"][doc] for doc in data["ranks"]["q"]["docs"]]
    one, two = (dict(zip(names, own, strict=True)) for own in data["ranks"]["q"]["of"])
    assert (one["d0"], two["d0"]) == (1, 51)
    assert (one["d20"], two["d20"]) == (21, 20)
    assert "d59" not in names
    (folder / "runs" / "two.run").write_text("q Q0 d59 1 1 two\n")
    data = _data(_retrieval(folder), "queries-data")
    place = data["ranks"]["q"]["docs"].index(data["docs"].index("d59"))
    assert [own[place] for own in data["ranks"]["q"]["of"]] == [0, 1]


def test_a_system_of_which_less_is_judged_is_told(folder: Path) -> None:
    """3 of 100 documents at the top of one system are unjudged, and none of the other's."""
    names = [f"q{n}" for n in range(10)]
    (folder / "qrels.txt").write_text("".join(f"{q} 0 d{n} 1\n" for q in names for n in range(10)))
    (folder / "runs").mkdir()
    for system, missing in (("one", 3), ("two", 0)):
        lines = [
            f"{q} Q0 {'x' if n == 5 and place < missing else 'd'}{n} {n + 1} {20 - n} {system}\n"
            for place, q in enumerate(names)
            for n in range(10)
        ]
        (folder / "runs" / f"{system}.run").write_text("".join(lines))
    text = _retrieval(folder)
    told = "3.0% of the first 10 documents of one are unjudged, 0.0% of those of two"
    assert told in text
    assert "<code>assay holes</code>" in text
    (folder / "runs" / "two.run").unlink()
    assert "are unjudged" not in _retrieval(folder)


def test_pages_carry_values_as_they_are(folder: Path) -> None:
    """Five decimals, rounded again to four, would be another number than the command line's."""
    (folder / "qrels.txt").write_text("".join(f"q 0 d{n} 1\n" for n in range(7)))
    (folder / "runs").mkdir()
    (folder / "runs" / "one.run").write_text("q Q0 x 1 3 one\nq Q0 y 2 2 one\nq Q0 d1 3 1 one\n")
    data = _data(_retrieval(folder, "-m", "AP"), "queries-data")
    assert data["values"] == [[[1 / 3 / 7]]]
    rows = ["P,0.9"] * 3 + ["N,0.9"] * 18 + ["N,0.1"] * 235
    (folder / "d.csv").write_text("truth,score\n" + "\n".join(rows) + "\n")
    columns = ("--truth", "truth", "--score", "score", "--positive", "P")
    assert call("report", "classification", "d.csv", *columns, "-o", "c.html").code == 0
    rates = _data(_checked(folder / "c.html"), "thresholds-data")["rates"]
    assert rates["TNR"][0] == 235 / 253


def test_the_same_input_gives_the_same_page(folder: Path) -> None:
    write_retrieval(folder)
    assert _retrieval(folder) == _retrieval(folder)


def test_html_in_names_is_text(folder: Path) -> None:
    write_retrieval(folder, evil=True)
    text = _retrieval(folder, "--topics", "topics.tsv", "--documents", "docs.jsonl")
    assert EVIL not in text
    assert "<img" not in text
    assert text.count("<script") == 3
    data = _data(text, "queries-data")
    assert data["systems"][0] == EVIL
    assert data["topics"][EVIL] == EVIL_TEXT.strip()


def test_a_page_of_saved_scores(folder: Path) -> None:
    write_retrieval(folder)
    call("retrieval", "qrels.txt", "runs/system0.run", "-m", "AP", "--save", "s.parquet")
    assert call("report", "s.parquet", "-o", "s.html").code == 0
    assert "AP" in _checked(folder / "s.html")


def test_a_page_of_several_saved_scores(folder: Path) -> None:
    write_retrieval(folder, systems=2)
    for n, measures in enumerate(("AP RR", "AP P@1")):
        run = ("retrieval", "qrels.txt", f"runs/system{n}.run", "-m", measures)
        assert call(*run, "--save", f"{n}.parquet").code == 0
    done = call("report", "0.parquet", "1.parquet", "-o", "s.html")
    assert done.code == 0, done.err
    text = _checked(folder / "s.html")
    assert 'scope="row">system0<' in text
    assert 'scope="row">system1<' in text
    assert text.count("<td>–</td>") == 2, "each was not measured by one of the three"


def test_only_pages_are_overwritten(folder: Path) -> None:
    write_retrieval(folder, systems=1)
    asked = ("report", "retrieval", "qrels.txt", "runs/system0.run", "-m", "AP")
    (folder / "report.html").write_text("<p>Months of work.</p>")
    done = call(*asked, "-o", "report.html")
    assert done.code != 0
    assert "report.html: this is not a page of Assay, and is not overwritten" in done.err
    assert (folder / "report.html").read_text() == "<p>Months of work.</p>"
    (folder / "report.html").write_text("")
    for title, more in (("one", ""), ("two", " in place of the one before")):
        done = call(*asked, "--title", title, "-o", "report.html")
        assert (done.code, done.out) == (0, "")
        assert f"The report is in report.html{more}: open" in done.err
        assert f"<h1>{title}</h1>" in (folder / "report.html").read_text()


def test_a_page_that_nobody_named_is_not_overwritten(folder: Path) -> None:
    write_retrieval(folder, systems=1)
    asked = ("report", "retrieval", "qrels.txt", "runs/system0.run", "-m", "AP")
    assert "The report is in report.html: open" in call(*asked, "--title", "one").err
    for number in (2, 3):
        done = call(*asked)
        assert done.code == 0, done.err
        kept = "report.html was there before and is kept; -o report.html replaces it"
        assert f"The report is in report-{number}.html ({kept}): open" in done.err
    assert "<h1>one</h1>" in (folder / "report.html").read_text()
    assert "is kept" not in call(*asked, "-o", "other.html").err


def test_the_pages_of_other_tasks(folder: Path) -> None:
    data = str(write_decisions(folder))
    columns = ("--truth", "truth", "--score", "score", "--predicted", "guess", "--positive", "P")
    assert call("report", "classification", data, *columns, "-o", "c.html").code == 0
    text = _checked(folder / "c.html")
    found = _data(text, "thresholds-data")
    place = found["score"].index(0.54)
    assert (found["tp"][place], found["fp"][place]) == (5, 1)
    assert found["rates"]["ACC"][place] == 0.7
    assert "20 items, positive is “P”: predicted in guess, score, actual in truth." in text
    multi = "label,guess\na,a\nb,a\nc,c\nb,b\n"
    (folder / "m.csv").write_text(multi)
    done = call("report", "classification", "m.csv", "--truth", "label", "--predicted", "guess")
    assert done.code == 0
    mistakes = _checked(folder / "report.html").split("<caption>The most frequent mistakes", 1)[1]
    assert '<th scope="row">b</th><td>a</td><td>1</td><td>50.0%</td>' in mistakes
    (folder / "clusters.csv").write_text("c,topic\n1,x\n1,x\n2,o\n2,x\n")
    arguments = ("clusters.csv", "--cluster", "c", "--classes", "topic")
    assert call("report", "clustering", *arguments, "-o", "g.html").code == 0
    assert "Contingency" in _checked(folder / "g.html")
    (folder / "values.csv").write_text("y,yhat\n1,1.5\n2,1.5\n3,3.5\n")
    arguments = ("values.csv", "--truth", "y", "--predicted", "yhat")
    assert call("report", "regression", *arguments, "-o", "v.html").code == 0
    assert "Residuals" in _checked(folder / "v.html")
    assert "3 items: predicted in yhat, actual in y." in _checked(folder / "v.html")


def test_rare_classes_are_said(folder: Path) -> None:
    rows = "".join(f"{'yes' if n == 0 else 'no'},no\n" for n in range(50))
    (folder / "rare.csv").write_text("label,guess\n" + rows)
    call("report", "classification", "rare.csv", "--truth", "label", "--predicted", "guess")
    shown = (folder / "report.html").read_text()
    assert "always predicting negative would be right for 98.0%" in shown


def test_the_most_changed_queries_of_every_pair() -> None:
    values = np.asarray(
        [[0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.9, 0.0, 0.1, 0.0], [0.5, 0.9, 0.0, 0.1, 0.8]]
    )
    names = ["a", "b", "c", "d", "e"]
    assert most_changed_queries(values, names, 5) == names
    assert most_changed_queries(values, names, 2) == ["b", "e"]
    assert most_changed_queries(values[:1], names, 2) == ["a", "b"]


def _large(queries: int, systems: int, depth: int) -> tuple[dict[str, Any], dict[str, Any]]:
    random = np.random.default_rng(1)
    qrels = {
        f"q{q}": {f"d{d}": int(random.integers(0, 3)) for d in range(20)} for q in range(queries)
    }
    runs = {
        f"system{s}": {
            query: dict(
                zip([f"d{d}" for d in random.permutation(depth)], range(depth, 0, -1), strict=True)
            )
            for query in qrels
        }
        for s in range(systems)
    }
    return qrels, runs


@pytest.mark.parametrize(
    ("queries", "systems", "depth", "bytes_at_most"),
    [(50, 20, 100, 3_000_000), pytest.param(7000, 5, 25, 10_000_000, marks=pytest.mark.slow)],
)
def test_large_pages_stay_small(queries: int, systems: int, depth: int, bytes_at_most: int) -> None:
    qrels, runs = _large(queries, systems, depth)
    began = time.process_time()
    evidence = RetrievalEvidence.read(qrels, runs)
    scores = evidence.scores("nDCG@10 AP RR P@10", interval=None)
    text = retrieval_page(evidence, scores)
    assert len(text.encode()) < bytes_at_most
    assert time.process_time() - began < 20
    data = _data(text, "queries-data")
    assert len(data["rankings"]) == min(queries, 200)
    if queries > 200:
        assert f"kept for 200 of {queries} queries" in text


def test_a_page_says_which_traces_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.reports.pages.query_data.MOST_TRACES", 6)
    evidence = RetrievalEvidence.read(*_large(5, 2, 20))
    text = retrieval_page(evidence, evidence.scores("nDCG@10 AP", interval=None))
    assert "The work behind nDCG@10 is kept for 3 of these 5 queries" in text
    assert len(_data(text, "queries-data")["traces"]["rows"]) == 3


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("t.tsv", "1\tone\ttwo\n# note\n2\tthree\n", {"1": "one · two", "2": "three"}),
        ("t.jsonl", '{"_id": 1, "title": "T", "text": "words"}\n', {"1": "T · words"}),
        ("t.csv", "id,text\n1,one\n2,two\n", {"1": "one", "2": "two"}),
    ],
)
def test_texts(tmp_path: Path, name: str, content: str, expected: dict[str, str]) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert read_texts(path) == expected
    assert list(read_texts(path, {"1"})) == ["1"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1 one\n", "t.txt:1: an id, a tab"),
        ('{"id": 1}\n', "t.txt:1: no id or no text"),
        ('{"id": \n', "t.txt:1: this is not JSON"),
    ],
)
def test_bad_texts(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "t.txt"
    path.write_text(content)
    with pytest.raises(FormatError, match=re.escape(said)):
        read_texts(path)


def test_markup_escapes_what_it_did_not_make() -> None:
    assert (
        tag("p", "<b>", tag("i", "&"), title='"') == '<p title="&quot;">&lt;b&gt;<i>&amp;</i></p>'
    )
    assert tag("input", disabled=True, value=None) == "<input disabled/>"
    assert "</script><" not in data_block("x", ["</script><b>"])[:-9]
    assert (
        data_block("x", [np.asarray([np.nan])])
        == '<script type="application/json" id="x">[[null]]</script>'
    )


def test_a_small_p_value_is_never_zero_on_a_page() -> None:
    from assay.reports.pages.behavior_sections import frame_table

    table = str(frame_table(pl.DataFrame({"p": [3.4e-10], "low": [None]}), "tests"))
    assert "3.4e-10" in table
    assert "–" in table
