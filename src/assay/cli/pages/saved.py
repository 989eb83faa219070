"""``assay report scores``."""

from __future__ import annotations

import click

from assay.cli.pages.options import PageOutput, page_options


@click.command(
    epilog="""\b
Example:
  assay report scores scores.parquet -o report.html"""
)
@click.argument("file", metavar="FILE")
@page_options
def scores(file: str, page: PageOutput) -> None:
    """Scores that were saved with --save: what can be said without the evidence."""
    from assay.engine.scores import Scores
    from assay.reports.pages.saved import scores_page

    found = Scores.load(file)
    page.write(scores_page, found, found)
