"""One request: who makes it, what it asks for, and the answer."""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from assay.benchmark.campaign.accounts import SCOPES, TooManyAttempts
from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.permissions import explain_refusal, is_allowed
from assay.benchmark.campaign.session import Session
from assay.benchmark.store.people import Person
from assay.core.errors import AssayError, DataError, UsageError
from assay.web.templates_environment import render
from assay.web.web_settings import WebSettings

COOKIE = "assay_session"
PUBLIC = "public"
"""The route may be used without signing in."""
SIGNED_IN = "signed-in"
"""The route may be used by everybody who has signed in."""
NAVIGATION = (
    ("/judge", "Judge", "next"),
    ("/prefer", "Prefer", "prefer"),
    ("/history", "History", "history"),
    ("/topics", "Topics", "status"),
    ("/runs", "Runs", "see-own-runs"),
    ("/pool", "Pool", "see-pool"),
    ("/assign", "Assign", "assign"),
    ("/board", "Board", "see-judgments"),
    ("/disagreements", "Disagreements", "see-disagreements"),
    ("/people", "People", "see-judgments"),
    ("/versions", "Results", "see-published"),
    ("/tables", "Tables", "status"),
)


@dataclass(frozen=True)
class Page:
    """A route: a method and a path, the operation of the permission table, and the handler."""

    method: str
    path: str
    may: str
    handler: Callable[[Visit], Response]


PAGES: list[Page] = []


def page(
    method: str, path: str, may: str
) -> Callable[[Callable[[Visit], Response]], Callable[[Visit], Response]]:
    """Declare a route; ``may`` is the operation that the permission table must allow."""

    def declare(handler: Callable[[Visit], Response]) -> Callable[[Visit], Response]:
        """List the handler among the pages."""
        PAGES.append(Page(method, path, may, handler))
        return handler

    return declare


