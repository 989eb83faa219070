"""``assay plot``."""

from __future__ import annotations

import click

from assay.cli.figures import matrix_figures, point_figures, run_figures, score_figures
from assay.cli.task_group import TaskGroup

GROUP = "present"


@click.group(
    "plot",
    cls=TaskGroup,
    what="figure",
    epilog="""\b
Examples:
  assay plot pr qrels.txt bm25.run dense.run -o pr.svg
  assay plot per-query qrels.txt bm25.run dense.run -m nDCG@10 -o changes.pdf
  assay plot roc predictions.csv --truth sick --score p --positive yes -o roc.png
  assay plot confusion predictions.csv --truth label --predicted guess --arrange -o confusion.svg
\b
SVG needs nothing more; PNG and PDF need  pip install "assay-eval[plots]" """,
)
def command() -> None:
    """Draw a figure for a paper.

    The extension of the output file determines the format: SVG, PNG or PDF.
    """


for module in (run_figures, score_figures, matrix_figures, point_figures):
    for each in module.COMMANDS:
        command.add_command(each)
