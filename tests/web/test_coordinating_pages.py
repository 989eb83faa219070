"""Pages of the coordinator: what is open, what is hidden, and words that explain."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.web.served_campaign import csrf, judging_campaign, signed_in

from assay.benchmark.campaign.campaign import Campaign
from assay.web.task_view import grade_meanings, has_columns


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "campaign.db")


@pytest.fixture
def campaign(place: str, tmp_path: Path) -> Campaign:
    """Two assessors who differ on one document of topic 1; topic 2 has no judgment."""
    found = judging_campaign(place, 6, ("ann", "ben"))
    found.join("pat", "participant")
    found.phase("runs")
    for name, docs in (("bad", "513"), ("good", "135")):
        lines = [f"1 Q0 d{doc} {n} {9 - n} {name}\n" for n, doc in enumerate(docs, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
        Campaign.open(place, "pat").submit(tmp_path / f"{name}.run")
    found.phase("judging")
    found.assign(overlap=1.0)
    for person, grades in (("ann", {"d1": 2, "d3": 0}), ("ben", {"d1": 1, "d3": 0})):
        opened = Campaign.open(place, person)
        for doc, grade in grades.items():
            opened.judge("1", doc, grade, seconds=2.0)
    return found


def _post(opened: Any, path: str, **fields: str) -> Any:
    return opened.post(path, data={"csrf": csrf(opened), **fields})


DIFFER = "ssessors differ on 1 document without a decision"
EMPTY = "1 topic without judgments: 2"


def test_what_is_open_is_said_before_and_in_a_version(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    page = opened.get("/versions").text
    assert DIFFER in page
    assert EMPTY in page
    assert _post(opened, "/versions", name="v1", method="adjudicated").status_code == 303
    campaign.phase("adjudication")
    Campaign.open(place, "carla").adjudicate("1", "d1", 2)
    page = opened.get("/versions").text
    assert page.count(DIFFER) == 1, "open when v1 was made, and not any more"
    assert _post(opened, "/versions/publish", name="v1").status_code == 303
    for path in ("/version?name=v1", "/version/report?name=v1"):
        assert DIFFER in opened.get(path).text
        assert EMPTY in opened.get(path).text
    assert all(campaign.reproduce("v1").values())


def test_a_report_lists_judged_documents_and_the_best_system_first(
    place: str, campaign: Campaign
) -> None:
    campaign.aggregate("v1")
    files = campaign.publish("v1")
    assert pl.read_csv(io.BytesIO(files["leaderboard.csv"]))["system"][0] == "bad"
    report = signed_in(place, campaign, "carla").get("/version/report?name=v1").text
    board = report.partition('id="leaderboard"')[2].partition('id="topics"')[0]
    assert board.index(">good<") < board.index(">bad<")
    pool = report.partition("Why each document was judged")[2].partition('id="agreement"')[0]
    assert "d1" in pool
    assert "d5" not in pool, "nobody has judged it"
    assert "4 other documents of the pool are unjudged." in report
    assert "All runs are of one team" in report


def test_runs_are_asked_for_only_where_they_are_accepted(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    page = opened.get("/runs").text
    assert "Runs cannot be submitted in the phase judging." in page
    assert 'type="file"' not in page
    campaign.phase("runs")
    assert 'type="file"' in opened.get("/runs").text


def test_an_assessor_who_judges_sees_no_ranks_and_no_known_grades(
    place: str, campaign: Campaign
) -> None:
    campaign.set_gold({("1", "d3"): 2})
    campaign.join("ann", "coordinator", "assessor")
    opened = signed_in(place, campaign, "ann")
    page = opened.get("/pool").text
    assert "since judging is blind" in page
    assert '<th scope="col">gold</th>' not in page
    assert "best rank" not in page
    assert opened.get("/tables/pool.csv").text.splitlines()[0] == "query,doc"
    assert "gold" not in opened.get("/tables/judgments.csv").text.splitlines()[0]
    ann = Campaign.open(place, "ann")
    while task := ann.next():
        ann.judge(task.query, task.doc, 1)
    assert '<th scope="col">gold</th>' in opened.get("/pool").text
    assert '<th scope="col">gold</th>' in signed_in(place, campaign, "carla").get("/pool").text


def test_people_are_changed_from_what_they_are(place: str, campaign: Campaign) -> None:
    campaign.join("pat", "participant", team="north", capacity=7)
    opened = signed_in(place, campaign, "carla")
    page = opened.get("/people").text
    own = page.partition("<summary>pat</summary>")[2].partition("</form>")[0]
    assert 'value="participant" checked' in own
    assert 'value="assessor" checked' not in own
    assert 'name="team" value="north"' in own
    invite = page.partition('action="/people/invite"')[2].partition("</form>")[0]
    assert "checked" not in invite
    assert _post(opened, "/people/invite").status_code == 400
    assert _post(opened, "/people/exclude", name="ben", reason="too fast").status_code == 303
    assert "Count the judgments of ben again" in opened.get("/people").text


def test_a_disagreement_says_when_it_is_decided(place: str, campaign: Campaign) -> None:
    page = signed_in(place, campaign, "carla").get("/disagreements/item?query=1&doc=d1").text
    assert "Decisions are made in the phase adjudication" in page


def test_the_board_explains_its_columns(place: str, campaign: Campaign) -> None:
    campaign.set_gold({("1", "d3"): 0})
    page = signed_in(place, campaign, "carla").get("/board").text
    assert "<h1>Board</h1>" in page
    assert "<td>100 %</td>" in page
    for word in ("hasty", "longest run", "entropy", "labels changed without", "effect"):
        assert f"<dt>{word}</dt>" in page
    assert campaign.table("agreement")["documents"].to_list()[0] == 2


def test_advice_is_in_the_words_of_the_page(place: str, campaign: Campaign) -> None:
    campaign.exclude("ben", "away")
    opened = signed_in(place, campaign, "carla")
    page = opened.get("/board").text
    assert "Only ann has judged so far" in page
    assert "`" not in page
    campaign.phase("runs")
    qrels = "1 0 d1 1\n1 0 d3 0\n1 0 d5 2\n"
    answer = opened.post("/runs", data={"csrf": csrf(opened)}, files={"file": ("q.run", qrels)})
    assert answer.status_code == 400
    assert "The judgments come first" not in answer.text
    assert answer.text.count("Is it a file of judgments?") == 1


def test_an_order_without_tau_says_why(place: str, campaign: Campaign) -> None:
    campaign.exclude("ann", "away")
    campaign.exclude("ben", "away")
    campaign.join("eve", "assessor")
    campaign.assign(assessors=["eve"])
    Campaign.open(place, "eve", trusted=True).judge("1", "d3", 0)
    rows = campaign.table("orders").to_dicts()
    assert {row["order"] for row in rows} == {"bad = good"}
    assert {row["note"] for row in rows} == {"no tau: all systems have the same value"}


def test_guidelines_say_what_grades_mean() -> None:
    labels = {0: "not relevant", 1: "relevant"}
    text = "Read.\n0  not relevant: it is about something else\n- 1 = some of it\n7 more"
    assert grade_meanings(text, labels) == {0: "it is about something else", 1: "some of it"}


def test_tables_of_characters_are_noticed() -> None:
    assert has_columns("a\n+-----+----+\n| a   | b  |\n")
    assert not has_columns("A title\n*******\n\nPlain text, and a list:\n\n   one\n   two\n")
