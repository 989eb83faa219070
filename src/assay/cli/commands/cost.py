"""``assay cost``: quality against cost, with the Pareto front."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.inputs.retrieval import retrieval_inputs
from assay.cli.options import cost_option, quiet_option, say_notes
from assay.cli.output import one_measure_option
from assay.cli.reading import show_files

if TYPE_CHECKING:
    from assay.tasks.retrieval_evidence import RetrievalEvidence

INPUTS = retrieval_inputs(cost_option(required=True))


@click.command(
    epilog="""\b
Examples:
  assay cost qrels.txt bm25.run dense.run --cost seconds.csv
  assay cost qrels.txt bm25.csv dense.csv --cost time -m AP --format markdown
  assay cost qrels.txt bm25.run dense.run --cost 7
"""
)
@INPUTS
@one_measure_option("nDCG@10")
@format_options
@quiet_option
def command(
    evidence: RetrievalEvidence,
    measure: str,
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Show the quality of runs beside what they cost; those on the front are beaten by no other."""
    from assay.tasks.costs import beside_cost

    scores = evidence.scores([measure], interval=None)
    say_notes(scores.warnings, quiet)
    show_frames({"cost": beside_cost(scores)}, format, digits)
    show_files(evidence.sources, format)
