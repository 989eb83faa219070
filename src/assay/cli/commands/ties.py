"""``assay ties``: what documents of equal score do to the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.inputs.retrieval import RUNS
from assay.cli.options import quiet_option, say_notes, seed_option
from assay.cli.output import asked, measure_option
from assay.cli.reading import show_files

if TYPE_CHECKING:
    from assay.tasks.retrieval_evidence import RetrievalEvidence


@click.command(
    epilog="""\b
Examples:
  assay ties qrels.txt bm25.run
  assay ties qrels.txt bm25.run dense.run -m "P@10 AP" --format markdown
"""
)
@RUNS
@seed_option
@measure_option
@format_options
@quiet_option
def command(
    evidence: RetrievalEvidence,
    seed: int,
    measures: tuple[str, ...],
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Count ties, and show each measure as expected, lowest and highest over their orders."""
    from assay.tasks.ties import tie_report

    report = tie_report(evidence, asked(measures), seed)
    say_notes(report.notes, quiet)
    show_frames({"ties": report.ties, "measures": report.measures}, format, digits)
    show_files(evidence.sources, format)
