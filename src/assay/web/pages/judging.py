"""Judging: the page, its form without scripts, and what its script calls."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from starlette.responses import JSONResponse, Response

from assay.benchmark.campaign.judging import Answer
from assay.benchmark.campaign.own_work import Action
from assay.core.errors import UsageError
from assay.web.task_view import PICTURES, find_picture, grade_meanings, keys_of, view_task
from assay.web.visit import Visit, page

AHEAD = 4
"""Items that the browser may have before they are needed."""


@page("GET", "/judge", "history")
def show_judging(visit: Visit) -> Response:
    """Show the next item, or one that was judged before."""
    campaign = visit.campaign
    chosen = None
    if visit.query("doc"):
        task, judgment = campaign.item(visit.query("query"), visit.query("doc"))
        chosen = view_task(visit, task, judgment)
    elif visit.may("next"):
        first = campaign.next()
        chosen = None if first is None else view_task(visit, first)
    last = campaign.history(limit=1)
    about = campaign.describe()
    state = {
        "task": chosen,
        "queue": not visit.query("doc"),
        "person": visit.person.name if visit.person else "",
        "campaign": about["name"],
        "csrf": visit.csrf,
        "keys": keys_of(visit),
        "labels": {str(grade): label for grade, label in about["scale"].labels.items()},
        "last": _last(last),
        "progress": campaign.progress(),
        "may_judge": visit.may("judge"),
    }
    return visit.show(
        "judge.html", task=chosen, about=about, state=state, keys=state["keys"],
        request=uuid.uuid4().hex, last=state["last"], mine=state["progress"],
        feedback=visit.query("feedback"),
        meanings=grade_meanings(about["guidelines"] or "", about["scale"].labels),
    )  # fmt: skip


def _last(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    names = ("id", "query", "doc", "request", "grade")
    return {name: rows[0][name] for name in names} if rows else None


@page("POST", "/judge", "judge")
def judge(visit: Visit) -> Response:
    """Store what was done with an item, without scripts, and show the next one."""
    act = visit.text("act")
    given: dict[str, Any] = {"query": visit.text("query"), "doc": visit.text("doc")}
    given["comment"] = visit.text("comment").strip() or None
    request = visit.text("request") or uuid.uuid4().hex
    if act.startswith("grade:"):
        action, given["grade"] = "judge", _grade(act.removeprefix("grade:"))
    elif act == "cannot-say":
        action = "judge"
    elif act in ("later", "flag"):
        action, request = act, f"{act} {request}"
    else:
        raise UsageError("press one of the buttons")
    outcome = visit.campaign.save([Action(action, Answer(request=request, **given))], count=0)
    _refuse(outcome.outcomes[0])
    visit.settings.on_save()
    feedback = outcome.outcomes[0].feedback
    return visit.go("/judge" if feedback is None else f"/judge?feedback={feedback}")


def _refuse(outcome: Any) -> None:
    if not outcome.saved:
        raise UsageError(outcome.reason)


def _grade(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"'{text[:20]}' is not a grade") from None


@page("POST", "/judge/undo", "judge")
def undo(visit: Visit) -> Response:
    """Undo the last judgment and show its item again."""
    rows = visit.campaign.history(limit=1)
    if not rows or rows[0]["request"] != visit.text("request"):
        return visit.go("/judge")
    answer = Answer(rows[0]["query"], rows[0]["doc"], request=f"undo {rows[0]['request']}")
    _refuse(visit.campaign.save([Action("undo", answer)], count=0).outcomes[0])
    visit.settings.on_save()
    return visit.go(f"/judge?{urlencode({'query': answer.query, 'doc': answer.doc})}")


@page("POST", "/judge/words", "history")
def change_words(visit: Visit) -> Response:
    """Change the assessor's own words to highlight for a topic."""
    words = dict(visit.campaign.settings().get("words", {}))
    words[visit.text("query")[:200]] = " ".join(visit.text("words")[:500].split())
    visit.campaign.change_settings(words=words)
    return visit.go("/judge")


@page("POST", "/api/save", "judge")
def save(visit: Visit) -> Response:
    """Store what was done with items, each once, and return the next ones."""
    actions = visit.body.get("actions", [])
    if not isinstance(actions, list) or len(actions) > 100:
        raise UsageError("actions is a list of at most 100")
    after, count = visit.body.get("after", -1), visit.body.get("count", 1)
    if not isinstance(after, int) or not isinstance(count, int):
        raise UsageError("after and count are whole numbers")
    found = visit.campaign.save(
        [_action(each) for each in actions], after, max(0, min(count, AHEAD))
    )
    if actions:
        visit.settings.on_save()
    return JSONResponse(
        {
            "outcomes": [vars(each) for each in found.outcomes],
            "tasks": [view_task(visit, each) for each in found.tasks],
            "progress": found.progress,
        }
    )


