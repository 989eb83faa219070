"""``assay risk``: wins, losses and risk against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.commands.retrieval import retrieval_inputs
from assay.cli.options import files_argument, measure_option_with_default
from assay.cli.output import TableOutput, table_options

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "decide"
RUNS = retrieval_inputs(runs=files_argument("runs", "BASELINE RUN..."))


@click.command(
    epilog="""\b
Examples:
  assay risk qrels.txt baseline.run new.run
  assay risk qrels.txt baseline.run new.run other.run -m "AP nDCG@10" --alpha 5
"""
)
@RUNS
@click.option("--alpha", type=float, default=1.0, help="Weight of losses.")
@measure_option_with_default("nDCG@10")
@table_options
def command(
    evidence: RetrievalEvidence, alpha: float, measures: list[str] | None, output: TableOutput
) -> None:
    """Compare runs with a baseline, weighting losses more.

    Queries on which a run is worse than BASELINE count 1 + alpha times.
    """
    from assay.core.errors import UsageError
    from assay.tasks.retrieval.risk import risk_table

    notes: list[str] = []
    first, *others = evidence.systems
    if not others:
        raise UsageError("a run to compare with the baseline is missing: give BASELINE and RUN")
    runs, baseline = evidence.subset(others), evidence.subset([first])
    found = risk_table(baseline, runs, measures or "nDCG@10", alpha, notes.append)
    output.show({"risk": found}, notes, evidence.sources, _legend(first, alpha))


def _legend(baseline: str, alpha: float) -> list[str]:
    """How to read each column."""
    return [
        "wins, ties, losses: queries on which the run is better than the baseline, like it, worse;"
        f" the baseline is {baseline}",
        f"difference: the mean over queries; URisk: with losses counted {1 + alpha:g} times",
        "tail: the mean difference over the tenth of the queries that lose most",
        "GeoRisk: 0 to 1, more is better: quality and evenness beside the runs of this table; it is"
        " not to be compared with that of other tables",
    ]
