"""The page of every task: made by its command, with what a reader looks for in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import write_retrieval

RATINGS = """doc,who,grade
a,ann,1
a,ben,1
b,ann,2
b,ben,3
c,ann,1
c,ben,2
c,cy,3
d,cy,1
"""
BOARDS = "system,ap,ndcg\nbm25,.3,.4\ndense,.2,.5\nsplade,.1,.1\n"
TWO = "id,t,old,new,p_old,p_new\n1,y,y,y,.9,.8\n2,n,y,n,.6,.2\n3,y,n,y,.4,.7\n4,n,n,n,.1,.3\n"
WIDE = "t,guess,p_a,p_b,p_c\na,a,.7,.2,.1\nb,b,.1,.8,.1\nc,c,.3,.3,.4\na,b,.4,.5,.1\n"
GAPS = "y,yhat\n1,1.5\n2,\n3,3.5\n5,4.0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    given = {"ratings": RATINGS, "boards": BOARDS, "two": TWO, "wide": WIDE, "gaps": GAPS}
    for name, text in given.items():
        (tmp_path / f"{name}.csv").write_text(text)
    return tmp_path


def _page(*arguments: str) -> str:
    done = call("report", *arguments, "--resamples", "20", "-o", "page.html")
    assert done.code == 0, done.err
    return Path("page.html").read_text(encoding="utf-8")


def test_agreement_tells_who_agrees_and_what_is_disputed() -> None:
    columns = ("--item", "doc", "--assessor", "who", "--label", "grade")
    text = _page("agreement", "ratings.csv", *columns, "--scale", "ordinal")
    assert "3 assessors, 4 items, 8 ratings, 3 labels, ordinal scale." in text
    assert "2 of 3 items with several ratings are disputed." in text
    assert "1 (1), 2 (1), 3 (1)" in text
    assert "1 of 4 items has one rating only" in text
    assert text.count('<option value="pair-') == 3


def test_correlation_of_a_table_of_two_tables_and_of_runs(folder: Path) -> None:
    columns = ("--item", "system", "--first", "ap", "--second", "ndcg")
    text = _page("correlation", "boards.csv", *columns)
    assert "ap and ndcg: 3 items in both." in text
    assert "What moved most: 2 of 2 that moved" in text
    (folder / "other.csv").write_text("system,ap\nbm25,.3\ndense,.4\nlost,.1\n")
    text = _page("correlation", "boards.csv", "other.csv")
    assert "2 items in both" in text
    assert "1 of 3 items" in text
    for name, order in (("one", "ab"), ("two", "ba")):
        lines = [f"q{q} Q0 {d} {n} {3 - n} {name}\n" for q in (1, 2) for n, d in enumerate(order)]
        (folder / f"{name}.run").write_text("".join(lines))
    assert "Group by group" in _page("correlation", "one.run", "two.run")
    done = call("report", "correlation", "boards.csv", "--item", "system")
    assert done.code == 2
    assert "give --first" in done.err


def test_several_classifiers_stand_side_by_side() -> None:
    columns = ("--predicted", "old", "--predicted", "new", "--score", "p_old", "--score", "p_new")
    text = _page("classification", "two.csv", "--truth", "t", *columns)
    assert "2 classifiers, 4 items" in text
    assert "The classifiers side by side" in text
    assert 'id="threshold-2"' in text
    assert text.index(">new<") < text.index(">old<"), "the better one leads the leaderboard"
    done = call("report", "classification", "two.csv", "--truth", "t", *columns[:-2])
    assert done.code == 2
    assert "2 × --predicted, 1 × --score" in done.err


def test_several_files_are_several_classifiers(folder: Path) -> None:
    (folder / "again.csv").write_text(TWO)
    arguments = ("--truth", "t", "--predicted", "new", "--item", "id")
    text = _page("classification", "two.csv", "again.csv", *arguments)
    assert '<th scope="row">again</th>' in text
    text = _page("classification", "two.csv", "two.csv", *arguments)
    assert '<th scope="row">two (2)</th>' in text


def test_each_class_has_a_question_of_its_own() -> None:
    columns = ("--truth", "t", "--predicted", "guess", "--probabilities", "p_*")
    text = _page("classification", "wide.csv", *columns)
    assert "Each class against the rest" in text
    assert text.count('<option value="question-') == 3
    assert text.count("Calibration in 10 bins") >= 3


def test_missing_predictions_follow_the_policy(folder: Path) -> None:
    columns = ("gaps.csv", "--truth", "y", "--predicted", "yhat")
    done = call("report", "regression", *columns)
    assert done.code == 1
    assert "--missing drop" in done.err
    text = _page("regression", *columns, "--missing", "drop")
    assert "3 items: predicted in yhat, actual in y." in text
    assert "left out" in text
    assert call("plot", "residuals", *columns, "--missing", "drop", "-o", "r.svg").code == 0
    done = call("regression", *columns, "--missing", "drop", "--residuals")
    assert done.code == 0, done.err
    (folder / "c.csv").write_text("t,g\na,a\nb,\n")
    named = ("classification", "c.csv", "--truth", "t", "--predicted", "g", "--missing", "wrong")
    assert "(nothing)" in _page(*named)


def test_quiet_pages_say_nothing() -> None:
    columns = ("gaps.csv", "--truth", "y", "--predicted", "yhat", "--missing", "drop")
    loud = call("report", "regression", *columns, "-o", "a.html")
    assert "left out" in loud.err
    quiet = call("report", "regression", *columns, "-o", "b.html", "--quiet")
    assert (quiet.out, quiet.err) == ("", "")
    assert Path("a.html").read_bytes() == Path("b.html").read_bytes()


def test_a_page_that_cannot_be_written_is_refused_first() -> None:
    done = call("report", "regression", "gaps.csv", "--truth", "y", "--predicted", "yhat",
                "-o", "nowhere/x.html")  # fmt: skip
    assert done.code == 1
    assert "nowhere" in done.err


@pytest.mark.parametrize(
    ("measures", "test"),
    [
        ("ACC MCC", "randomization test (corrected: holm"),
        ("MCC ACC", "bootstrap over items (corrected: holm"),
        ("F ACC", "bootstrap over items (corrected: holm"),  # not by two classes, as a sample
    ],
)
def test_classifiers_that_a_test_tells_apart_have_different_letters(
    measures: str, test: str
) -> None:
    rows = [
        f"{n},{'yn'[n % 2]},{'yn'[n % 2]},{'yn'[n % 2 if n % 9 else 1 - n % 2]},{'yn'[n // 2 % 2]}"
        for n in range(120)
    ]
    Path("three.csv").write_text("\n".join(["id,t,good,near,guess", *rows]) + "\n")
    columns = ("--predicted", "good", "--predicted", "near", "--predicted", "guess")
    done = call(
        "report", "classification", "three.csv", "--truth", "t", *columns, "-m", measures,
        "--resamples", "200", "-o", "page.html",
    )  # fmt: skip
    assert done.code == 0, done.err
    text = Path("page.html").read_text(encoding="utf-8")
    assert f"do not differ by {test}" in text
    letters = re.findall(r'title="a shared letter[^>]*>(\w+)<', text)
    assert letters == ["a", "b", "c"]


def test_classifiers_that_cannot_be_paired_have_no_letters() -> None:
    Path("other.csv").write_text("t,guess\ny,y\nn,n\n")
    Path("one.csv").write_text("t,guess\ny,y\nn,y\ny,y\n")
    text = _page("classification", "one.csv", "other.csv", "--truth", "t", "--predicted", "guess")
    assert "do not differ" not in text
    assert "No letters, for the systems cannot be compared: ACC is paired item by item" in text


def test_letters_by_classes_alone_say_what_is_the_sample() -> None:
    """Saved scores have no items: the classes are what is left to test."""
    rows = [f"{n},{'abcd'[n % 4]},{'abcd'[n % 4]},{'abcd'[n // 4 % 4]}" for n in range(48)]
    Path("four.csv").write_text("\n".join(["id,t,good,guess", *rows]) + "\n")
    for system in ("good", "guess"):
        columns = ("--truth", "t", "--predicted", system, "-m", "F", "--save", f"{system}.parquet")
        assert call("classification", "four.csv", *columns).code == 0
    text = _page("scores", "good.parquet", "guess.parquet")
    assert "do not differ by randomization test (corrected: holm" in text
    assert "F: the units are classes, so classes are the sample" in text


def test_a_page_shows_cost_beside_quality() -> None:
    write_retrieval(Path(), queries=12)
    names = [f"system{n}" for n in range(3)]
    Path("seconds.csv").write_text("system,seconds\nsystem0,3\nsystem1,1\nsystem2,9\n")
    runs = [f"runs/{name}.run" for name in names]
    text = _page("retrieval", "qrels.txt", *runs, "-m", "AP RR", "--cost", "seconds.csv")
    assert "Quality beside cost" in text
    assert '"measures": ["AP", "RR"]' in text or '"measures":["AP","RR"]' in text
    assert "[low, high]: 95% interval" in text
    assert "resamples of the items" not in text
    for name in names:  # a cost for each query, as the seventh field
        path = Path(f"runs/{name}.run")
        path.write_text("".join(f"{line} 2.5\n" for line in path.read_text().splitlines()))
    text = _page("retrieval", "qrels.txt", *runs, "-m", "AP", "--cost", "7")
    assert '"measures": ["AP", "column 7"]' in text or '"measures":["AP","column 7"]' in text


def test_a_long_trace_keeps_the_row_that_has_the_number() -> None:
    rows = [f"{'y' if n % 3 else 'n'},{n / 50}" for n in range(40)]
    Path("scored.csv").write_text("\n".join(["t,s", *rows]))
    page = _page("classification", "scored.csv", "--truth", "t", "--score", "s", "--positive", "y")
    assert "AUC, step by step: the first 19 rows and the last of 40" in page
    work = page[page.index("AUC, step by step") :]
    assert work[: work.index("</table>")].count("<tr>") == 21
