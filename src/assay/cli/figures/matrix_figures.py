"""Figures of counts: confusion matrix, contingency table, methods in the ROC plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.figure_options import examples, output_option, save_figure
from assay.cli.inputs.clustering import CLUSTERINGS
from assay.cli.options import arrange_option, labels_option, missing_option

if TYPE_CHECKING:
    from assay.tasks.clustering.clustering import ClusteringEvidence


@click.command(
    "confusion",
    epilog=examples("confusion guesses.csv --truth label --predicted guess --arrange -o c.svg"),
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true class.")
@click.option("--predicted", required=True, metavar="COLUMN", help="The predicted class.")
@labels_option
@arrange_option
@missing_option("drop", "wrong")
@output_option
def confusion(data: str, cluster: bool, output: str, quiet: bool, **columns: Any) -> None:
    """The confusion matrix in colour, with rates in its margins."""
    save_figure("confusion", data, output=output, quiet=quiet, cluster=cluster, **columns)


@click.command(
    "contingency", epilog=examples("contingency clusters.csv --cluster c --class topic -o c.svg")
)
@CLUSTERINGS
@output_option
def contingency(evidence: ClusteringEvidence, output: str, quiet: bool) -> None:
    """The classes in each cluster, in color."""
    save_figure("contingency", evidence, output=output, quiet=quiet)


@click.command("methods", epilog=examples("methods methods.csv -o plane.svg"))
@click.argument("data", metavar="FILE")
@output_option
def methods(data: str, output: str, quiet: bool) -> None:
    """Methods in the ROC plane, from a table with the columns method, tp, fp, fn and tn."""
    save_figure("methods", data, output=output, quiet=quiet)


COMMANDS = (confusion, contingency, methods)
