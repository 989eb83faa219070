"""``assay holes``: what missing judgments do to the numbers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from assay.cli.commands.retrieval import RUNS
from assay.cli.options import measure_option
from assay.cli.output import TableOutput, table_options
from assay.core.progress import with_progress

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "inspect"

LEGEND = (
    "value: unjudged documents are not relevant; condensed: without them; [low, high]: what any"
    " judgments of the retrieved ones could make of the value",
    "low can lie below value: an unjudged document far down the list that turns out relevant adds"
    " to what a perfect list would have (R, the ideal gain), so AP, nDCG and recall fall",
)
"""How to read the columns; the second line where it is needed."""


@click.command(
    epilog="""\b
Examples:
  assay holes qrels.txt bm25.run dense.run
  assay holes qrels.txt bm25.run -m "P@10 nDCG@10 AP" --per-query --format csv
"""
)
@RUNS
@click.option("--per-query", is_flag=True, help="A row for each query.")
@measure_option
@table_options
def command(
    evidence: RetrievalEvidence, per_query: bool, measures: list[str] | None, output: TableOutput
) -> None:
    """Show how many retrieved documents are judged, with bounds.

    For each measure: its value with unjudged documents as not relevant, on the condensed list, and
    the lowest and highest value that any judgment of them could give.
    """
    from assay.tasks.retrieval.holes import unjudged_report

    report = (
        unjudged_report(evidence, measures)
        if output.quiet or not sys.stderr.isatty()
        else with_progress(unjudged_report)(evidence, measures)
    )
    frames = {"judged": report.judged, "measures": report.measures}
    if per_query:
        frames = {"per_query": report.per_query}
    below = bool((report.measures["low"] < report.measures["value"] - 1e-9).any())
    output.show(frames, report.notes, evidence.sources, LEGEND[: 1 + below])
