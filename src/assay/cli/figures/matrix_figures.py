"""Figures of counts: confusion matrix, contingency table, methods in the ROC plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.figures.figure_options import examples, output_option, save_figure
from assay.cli.inputs.classification import PREDICTIONS
from assay.cli.inputs.clustering import CLUSTERINGS
from assay.cli.options import arrange_option

if TYPE_CHECKING:
    from assay.tasks.classification.classification import ClassificationEvidence
    from assay.tasks.clustering.clustering import ClusteringEvidence


@click.command(
    "confusion",
    epilog=examples("confusion guesses.csv --truth label --predicted guess --arrange -o c.svg"),
)
@PREDICTIONS
@arrange_option
@output_option
def confusion(evidence: ClassificationEvidence, cluster: bool, output: str, quiet: bool) -> None:
    """The confusion matrix in color, with rates in its margins."""
    save_figure("confusion", evidence, output=output, quiet=quiet, cluster=cluster)


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
