"""``assay ties``: what documents of equal score do to the numbers."""

from __future__ import annotations

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import accepted_quiet_option, profile_option, rel_option, seed_option
from assay.cli.output import asked, measure_option


@click.command(
    epilog="""\b
Examples:
  assay ties qrels.txt bm25.run
  assay ties qrels.txt bm25.run dense.run -m "P@10 AP" --format markdown
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@rel_option
@profile_option
@seed_option
@measure_option
@format_options
@accepted_quiet_option
def command(
    qrels: str,
    runs: tuple[str, ...],
    rel: float | None,
    profile: str,
    seed: int,
    measures: tuple[str, ...],
    format: str,
    digits: int,
) -> None:
    """Count ties, and show each measure as expected, lowest and highest over their orders."""
    from assay.tasks.ties import ties

    report = ties(qrels, list(runs), asked(measures), rel=rel, profile=profile, seed=seed)
    show_frames({"ties": report.ties, "measures": report.measures}, format, digits)
