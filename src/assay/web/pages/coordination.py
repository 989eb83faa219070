"""Coordinating: people, topics, runs, pools, assignments, phases and the board."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from assay.benchmark.campaign.permissions import PHASES, ROLES
from assay.core.errors import AssayError
from assay.core.phrases import quantity
from assay.web.uploads import store_upload
from assay.web.visit import Visit, page

SHOWN_ROWS = 200
"""Rows of a long table on a page; the CSV file has all of them."""


@page("GET", "/people", "see-judgments")
def show_people(visit: Visit) -> Response:
    """Show the people of the campaign and the invitations."""
    return _people(visit, None)


def _people(visit: Visit, link: str | None) -> Response:
    invitations = visit.campaign.invitations() if visit.may("join") else []
    people = visit.campaign.people()
    return visit.show("people.html", people=people, invitations=invitations, roles=ROLES, link=link)


@page("POST", "/people/invite", "join")
def invite(visit: Visit) -> Response:
    """Make an invitation and show its link once."""
    capacity = visit.whole("capacity", 0) or None
    token = visit.campaign.invite(
        *visit.texts("role"),
        team=visit.text("team").strip() or None,
        capacity=capacity,
        hours=visit.number("hours", 168),
    )
    base = str(visit.request.base_url).rstrip("/")
    return _people(visit, f"{base}/enter?token={token}")


@page("POST", "/people/invitations/{number:int}/withdraw", "join")
def withdraw_invitation(visit: Visit) -> Response:
    """Withdraw an invitation."""
    visit.campaign.withdraw_invitation(int(visit.path("number")))
    return visit.go("/people")


@page("POST", "/people/change", "join")
def change_person(visit: Visit) -> Response:
    """Change the roles, the team and the capacity of a person."""
    known = {each["name"]: each for each in visit.campaign.people()}
    name = visit.text("name")
    kind = known[name]["kind"] if name in known else "person"
    team, capacity = visit.text("team").strip() or None, visit.whole("capacity", 0) or None
    visit.campaign.join(name, *visit.texts("role"), kind=kind, team=team, capacity=capacity)
    return visit.go("/people")


@page("POST", "/people/exclude", "exclude")
def exclude(visit: Visit) -> Response:
    """Leave the judgments of an assessor out of new versions, or take them in again."""
    visit.campaign.exclude(visit.text("name"), visit.text("reason").strip() or None)
    return visit.go("/people")


@page("GET", "/topics", "status")
def show_topics(visit: Visit) -> Response:
    """Show the topics."""
    return visit.show("topics.html", topics=visit.campaign.topics(), proposed=None)


@page("POST", "/topics/propose", "propose-topic")
def propose_topic(visit: Visit) -> Response:
    """Propose a topic."""
    names = ("title", "description", "narrative")
    fields = {name: visit.text(name).strip() for name in names if visit.text(name).strip()}
    visit.campaign.propose_topics({visit.text("name").strip(): fields})
    return visit.go("/topics")


@page("POST", "/topics/upload", "propose-topic")
def upload_topics(visit: Visit) -> Response:
    """Propose the topics of a file, which is read in a process with limits."""
    count = store_upload(visit, "propose-topic", visit.upload("file"))["proposed"]
    return visit.show("topics.html", topics=visit.campaign.topics(), proposed=count)


@page("POST", "/guidelines", "guidelines")
def change_guidelines(visit: Visit) -> Response:
    """Give the assessors new guidelines; judgments keep the version under which they were made."""
    visit.campaign.set_guidelines(visit.text("guidelines").replace("\r\n", "\n").strip())
    return visit.go("/board")


@page("POST", "/topics/choose", "choose-topics")
def choose_topics(visit: Visit) -> Response:
    """Choose, practice or reject topics."""
    visit.campaign.choose_topics(*visit.texts("topic"), state=visit.text("state"))
    return visit.go("/topics")


@page("GET", "/runs", "see-own-runs")
def show_runs(visit: Visit) -> Response:
    """Show the runs that the person may see."""
    return visit.show(
        "runs.html",
        runs=visit.campaign.runs(),
        findings=None,
        file="",
        accepts=visit.campaign.accepts_runs(),
    )


@page("POST", "/runs", "submit")
def submit_run(visit: Visit) -> Response:
    """Submit a run: it is read in a process with limits, and checked line by line."""
    given = visit.upload("file")
    name = visit.text("name").strip() or None
    findings = store_upload(visit, "submit", given, name)["findings"]
    runs = visit.campaign.runs()
    return visit.show(
        "runs.html", runs=runs, findings=findings, file=given.filename or "", accepts=True
    )


@page("GET", "/pool", "see-pool")
def show_pool(visit: Visit) -> Response:
    """Show the pool by topic, and its first items."""
    items = visit.campaign.items()
    counts = items.group_by("query", maintain_order=True).len("items")
    return visit.show(
        "pool.html", items=items.head(SHOWN_ROWS), total=items.height, counts=counts,
        blind=visit.campaign.judges_blind(), depth=visit.campaign.pool_depth() or 50,
    )  # fmt: skip


@page("POST", "/pool", "pool")
def make_pool(visit: Visit) -> Response:
    """Pool the runs."""
    options: dict[str, Any] = {"method": visit.text("method") or "depth"}
    for name in ("size", "budget"):
        if visit.text(name).strip():
            options[name] = visit.whole(name)
    visit.campaign.pool(visit.whole("depth", 100), **options)
    return visit.go("/pool")


@page("GET", "/assign", "assign")
def show_assign(visit: Visit) -> Response:
    """Show the form of assignments and quotas."""
    people = [each for each in visit.campaign.people() if "assessor" in each["roles"]]
    return visit.show(
        "assign.html", people=people, status=visit.campaign.status(), done=_assign_message(visit)
    )


def _assign_message(visit: Visit) -> str:
    """Return what a form of this page has done, by the numbers in the address."""
    given = (visit.query(name)[:9] for name in ("count", "people"))
    count, people = (each if each.isdecimal() else "" for each in given)
    if not count:
        return ""
    if people:
        to = "all: first come, first served" if people == "0" else quantity(int(people), "assessor")
        return f"Assigned: {quantity(int(count), 'item')}, to {to}."
    return f"Pairs chosen: {count} new ones."


@page("POST", "/assign", "assign")
def assign(visit: Visit) -> Response:
    """Set the capacities of assessors and assign the pool."""
    people = {each["name"]: each for each in visit.campaign.people()}
    chosen = [name for name in visit.texts("assessor") if name in people]
    for name in chosen:
        known = people[name]
        capacity = visit.whole(f"capacity {name}", 0) or None
        if capacity != known["capacity"]:
            details = {"kind": known["kind"], "team": known["team"], "capacity": capacity}
            visit.campaign.join(name, *known["roles"], **details)
    shared = visit.text("shared") == "yes"
    count = visit.campaign.assign(
        assessors=chosen,
        overlap=visit.number("overlap", 0),
        per_item=visit.whole("per_item", 2),
        gold=visit.number("gold", 0),
        seed=visit.whole("seed", 1),
        shared=shared,
    )
    everybody = [name for name, each in people.items() if "assessor" in each["roles"]]
    number = 0 if shared else len(chosen or everybody)
    return visit.go(f"/assign?count={count}&people={number}")


@page("POST", "/assign/order", "assign")
def order_queues(visit: Visit) -> Response:
    """Put the queues into another order."""
    visit.campaign.order(visit.text("by"))
    return visit.go("/board")


@page("POST", "/assign/pairs", "assign")
def make_pairs(visit: Visit) -> Response:
    """Choose pairs of documents for preferences."""
    count = visit.campaign.make_pairs(visit.whole("per_topic", 10), visit.whole("seed", 1))
    return visit.go(f"/assign?count={count}")


@page("GET", "/board", "see-judgments")
def show_board(visit: Visit) -> Response:
    """Show progress, agreement, pace and the assessors to review."""
    parts: dict[str, Any] = {}
    for name in ("agreement", "review", "flags", "preferences"):
        try:
            parts[name] = visit.campaign.table(name)
        except AssayError:  # not in this phase, or nothing to show yet
            parts[name] = None
    if parts["agreement"] is not None:
        hidden = (
            "system",
            "slice",
            "aggregate",
            "unit",
            "units",
            "undefined",
            "reasons",
            "interval",
        )
        parts["agreement"] = parts["agreement"].drop(hidden, strict=False)
    if parts["flags"] is not None:
        parts["flags"] = parts["flags"].drop("id", "created", strict=False)
    status, about = visit.campaign.status(), visit.campaign.describe()
    return visit.show("board.html", status=status, parts=parts, phases=PHASES, about=about)


@page("POST", "/phase", "phase")
def begin_phase(visit: Visit) -> Response:
    """Begin a phase; an earlier one only when the coordinator has confirmed it."""
    wanted = visit.text("phase")
    order = {name: place for place, name in enumerate(PHASES)}
    if order.get(wanted, len(PHASES)) < order[visit.phase] and visit.text("confirm") != "yes":
        return visit.show("confirm_phase.html", wanted=wanted, published=_published(visit))
    visit.campaign.phase(wanted)
    return visit.go("/board")


def _published(visit: Visit) -> list[str]:
    return [each["name"] for each in visit.campaign.versions() if each["published"]]
