"""The whole way in a real browser, every page by axe, on a phone, in dark and light."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.served_campaign import entry, judging_campaign

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.campaign.campaign import Campaign
from assay.web.application import load_pages
from assay.web.visit import PAGES

pytestmark = pytest.mark.browser
Serve = Callable[..., Any]
NOT_PAGES = re.compile(r"/api/|/health|/metrics|/text/|/pictures/|\.csv|/version/file|/enter")
load_pages()
PATHS = sorted(
    page.path for page in PAGES if page.method == "GET" and not NOT_PAGES.search(page.path)
)
SHOTS = os.environ.get("ASSAY_SCREENSHOTS")
"""A folder for a screenshot of every page, to look at."""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A campaign in adjudication with disagreements, a flag, a run and a published version."""
    folder = tmp_path_factory.mktemp("pages")
    place = str(folder / "campaign.db")
    campaign = judging_campaign(place, 12, ("ann", "ben"))
    campaign.join("all", "coordinator", "participant", "assessor", team="north")
    campaign.phase("runs")
    (folder / "a.run").write_text("".join(f"1 Q0 d{n} {n} {20 - n} a\n" for n in (1, 3, 5)))
    (folder / "b.run").write_text("".join(f"1 Q0 d{n} {n} {n} b\n" for n in (1, 3, 5)))
    for name in ("a", "b"):
        Campaign.open(place, "all").submit(folder / f"{name}.run")
    campaign.phase("judging")
    campaign.assign(overlap=1.0, per_item=3)
    campaign.make_pairs(3)
    for name, step in (("ann", 1), ("ben", 2), ("all", 1)):
        person = Campaign.open(place, name)
        for number in range(12 if name != "all" else 4):
            task = person.next()
            assert task is not None
            person.judge(task.query, task.doc, number * step % 3, seconds=3.0, comment="a note")
            if number == 2:
                person.flag(task.query, task.doc, "hard to read")
    campaign.aggregate("v1")
    campaign.publish("v1")
    campaign.invite("assessor")
    return campaign


def _address(path: str, campaign: Campaign) -> str:
    if path == "/disagreements/item":
        row = campaign.disagreements().row(0, named=True)
        return f"{path}?query={row['query']}&doc={row['doc']}"
    return path + ("?name=v1" if path in ("/version", "/version/report") else "")


