"""Pages about the server: health, counts for monitoring, the list of addresses, preferences."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from assay.core.errors import UsageError
from assay.version import VERSION
from assay.web.highlights import highlight, topic_words
from assay.web.templates_environment import safe_link
from assay.web.visit import PAGES, PUBLIC, SIGNED_IN, Visit, page


@page("GET", "/health", PUBLIC)
def show_health(visit: Visit) -> Response:
    """Return whether the server and its database work."""
    return JSONResponse({"status": "ok", "version": VERSION, "phase": visit.phase})


@page("GET", "/metrics", "see-judgments")
def show_metrics(visit: Visit) -> Response:
    """Return counts in the text format of Prometheus."""
    status = visit.campaign.status()
    table = status["by_assessor"]
    lines = [
        f"assay_items_assigned {table['assigned'].sum()}",
        f"assay_items_done {table['done'].sum()}",
        f"assay_assessors {table.height}",
        f"assay_topics {status['topics']}",
        f"assay_runs {status['runs']}",
    ]
    return Response("\n".join(lines) + "\n", media_type="text/plain")


@page("GET", "/api", SIGNED_IN)
def show_api(visit: Visit) -> Response:
    """Show the addresses of this server and what they need."""
    return visit.show("api.html", pages=sorted(PAGES, key=lambda each: (each.path, each.method)))


@page("GET", "/prefer", "prefer")
def show_pair(visit: Visit) -> Response:
    """Show two documents side by side."""
    task = visit.campaign.next_pair()
    sides = []
    if task is not None:
        words = topic_words([next(iter(task.topic.values()), task.query)])
        for name, found in (("left", task.left), ("right", task.right)):
            sides.append(
                {
                    "side": name,
                    "doc": found["doc"],
                    "title": highlight(found.get("title"), words),
                    "text": highlight(found.get("text"), words),
                    "link": safe_link(found.get("url")),
                }
            )
    return visit.show("prefer.html", task=task, sides=sides)


@page("POST", "/prefer", "prefer")
def prefer(visit: Visit) -> Response:
    """Store which document is better, and show the next two."""
    seconds = visit.number("seconds", -1)
    request = visit.text("request")
    if len(request) > 100:
        raise UsageError("the request has up to 100 characters")
    visit.campaign.prefer(
        visit.whole("pair"), visit.text("choice"), request=request or None,
        seconds=seconds if 0 <= seconds <= 86_400 else None,
    )  # fmt: skip
    return visit.go("/prefer")
