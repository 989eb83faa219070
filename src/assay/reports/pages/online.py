"""The page of offline measures, interleaving and A/B test of the same two systems."""

from __future__ import annotations

from assay.behavior.online_comparison import OnlineComparison
from assay.reports.figures.behavior_figures import online_figure
from assay.reports.pages.behavior_sections import frame_table, verdict_section
from assay.reports.pages.page import figure_block, render_page, section

TITLES = {"offline": "Offline", "interleaving": "Interleaving", "A/B test": "A/B test"}
NAMES = {"offline": "offline", "interleaving": "interleaving", "A/B test": "experiment"}


def online_page(result: OnlineComparison, title: str = "Offline and online") -> str:
    """Return whether the kinds of evidence agree, and each with its intervals and tests."""
    sections = [verdict_section(result.verdicts(), result.warnings)]
    for (kind,), part in result.evidence.group_by(["evidence"], maintain_order=True):
        figure = figure_block(online_figure(result, str(kind)))
        table = frame_table(part.drop("evidence"), f"{TITLES[str(kind)]}: differences and tests")
        sections.append(section(NAMES[str(kind)], TITLES[str(kind)], figure, table))
    lead = f"{result.system} compared with {result.baseline} by judges and by users."
    return render_page(title, lead, sections)
