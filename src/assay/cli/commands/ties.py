"""``assay ties``: what documents of equal score do to the numbers."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import quiet_option, say_notes, seed_option
from assay.cli.output import asked, measure_option
from assay.cli.reading import Evidence, reading_options


@click.command(
    epilog="""\b
Examples:
  assay ties qrels.txt bm25.run
  assay ties qrels.txt bm25.run dense.run -m "P@10 AP" --format markdown
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@reading_options(depth=False)
@seed_option
@measure_option
@format_options
@quiet_option
def command(
    qrels: str,
    runs: tuple[str, ...],
    reading: dict[str, Any],
    seed: int,
    measures: tuple[str, ...],
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Count ties, and show each measure as expected, lowest and highest over their orders."""
    from assay.tasks.ties import ties

    read = Evidence.read(qrels, runs, reading)
    report = ties(read.judgments, read.runs, asked(measures), seed=seed, **read.settings)
    say_notes(report.notes, quiet)
    show_frames({"ties": report.ties, "measures": report.measures}, format, digits)
    read.show_files(format)
