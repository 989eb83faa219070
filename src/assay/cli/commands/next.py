"""``assay next``: which documents to judge next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.commands.retrieval import retrieval_inputs
from assay.cli.options import count_option, one_measure_option
from assay.cli.output import TableOutput, table_options

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "inspect"
RUNS = retrieval_inputs(
    runs=click.argument("runs", metavar="FIRST SECOND…", nargs=-1, required=True), cut=False
)

LEGEND = (
    "rank_in_first, rank_in_second: its ranks in FIRST, {first}, and SECOND, {second}",
    "now: FIRST − SECOND for the query as judged; change: how much that would move if the document"
    " had the best grade",
)


@click.command(
    epilog="""\b
Examples:
  assay next qrels.txt bm25.run dense.run
  assay next qrels.txt bm25.run dense.run -m P@10 --count 50 --format csv
  assay next qrels.txt bm25.run dense.run a.run
"""
)
@RUNS.values
@one_measure_option("nDCG@10")
@count_option("--depth", default=100, help="Number of documents of each list to search.")
@count_option("--count", default=20, help="Number of documents to show.")
@table_options
def command(
    inputs: dict[str, Any], measure: str, depth: int, count: int, output: TableOutput
) -> None:
    """List the unjudged documents that could change an order most.

    The order is that of two runs, FIRST and SECOND; of more, each document is listed with the two
    runs that it could change most.

    The change is how much the difference FIRST − SECOND for the query would move if the document
    had the best grade.
    """
    from assay.tasks.retrieval.judge_next import candidates_of_pairs

    notes: list[str] = []
    evidence: RetrievalEvidence = RUNS.read(**inputs)  # type: ignore[assignment]
    found = candidates_of_pairs(evidence, measure, depth, count, notes.append)
    two = inputs["runs"] if len(inputs["runs"]) == 2 else ("as listed", "as listed")
    legend = [line.format(first=two[0], second=two[1]) for line in LEGEND]
    output.show({"next": found}, notes, legend=legend)
