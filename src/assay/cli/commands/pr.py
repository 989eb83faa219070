"""``assay pr``."""

from __future__ import annotations

import click

from assay.cli.options import output_option
from assay.cli.output import TableOutput, print_saved, result_options

GROUP = "evaluate"


@click.command(
    "pr",
    epilog="""\b
Examples:
  assay pr curve.csv
  assay pr curve.csv --plot curves.svg""",
)
@click.argument("data", metavar="FILE")
@output_option("--plot", help="Draw points and curves: x.svg, x.png or x.pdf.")
@result_options("PrecisionRecallPoints")
def command(data: str, plot: str | None, output: TableOutput) -> None:
    """Evaluate a table of points of precision and recall."""
    from assay.tasks.retrieval.precision_recall_points import pr

    found = pr(data)
    if plot is not None:
        found.plot().save(plot)
        print_saved(plot, output.quiet)
    output.show_result(found)
