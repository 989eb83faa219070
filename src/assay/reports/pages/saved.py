"""The page of any saved scores."""

from __future__ import annotations

from assay.engine.scores import Scores
from assay.reports.pages.headline import tiles_of
from assay.reports.pages.leaders import best_tiles
from assay.reports.pages.letters import letters_of
from assay.reports.pages.page import page
from assay.reports.pages.sections import (
    conventions_section,
    cost_section,
    leaderboard_section,
    numbers_section,
    warnings_section,
)


def scores_page(scores: Scores, title: str | None = None) -> str:
    """A page of scores alone: what can be said without the evidence from which they came."""
    several = len(scores.systems) > 1
    sections = [
        warnings_section(scores),
        leaderboard_section(scores, letters_of(scores)) if several else numbers_section(scores),
        *cost_section(scores),
        conventions_section(scores),
    ]
    lead = ", ".join(scores.measures) + "."
    return page(
        title or scores.task.capitalize(),
        lead,
        sections,
        tiles=tiles_of(scores) or best_tiles(scores),
    )
