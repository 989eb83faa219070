"""The page of a task: the sections that all pages share around those of the task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.engine.scores import Scores
from assay.reports.markup import Markup
from assay.reports.pages.page import Section, best_system_tiles, measure_tiles, render_page
from assay.reports.pages.sections import (
    conventions_section,
    cost_section,
    leaderboard_section,
    numbers_section,
    warnings_section,
)


@dataclass(frozen=True)
class TaskPage:
    """What the page of a task has beside the sections that all pages share."""

    lead: str
    """The sentence below the title."""
    middle: Sequence[Section] = ()
    """The sections of the task, between the numbers and the conventions."""
    work: Sequence[Markup] = ()
    """Traces, below the numbers of a single system."""
    warnings: Sequence[str] = ()
    letters: bool = True
    """Whether the leaderboard has significance letters."""
    scripts: Sequence[str] = ()
    data: Sequence[Markup] = ()

    def render(self, scores: Scores, title: str) -> str:
        """Return the page: warnings, numbers or leaderboard, cost, middle, conventions."""
        several = len(scores.systems) > 1
        sections = [
            warnings_section(scores, self.warnings),
            leaderboard_section(scores, self.letters)
            if several
            else numbers_section(scores, self.work),
            *cost_section(scores),
            *self.middle,
            conventions_section(scores),
        ]
        tiles = measure_tiles(scores) or best_system_tiles(scores)
        return render_page(title, self.lead, sections, self.scripts, self.data, tiles)


def saved_scores_page(scores: Scores, title: str | None = None) -> str:
    """Return a page of scores alone: what can be said without their evidence."""
    lead = ", ".join(scores.measures) + "."
    return TaskPage(lead).render(scores, title or scores.task.capitalize())
