"""``assay cost``: quality against cost, with the Pareto front."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.commands.retrieval import retrieval_inputs
from assay.cli.options import cost_option, one_measure_option
from assay.cli.output import TableOutput, table_options

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "decide"

RUNS = retrieval_inputs(cost_option(required=True))


@click.command(
    epilog="""\b
Examples:
  assay cost qrels.txt bm25.run dense.run --cost seconds.csv
  assay cost qrels.txt bm25.csv dense.csv --cost time -m AP --format markdown
  assay cost qrels.txt bm25.run dense.run --cost 7
"""
)
@RUNS
@one_measure_option("nDCG@10")
@table_options
def command(evidence: RetrievalEvidence, measure: str, output: TableOutput) -> None:
    """Show the quality of runs against their cost.

    No other run is better and cheaper than those on the Pareto front.
    """
    from assay.tasks.retrieval.costs import quality_and_cost

    scores = evidence.scores([measure], interval=None)
    output.show({"cost": quality_and_cost(scores)}, scores.warnings, evidence.sources)