@dataclass
class Visit:
    """A request and who makes it. Handlers read it and return what it makes."""

    request: Request
    settings: WebSettings
    form: FormData
    body: Mapping[str, Any]
    person: Person | None = None
    phase: str = ""
    token: str | None = None
    """The token of the session, from the cookie."""
    _campaign: Campaign | None = field(default=None, repr=False)

    def serve(self, wanted: Page) -> Response:
        """Check who may use a route, and answer."""
        try:
            refusal = self._enter(wanted)
            return refusal or wanted.handler(self)
        except TooManyAttempts as failure:
            answer = self.fail(429, str(failure))
            answer.headers["Retry-After"] = str(int(failure.seconds))
            return answer
        except UsageError as failure:
            return self.fail(400, str(failure))
        except DataError as failure:
            return self.fail(503 if "cannot be used" in str(failure) else 400, str(failure))
        except AssayError as failure:
            return self.fail(400, str(failure))

    def _enter(self, wanted: Page) -> Response | None:
        """Find out who it is; return why not, if the route is not for this person."""
        scopes = self.identify()
        if wanted.may == PUBLIC:
            return None
        if self.person is None:
            return self._ask_to_sign_in()
        if self.token is not None and wanted.method == "POST" and not self._has_csrf():
            return self.fail(403, "the form is out of date; go back, reload the page and try again")
        allowed = wanted.may == SIGNED_IN or is_allowed(wanted.may, self.person.roles, self.phase)
        if not allowed:
            reason = explain_refusal(wanted.may, self.person.roles, self.phase)
            return self.fail(403, reason, refused=True)
        if self.token is None and not _within(scopes, wanted.may):
            return self.fail(403, f"the token has no scope for '{wanted.may}'")
        return None

    def identify(self) -> tuple[str, ...]:
        """Find out who makes the request; return the scopes of an API token."""
        bearer = self.request.headers.get("authorization", "")
        scopes: tuple[str, ...] = ()
        self.token = self.request.cookies.get(COOKIE)
        accounts = self.settings.accounts
        if bearer.startswith("Bearer "):
            self.token = None
            found = accounts.token_person(bearer.removeprefix("Bearer ").strip())
            if found is not None:
                self.person, scopes = found[0], tuple(found[1])
        elif self.token is not None:
            session = accounts.find_session(self.token)
            if session is not None:
                self.person, self.phase = session.person, session.phase
                self.own_settings = dict(session.settings)
        self.phase = self.phase or accounts.phase()
        return scopes

    def _ask_to_sign_in(self) -> Response:
        if self.wants_json:
            return JSONResponse({"error": "sign in first"}, 401)
        place = self.request.url.path if self.request.method == "GET" else "/"
        return self.go(f"/sign-in?next={quote(place)}")

    @property
    def wants_json(self) -> bool:
        """Whether the answer is JSON rather than a page."""
        return self.request.url.path.startswith("/api/")

    @property
    def csrf(self) -> str:
        """The token that forms of this session must carry."""
        return hashlib.sha256(f"csrf {self.token}".encode()).hexdigest()

    def _has_csrf(self) -> bool:
        given = self.request.headers.get("x-csrf-token") or self.text("csrf")
        return hmac.compare_digest(given.encode(), self.csrf.encode())

    @property
    def campaign(self) -> Campaign:
        """The campaign, with what this person may do."""
        if self._campaign is None:
            clock = self.settings.accounts.clock
            session = Session(self.settings.database, self.person, trusted=False, clock=clock)
            self._campaign = Campaign(session)
        return self._campaign

    @functools.cached_property
    def own_settings(self) -> dict[str, Any]:
        """What the person has set: keys, and words to highlight."""
        return self.campaign.settings()

    def may(self, operation: str) -> bool:
        """Return whether the person may do something now."""
        return self.person is not None and is_allowed(operation, self.person.roles, self.phase)

    def path(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    def query(self, name: str, default: str = "") -> str:
        """Return a value of the address."""
        return self.request.query_params.get(name, default)

    def text(self, name: str, default: str = "") -> str:
        """Return a field of the form."""
        value = self.form.get(name, default)
        return value if isinstance(value, str) else default

    def texts(self, name: str) -> list[str]:
        """Return all values of a field of the form."""
        return [value for value in self.form.getlist(name) if isinstance(value, str)]

    def upload(self, name: str) -> UploadFile:
        """Return an uploaded file."""
        value = self.form.get(name)
        if not isinstance(value, UploadFile) or not value.filename:
            raise UsageError("choose a file first")
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """Return a field of the form as a number."""
        return read_number(name, self.text(name), default)

    def whole(self, name: str, default: int | None = None) -> int:
        """Return a field of the form as a whole number."""
        value = read_number(name, self.text(name), default)
        if value != int(value):
            raise UsageError(f"{name} is a whole number, not {value:g}")
        return int(value)

    def show(self, template: str, **values: Any) -> Response:
        """Return a page."""
        return Response(self.render(template, values), media_type="text/html")

    def render(self, template: str, values: Mapping[str, Any]) -> str:
        """Return the text of a page."""
        links = [(path, label) for path, label, may in NAVIGATION if self.may(may)]
        given = {
            "person": self.person,
            "phase": self.phase,
            "csrf": self.csrf if self.person is not None else "",
            "navigation": links if self.person is not None else [],
            "here": self.request.url.path,
            "may": self.may,
        }
        return render(template, {**given, **values})

    def fail(self, code: int, message: str, *, refused: bool = False) -> Response:
        """Return an error, as a page or as JSON; ``refused``: it will not work when sent again."""
        message = as_sentence(message)
        if self.wants_json:
            return JSONResponse({"error": message, "refused": refused}, code)
        path = self.request.url.path
        known = ((place, label) for place, label, may in NAVIGATION if self.may(may))
        back = [(place, label) for place, label in known if path.startswith(place)]
        back = back if self.request.method == "POST" else []
        text = self.render("error.html", {"message": message, "code": code, "back": back})
        return Response(text, code, media_type="text/html")

    def go(self, path: str) -> Response:
        """Return to a page of this server after a form."""
        return RedirectResponse(path, 303)


def as_sentence(message: str) -> str:
    """Return a message with a capital letter, unless it begins with the name of a file."""
    return message[:1].upper() + message[1:] if re.match(r"[a-z]+ ", message) else message


def read_number(name: str, text: str, default: float | None = None) -> float:
    """Return a finite number that was typed; refuse another text."""
    if not text.strip() and default is not None:
        return default
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"{name} is a number, not '{text[:50]}'") from None
    if value != value or abs(value) > 1e15:
        raise UsageError(f"{name} is a finite number, not '{text[:50]}'")
    return value


def _within(scopes: tuple[str, ...], operation: str) -> bool:
    return any(
        scope == "all" or operation == SIGNED_IN or operation in SCOPES.get(scope, ())
        for scope in scopes
    )


def safe_path(text: str) -> str:
    """Return a path of this server to go to, or the start page."""
    plain = text.startswith("/") and not text.startswith(("//", "/\\"))
    printable = text.isprintable() and "\\" not in text
    return text if plain and printable and ".." not in PurePosixPath(text).parts else "/"


async def read_visit(request: Request) -> Visit:
    """Return the visit of a request, with its form or its JSON body read."""
    form = FormData()
    body: Mapping[str, Any] = {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and kind == "application/json":
        try:
            given = json.loads(await request.body())
        except (ValueError, RecursionError):
            given = None
        body = given if isinstance(given, dict) else {"unreadable": True}
    elif request.method == "POST":
        form = await request.form(max_files=4, max_fields=1000)
    return Visit(request, request.app.state.settings, form, body)
