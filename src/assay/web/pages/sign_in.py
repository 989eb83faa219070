"""Signing in and out, and accepting invitations."""

from __future__ import annotations

from starlette.responses import Response

from assay.benchmark.campaign.accounts import SESSION_SECONDS
from assay.core.errors import UsageError
from assay.web.visit import COOKIE, PUBLIC, SIGNED_IN, Visit, as_sentence, page, safe_path


@page("GET", "/sign-in", PUBLIC)
def show_sign_in(visit: Visit) -> Response:
    """Show the form to sign in."""
    return visit.show("sign_in.html", next=safe_path(visit.query("next", "/")), message="", name="")


@page("POST", "/sign-in", PUBLIC)
def sign_in(visit: Visit) -> Response:
    """Sign in with name and password."""
    name, password = visit.text("name"), visit.text("password")
    after = safe_path(visit.text("next", "/"))
    try:
        token = visit.settings.accounts.sign_in(name, password, client_address(visit))
    except UsageError as failure:
        values = {"next": after, "message": as_sentence(str(failure)), "name": name}
        return Response(visit.render("sign_in.html", values), 403, media_type="text/html")
    return _signed_in(visit, token, after)


def client_address(visit: Visit) -> str:
    """Return the address of the client."""
    return visit.request.client.host if visit.request.client is not None else "unknown"


def _signed_in(visit: Visit, token: str, after: str) -> Response:
    """Go on with a new session; an earlier one of this browser ends."""
    if visit.token is not None:
        visit.settings.accounts.close_session(visit.token)
    answer = visit.go(after)
    answer.set_cookie(
        COOKIE,
        token,
        max_age=int(SESSION_SECONDS),
        httponly=True,
        samesite="lax",
        secure=visit.settings.secure,
    )
    return answer


@page("POST", "/sign-out", SIGNED_IN)
def sign_out(visit: Visit) -> Response:
    """End the session."""
    if visit.token is not None:
        visit.settings.accounts.close_session(visit.token)
    answer = visit.go("/sign-in")
    answer.delete_cookie(COOKIE)
    return answer


@page("GET", "/enter", PUBLIC)
def enter(visit: Visit) -> Response:
    """Exchange the token of a link for a cookie, once; the address is clean afterwards."""
    accounts = visit.settings.accounts
    found = accounts.find_invitation(visit.query("token"))
    if found is None:
        if visit.person is not None:  # the link was opened again in the same browser
            return visit.go("/")
        return visit.fail(403, "this link was used already or has expired; ask for a new one")
    if found["person_id"] is None:
        return visit.show("invited.html", invitation=visit.query("token"), roles=found["roles"])
    return _signed_in(visit, accounts.accept(visit.query("token")), "/")


@page("POST", "/enter", PUBLIC)
def accept(visit: Visit) -> Response:
    """Accept an invitation with a name and a password."""
    accounts = visit.settings.accounts
    limits = {f"invitation from {client_address(visit)}": 50}
    accounts.limit(limits)
    accounts.count(limits)
    token = accounts.accept(visit.text("token"), visit.text("name").strip(), visit.text("password"))
    return _signed_in(visit, token, "/")


@page("GET", "/", SIGNED_IN)
def home(visit: Visit) -> Response:
    """Show what there is to do."""
    about = visit.campaign.describe()
    mine = visit.campaign.progress() if visit.may("history") else None
    return visit.show("home.html", about=about, mine=mine)
