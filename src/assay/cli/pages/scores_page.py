"""``assay report scores``."""

from __future__ import annotations

import click

from assay.cli.pages.page_options import PageOutput, page_options


@click.command(
    epilog="""\b
Examples:
  assay report scores scores.parquet -o report.html
  assay report base.parquet new.parquet -o report.html"""
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@page_options
def scores(files: tuple[str, ...], page: PageOutput) -> None:
    """Scores that were saved with --save: what can be said without the evidence."""
    from assay.reports.pages.task_page import saved_scores_page
    from assay.tasks.scores.read_scores import read_scores

    found = read_scores(files)
    page.write(saved_scores_page, found, found)
