"""Judging in a real browser: by keyboard, and without losing or doubling anything."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from tests.web.served_campaign import entry, judging_campaign, stored

from assay.benchmark.campaign.campaign import Campaign

pytestmark = pytest.mark.browser
Serve = Callable[..., Any]


def _begin(served: Serve, visitor: Serve, place: str, campaign: Campaign, **more: Any) -> Any:
    server = served(place)
    page = visitor(entry(campaign, "ann", server.base), **more)
    page.goto(f"{server.base}/judge")
    page.wait_for_selector("#judging:visible")
    return server, page


def _wait_for(campaign: Campaign, count: int, seconds: float = 40) -> None:
    end = time.time() + seconds
    while (found := len(stored(campaign))) != count and time.time() < end:
        time.sleep(0.05)
    assert found == count


def _doc(page: Any) -> str:
    page.wait_for_selector("#judging:visible")
    return str(page.locator("#document-id").inner_text())


def _press(page: Any, key: str) -> str:
    """Press a key that judges; return the document that was judged."""
    judged = _doc(page)
    page.keyboard.press(key)
    page.wait_for_function("doc => document.getElementById('document-id').textContent !== doc"
                           " || document.getElementById('judging').hidden", arg=judged)  # fmt: skip
    return judged


def test_a_hundred_judgments_by_keyboard_alone(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 100)
    server = served(place)
    page = visitor(entry(campaign, "ann", server.base))
    for _ in range(12):  # to the link, by Tab alone
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Begin to judge":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#judging:visible")
    given = {}
    for number in range(100):
        given[_doc(page)] = number % 3
        _press(page, str(number % 3))
    page.wait_for_selector("#finished:visible")
    _wait_for(campaign, 100)
    assert {row["doc"]: row["grade"] for row in stored(campaign)} == given
    assert campaign.table("record").height == 100, "nothing was stored twice"
    assert all(row["seconds"] is not None and row["seconds"] < 20 for row in stored(campaign))


def test_keys_never_fire_while_typing_and_actions_work(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 8)
    _, page = _begin(served, visitor, place, campaign)
    assert page.locator("#document-text mark").count() > 0, "words of the topic are highlighted"
    first = _doc(page)
    page.keyboard.press("m")
    page.keyboard.type("012 clear case")
    assert _doc(page) == first
    page.keyboard.press("Escape")
    page.evaluate("""() => { const node = document.getElementById('document-text').lastChild;
        getSelection().setBaseAndExtent(node, 0, node, 10); }""")
    page.keyboard.press("h")
    assert page.locator("#passages li").count() == 1
    _press(page, "2")
    second = _press(page, "c")
    third = _doc(page)
    page.keyboard.press("f")
    page.wait_for_function(
        "() => document.getElementById('status').textContent.startsWith('Flagged')"
    )
    _press(page, "l")
    page.keyboard.press("p")
    page.wait_for_function(
        f"() => document.getElementById('document-id').textContent === '{second}'"
    )
    _press(page, "0")  # change an earlier judgment
    _wait_for(campaign, 2)
    end = time.time() + 10
    while campaign.table("record").height < 3 and time.time() < end:
        time.sleep(0.05)
    rows = {row["doc"]: row for row in stored(campaign)}
    assert (rows[first]["grade"], rows[first]["comment"]) == (2, "012 clear case")
    start, end = json.loads(rows[first]["passages"])[0]
    assert end - start == 10
    assert rows[second]["grade"] == 0
    assert [flag["doc"] for flag in campaign.table("flags").to_dicts()] == [third]
    page.keyboard.press("u")
    page.wait_for_function(
        f"() => document.getElementById('document-id').textContent === '{second}'"
    )
    _wait_for(campaign, 1)
    for _ in range(7):
        _press(page, "1")
    page.wait_for_selector("#finished:visible")
    _wait_for(campaign, 8)


@pytest.mark.slow
def test_a_server_that_is_killed_and_a_network_that_is_cut_lose_nothing(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 20)
    server, page = _begin(served, visitor, place, campaign, quiet=True)
    given = [_press(page, "1") for _ in range(3)]
    _wait_for(campaign, 3)
    page.wait_for_timeout(300)
    server.kill()
    given += [_press(page, "2") for _ in range(3)]  # those that are there already
    page.wait_for_selector("#unsaved:visible")
    assert "Not saved yet: 3" in page.locator("#unsaved").inner_text()
    server.start()
    _wait_for(campaign, 6)
    page.wait_for_selector("#unsaved", state="hidden")
    page.wait_for_selector("#judging:visible")
    page.wait_for_timeout(500)
    page.context.set_offline(True)
    given += [_press(page, "0") for _ in range(2)]
    page.wait_for_selector("#unsaved:visible")
    assert len(stored(campaign)) == 6
    page.context.set_offline(False)
    _wait_for(campaign, 8)
    while len(given) < 20:
        given.append(_press(page, "1"))
    page.wait_for_selector("#finished:visible")
    _wait_for(campaign, 20)
    assert sorted(given) == sorted(row["doc"] for row in stored(campaign))
    assert campaign.table("record").height == 20, "nothing was stored twice"


@pytest.mark.slow
def test_an_answer_that_got_lost_is_sent_again_and_stored_once(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    """The server stores the judgment, but its acknowledgment never arrives."""
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 6)
    _, page = _begin(served, visitor, place, campaign, quiet=True)
    page.wait_for_timeout(500)
    lost = []

    def lose(route: Any) -> None:
        route.fetch()
        lost.append(route.request.url)
        route.abort()

    page.route("**/api/save", lose)
    judged = _press(page, "2")
    page.wait_for_selector("#unsaved:visible")
    assert [row["doc"] for row in stored(campaign)] == [judged]
    page.unroute("**/api/save")
    page.wait_for_selector("#unsaved", state="hidden")
    assert campaign.table("record").height == 1
    assert lost


@pytest.mark.slow
def test_reload_back_and_two_tabs_show_the_same_item_and_double_nothing(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 12)
    server, page = _begin(served, visitor, place, campaign)
    shown = _doc(page)
    page.reload()
    page.wait_for_selector("#judging:visible")
    assert _doc(page) == shown
    first = _press(page, "1")
    _wait_for(campaign, 1)
    shown = _doc(page)
    page.goto(f"{server.base}/history")
    page.go_back()
    page.wait_for_selector("#judging:visible")
    assert _doc(page) == shown
    other = page.context.new_page()
    other.goto(f"{server.base}/judge")
    other.wait_for_selector("#judging:visible")
    assert _doc(other) == shown
    judged = [first]
    for number in range(11):
        tab = page if number % 2 else other
        tab.wait_for_selector("#judging:visible")
        tab.wait_for_timeout(150)
        judged.append(_press(tab, "2"))
    _wait_for(campaign, 12)
    assert sorted(judged) == sorted(f"d{n}" for n in range(12))
    assert campaign.table("record").height == 12


@pytest.mark.slow
def test_a_page_that_is_closed_offline_sends_what_it_kept(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 8)
    server, page = _begin(served, visitor, place, campaign, quiet=True)
    page.wait_for_timeout(500)
    page.context.set_offline(True)
    kept = [_press(page, "2"), _press(page, "1")]
    context = page.context
    page.close()
    assert stored(campaign) == []
    context.set_offline(False)
    again = context.new_page()
    again.goto(f"{server.base}/judge")
    _wait_for(campaign, 2)
    again.wait_for_selector("#judging:visible")
    assert _doc(again) not in kept
    assert sorted(row["doc"] for row in stored(campaign)) == sorted(kept)


@pytest.mark.slow
def test_a_lapsed_sign_in_keeps_the_judgment_until_one_has_signed_in_again(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 8)
    server, page = _begin(served, visitor, place, campaign, quiet=True)
    page.wait_for_timeout(500)
    with campaign.session.database.write() as connection:
        connection.execute(text("DELETE FROM web_session"))
    judged = _press(page, "1")
    page.wait_for_selector("#unsaved:visible")
    assert "not signed in any more" in page.locator("#unsaved").inner_text()
    assert stored(campaign) == []
    page.goto(entry(campaign, "ann", server.base))
    page.goto(f"{server.base}/judge")
    _wait_for(campaign, 1)
    assert stored(campaign)[0]["doc"] == judged
    page.wait_for_selector("#judging:visible")
    assert _doc(page) != judged


@pytest.mark.slow
def test_a_lease_that_runs_out_while_reading_loses_nothing(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 6, ("ann", "ben"), shared=True)
    _, page = _begin(served, visitor, place, campaign)
    page.wait_for_timeout(300)
    reading = _doc(page)
    with campaign.session.database.write() as connection:
        connection.execute(text("UPDATE assignment SET lease_until = 1"))
    ben = Campaign.open(place, "ben")
    taken: list[str] = []
    while (task := ben.next()) and len(taken) < 3:
        ben.judge(task.query, task.doc, 0)
        taken.append(task.doc)
    assert reading in taken
    _press(page, "2")
    _wait_for(campaign, 4)
    grades = {(row["assessor"], row["doc"]): row["grade"] for row in stored(campaign)}
    assert grades["ann", reading] == 2
    assert grades["ben", reading] == 0


def _submit(page: Any, button: str) -> None:
    with page.expect_navigation():
        page.click(button)


def test_judging_later_and_undo_work_without_scripts(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 4)
    server = served(place)
    page = visitor(entry(campaign, "ann", server.base), java_script_enabled=False)
    page.goto(f"{server.base}/judge")
    first = _doc(page)
    page.fill("#comment", "a note")
    _submit(page, "button[value='grade:2']")
    assert [(row["doc"], row["grade"], row["comment"]) for row in stored(campaign)] == [
        (first, 2, "a note")
    ]
    _submit(page, "#undo button")
    assert stored(campaign) == []
    assert _doc(page) == first
    _submit(page, "button[value='later']")
    assert _doc(page) != first
    for grade in ("0", "1", "2", "1"):
        _submit(page, f"button[value='grade:{grade}']")
    assert len(stored(campaign)) == 4
    assert page.locator("#finished").is_visible()


def test_what_the_phase_refuses_is_shown_and_kept_but_not_sent_again(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 6)
    _, page = _begin(served, visitor, place, campaign, quiet=True)  # 403 is in the console
    _press(page, "1")
    _wait_for(campaign, 1)
    page.wait_for_timeout(300)
    campaign.phase("adjudication")
    judged = _doc(page)
    page.keyboard.press("2")
    page.wait_for_selector("#refused:visible")
    said = page.locator("#refused").inner_text()
    assert f"grade 2, document {judged}" in said
    assert "refused: Not possible in the phase adjudication" in said
    assert page.locator("#unsaved").is_hidden()
    assert page.locator("#undo").is_hidden()
    assert "only in training and judging" in page.locator("#finished").inner_text()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.reload()
    page.wait_for_selector("#refused:visible")
    page.keyboard.press("u")
    page.wait_for_timeout(300)
    assert not [each for each in sent if each.endswith("/api/save")], "nothing is sent again"
    assert len(stored(campaign)) == 1
    campaign.phase("judging")
    page.click("text=Send again")
    _wait_for(campaign, 2)
    page.wait_for_selector("#refused", state="hidden")
    page.wait_for_selector("#judging:visible")
    campaign.phase("frozen")
    page.keyboard.press("u")
    page.wait_for_selector("#refused:visible")
    assert "undo, document" in page.locator("#refused").inner_text()
    page.click("text=Discard")
    page.wait_for_selector("#refused", state="hidden")
    page.reload()
    assert page.locator("#refused").is_hidden()
    assert len(stored(campaign)) == 2


def test_guidelines_are_open_at_first_and_closed_by_choice(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 6)
    campaign.set_guidelines("Read it all.\n0 not relevant: something else\n2: all about it")
    _, page = _begin(served, visitor, place, campaign)
    assert page.locator("#guidelines").get_attribute("open") is not None
    assert "something else" in page.locator("button[value='grade:0']").inner_text()
    assert "all about it" in page.locator("button[value='grade:2']").inner_text()
    page.keyboard.press("g")
    page.reload()
    page.wait_for_selector("#judging:visible")
    assert page.locator("#guidelines").get_attribute("open") is None
    page.click("#guidelines summary")
    page.reload()
    page.wait_for_selector("#judging:visible")
    assert page.locator("#guidelines").get_attribute("open") is not None


def test_a_phone_keeps_the_grades_and_folds_the_menu(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 6)
    size = {"width": 390, "height": 844}
    _, page = _begin(served, visitor, place, campaign, viewport=size, has_touch=True,
                     is_mobile=True)  # fmt: skip
    for grade in "012":
        assert page.locator(f"button[value='grade:{grade}']").inner_text().startswith(grade)
    assert page.locator("button[value='later'] kbd").is_hidden()
    assert page.locator("nav").is_hidden()
    page.locator(".menu-label").tap()
    assert page.locator("nav a").first.is_visible()
