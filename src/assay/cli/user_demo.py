"""The part of ``assay demo`` about users: offline and online evidence of two search engines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import terminal_width
from assay.reports.text.result_text import Layout, write

if TYPE_CHECKING:
    from assay.behavior.online_comparison import OnlineComparison


@dataclass(frozen=True)
class UserChapter:
    """One comparison of two search engines by judges and users, and the file of its page."""

    title: str
    result: OnlineComparison
    path: Path

    def show(self) -> None:
        """Print the evidence, and whether it agrees."""
        click.echo(f"\n{click.style(self.title, bold=True)}\n")
        click.echo(write(self.result, "table", Layout(width=terminal_width())))

    def write_page(self) -> Path:
        """Write the page, and return its path."""
        from assay.core.output_files import write_text
        from assay.reports.pages.report import render_result

        write_text(self.path, render_result(self.result, self.title))
        return self.path


def user_chapters(place: Path) -> list[UserChapter]:
    """Simulate a search engine with users whose preferences are known, and compare two rankings.

    In the second chapter the new system is slow, which neither judges nor interleaving can see.
    """
    from assay.behavior import experiment, interleave
    from assay.demo.search_users import write_user_files
    from assay.tasks.comparison.comparison import compare
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

    files = write_user_files(place / "users")
    evidence = RetrievalEvidence.read(files.qrels, [files.old, files.new])
    offline = compare(evidence.scores(["nDCG@10"], interval=None), baseline="old")
    preferred = interleave.analyze(files.lists, files.clicks)
    chapters = []
    for title, visits, page in (
        ("Two rankings, judged and used: does the evidence agree?", files.visits, "online"),
        ("The same rankings, but the new system is slow", files.slow_visits, "online-slow"),
    ):
        found = experiment.analyze(
            visits, "clicks/queries", guardrails="seconds", lower="seconds", control="old"
        )
        both = experiment.combine(offline, preferred, found, system="new", baseline="old")
        chapters.append(UserChapter(title, both, place / f"{page}.html"))
    return chapters
