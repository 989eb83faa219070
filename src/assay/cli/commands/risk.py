"""``assay risk``: wins, losses and risk against a baseline."""

from __future__ import annotations

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import accepted_quiet_option, profile_option, rel_option
from assay.cli.output import asked, measure_option


@click.command(
    epilog="""\b
Examples:
  assay risk qrels.txt baseline.run new.run
  assay risk qrels.txt baseline.run new.run other.run -m "AP nDCG@10" --alpha 5
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("baseline", metavar="BASELINE")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--alpha", type=float, default=1.0, show_default=True, help="The weight of losses.")
@rel_option
@profile_option
@measure_option
@format_options
@accepted_quiet_option
def command(
    qrels: str,
    baseline: str,
    runs: tuple[str, ...],
    alpha: float,
    rel: float | None,
    profile: str,
    measures: tuple[str, ...],
    format: str,
    digits: int,
) -> None:
    """Compare runs with a BASELINE query by query, losses counting 1 + alpha times."""
    from assay.tasks.risk import risk

    chosen = asked(measures) or "nDCG@10"
    found = risk(qrels, baseline, list(runs), chosen, alpha=alpha, rel=rel, profile=profile)
    show_frames({"risk": found}, format, digits)
