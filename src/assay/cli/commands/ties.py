"""``assay ties``: what documents of equal score do to the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.commands.retrieval import RUNS
from assay.cli.options import measure_option, seed_option
from assay.cli.output import TableOutput, table_options

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
def command(
    evidence: RetrievalEvidence, seed: int, measures: list[str] | None, output: TableOutput
) -> None:
    """Count ties, and show how they affect each measure.

    Shown are the expected, the lowest and the highest value over all orders of tied documents.
    """
    from assay.tasks.retrieval.ties import tie_report

    report = tie_report(evidence, measures, seed)
    frames = {"ties": report.ties, "measures": report.measures}
    output.show(frames, report.notes, evidence.sources)