def _action(given: Any) -> Action:
    """Return an action of the script; refuse what has the wrong types."""
    kinds: dict[str, tuple[type, ...]] = {
        "query": (str,), "doc": (str,), "request": (str,), "grade": (int, type(None)),
        "seconds": (int, float, type(None)), "comment": (str, type(None)),
    }  # fmt: skip
    if not isinstance(given, dict) or not isinstance(given.get("action"), str):
        raise UsageError("an action is an object with action, query, doc and request")
    for name, types in kinds.items():
        value = given.get(name)
        if not isinstance(value, types) or isinstance(value, bool):
            raise UsageError(f"{name} has the wrong type")
    passages = given.get("passages")
    if passages is not None and not _are_passages(passages):
        raise UsageError("passages are pairs of start and end")
    seconds = given.get("seconds")
    if seconds is not None and not 0 <= seconds <= 86_400:
        raise UsageError("seconds are from 0 to 86400")
    if len(given["request"]) > 100 or len(given.get("comment") or "") > 10_000:
        raise UsageError("the request has up to 100 characters, the note up to 10000")
    wanted: dict[str, Any] = {name: given.get(name) for name in kinds}
    return Action(given["action"], Answer(passages=passages, **wanted))


def _are_passages(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= 100
        and all(
            isinstance(each, list)
            and len(each) == 2
            and all(isinstance(end, int) and not isinstance(end, bool) for end in each)
            and 0 <= each[0] < each[1]
            for each in value
        )
    )


@page("GET", "/api/item", "history")
def read_item(visit: Visit) -> Response:
    """Return an item of the person with its judgment."""
    task, judgment = visit.campaign.item(visit.query("query"), visit.query("doc"))
    return JSONResponse(view_task(visit, task, judgment))


@page("GET", "/api/previous", "history")
def read_previous(visit: Visit) -> Response:
    """Return the item that was judged before a judgment."""
    before = visit.query("before")
    rows = visit.campaign.history(int(before) if before.isdecimal() else None, 1)
    if not rows:
        return JSONResponse({"task": None})
    task, judgment = visit.campaign.item(rows[0]["query"], rows[0]["doc"])
    return JSONResponse({"task": view_task(visit, task, judgment)})


@page("GET", "/api/session", "history")
def read_session(visit: Visit) -> Response:
    """Return who is signed in, and the token that requests must carry."""
    name = visit.person.name if visit.person else ""
    return JSONResponse({"person": name, "csrf": visit.csrf if visit.token else ""})


@page("GET", "/text/{query}/{doc:path}", "status")
def show_text(visit: Visit) -> Response:
    """Return the text of a document in pieces of a million characters."""
    start = visit.query("from", "0")
    begin = min(int(start), 10**12) if start.isdecimal() and len(start) < 15 else 0
    found = visit.campaign.document(visit.path("query"), visit.path("doc"), begin)
    return Response(found.get("text") or "", media_type="text/plain")


@page("GET", "/pictures/{query}/{doc:path}", "status")
def show_picture(visit: Visit) -> Response:
    """Return the picture of a document that the person may see."""
    doc = visit.path("doc")
    found = visit.campaign.document(visit.path("query"), doc, 0, 1)
    place = find_picture(visit.settings.pictures, doc, found.get("url"))
    if place is None:
        return visit.fail(404, "there is no such picture")
    return Response(place.read_bytes(), media_type=PICTURES[place.suffix.lower()])


@page("GET", "/history", "history")
def show_history(visit: Visit) -> Response:
    """Show the person's own judgments."""
    before = visit.query("before")
    rows = visit.campaign.history(int(before) if before.isdecimal() else None, 50)
    labels = visit.campaign.describe()["scale"].labels
    return visit.show("history.html", rows=rows, labels=labels)


@page("GET", "/settings", "status")
def show_settings(visit: Visit) -> Response:
    """Show the keys, the password and the API tokens of the person."""
    return visit.show(
        "settings.html", keys=keys_of(visit), tokens=visit.campaign.tokens(), new_token=None
    )


@page("POST", "/settings/keys", "status")
def change_keys(visit: Visit) -> Response:
    """Change the keys of the judging page."""
    keys = {name: visit.text(f"key {name}").strip() for name in keys_of(visit)}
    used = [key for key in keys.values() if key]
    if any(len(key) != 1 for key in used) or len(set(used)) != len(used):
        raise UsageError("each action has one character of its own as its key, or none")
    visit.campaign.change_settings(keys=keys)
    return visit.go("/settings")


@page("POST", "/settings/password", "status")
def change_password(visit: Visit) -> Response:
    """Change the password; all sessions of the person end."""
    visit.campaign.change_password(visit.text("password"))
    return visit.go("/sign-in")


@page("POST", "/settings/tokens", "status")
def add_token(visit: Visit) -> Response:
    """Make an API token and show it once."""
    token = visit.campaign.add_token(visit.text("name"), *visit.texts("scope"))
    return visit.show(
        "settings.html", keys=keys_of(visit), tokens=visit.campaign.tokens(), new_token=token
    )


@page("POST", "/settings/tokens/{number:int}/revoke", "status")
def revoke_token(visit: Visit) -> Response:
    """Revoke an API token."""
    visit.campaign.revoke_token(int(visit.path("number")))
    return visit.go("/settings")