def _check(page: Any, axe: str, name: str, scheme: str) -> None:
    page.evaluate(axe)
    found = page.evaluate("axe.run()")["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], name
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{name}: a phone can show it without scrolling sideways"
    if SHOTS:
        plain = name.strip("/").replace("/", "-") or "home"
        page.screenshot(path=f"{SHOTS}/{plain}-{scheme}.png", full_page=True)


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_every_page_passes_axe(
    judged: Campaign, served: Serve, visitor: Serve, axe: str, scheme: str, width: int
) -> None:
    place = judged.session.database.shown
    server = served(place)
    judged.phase("judging")
    size = {"width": width, "height": 844}
    page = visitor(
        entry(judged, "all", server.base), color_scheme=scheme, viewport=size, bypass_csp=True
    )
    for path in PATHS:
        answer = page.goto(server.base + _address(path, judged))
        assert answer.status == 200, path
        _check(page, axe, path, scheme)
    token = Campaign(judged.session).invite("assessor")
    page.goto(f"{server.base}/enter?token={token}")
    _check(page, axe, "/enter", scheme)


def test_an_error_page_passes_axe(
    judged: Campaign, served: Serve, visitor: Serve, axe: str
) -> None:
    server = served(judged.session.database.shown)
    page = visitor(f"{server.base}/nothing", quiet=True, bypass_csp=True)
    _check(page, axe, "/error", "light")


def _submit(page: Any, button: str) -> None:
    with page.expect_navigation():
        page.click(button)


@pytest.mark.slow
def test_from_an_invitation_to_a_published_leaderboard(
    tmp_path: Path, served: Serve, visitor: Serve
) -> None:
    """Three people, each in a browser of their own; nothing is done but by pages."""
    place = str(tmp_path / "campaign.db")
    documents = [(f"d{n}", f"Title {n}", None, f"text {n} about wings") for n in range(8)]
    campaign = Campaign.new(place, "whole", documents=documents)
    server = served(place)
    first = Accounts(campaign.session.database).first_coordinator()
    assert first == "coordinator"
    carla = visitor(entry(campaign, first, server.base))
    carla.goto(f"{server.base}/topics")
    carla.fill("[name=name]", "1")
    carla.fill("[name=title]", "wings 1")
    _submit(carla, "text='Propose'")
    (tmp_path / "topics.tsv").write_text("2\twings 2\n")
    carla.set_input_files("[name=file]", str(tmp_path / "topics.tsv"))
    _submit(carla, "text=Propose all")
    assert "1 topics" in carla.locator(".done").inner_text()
    carla.goto(f"{server.base}/board")
    carla.fill("[name=guidelines]", "Wings are relevant.")
    _submit(carla, "text=Save as a new version")
    carla.goto(f"{server.base}/topics")
    for box in carla.locator("main input[type=checkbox]").all():
        box.check()
    _submit(carla, "button[value=chosen]")
    people = {}
    for name, role in (("ann", "assessor"), ("ben", "assessor"), ("pat", "participant")):
        carla.goto(f"{server.base}/people")
        for box in carla.locator("form[action='/people/invite'] [name=role]").all():
            box.set_checked(box.get_attribute("value") == role)
        _submit(carla, "text=Make a link")
        link = carla.locator(".done code").inner_text()
        people[name] = visitor(link)
        people[name].fill("[name=name]", name)
        people[name].fill("[name=password]", "a long password")
        _submit(people[name], "main button")
    _phase(carla, server.base, "runs")
    pat = people["pat"]
    for name, sign in (("good", -1), ("bad", 1)):
        lines = [f"{topic} Q0 d{n} 1 {10 + sign * n} {name}\n" for topic in "12" for n in range(8)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
        pat.goto(f"{server.base}/runs")
        pat.set_input_files("[name=file]", str(tmp_path / f"{name}.run"))
        _submit(pat, "text=Submit >> nth=-1")
        assert "is submitted" in pat.locator(".done").inner_text()
    carla.goto(f"{server.base}/pool")
    carla.fill("[name=depth]", "8")
    _submit(carla, "main button.main")
    _phase(carla, server.base, "judging")
    carla.goto(f"{server.base}/assign")
    carla.fill("[name=overlap]", "0.5")
    _submit(carla, "main button.main")
    for name in ("ann", "ben"):
        person = people[name]
        person.goto(f"{server.base}/judge")
        while True:
            person.wait_for_selector("#judging:visible, #finished:visible")
            if person.locator("#finished").is_visible():
                break
            doc = person.locator("#document-id").inner_text()
            query = person.locator("#answer-query").input_value()
            person.keyboard.press("2" if int(doc[1:]) < 4 and name == "ann" else "0")
            person.wait_for_function(
                "([query, doc]) => document.getElementById('answer-doc').value !== doc"
                " || document.getElementById('answer-query').value !== query"
                " || document.getElementById('judging').hidden",
                arg=[query, doc],
            )
        person.wait_for_function("() => document.getElementById('status').textContent"
                                 ".startsWith('Saved')")  # fmt: skip
    _phase(carla, server.base, "adjudication")
    carla.goto(f"{server.base}/disagreements")
    carla.locator("td a").first.click()
    _submit(carla, "button[value='2']")
    assert "2 highly relevant" in carla.locator("table").inner_text()
    carla.goto(f"{server.base}/versions")
    carla.fill("[name=name]", "v1")
    _submit(carla, "text=Aggregate >> nth=-1")
    _submit(carla, "text=Publish v1")
    pat.goto(f"{server.base}/versions")
    _submit(pat, "text=v1")
    rows = pat.locator("tbody tr").all_inner_texts()
    assert any("good" in row for row in rows)
    assert any("bad" in row for row in rows)


def _phase(page: Any, base: str, phase: str) -> None:
    page.goto(f"{base}/board")
    page.select_option("[name=phase]", phase)
    _submit(page, "text=Begin this phase")
