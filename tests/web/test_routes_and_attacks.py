"""Every route with every role and other people's objects, and attacks; from the list of routes."""

from __future__ import annotations

import itertools
import json
import re
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.web.served_campaign import (
    client,
    csrf,
    entry,
    judging_campaign,
    shared_folder,
    signed_in,
)

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.permissions import PERMISSIONS, PHASES, ROLES, is_allowed
from assay.web.application import load_pages
from assay.web.visit import PAGES, PUBLIC, SIGNED_IN, Page, safe_path

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
load_pages()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("web") / "campaign.db")
    campaign = judging_campaign(place, 12, ("ann", "ben"))
    campaign.join("pat", "participant")
    campaign.join("eve", "assessor")
    client(place)
    campaign.make_pairs(2)
    ann = Campaign.open(place, "ann")
    for _ in range(2):
        task = ann.next()
        assert task is not None
        ann.judge(task.query, task.doc, 1, comment="secret note of ann")
    campaign.aggregate("draft")
    campaign.aggregate("v1")
    campaign.publish("v1")
    return place


@pytest.fixture
def campaign(place: str) -> Campaign:
    return Campaign.open(place)


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


def test_sessions_are_new_after_signing_in_and_gone_after_signing_out(
    place: str, campaign: Campaign
) -> None:
    """A session that an attacker has planted is not the one that is used afterwards."""
    opened = client(place)
    opened.cookies.set("assay_session", "planted by somebody else", domain="127.0.0.1")
    answer = opened.get(entry(campaign, "ann"))
    given = answer.headers["set-cookie"]
    token = given.partition("=")[2].partition(";")[0]
    assert token != "planted by somebody else"
    assert "HttpOnly" in given
    assert "samesite=lax" in given.lower()
    fresh = client(place)
    fresh.cookies.set("assay_session", token, domain="127.0.0.1")
    assert fresh.get("/history").status_code == 200
    fresh.post("/sign-out", data={"csrf": csrf(fresh)})
    late = client(place)
    late.cookies.set("assay_session", token, domain="127.0.0.1")
    assert late.get("/history").status_code == 303


@pytest.mark.parametrize(
    "where",
    ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)",
     "/\t/evil.example", "\\\\evil.example", "/..//evil.example", "http:/evil.example"],
)  # fmt: skip
def test_signing_in_goes_nowhere_else(place: str, campaign: Campaign, where: str) -> None:
    assert safe_path(where) == "/"
    accounts = Accounts(campaign.session.database)
    accounts.accept(accounts.entry_link("ben"), password="a long password")
    given = {"name": "ben", "password": "a long password", "next": where}
    assert client(place).post("/sign-in", data=given).headers["location"] == "/"


def test_guessing_passwords_ends_after_ten_attempts(tmp_path: Path) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 2)
    accounts = Accounts(campaign.session.database)
    accounts.accept(accounts.entry_link("ann"), password="a long password")
    opened = client(place)
    codes = [opened.post("/sign-in", data={"name": "ann", "password": f"guess {n}"}).status_code
             for n in range(12)]  # fmt: skip
    assert codes == [403] * 10 + [429] * 2
    right = {"name": "ann", "password": "a long password"}
    assert opened.post("/sign-in", data=right).status_code == 429
    unknown = opened.post("/sign-in", data={"name": "nobody", "password": "x"})
    assert "The name or the password is wrong" in unknown.text, "it does not say which"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil"])
def test_other_names_of_the_server_are_refused(place: str, host: str) -> None:
    """DNS rebinding: a name of the attacker that leads to this machine."""
    opened = client(place)
    assert opened.get("/health", headers={"Host": host}).status_code == 421
    assert opened.get("/health").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"},
     {"Sec-Fetch-Site": "same-site", "Origin": "null"}],
)  # fmt: skip
def test_forms_of_other_sites_are_refused(place: str, headers: dict[str, str]) -> None:
    given = {"name": "ann", "password": "x"}
    assert client(place).post("/sign-in", data=given, headers=headers).status_code == 403


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


def test_pictures_come_from_their_folder_only(tmp_path: Path) -> None:
    pictures = shared_folder(tmp_path)
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 4)
    opened = signed_in(place, campaign, "ann", pictures=str(pictures))
    assert opened.get("/pictures/1/d1").content.startswith(b"\x89PNG")
    with campaign.session.database.write() as connection:
        for number, url in ((1, "../secret.png"), (3, str(tmp_path / "secret.png"))):
            connection.exec_driver_sql(
                "UPDATE document SET url = ? WHERE name = ?", (url, f"d{number}")
            )
    for path in ("1/d3", "1/..%2Fsecret", "1/../secret.png", "..%2F/secret.png"):
        answer = opened.get(f"/pictures/{path}")
        assert answer.status_code in (400, 404), path
        assert b"another file" not in answer.content
    for path in ("/static/../web_settings.py", "/static/%2e%2e/visit.py", "/static/x"):
        assert opened.get(path).status_code == 404


def test_uploads_are_checked_with_line_numbers_and_limited(tmp_path: Path) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 4)
    campaign.join("pat", "participant")
    campaign.phase("runs")
    opened = signed_in(place, campaign, "pat", upload_bytes=2_000_000)
    send = {"csrf": csrf(opened), "name": ""}
    wrong = opened.post("/runs", data=send, files={"file": ("../a.run", b"1 Q0 d1 1 5 t\n1 Q0 d2")})
    assert wrong.status_code == 400
    assert "a.run:2" in wrong.text
    assert "/" not in wrong.text.partition("a.run:2")[0][-3:]
    other = opened.post("/runs", data=send, files={"file": ("b.run", b"9 Q0 d1 1 5 t\n")})
    assert "not topics of the campaign" in other.text
    large = opened.post("/runs", data=send, files={"file": ("c.run", b"x" * 3_000_000)})
    assert large.status_code == 413
    good = opened.post("/runs", data=send, files={"file": ("-", b"1 Q0 d1 1 5 t\n")})
    assert good.status_code == 200, good.text
    assert [run.name for run in campaign.runs()] == ["run"]


def test_a_document_of_50_megabytes_is_shown_in_pieces(tmp_path: Path) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = judging_campaign(place, 2)
    with campaign.session.database.write() as connection:
        connection.exec_driver_sql(
            "UPDATE document_text SET text = ?", ("heat and wings " * 3_500_000,)
        )
    opened = signed_in(place, campaign, "ann")
    begun = time.perf_counter()
    page = opened.get("/judge")
    assert page.status_code == 200
    assert len(page.content) < 5_000_000
    assert "52,300,000" in page.text or "52300000" in page.text
    assert len(opened.get("/text/1/d1?from=52000000").content) == 500_000
    assert time.perf_counter() - begun < 20


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


@pytest.mark.slow
def test_slow_clients_keep_nobody_waiting(tmp_path: Path, served: Any) -> None:
    place = str(tmp_path / "campaign.db")
    judging_campaign(place, 2)
    server = served(place)
    slow = []
    for _ in range(200):
        one = socket.create_connection(("127.0.0.1", server.port))
        one.sendall(
            b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\na"
        )
        slow.append(one)
    times = []

    def ask() -> None:
        import urllib.request

        begun = time.perf_counter()
        urllib.request.urlopen(f"{server.base}/health", timeout=20).read()
        times.append(time.perf_counter() - begun)

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in slow:
        one.close()
    assert len(times) == 5
    assert max(times) < 10
