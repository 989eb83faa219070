"""Every route with every role and other people's objects, and attacks; from the list of routes."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.web.served_campaign import (
    client,
    csrf,
    judging_campaign,
    signed_in,
)

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.permissions import PERMISSIONS, PHASES, ROLES, is_allowed
from assay.web.application import load_pages
from assay.web.visit import PAGES, PUBLIC, SIGNED_IN, Page

load_pages()


SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
SQL = "x'; DROP TABLE judgment; --"
FIELDS = {
    "act": "grade:1", "query": "1", "doc": "d1", "name": "dora", "password": "a long password",
    "words": "wing", "role": "assessor", "team": "north", "capacity": "5", "hours": "5",
    "reason": "why", "title": "a title", "topic": "1", "state": "chosen", "depth": "3",
    "overlap": "0", "per_item": "2", "gold": "0", "seed": "1", "assessor": "ann", "by": "topic",
    "per_topic": "2", "phase": "judging", "grade": "1", "comment": "c", "method": "majority",
    "pair": "1", "choice": "left", "scope": "read", "request": "r", "token": "x", "next": "/",
    "guidelines": "Judge so.",
}  # fmt: skip
"""Values with which every form does something."""


def _path(page: Page) -> str:
    values = {"query": "1", "doc": "d1", "number": "1", "name": "topics"}
    return re.sub(r"{(\w+)(:\w+)?}", lambda found: values[found.group(1)], page.path)


def _request(opened: Any, page: Page, with_token: bool = True) -> Any:
    if page.method == "GET":
        return opened.get(_path(page), params={"query": "1", "doc": "d1", "name": "v1"})
    token = {"csrf": csrf(opened)} if with_token else {}
    if page.path.startswith("/api/"):
        headers = {"X-CSRF-Token": token["csrf"]} if token else {}
        return opened.post(_path(page), json={"actions": []}, headers=headers)
    return opened.post(_path(page), data={**FIELDS, **token})


def test_every_route_names_an_operation_or_is_meant_to_be_open() -> None:
    assert {page.may for page in PAGES} <= {*PERMISSIONS, PUBLIC, SIGNED_IN}
    public = {(page.method, page.path) for page in PAGES if page.may == PUBLIC}
    assert public == {("GET", "/sign-in"), ("POST", "/sign-in"), ("GET", "/enter"),
                      ("POST", "/enter"), ("GET", "/health")}  # fmt: skip
    assert all(page.method in ("GET", "POST") for page in PAGES)


ROUTES = [page for page in PAGES if page.may != PUBLIC]


def test_nobody_gets_in_without_signing_in(place: str) -> None:
    opened = client(place)
    for page in ROUTES:
        if page.method == "GET":
            answer = opened.get(_path(page))
        else:
            answer = opened.post(_path(page), data=FIELDS)
        went = answer.headers.get("location", "").startswith("/sign-in")
        assert answer.status_code == 401 or went, (page.path, answer.status_code)


def test_every_post_needs_the_token_of_its_session(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    other = signed_in(place, campaign, "ann")
    for page in ROUTES:
        if page.method != "POST":
            continue
        for token in ({}, {"csrf": "x"}, {"csrf": csrf(other)}):
            answer = opened.post(_path(page), data={**FIELDS, **token})
            assert answer.status_code == 403, page.path
            assert "out of date" in answer.text


@pytest.mark.parametrize(
    "phase",
    [each if each == "judging" else pytest.param(each, marks=pytest.mark.slow) for each in PHASES],
)
def test_routes_follow_the_table_of_permissions(tmp_path: Path, phase: str) -> None:
    """Each role, each route: what the table does not allow gets 403, nothing else does."""
    for role in ROLES:
        place = str(tmp_path / f"{role}.db")
        campaign = judging_campaign(place, 4, ("ann",))
        campaign.join("eve", role)
        campaign.phase(phase)
        opened = signed_in(place, campaign, "eve")
        for page in ROUTES:
            if page.path in ("/sign-out", "/settings/password"):  # these end the session
                continue
            campaign.phase(phase)
            answer = _request(opened, page)
            allowed = page.may == SIGNED_IN or is_allowed(page.may, [role], phase)
            assert (answer.status_code == 403) != allowed, (role, page.path, answer.status_code)
            assert answer.status_code < 500, (role, page.path, answer.text)
            campaign.join("eve", role)  # a form may have changed the roles of others only


def test_other_peoples_objects_are_out_of_reach(place: str, campaign: Campaign) -> None:
    """Eve has nothing: no item, text, note, token, run or unpublished version of others."""
    eve = signed_in(place, campaign, "eve")
    ann = Campaign.open(place, "ann")
    token = ann.add_token("mine", "read")
    number = ann.tokens()[0]["id"]
    rows = campaign.table("judgments").to_dicts()
    for row in rows:
        where = {"query": row["query"], "doc": row["doc"]}
        answers = [
            eve.get("/judge", params=where),
            eve.get("/api/item", params=where),
            eve.get(f"/text/{row['query']}/{row['doc']}"),
            eve.get(f"/pictures/{row['query']}/{row['doc']}"),
            eve.post("/judge", data={**where, "act": "grade:0", "csrf": csrf(eve)}),
            eve.post("/judge", data={**where, "act": "later", "csrf": csrf(eve)}),
            eve.post("/judge", data={**where, "act": "flag", "csrf": csrf(eve)}),
        ]
        assert {answer.status_code for answer in answers} <= {400, 403, 404}
        assert not any("secret note" in answer.text for answer in answers)
    undo = {"action": "undo", "query": "1", "doc": "d1", "request": f"undo {_request_of(campaign)}"}
    eve.post("/api/save", json={"actions": [undo]}, headers={"X-CSRF-Token": csrf(eve)})
    assert campaign.table("judgments").to_dicts() == rows
    revoke = eve.post(f"/settings/tokens/{number}/revoke", data={"csrf": csrf(eve)})
    assert revoke.status_code == 400
    assert Accounts(campaign.session.database).token_person(token) is not None
    assert eve.get("/version", params={"name": "draft"}).status_code == 400
    assert eve.get("/version", params={"name": "v1"}).status_code == 200
    for name in ("judgments", "record", "pool", "people", "events", "flags"):
        assert eve.get(f"/tables/{name}.csv").status_code == 400
    assert "secret note" not in eve.get("/tables/history.csv").text


def _request_of(campaign: Campaign) -> str:
    with campaign.session.database.read() as connection:
        return str(connection.exec_driver_sql("SELECT request FROM judgment").scalar())


def test_scripts_in_every_field_are_shown_as_text(tmp_path: Path) -> None:
    """A document, a topic, a note, names of people, teams, runs and versions: nothing runs."""
    place = str(tmp_path / "campaign.db")
    documents = [("d<b>1", SCRIPT, "javascript:alert(1)", f"{SCRIPT} text")]
    campaign = Campaign.new(place, SCRIPT, documents=documents, guidelines=SCRIPT)
    campaign.join(SCRIPT, "coordinator", "participant", "assessor", team=SCRIPT)
    campaign.join("ben", "assessor", team=SCRIPT)
    campaign.propose_topics({"<b>1": {"title": SCRIPT, "description": SCRIPT, SCRIPT: SCRIPT}})
    campaign.choose_topics("all")
    campaign.phase("runs")
    opened = signed_in(place, campaign, SCRIPT)
    run = ("<b>run.txt", b"<b>1 Q0 d<b>1 1 5 tag\n")
    given = {"name": SCRIPT, "csrf": csrf(opened)}
    pages = [opened.post("/runs", data=given, files={"file": run})]
    assert pages[0].status_code == 200, pages[0].text
    campaign.pool(5)
    campaign.phase("judging")
    campaign.assign(overlap=1.0)
    form = {"csrf": csrf(opened), "query": "<b>1", "doc": "d<b>1", "comment": SCRIPT}
    pages.append(opened.get("/judge"))
    opened.post("/judge/words", data={**form, "words": SCRIPT})
    opened.post("/judge", data={**form, "act": "flag"})
    opened.post("/judge", data={**form, "act": "grade:1"})
    Campaign.open(place, "ben").judge("<b>1", "d<b>1", 2)
    opened.post("/settings/tokens", data={**form, "name": SCRIPT, "scope": "read"})
    opened.post("/versions", data={**form, "name": SCRIPT, "method": "majority"})
    opened.post("/versions/publish", data={**form, "name": SCRIPT})
    pages += [_get(opened, page, SCRIPT) for page in PAGES if page.method == "GET"]
    pages.append(opened.post("/sign-in", data={"name": SCRIPT, "password": "x"}))
    shown = 0
    for answer in pages:
        kind = answer.headers.get("content-type", "")
        assert answer.status_code < 500, answer.text
        if kind.startswith("text/html"):
            assert "<script>alert" not in answer.text
            assert "<img src=x" not in answer.text
            assert "<b>1" not in answer.text
            assert "javascript:" not in re.sub(r'"state">.*?</script>', "", answer.text)
            shown += "&lt;script&gt;alert" in answer.text
        else:
            assert "html" not in kind
    assert shown > 15


def _get(opened: Any, page: Page, name: str) -> Any:
    params = {"query": "<b>1", "doc": "d<b>1", "name": name, "next": SCRIPT, "token": SCRIPT}
    path = page.path.replace("{query}", "%3Cb%3E1").replace("{doc:path}", "d%3Cb%3E1")
    return opened.get(path.replace("{name}", "topics"), params=params)


def test_sql_in_every_field_changes_nothing(place: str, campaign: Campaign) -> None:
    before = campaign.table("record").height
    for name in ("carla", "ann"):
        opened = signed_in(place, campaign, name)
        for page in ROUTES:
            if page.path in ("/sign-out", "/settings/password"):
                continue
            if page.method == "GET":
                path = re.sub(r"{(\w+)(:\w+)?}", lambda found: "1" if found.group(2) == ":int"
                              else "x%27%3B%20DROP", page.path)  # fmt: skip
                answer = opened.get(path, params=dict.fromkeys(FIELDS, SQL))
            else:
                data = {**dict.fromkeys(FIELDS, SQL), "csrf": csrf(opened)}
                answer = opened.post(_path(page), data=data)
            assert answer.status_code < 500, (page.path, answer.text)
    sign_in = client(place).post("/sign-in", data={"name": SQL, "password": "' OR 1=1 --"})
    assert sign_in.status_code == 403
    assert campaign.table("record").height == before


def test_forms_with_strange_values_get_a_message(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    strange = ["", "\0", "1e999", "nan", "-5", "9" * 400, "ä" * 3000, "../../etc/passwd", "\ud7ff"]
    for page, value in itertools.product(ROUTES, strange):
        if page.method == "POST" and page.path not in ("/sign-out", "/settings/password"):
            data = {**dict.fromkeys(FIELDS, value), "csrf": csrf(opened)}
            answer = opened.post(_path(page), data=data)
            assert answer.status_code < 500, (page.path, value, answer.text)
    ann = signed_in(place, campaign, "ann")
    odd: list[Any] = [None, [], 1, "x", {}, {"actions": 5}, {"actions": [1]}, {"actions": [{}]},
           {"actions": [{"action": "judge", "query": 1}]}, {"after": "x"}, {"count": 10**9},
           {"actions": [{"action": "judge", "query": "1", "doc": "d1", "request": "r",
                         "grade": True}]}]  # fmt: skip
    for body in odd:
        answer = ann.post("/api/save", content=json.dumps(body), headers={
            "X-CSRF-Token": csrf(ann), "Content-Type": "application/json"})  # fmt: skip
        assert answer.status_code in (200, 400), answer.text


def test_tokens_do_what_their_scope_says(place: str, campaign: Campaign) -> None:
    token = Campaign.open(place, "carla").add_token("script", "read")
    opened = client(place)
    bearer = {"Authorization": f"Bearer {token}"}
    assert opened.get("/tables/judgments.csv", headers=bearer).status_code == 200
    assert opened.get("/metrics", headers=bearer).text.startswith("assay_items_assigned")
    assert opened.post("/phase", data={"phase": "frozen"}, headers=bearer).status_code == 403
    assert campaign.describe()["phase"] == "judging"
    nobody = opened.get("/tables/judgments.csv", headers={"Authorization": "Bearer x"})
    assert nobody.status_code == 303


def test_tables_are_csv_without_formulas(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    for name in Campaign.open(place, "carla").tables():
        answer = opened.get(f"/tables/{name}.csv")
        assert answer.status_code == 200, (name, answer.text)
        assert answer.headers["content-type"].startswith("text/csv")
        assert "attachment" in answer.headers["content-disposition"]


def test_every_answer_has_the_security_headers(place: str, campaign: Campaign) -> None:
    opened = signed_in(place, campaign, "carla")
    paths = [_path(page) for page in PAGES if page.method == "GET"]
    for path in (*paths, "/nothing", "/static/app.css", "/openapi.json"):
        headers = opened.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "cdn" not in opened.get(path).text
    assert opened.get("/docs").status_code == 404
