"""Topics of a file and guidelines, as the coordinator changes them in the browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.served_campaign import csrf, judging_campaign, signed_in

from assay.benchmark.campaign.campaign import Campaign


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "campaign.db")


@pytest.fixture
def campaign(place: str) -> Campaign:
    found = judging_campaign(place, 4)
    found.phase("runs")
    return found


def test_topics_of_a_file_are_proposed(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    content = (
        b"<top>\n<num> Number: 31\n<title> boundary layers\n<desc> Description:\nText.\n</top>\n"
    )
    answer = opened.post(
        "/topics/upload", data={"csrf": csrf(opened)}, files={"file": ("topics.txt", content)}
    )
    assert answer.status_code == 200
    assert "1 topics of the file are proposed" in answer.text
    added = {topic.name: topic for topic in campaign.topics()}["31"]
    assert added.fields["title"] == "boundary layers"
    assert (added.state, added.author) == ("proposed", "carla")


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "empty"), (b"1\tsupersonic wing\n", "a topic &#39;1&#39; already"),
     (b"<top>\n<num> 5\n<title> cut", "topics.txt")],
)  # fmt: skip
def test_a_wrong_file_changes_nothing(
    place: str, campaign: Campaign, content: bytes, said: str
) -> None:
    opened = signed_in(place, campaign, "carla")
    before = len(campaign.topics())
    answer = opened.post(
        "/topics/upload", data={"csrf": csrf(opened)}, files={"file": ("topics.txt", content)}
    )
    assert answer.status_code == 400
    assert said in answer.text
    assert "Traceback" not in answer.text
    assert len(campaign.topics()) == before


def test_new_guidelines_are_shown_and_earlier_judgments_keep_theirs(
    place: str, campaign: Campaign
) -> None:
    campaign.phase("judging")
    ann = Campaign.open(place, "ann")
    for _ in range(2):
        task = ann.next()
        assert task is not None
        ann.judge(task.query, task.doc, 1)
        opened = signed_in(place, campaign, "carla")
        data = {"csrf": csrf(opened), "guidelines": "Only <wings>.\r\nNothing else."}
        assert opened.post("/guidelines", data=data).status_code == 303
    assert campaign.table("judgments")["guidelines"].to_list() == [1, 2]
    assert campaign.describe()["guidelines"] == "Only <wings>.\nNothing else."
    assert "Only &lt;wings&gt;." in signed_in(place, campaign, "ann").get("/judge").text
