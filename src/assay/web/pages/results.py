"""Disagreements and adjudication, versions, published results, and every table as CSV."""

from __future__ import annotations

import re

import polars as pl
from starlette.responses import Response

from assay.benchmark.aggregation import METHODS
from assay.benchmark.campaign.publication import read_leaderboard
from assay.benchmark.campaign.versions import ADJUDICATED
from assay.web.visit import Visit, page

REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; img-src data:"
)
"""A report page has its own scripts; in a sandbox it has no access to this site."""


_GRADES = re.compile(r"(.+?): (-?\d+)(?:, |$)")
"""A name, which may have commas, and the grade after it."""


@page("GET", "/disagreements", "see-disagreements")
def show_disagreements(visit: Visit) -> Response:
    """Show the items on which assessors differ, with the grades and decisions."""
    frame = visit.campaign.disagreements()
    scale = visit.campaign.describe()["scale"]
    return visit.show("disagreements.html", rows=frame.to_dicts(), labels=scale.labels)


@page("GET", "/disagreements/item", "see-disagreements")
def show_disagreement(visit: Visit) -> Response:
    """Show one item with the grades side by side, and the form of the decision."""
    query, doc = visit.query("query"), visit.query("doc")
    frame = visit.campaign.disagreements().filter(query=query, doc=doc)
    if frame.is_empty():
        return visit.fail(404, "assessors do not differ on this document, or it is not yours")
    found = visit.campaign.document(query, doc, 0, 200_000)
    topic = next(each for each in visit.campaign.topics() if each.name == query)
    labels = visit.campaign.describe()["scale"].labels
    grades = _GRADES.findall(frame["grades"][0])
    return visit.show(
        "disagreement.html", row=frame.row(0, named=True), document=found, topic=topic,
        labels=labels, grades=grades,
    )  # fmt: skip


@page("POST", "/disagreements/decide", "adjudicate")
def decide(visit: Visit) -> Response:
    """Decide the grade of an item."""
    visit.campaign.adjudicate(
        visit.text("query"), visit.text("doc"), visit.whole("grade"),
        visit.text("comment").strip() or None,
    )  # fmt: skip
    return visit.go("/disagreements")


@page("GET", "/versions", "see-published")
def show_versions(visit: Visit) -> Response:
    """Show the versions that the person may see."""
    versions = visit.campaign.versions()
    methods = (ADJUDICATED, *METHODS)
    orders = visit.campaign.table("orders") if visit.may("aggregate") else None
    warnings = visit.campaign.open_questions() if visit.may("aggregate") else []
    return visit.show(
        "versions.html", versions=versions, methods=methods, orders=orders, warnings=warnings
    )


@page("POST", "/versions", "aggregate")
def aggregate(visit: Visit) -> Response:
    """Aggregate the judgments into a version."""
    visit.campaign.aggregate(visit.text("name").strip(), visit.text("method"))
    return visit.go("/versions")


@page("POST", "/versions/publish", "publish")
def publish(visit: Visit) -> Response:
    """Publish a version."""
    visit.campaign.publish(visit.text("name"))
    return visit.go("/versions")


@page("GET", "/version", "see-published")
def show_version(visit: Visit) -> Response:
    """Show the leaderboard and the files of a version."""
    name = visit.query("name")
    files = visit.campaign.published(name)
    frame = read_leaderboard(files)
    sizes = {file: len(content) for file, content in files.items()}
    report = "about.json" in files
    found = next(each for each in visit.campaign.versions() if each["name"] == name)
    return visit.show(
        "version.html", name=name, board=frame, sizes=sizes, report=report,
        warnings=found["settings"].get("warnings", []),
    )  # fmt: skip


@page("GET", "/version/report", "see-published")
def show_report(visit: Visit) -> Response:
    """Show the report of a published version, complete in one page."""
    from assay.reports.pages.campaign import published_page

    name = visit.query("name")
    files = visit.campaign.published(name)
    if "about.json" not in files:
        return visit.fail(404, "this version is not published, so that it has no report")
    return _report(published_page(files, name))


@page("GET", "/version/file", "see-published")
def download_file(visit: Visit) -> Response:
    """Return a file of a version."""
    files = visit.campaign.published(visit.query("name"))
    file = visit.query("file")
    if file not in files:
        return visit.fail(404, "this version has no such file")
    if file.endswith(".html"):
        return _report(files[file])
    return _attachment(files[file], file)


def _report(content: str | bytes) -> Response:
    headers = {"Content-Security-Policy": REPORT_POLICY}
    return Response(content, media_type="text/html", headers=headers)


def _attachment(content: bytes, name: str) -> Response:
    plain = "".join(each for each in name if each.isalnum() or each in "._-")
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    kind = "text/csv" if name.endswith(".csv") else "text/plain"
    return Response(content, media_type=kind, headers=headers)


@page("GET", "/tables", "status")
def show_tables(visit: Visit) -> Response:
    """Show which tables there are as CSV files."""
    return visit.show("tables.html", names=visit.campaign.tables())


@page("GET", "/tables/{name}.csv", "status")
def download_table(visit: Visit) -> Response:
    """Return a table as CSV, in which no text is a formula."""
    name = visit.path("name")
    frame = visit.campaign.table(name)
    return _attachment(_csv(frame), f"{name}.csv")


def _csv(frame: pl.DataFrame) -> bytes:
    from assay.reports.text.table_text import neutralize_formulas

    return neutralize_formulas(frame).write_csv().encode() if frame.width else b""


@page("GET", "/events", "see-events")
def show_events(visit: Visit) -> Response:
    """Show who did what."""
    return visit.show("events.html", rows=visit.campaign.events())
