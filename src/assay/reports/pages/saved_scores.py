"""The page of any saved scores."""

from __future__ import annotations

from assay.engine.scores import Scores
from assay.reports.pages.page import best_system_tiles, measure_tiles, render_page
from assay.reports.pages.sections import (
    conventions_section,
    cost_section,
    leaderboard_section,
    numbers_section,
    significance_letters,
    warnings_section,
)


def saved_scores_page(scores: Scores, title: str | None = None) -> str:
    """A page of scores alone: what can be said without the evidence from which they came."""
    several = len(scores.systems) > 1
    sections = [
        warnings_section(scores),
        leaderboard_section(scores, significance_letters(scores))
        if several
        else numbers_section(scores),
        *cost_section(scores),
        conventions_section(scores),
    ]
    lead = ", ".join(scores.measures) + "."
    return render_page(
        title or scores.task.capitalize(),
        lead,
        sections,
        tiles=measure_tiles(scores) or best_system_tiles(scores),
    )
