"""Slices as rows and as text: their values, the widest gaps, and the worst slices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.core.phrases import wrap_sentence
from assay.engine.scores import Scores
from assay.reports.text.result_text import Layout, TextTable
from assay.reports.text.score_cells import score_cell, sorted_systems
from assay.reports.text.table_text import Rows, align_columns, format_p_value, number
from assay.statistics.slice_gaps import (
    MIN_SIZE,
    slice_gaps,
    slice_size,
    small_slices,
    worst_slices,
)

MOST_ROWS = 20
"""So many gaps and worst slices are shown."""
TINY = 20
"""In slices with fewer units the normal approximation of gaps is rough."""
GAPS, WORST = "largest gaps", "worst slices"
"""The titles of the tables below that of the slices."""
UNDEFINED = number(math.nan, 0)


def slice_rows(scores: Scores, layout: Layout) -> Rows:
    """A row for each system and slice, a column for each measure with its interval."""
    counts = scores.conventions.get("slices", {})
    kind = scores.results[0].unit_kind
    several = len(scores.systems) > 1
    size = "queries" if kind == "query" else "items"
    rows = [["system"] * several + ["slice", size, *scores.measures]]
    by_key = {(each.system, each.slice, each.measure): each for each in scores.results}
    for system in sorted_systems(scores, layout.sort) if several else scores.systems:
        for name in scores.slices:
            found = [by_key.get((system, name, measure)) for measure in scores.measures]
            cells = [score_cell(each, layout) for each in found]
            rows.append([system] * several + [name, str(counts.get(name, "")), *cells])
    return rows


ENDS = {"lowest": "low_value", "highest": "high_value"}
"""The two slices of a gap, and where their values are."""


def gap_rows(scores: Scores, digits: int, min_size: int = MIN_SIZE) -> Rows:
    """For each measure the slices between which it differs most, widest gap first."""
    several = len(scores.systems) > 1
    head = ["measure", "gap", "low", "high", "p", "lowest", "highest"]
    rows: Rows = [["system"] * several + head]
    for each in slice_gaps(scores, min_size=min_size).head(MOST_ROWS).iter_rows(named=True):
        numbers = [number(each[name], digits) for name in ("gap", "low", "high")]
        ends = [f"{each[end]} {number(each[value], digits)}" for end, value in ENDS.items()]
        p = format_p_value(each["p"])
        rows.append([each["system"]] * several + [each["measure"], *numbers, p, *ends])
    return rows


def worst_rows(scores: Scores, digits: int, min_size: int = MIN_SIZE) -> Rows:
    """The slices that are worse than the others of their column, most significant first."""
    several = len(scores.systems) > 1
    numbers = ("value", "others", "difference")
    rows: Rows = [["system"] * several + ["measure", "slice", *numbers, "p", "corrected"]]
    found = worst_slices(scores, min_size=min_size)
    for each in found.head(MOST_ROWS).iter_rows(named=True):
        cells = [number(each[name], digits) for name in numbers]
        cells += [format_p_value(each["p"]), format_p_value(each["corrected"])]
        rows.append([each["system"]] * several + [each["measure"], each["slice"], *cells])
    return rows


def slice_tables(scores: Scores, layout: Layout, min_size: int = MIN_SIZE) -> Iterator[TextTable]:
    """Yield the tables of slices that have rows."""
    several = len(scores.systems) > 1
    yield TextTable(slice_rows(scores, layout), names=1 + several)
    gaps, worst = (make(scores, layout.digits, min_size) for make in (gap_rows, worst_rows))
    if len(gaps) > 1:
        yield TextTable(gaps, GAPS, 1 + several)
    if len(worst) > 1:
        yield TextTable(worst, WORST, 2 + several)


def slice_notes(scores: Scores, tables: Sequence[TextTable], min_size: int = MIN_SIZE) -> list[str]:
    """Return how gaps and worst slices of the tables were found, and which slices are left out."""
    shown = {each.title: each.rows for each in tables}
    said = []
    if gaps := shown.get(GAPS):
        legends = {
            "low": "[low, high] is corrected for all pairs of slices",
            "p": "p: equal values in all slices (Cochran's Q of their intervals; of rates of"
            " classifiers `assay.fairness` has tests of the counts)",
        }
        columns = dict(zip(gaps[0], zip(*gaps[1:], strict=True), strict=True))
        given = [each for name, each in legends.items() if set(columns[name]) != {UNDEFINED}]
        said += [f"{GAPS}: {'; '.join(given)}"] if given else []
        said += tiny_slice_notes(scores, min_size) if given else []
    if WORST in shown:
        said.append(
            f"{WORST}: against the others of their column (their mean, weighted by size);"
            " corrected: Holm, over all slices searched"
        )
    small = small_slices(scores, min_size)
    if small:
        said.append(f"left out of gaps, with fewer than {min_size}: {', '.join(small[:10])}")
    return said


def tiny_slice_notes(scores: Scores, min_size: int) -> list[str]:
    """Return a note on compared slices that are so small that p and interval may disagree."""
    sizes = {each.slice: slice_size(scores, each) for each in scores.results}
    tiny = [name for name in scores.slices if min_size <= sizes[name] < TINY]
    named = ", ".join(f"{name} ({sizes[name]})" for name in tiny[:10])
    return [
        f"{GAPS}: in slices with fewer than {TINY} units p and interval are rough, and may"
        f" disagree: {named}"
    ][: bool(tiny)]


def slices_text(scores: Scores, layout: Layout, min_size: int = MIN_SIZE) -> str:
    """The tables of slices with the notes on them, for a terminal."""
    blocks, width = [], layout.width
    tables = [*slice_tables(scores, layout, min_size)]
    for each in tables:
        text = align_columns(each.rows, "  " if each.title else "", width, each.names)
        blocks.append(f"{each.title}\n{text}" if each.title else text)
    said = slice_notes(scores, tables, min_size)
    if said and len(blocks) > 1:
        notes = [wrap_sentence(each, width) for each in said]
        blocks.append("\n".join(notes))
    return "\n\n".join(blocks)
