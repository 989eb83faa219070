"""Accounts, and one assessor's own work: what the web app is built on, on both databases."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.benchmark.campaign.small import small_campaign

from assay.benchmark.campaign.accounts import Accounts, TooManyAttempts
from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.judging import Answer
from assay.benchmark.campaign.own_work import Action
from assay.benchmark.store.account_schema import SIGN_IN
from assay.core.errors import UsageError

pytest.importorskip("argon2")


def test_an_invitation_is_used_once_and_its_password_signs_in(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    token = campaign.invite("assessor", capacity=7)
    accounts = Accounts(campaign.session.database)
    opened = accounts.accept(token, "dora", "a long password")
    person = accounts.session_person(opened)
    assert person is not None
    assert (person.name, person.roles, person.capacity) == ("dora", ("assessor",), 7)
    with pytest.raises(UsageError, match="used already"):
        accounts.accept(token, "eve", "a long password")
    again = accounts.sign_in("dora", "a long password", "127.0.0.1")
    assert again != opened
    accounts.close_session(opened)
    assert accounts.session_person(opened) is None
    assert accounts.session_person(again) is not None
    stored = {path.name for path in _export(campaign, tmp_path).iterdir()}
    assert not {f"{name}.jsonl" for name in SIGN_IN} & stored


def _export(campaign: Campaign, folder: Path) -> Path:
    campaign.export(folder / "export")
    return folder / "export"


def test_invitations_and_sessions_expire(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    now = [1e9]
    accounts = Accounts(campaign.session.database, lambda: now[0])
    link = accounts.entry_link("ann", hours=1)
    now[0] += 3601
    with pytest.raises(UsageError, match="has expired"):
        accounts.accept(link)
    session = accounts.accept(accounts.entry_link("ann"))
    now[0] += 47 * 3600
    assert accounts.session_person(session) is not None
    now[0] += 47 * 3600
    assert accounts.session_person(session) is not None, "it was in use in between"
    now[0] += 49 * 3600
    assert accounts.session_person(session) is None


def test_guessing_is_stopped_and_starts_again_later(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    now = [1e9]
    accounts = Accounts(campaign.session.database, lambda: now[0])
    accounts.accept(accounts.entry_link("ann"), password="a long password")
    for _ in range(10):
        with pytest.raises(UsageError, match="is wrong"):
            accounts.sign_in("ann", "guess", "10.0.0.1")
    with pytest.raises(TooManyAttempts):
        accounts.sign_in("ann", "a long password", "10.0.0.1")
    now[0] += 16 * 60
    assert accounts.sign_in("ann", "a long password", "10.0.0.1")


def test_a_request_that_is_sent_twice_happens_once(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.assign()
    ann = Campaign.open(place, "ann")
    first = ann.next()
    assert first is not None
    action = Action("judge", Answer(first.query, first.doc, 1, seconds=4.0, request="r1"))
    once = ann.save([action], count=2)
    twice = ann.save([action, action], count=2)
    assert [each.judgment for each in twice.outcomes] == [once.outcomes[0].judgment] * 2
    assert twice.progress["done"] == 1
    assert [each.doc for each in twice.tasks] == [each.doc for each in once.tasks]
    undo = Action("undo", Answer(first.query, first.doc, request="undo r1"))
    assert ann.save([undo, undo]).progress["done"] == 0
    assert ann.history() == []
    assert ann.item(first.query, first.doc)[1] is None


def test_one_refused_action_does_not_keep_back_the_others(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.assign()
    ann = Campaign.open(place, "ann")
    first = ann.next()
    assert first is not None
    wrong = Action("judge", Answer(first.query, first.doc, 99, request="r1"))
    right = Action("judge", Answer(first.query, first.doc, 0, request="r2"))
    for order in ([wrong, right], [right, wrong]):
        saved = ann.save(order)
        assert {each.request: each.saved for each in saved.outcomes} == {"r1": False, "r2": True}
    assert saved.progress["done"] == 1


def test_a_lapsed_lease_loses_nothing(place: str, tmp_path: Path) -> None:
    """Somebody else gets the item meanwhile: both judgments are kept."""
    campaign = small_campaign(place, tmp_path)
    campaign.assign(shared=True)
    now = [1e9]
    ann = Campaign.open(place, "ann", clock=lambda: now[0])
    ben = Campaign.open(place, "ben", clock=lambda: now[0])
    held = ann.next()
    assert held is not None
    now[0] += 3600
    taken = ben.next()
    assert taken is not None
    assert (taken.query, taken.doc) == (held.query, held.doc)
    ben.judge(taken.query, taken.doc, 0)
    ann.judge(held.query, held.doc, 2)
    grades = campaign.table("judgments").filter(query=held.query, doc=held.doc)
    assert dict(grades.select("assessor", "grade").iter_rows()) == {"ben": 0, "ann": 2}
    others = campaign.items().filter(
        ~((pl.col("query") == held.query) & (pl.col("doc") == held.doc))
    )
    with pytest.raises(UsageError, match="not assigned to"):
        ben.judge(others["query"][0], others["doc"][0], 1)


def test_later_puts_only_own_items_back(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.assign()
    ann, ben = Campaign.open(place, "ann"), Campaign.open(place, "ben")
    mine, other = ann.next(), ben.next()
    assert mine is not None
    assert other is not None
    with pytest.raises(UsageError, match="not one of ann's"):
        ann.postpone(other.assignment)
    saved = ann.save([Action("later", Answer(mine.query, mine.doc))])
    assert (saved.tasks[0].query, saved.tasks[0].doc) != (mine.query, mine.doc)
    with pytest.raises(UsageError, match="not assigned to you"):
        ann.item(other.query, other.doc)


def test_preferences_are_random_in_place_and_evaluated(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    assert campaign.make_pairs(4) == 12
    sides = set()
    for name in ("ann", "ben"):
        person = Campaign.open(place, name)
        while task := person.next_pair():
            assert task.left["text"]
            low = min(task.left["doc"], task.right["doc"])
            sides.add(task.left["doc"] == low)
            choice = "left" if task.left["doc"] == low else "right"
            person.prefer(task.pair, choice, request=f"{name} {task.pair}")
            person.prefer(task.pair, "tie", request=f"{name} {task.pair}")
    assert sides == {True, False}
    found = campaign.preferences()
    assert found.height == 24
    assert (found["preferred"] == found["first"]).all()


def test_tokens_are_scoped_and_revocable(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    ann, ben = Campaign.open(place, "ann"), Campaign.open(place, "ben")
    token = ann.add_token("script", "read")
    accounts = Accounts(campaign.session.database)
    found = accounts.token_person(token)
    assert found is not None
    assert (found[0].name, found[1]) == ("ann", ("read",))
    number = ann.tokens()[0]["id"]
    with pytest.raises(UsageError, match="you have no token"):
        ben.revoke_token(number)
    ann.revoke_token(number)
    assert accounts.token_person(token) is None
