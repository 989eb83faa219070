"""Figures of counts: confusion matrix, contingency table, methods in the ROC plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.figures.figure_options import examples, only_view, output_option, save_figure
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
    from assay.evidence.views.confusion import Confusion
    from assay.reports.figures.matrix_figures import confusion_figure
    from assay.reports.text.confusion_clusters import cluster_confusions

    matrix = only_view(evidence, Confusion)
    if cluster:
        found = cluster_confusions(matrix)
        save_figure(confusion_figure(found.confusion, found.clusters), output, quiet)
    else:
        save_figure(confusion_figure(matrix), output, quiet)


@click.command(
    "contingency", epilog=examples("contingency clusters.csv --cluster c --class topic -o c.svg")
)
@CLUSTERINGS
@output_option
def contingency(evidence: ClusteringEvidence, output: str, quiet: bool) -> None:
    """The classes in each cluster, in color."""
    from assay.evidence.views.contingency import Contingency
    from assay.reports.figures.matrix_figures import contingency_figure

    table = evidence.view(evidence.systems[0], Contingency, "a contingency table")
    save_figure(contingency_figure(table), output, quiet)


@click.command("methods", epilog=examples("methods methods.csv -o plane.svg"))
@click.argument("data", metavar="FILE")
@output_option
def methods(data: str, output: str, quiet: bool) -> None:
    """Methods in the ROC plane, from a table with the columns method, tp, fp, fn and tn."""
    from assay.reports.figures.roc import roc_plane_figure
    from assay.tasks.classification.confusion import read_methods

    save_figure(roc_plane_figure(read_methods(data)), output, quiet)


COMMANDS = (confusion, contingency, methods)
