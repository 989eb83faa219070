"""The page of an interleaving experiment."""

from __future__ import annotations

import polars as pl

from assay.behavior.interleaving.analysis import CANNOT_SEE, InterleavingResult
from assay.core.phrases import quantity
from assay.reports.figures.behavior_figures import preferences_figure
from assay.reports.markup import tag
from assay.reports.pages.behavior_sections import (
    frame_table,
    settings_section,
    verdict_section,
)
from assay.reports.pages.page import Section, figure_block, render_page, section


def interleaving_page(result: InterleavingResult, title: str = "Interleaving") -> str:
    """Return the verdict, the preferences with their intervals, and the slices."""
    conventions = result.conventions
    counts = [
        quantity(conventions["impressions"], "impression"),
        quantity(int(result.pairs["users"].max() or 0), "user"),  # type: ignore[arg-type]
        quantity(conventions["clicks"], "click"),
    ]
    lead = f"{', '.join(conventions['systems'])} by {conventions['method']}: {', '.join(counts)}."
    sections = [
        verdict_section(result.verdicts(), result.warnings, tag("p", CANNOT_SEE, class_="note")),
        preference_section("preferences", "Preferences", result.pairs),
    ]
    if result.slices.height:
        sections.append(preference_section("slices", "Slices", result.slices))
    sections.append(settings_section(conventions))
    return render_page(title, lead, sections)


def preference_section(name: str, title: str, frame: pl.DataFrame) -> Section:
    """Return the preferences of a table as a figure and as numbers."""
    figure = figure_block(preferences_figure(frame))
    return section(name, title, figure, frame_table(frame, title))
