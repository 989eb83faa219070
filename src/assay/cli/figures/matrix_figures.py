"""Figures of counts: confusion matrix, contingency table, methods in the ROC plane."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.figures.figure_options import examples, output_option, save_figure
from assay.cli.options import arrange_option, labels_option, missing_option


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
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMN", help="The cluster of each item.")
@click.option("--class", "classes", required=True, metavar="COLUMN", help="The true class.")
@output_option
def contingency(data: str, cluster: str, classes: str, output: str, quiet: bool) -> None:
    """The classes in each cluster, in colour."""
    save_figure("contingency", data, output=output, quiet=quiet, cluster=cluster, classes=classes)


@click.command("methods", epilog=examples("methods methods.csv -o plane.svg"))
@click.argument("data", metavar="FILE")
@output_option
def methods(data: str, output: str, quiet: bool) -> None:
    """Methods in the ROC plane, from a table with the columns method, tp, fp, fn and tn."""
    save_figure("methods", data, output=output, quiet=quiet)


COMMANDS = (confusion, contingency, methods)
