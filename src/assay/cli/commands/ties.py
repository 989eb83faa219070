"""``assay ties``: what documents of equal score do to the numbers."""

from __future__ import annotations

import click

from assay.cli.frames import format_options, note, show_frames
from assay.cli.output import asked, measure_option


@click.command(
    epilog="""\b
Examples:
  assay ties qrels.txt bm25.run
  assay ties qrels.txt bm25.run dense.run -m "P@10 AP" --format markdown
"""
)
@click.argument("qrels", type=click.Path())
@click.argument("runs", type=click.Path(), nargs=-1, required=True)
@click.option("--profile", default="assay", show_default=True, help="Whose conventions to follow.")
@click.option("--seed", type=int, default=1, show_default=True, help="For orders that are drawn.")
@measure_option
@format_options
def command(
    qrels: str,
    runs: tuple[str, ...],
    profile: str,
    seed: int,
    measures: tuple[str, ...],
    form: str,
    digits: int,
) -> None:
    """Count ties, and show each measure as expected, lowest and highest over their orders."""
    from assay.tasks.ties import ties

    report = ties(qrels, list(runs), asked(measures), profile=profile, seed=seed)
    for text in report.notes:
        note(text)
    show_frames({"ties": report.ties, "measures": report.measures}, form, digits)
