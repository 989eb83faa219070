"""The page of an agreement: who agrees with whom, how labels are used, and what is disputed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats
from assay.core.names import measure
from assay.engine.scores import Scores
from assay.evidence.views.rating_table import RatingTable
from assay.reports.markup import Child, Markup, join_markup, tag
from assay.reports.pages.matrix_tables import counts_table
from assay.reports.pages.page import Section, note, page_table, section, select_panel, trace_panels
from assay.reports.pages.task_page import TaskPage
from assay.reports.text.table_text import number
from assay.tasks.agreement import AgreementEvidence, pair_matrix

MOST_ASSESSORS = 30
MOST_PAIRS = 20
DISPUTED = 20


def agreement_page(
    evidence: AgreementEvidence, scores: Scores, title: str = "Agreement of assessors"
) -> str:
    """The numbers, the pairs of assessors, the labels that they use, the items they dispute."""
    ratings = evidence.first.table
    middle = [_pairs_section(ratings), _labels_section(ratings), _disputed_section(ratings)]
    work = trace_panels([ratings], scores)
    lead = (
        f"{len(ratings.assessors)} assessors, {len(ratings.items)} items,"
        f" {len(ratings.item)} ratings, {len(ratings.labels)} labels, {evidence.scale} scale."
    )
    return TaskPage(lead, middle, work).render(scores, title)


def _pairs_section(ratings: RatingTable) -> Section:
    """Kappa of each pair as a matrix, and the labels of each pair against each other."""
    count = min(len(ratings.assessors), MOST_ASSESSORS)
    kappa = pair_matrix(ratings, measure("kappa", "agreement"))
    names = ratings.assessors[:count]
    rows: list[list[Child]] = [
        [name, *(_kappa_cell(kappa[i, j], i == j) for j in range(count))]
        for i, name in enumerate(names)
    ]
    words = "Cohen's kappa of each pair: 1 is full agreement, 0 is chance"
    if len(ratings.assessors) > count:
        words += f"; the first {count} of {len(ratings.assessors)} assessors"
    matrix = page_table(["", *names], rows, words, class_="matrix")
    return section("pairs", "Who agrees with whom", matrix, _pair_tables(ratings))


def _kappa_cell(value: float, same: bool) -> Markup:
    if same:
        return tag("td")
    share = 0.0 if np.isnan(value) else abs(float(value))
    names = "cell wrong" if value < 0 else "cell"
    return tag("td", number(float(value), 2), class_=names, style=f"--share:{share:.3f}")


def _pair_tables(ratings: RatingTable) -> Markup | None:
    """The labels of one assessor against those of another, for pairs that share items."""
    tables = next(replace(ratings, each="pair").tables())
    met = [n for n in range(len(ratings.pairs)) if tables[n].any()]
    panels = []
    for n in met[:MOST_PAIRS]:
        one, two = (ratings.assessors[each] for each in ratings.pairs[n])
        corner, words = f"{one} \\ {two}", f"{one} in rows, {two} in columns"
        shown = counts_table(tables[n], ratings.labels, ratings.labels, corner, words)
        panels.append((f"{one} and {two}", shown))
    if not panels:
        return note("No two assessors rated the same item.")
    said = f"The first {MOST_PAIRS} of {len(met)} pairs." if len(met) > MOST_PAIRS else None
    return join_markup(select_panel("pair", "two assessors", panels), note(said))


def _labels_section(ratings: RatingTable) -> Section:
    size = len(ratings.labels)
    place = ratings.assessor * size + ratings.code
    counts: Floats = np.bincount(place, minlength=len(ratings.assessors) * size).astype(np.float64)
    shown = counts.reshape(-1, size)[:MOST_ASSESSORS]
    words = "How often each assessor gave each label; the color is the share of the row"
    names = ratings.assessors[:MOST_ASSESSORS]
    content = counts_table(shown, names, ratings.labels, "assessor \\ label", words)
    return section("labels", "How the labels are used", content)


def _disputed_section(ratings: RatingTable) -> Section:
    """The items whose ratings differ most: with the least share of equal pairs of ratings."""
    counts = ratings.counts
    total = counts.sum(axis=1)
    pairs = np.maximum(total * (total - 1), 1)
    equal = (counts * (counts - 1)).sum(axis=1) / pairs
    split = np.flatnonzero((total > 1) & (equal < 1))
    order = split[np.lexsort((split, -total[split], equal[split]))]
    rows: list[list[Child]] = [
        [ratings.items[n], _ratings_text(ratings, counts[n]), f"{equal[n]:.0%}"]
        for n in order[:DISPUTED].tolist()
    ]
    lead = f"{len(split)} of {int((total > 1).sum())} items with several ratings are disputed."
    if len(split) > DISPUTED:
        lead += f" The {DISPUTED} most disputed:"
    head: list[Child] = ["item", "labels (how often)", "pairs of ratings that agree"]
    shown = page_table(head, rows, "Disputed items") if rows else None
    return section("disputed", "What is disputed", tag("p", lead), shown)


def _ratings_text(ratings: RatingTable, counts: Floats) -> str:
    given = np.flatnonzero(counts)
    order = given[np.argsort(-counts[given], kind="stable")]
    return ", ".join(f"{ratings.labels[n]} ({counts[n]:g})" for n in order.tolist())
