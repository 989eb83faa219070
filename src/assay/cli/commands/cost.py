"""``assay cost``: quality against cost, with the Pareto front."""

from __future__ import annotations

import click

from assay.cli.frames import format_options, note, show_frames


@click.command(
    epilog="""\b
Examples:
  assay cost qrels.txt bm25.run dense.run --costs seconds.csv
  assay cost qrels.txt bm25.run dense.run --costs seconds.csv -m AP --format markdown
"""
)
@click.argument("qrels", type=click.Path())
@click.argument("runs", type=click.Path(), nargs=-1, required=True)
@click.option(
    "--costs",
    type=click.Path(),
    required=True,
    help="A table with the columns system and cost, and perhaps query.",
)
@click.option("-m", "--measure", default="nDCG@10", show_default=True, metavar="NAME")
@click.option("--profile", default="assay", show_default=True)
@format_options
def command(
    qrels: str,
    runs: tuple[str, ...],
    costs: str,
    measure: str,
    profile: str,
    form: str,
    digits: int,
) -> None:
    """Show the quality of RUNS beside what they cost; runs on the front are beaten by no other."""
    from assay.tasks.costs import cost_beside_quality

    found = cost_beside_quality(qrels, list(runs), costs, measure, profile=profile, tell=note)
    show_frames({"cost": found}, form, digits)
