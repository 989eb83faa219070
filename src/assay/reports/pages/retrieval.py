"""The page of a retrieval evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.core.phrases import quantity
from assay.engine.scores import Scores
from assay.evidence.views.rankings import Rankings
from assay.reports.figures.precision_recall_figures import RANKS, averaged_figure
from assay.reports.figures.ranking_figures import gain_figure
from assay.reports.markup import Markup, data_block, tag
from assay.reports.pages.page import Section, figure_row, note, section
from assay.reports.pages.query_data import DEPTH, MOST_QUERIES, query_data
from assay.reports.pages.task_page import TaskPage
from assay.tasks.retrieval.precision_recall_points import read_precision_recall
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.retrieval.run_warnings import TOP, UNJUDGED_NOTE, unjudged_share

MANY_TIES = 0.05
MANY_UNJUDGED = 0.1
UNEQUAL = 0.02
"""From this difference on, less of one system than of another is judged."""


def retrieval_page(
    evidence: RetrievalEvidence, scores: Scores, title: str = "Retrieval evaluation"
) -> str:
    """Return the page: warnings, leaderboard, per-query changes, rankings, curves, conventions."""
    rankings = {system: evidence.rankings(system) for system in evidence.systems}
    ties, rel = evidence.settings.conventions.ties, evidence.rel
    data = query_data(evidence, scores, rel)
    behind = len(rankings) == 1
    figures = [
        averaged_figure(rankings, rel, None, behind),
        averaged_figure(rankings, rel, RANKS, behind),
        gain_figure(rankings),
    ]
    readings = [note(line) for line in curve_readings(list(rankings), figures[0].points)]
    curves = section("curves", "Curves", [figure_row(figures, kind="row"), *readings])
    systems = quantity(len(scores.systems), "system")
    queries = quantity(len(data["queries"]), "judged query", "judged queries")
    return TaskPage(
        f"{systems}, {queries}, {', '.join(scores.measures)}.",
        [
            _changes_section(len(scores.systems)),
            _query_section(data, scores.measures[0]),
            curves,
        ],
        warnings=[*_unjudged_notes(rankings), *_tie_notes(rankings, ties)],
        scripts=["queries.js"],
        data=[data_block("queries-data", data)],
    ).render(scores, title)


def curve_readings(
    systems: Sequence[str], curves: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """What both ends of the mean precision-recall curve of each system mean."""
    for name in systems:
        found = curves[name]
        reached = found["precision"] > 0
        if reached.any():
            lines = read_precision_recall(found["recall"][reached], found["precision"][reached])
            yield f"{name}: " + "; ".join(lines)


def _unjudged_notes(systems: Mapping[str, Rankings]) -> Iterator[str]:
    """Where much of the top is unjudged, and where more of one system's than of another's."""
    known = {name: unjudged_share(rankings) for name, rankings in systems.items()}
    shares = {name: share for name, share in known.items() if share is not None}
    for name, share in shares.items():
        if share >= MANY_UNJUDGED:
            yield UNJUDGED_NOTE.format(system=name, share=share)
    if not shares:
        return
    most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    if shares[most] - shares[least] >= UNEQUAL:
        yield (
            f"{shares[most]:.1%} of the first {TOP} documents of {most} are unjudged,"
            f" {shares[least]:.1%} of those of {least}: most measures count them as not relevant,"
            f" which may put {most} at a disadvantage; `assay holes` shows how far that leaves the"
            " numbers open"
        )


def _tie_notes(systems: Mapping[str, Rankings], rule: str) -> list[str]:
    said = []
    for name, rankings in systems.items():
        tied = rankings.tie_first != rankings.tie_last
        if len(tied) and tied.mean() >= MANY_TIES:
            said.append(
                f"{name}: {tied.mean():.0%} of its judged documents share their score with others;"
                f" their order was settled by: {rule}"
            )
    return said


def _select(name: str, label: str, hidden: bool = False) -> Markup:
    return tag("label", label, tag("select", id=name), hidden=hidden)


def _changes_section(systems: int) -> Section:
    return section(
        "changes",
        "Query by query",
        tag(
            "div",
            _select("measure", "measure"),
            _select("first", "from", systems == 1),
            _select("second", "to", systems == 1),
            class_="controls",
        ),
        tag("p", id="changes-said", role="status"),
        tag("figure", tag("div", id="changes-chart")),
        tag("div", id="changes-list", class_="changes"),
    )


def _query_section(data: dict[str, Any], measure: str) -> Section:
    steps = [
        tag("button", words, type="button", id=name)
        for name, words in (("previous", "← previous"), ("next", "next →"))
    ]
    return section(
        "query-panel",
        "One query, two rankings" if len(data["systems"]) > 1 else "One query",
        tag("div", _select("query", "query"), steps, class_="controls"),
        tag("p", id="query-text"),
        tag("div", id="query-rankings", class_="pair", aria_live="polite"),
        [note(said) for said in _left_out_note(data, measure)],
    )


def _left_out_note(data: dict[str, Any], measure: str) -> list[str]:
    """What the page leaves out of the queries, and how to see it."""
    queries, kept = len(data["queries"]), len(data["rankings"])
    traces = len(data["traces"].get("rows", {}))
    said = [f"The first {DEPTH} documents of each list."]
    if kept < queries:
        which = (
            "change most in the first measure, for every pair of systems in turn"
            if len(data["systems"]) > 1
            else "have the worst values of the first measure"
        )
        said.append(
            f"Rankings are kept for {kept} of {queries} queries (at most {MOST_QUERIES}):"
            f" those that {which}."
        )
    if 0 < traces < kept:
        said.append(
            f"The work behind {measure} is kept for {traces} of these {kept} queries;"
            " the command below a ranking shows that of any other."
        )
    return said
