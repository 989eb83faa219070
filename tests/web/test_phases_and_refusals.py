"""What a phase allows: judgments, going back, assignments, and why something is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.served_campaign import csrf, judging_campaign, signed_in, stored

from assay.benchmark.campaign.campaign import Campaign
from assay.core.errors import UsageError


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "campaign.db")


@pytest.fixture
def campaign(place: str) -> Campaign:
    """A campaign in which ann has judged one document."""
    found = judging_campaign(place, 6, ("ann", "ben"))
    ann = Campaign.open(place, "ann")
    task = ann.next()
    assert task is not None
    ann.judge(task.query, task.doc, 1, request="first")
    return found


def _post(opened: Any, path: str, **fields: str) -> Any:
    return opened.post(path, data={"csrf": csrf(opened), **fields})


@pytest.mark.parametrize("phase", ["adjudication", "frozen"])
def test_judgments_do_not_change_after_judging(place: str, campaign: Campaign, phase: str) -> None:
    before = stored(campaign)
    query, doc = before[0]["query"], before[0]["doc"]
    campaign.phase(phase)
    opened = signed_in(place, campaign, "ann")
    for path in ("/judge", f"/judge?query={query}&doc={doc}"):
        page = opened.get(path).text
        assert 'class="inline undo" hidden' in page
        assert 'aria-label="Your judgment" hidden' in page
    assert _post(opened, "/judge/undo", request="first").status_code == 403
    for act in ("grade:2", "cannot-say", "later", "flag"):
        assert _post(opened, "/judge", act=act, query=query, doc=doc).status_code == 403
    for action in ("judge", "undo", "later", "flag"):
        sent = {"action": action, "query": query, "doc": doc, "request": "undo first", "grade": 2}
        headers = {"X-CSRF-Token": csrf(opened)}
        answer = opened.post("/api/save", json={"actions": [sent]}, headers=headers)
        assert (answer.status_code, answer.json()["refused"]) == (403, True)
        assert answer.json()["error"] == (
            f"Not possible in the phase {phase}, only in training and judging."
        )
    for trusted in (False, True):
        ann = Campaign.open(place, "ann", trusted=trusted)
        for change in (
            lambda who=ann: who.judge(query, doc, 2),
            lambda who=ann: who.withdraw(before[0]["id"], "why"),
            lambda who=ann: who.flag(query, doc, "why"),
            lambda who=ann: who.next(),
            lambda who=ann: who.prefer(1, "left"),
        ):
            with pytest.raises(UsageError, match=f"in the phase {phase}"):
                change()
    assert stored(campaign) == before
    assert campaign.table("flags").is_empty()


def test_a_refusal_names_the_role_or_the_phase(place: str, campaign: Campaign) -> None:
    ann, carla = signed_in(place, campaign, "ann"), signed_in(place, campaign, "carla")
    assert "needs the role coordinator, yours is assessor" in ann.get("/board").text
    campaign.phase("adjudication")
    said = carla.get("/assign").text
    assert "Not possible in the phase adjudication, only in training and judging." in said


def test_going_back_to_an_earlier_phase_is_confirmed(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    assert _post(opened, "/phase", phase="frozen").status_code == 303
    asked = _post(opened, "/phase", phase="judging")
    assert asked.status_code == 200
    assert "Go back from frozen to judging?" in asked.text
    assert campaign.status()["phase"] == "frozen"
    assert _post(opened, "/phase", phase="judging", confirm="yes").status_code == 303
    assert campaign.status()["phase"] == "judging"


def test_assignments_and_pairs_say_what_was_done(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    went = _post(opened, "/assign", assessor="ann", overlap="0")
    page = opened.get(went.headers["location"]).text
    left = campaign.status()["by_assessor"]["left"].sum()
    assert f"Assigned: {left} items, to 1 assessor." in page
    went = _post(opened, "/assign/pairs", per_topic="2")
    assert "Pairs chosen: 4 new ones." in opened.get(went.headers["location"]).text
    assert "Assigned" not in opened.get("/assign?count=<b>&people=x").text


def test_nothing_assigned_is_not_everything_judged(place: str, campaign: Campaign) -> None:
    campaign.join("eve", "assessor")
    opened = signed_in(place, campaign, "eve")
    assert "Nothing is assigned to you yet." in opened.get("/").text
    assert "Nothing is assigned to you yet." in opened.get("/judge").text
    assert "0 of 0" not in opened.get("/").text


def test_an_unknown_page_keeps_the_menu(place: str, campaign: Campaign) -> None:
    page = signed_in(place, campaign, "ann").get("/nowhere")
    assert page.status_code == 404
    assert "There is no such page." in page.text
    assert '<a href="/history"' in page.text
