"""The page of a correlation: two orders side by side, or group by group."""

from __future__ import annotations

import numpy as np

from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.reports.figures.value_figures import item_ranks, orders_figure, units_figure
from assay.reports.markup import Child, tag
from assay.reports.pages.page import Section, figure_row, page_table, section, trace_panels
from assay.reports.pages.task_page import TaskPage
from assay.reports.text.table_text import number
from assay.tasks.correlation.correlation_evidence import CorrelationEvidence

MOVED = 12


def correlation_page(
    evidence: CorrelationEvidence, scores: Scores, title: str = "Two orders"
) -> str:
    """The numbers, what moved most, and the ranks in both orders or the values of each group."""
    pairs = evidence.pairs
    alone = len(pairs.groups) == 1
    work = trace_panels([pairs], scores) if alone else []
    middle = [_moved_section(evidence)] if alone else _groups_sections(scores)
    groups = "" if alone else f" in {len(pairs.groups)} groups"
    lead = (
        f"{evidence.orders[0]} and {evidence.orders[1]}: {len(pairs.first)} items in both{groups}."
    )
    return TaskPage(lead, middle, work).render(scores, title)


def _moved_section(evidence: CorrelationEvidence) -> Section:
    first, second = item_ranks(evidence.pairs)
    moved = first - second
    order = np.lexsort((np.arange(len(moved)), -np.abs(moved)))
    rows: list[list[Child]] = [
        [
            evidence.pairs.names[n],
            f"{first[n]:g}",
            f"{second[n]:g}",
            tag("td", f"{moved[n]:+g}", class_="up" if moved[n] > 0 else "down"),
        ]
        for n in order[:MOVED].tolist()
        if moved[n]
    ]
    head: list[Child] = [
        "item",
        f"rank by {evidence.orders[0]}",
        f"by {evidence.orders[1]}",
        "moved",
    ]
    words = f"What moved most: {len(rows)} of {int((moved != 0).sum())} that moved"
    shown = page_table(head, rows, words) if rows else tag("p", "Both orders are the same.")
    figure = orders_figure(evidence.pairs, evidence.orders)
    return section("ranks", "Who rises, who falls", figure_row([figure], shown))


def _groups_sections(scores: Scores) -> list[Section]:
    """A figure of each measure over the groups, and where the orders agree least."""
    results = [each for each in scores.results if len(each.units) > 1]
    if not results:
        return []
    figures = figure_row(map(units_figure, results), kind="row")
    lowest = _lowest(results[0])
    return [section("groups", "Group by group", figures, lowest)]


def _lowest(result: Result) -> Child:
    values = result.values
    order = np.argsort(np.where(np.isnan(values), np.inf, values), kind="stable")
    known = [n for n in order.tolist() if not np.isnan(values[n])][:MOVED]
    rows: list[list[Child]] = [[result.units[n], number(float(values[n]), 4)] for n in known]
    return page_table([result.unit_kind, result.measure], rows, "Where the orders agree least")
