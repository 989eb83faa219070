"""Sections of pages that only some results have: costs, slices and fairness."""

from __future__ import annotations

from assay.core.errors import AssayError
from assay.engine.scores import Scores
from assay.reports.figures.fairness_figures import fairness_figure
from assay.reports.pages.page import Section, figure_block, note, page_table, section
from assay.reports.text.fairness_text import FairnessText
from assay.reports.text.result_text import Layout
from assay.reports.text.slice_tables import slice_notes, slice_tables
from assay.reports.text.table_text import format_cell, number
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.fairness import fairness_report
from assay.tasks.retrieval.costs import quality_and_cost


def cost_section(scores: Scores) -> Section:
    """Return quality beside cost, cheapest first, with the Pareto front."""
    frame = quality_and_cost(scores)
    rows = [
        [number(cell, 4) if isinstance(cell, float) else format_cell(cell, 4) for cell in row]
        for row in frame.iter_rows()
    ]
    said = "On the front: no other system is at least as good and as cheap, and better in one."
    shown = page_table(frame.columns, rows, "Quality beside cost")
    return section("cost", "Cost", shown, note(said))


def slices_section(scores: Scores) -> Section:
    """Return the slices, the widest gaps between them and the worst of them."""
    shown = [*slice_tables(scores, Layout())]
    tables = [
        page_table(each.rows[0], each.rows[1:], (each.title or "slices").capitalize())
        for each in shown
    ]
    return section("slices", "Slices", tables, [note(each) for each in slice_notes(scores, shown)])


def fairness_sections(evidence: ClassificationEvidence) -> list[Section]:
    """Return the criteria of fairness between slices; why not, where they do not apply."""
    try:
        found = fairness_report(evidence)
    except AssayError as failure:
        said = f"The criteria of fairness are not shown: {failure}."
        return [section("fairness", "Fairness", note(said))]
    text = FairnessText(found)
    tables = [
        page_table(each.rows[0], each.rows[1:], each.title.capitalize()) for each in text.tables()
    ]
    figure, notes = figure_block(fairness_figure(found)), [note(each) for each in text.notes()]
    return [section("fairness", "Fairness", figure, tables, notes)]
