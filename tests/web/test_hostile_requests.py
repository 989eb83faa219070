"""Sessions, names of the server, uploads and slow clients: requests that are not meant well."""

from __future__ import annotations

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
from assay.web.application import load_pages
from assay.web.visit import safe_path

load_pages()


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
