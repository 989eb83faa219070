"""``assay ties``: what documents of equal score do to the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.inputs.retrieval import RUNS
from assay.cli.messages import print_notes, print_system_files, show_frames
from assay.cli.options import quiet_option, seed_option, table_options
from assay.cli.output import measure_option

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "inspect"


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
@table_options
@quiet_option
def command(
    evidence: RetrievalEvidence,
    seed: int,
    measures: list[str] | None,
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Count ties, and show how they affect each measure.

    Shown are the expected, the lowest and the highest value over all orders of tied documents.
    """
    from assay.tasks.retrieval.ties import tie_report

    report = tie_report(evidence, measures, seed)
    print_notes(report.notes, quiet)
    show_frames({"ties": report.ties, "measures": report.measures}, format, digits)
    print_system_files(evidence.sources, format)
