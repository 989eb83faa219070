"""Figures of counts: confusion matrix, contingency table, methods in the ROC plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.options import example, output_option, save
from assay.cli.inputs.clustering import CLUSTERINGS
from assay.cli.options import arrange_option, labels_option, missing_option

if TYPE_CHECKING:
    from assay.tasks.clustering import ClusteringEvidence


@click.command(
    "confusion",
    epilog=example("confusion guesses.csv --truth label --predicted guess --arrange -o c.svg"),
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
    from assay.reports.confusion_clusters import clusters_of_confusion
    from assay.reports.figures.matrix import confusion_figure
    from assay.reports.subjects import ClassificationSubject

    subject = ClassificationSubject.of(data, "ACC", **columns)
    if cluster:
        found = clusters_of_confusion(subject.confusion)
        save(confusion_figure(found.confusion, found.clusters), output, quiet)
    else:
        save(confusion_figure(subject.confusion), output, quiet)


@click.command(
    "contingency", epilog=example("contingency clusters.csv --cluster c --class topic -o c.svg")
)
@CLUSTERINGS
@output_option
def contingency(evidence: ClusteringEvidence, output: str, quiet: bool) -> None:
    """The classes in each cluster, in color."""
    from assay.evidence.contingency import Contingency
    from assay.reports.figures.matrix import contingency_figure

    table = evidence.view(evidence.systems[0], Contingency, "a contingency table")
    save(contingency_figure(table), output, quiet)


@click.command("methods", epilog=example("methods methods.csv -o plane.svg"))
@click.argument("data", metavar="FILE")
@output_option
def methods(data: str, output: str, quiet: bool) -> None:
    """Methods in the ROC plane, from a table with the columns method, tp, fp, fn and tn."""
    from assay.reports.figures.roc import roc_plane_figure
    from assay.reports.subjects import methods_of

    save(roc_plane_figure(methods_of(data)), output, quiet)


COMMANDS = (confusion, contingency, methods)
