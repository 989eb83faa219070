"""Results: orders of systems, the report of a version, highlighted words."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.served_campaign import csrf, judging_campaign, signed_in

from assay.benchmark.campaign.campaign import Campaign
from assay.web.highlights import highlight, topic_words


@pytest.fixture
def judged(tmp_path: Path) -> Campaign:
    """A campaign whose runs answer topic 1; ann judges both topics, ben topic 2 alone."""
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 8, ("ann", "ben"))
    campaign.join("pat", "participant")
    campaign.phase("runs")
    for name, sign in (("up", 1), ("down", -1)):
        lines = [f"1 Q0 d{n} 1 {10 + sign * n} {name}\n" for n in (1, 3, 5)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
        Campaign.open(place, "pat").submit(tmp_path / f"{name}.run")
    campaign.phase("judging")
    campaign.assign(overlap=1.0)
    for person, topic, docs in (
        ("ann", "1", (1, 3, 5)),
        ("ann", "2", (0, 2)),
        ("ben", "2", (2, 4)),
    ):
        for number in docs:
            _judge(place, person, topic, f"d{number}", int(number > 2))
    return campaign


def _judge(place: str, person: str, query: str, doc: str, grade: int) -> None:
    opened = Campaign.open(place, person)
    opened.judge(query, doc, grade)
    opened.close()


def test_an_assessor_without_a_query_of_the_runs_has_no_order(judged: Campaign) -> None:
    rows = {row["judgments"]: row for row in judged.table("orders").to_dicts()}
    assert rows["assessor ann"]["order"] == "up down"
    assert (rows["assessor ben"]["order"], rows["assessor ben"]["tau"]) == ("", None)


def test_notes_name_no_scratch_folder(judged: Campaign, tmp_path: Path) -> None:
    judged.phase("runs")
    (tmp_path / "other.run").write_text("2 Q0 d7 1 1 other\n")
    Campaign.open(str(tmp_path / "campaign.db"), "pat").submit(tmp_path / "other.run")
    judged.aggregate("v1")
    files = judged.publish("v1")
    assert not [name for name, content in files.items() if b"/tmp" in content]
    assert all(judged.reproduce("v1").values())


def test_a_published_version_has_a_report(judged: Campaign, tmp_path: Path) -> None:
    judged.aggregate("v1")
    judged.publish("v1")
    judged.aggregate("v2")
    opened = signed_in(str(tmp_path / "campaign.db"), judged, "carla")
    page = opened.get("/version?name=v1")
    assert "/version/report?name=v1" in page.text
    report = opened.get("/version/report?name=v1")
    assert report.headers["content-security-policy"].startswith("sandbox")
    assert "small, version v1" in report.text
    assert opened.get("/version/report?name=v2").status_code == 404
    assert opened.get("/version/report?name=none").status_code == 400


def test_words_are_highlighted_with_their_endings() -> None:
    words = topic_words(["repeat statements for each element of a class"])
    assert words == ["repeat", "statements", "each", "element", "class"]
    found = highlight("The statement repeated. Elements of classes; clas", words)
    assert [text for text, marked in found if marked] == [
        "statement",
        "repeated",
        "Elements",
        "classes",
    ]


def test_a_disagreement_shows_names_with_commas_whole(tmp_path: Path) -> None:
    place = str(tmp_path / "campaign.db")
    names = ("Berg, Ann", "Lee, Ben")
    campaign = judging_campaign(place, 4, names)
    campaign.assign(overlap=1.0)
    for name, grade in zip(names, (0, 1), strict=True):
        _judge(place, name, "1", "d1", grade)
    page = signed_in(place, campaign, "carla").get("/disagreements/item?query=1&doc=d1").text
    assert all(f"<b>{name}</b>" in page for name in names)


def test_a_refused_form_leads_back_to_its_page(tmp_path: Path) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 4)
    opened = signed_in(place, campaign, "carla")
    answer = opened.post("/topics/propose", data={"csrf": csrf(opened), "name": ""})
    assert answer.status_code >= 400
    assert '<a href="/topics">Back to Topics</a>' in answer.text
    assert "Back to" not in opened.get("/nowhere").text
