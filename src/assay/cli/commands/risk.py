"""``assay risk``: wins, losses and risk against a baseline."""

from __future__ import annotations

import click

from assay.cli.frames import format_options, note, show_frames
from assay.cli.output import asked, measure_option


@click.command(
    epilog="""\b
Examples:
  assay risk qrels.txt baseline.run new.run
  assay risk qrels.txt baseline.run new.run other.run -m "AP nDCG@10" --alpha 5
"""
)
@click.argument("qrels", type=click.Path())
@click.argument("baseline", type=click.Path())
@click.argument("runs", type=click.Path(), nargs=-1, required=True)
@click.option("--alpha", type=float, default=1.0, show_default=True, help="The weight of losses.")
@click.option("--profile", default="assay", show_default=True)
@measure_option
@format_options
def command(
    qrels: str,
    baseline: str,
    runs: tuple[str, ...],
    alpha: float,
    profile: str,
    measures: tuple[str, ...],
    form: str,
    digits: int,
) -> None:
    """Compare RUNS with a BASELINE query by query, losses counting 1 + alpha times."""
    from assay.tasks.risk import risk

    chosen = asked(measures) or "nDCG@10"
    found = risk(qrels, baseline, list(runs), chosen, alpha=alpha, profile=profile, tell=note)
    show_frames({"risk": found}, form, digits)
