"""``assay cost``: quality against cost, with the Pareto front."""

from __future__ import annotations

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import accepted_quiet_option, profile_option, rel_option


@click.command(
    epilog="""\b
Examples:
  assay cost qrels.txt bm25.run dense.run --costs seconds.csv
  assay cost qrels.txt bm25.run dense.run --costs seconds.csv -m AP --format markdown
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--costs",
    type=click.Path(),
    required=True,
    help="A table with the columns system and cost, and perhaps query.",
)
@click.option("-m", "--measure", default="nDCG@10", show_default=True, metavar="NAME")
@rel_option
@profile_option
@format_options
@accepted_quiet_option
def command(
    qrels: str,
    runs: tuple[str, ...],
    costs: str,
    measure: str,
    rel: float | None,
    profile: str,
    format: str,
    digits: int,
) -> None:
    """Show the quality of runs beside what they cost; those on the front are beaten by no other."""
    from assay.tasks.costs import cost_beside_quality

    found = cost_beside_quality(qrels, list(runs), costs, measure, rel=rel, profile=profile)
    show_frames({"cost": found}, format, digits)
