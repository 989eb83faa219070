"""``assay report retrieval``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.inputs.retrieval import retrieval_inputs
from assay.cli.options import cost_option
from assay.cli.output import measure_option, parse_names
from assay.cli.pages.page_options import PageOutput, page_options

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

INPUTS = retrieval_inputs(
    cost_option(),
    click.option(
        "--topics",
        type=INPUT_FILE,
        metavar="FILE",
        help="Texts of the queries: TSV or JSON lines.",
    ),
    click.option(
        "--documents",
        type=INPUT_FILE,
        metavar="FILE",
        help="Texts of the documents: TSV or JSON lines.",
    ),
)


@click.command(
    epilog="""\b
Examples:
  assay report retrieval qrels.txt bm25.run dense.run -m "nDCG@10 AP" -o report.html
  assay report retrieval qrels.txt bm25.run dense.run --cost seconds.csv"""
)
@INPUTS
@measure_option
@page_options
def retrieval(evidence: RetrievalEvidence, measures: tuple[str, ...], page: PageOutput) -> None:
    """Runs: warnings, leaderboard, changes query by query, rankings side by side, curves."""
    from assay.reports.pages.retrieval import retrieval_page

    scores = evidence.scores(parse_names(measures), interval=page.bootstrap())
    page.write(partial(retrieval_page, evidence), scores, scores)
