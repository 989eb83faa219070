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
    from assay.reports.figures.matrix_figures import confusion_figure
    from assay.reports.subjects import ClassificationSubject
    from assay.reports.text.confusion_text import cluster_confusions

    subject = ClassificationSubject.of(data, "ACC", **columns)
    if cluster:
        found = cluster_confusions(subject.confusion)
        save_figure(confusion_figure(found.confusion, found.clusters), output, quiet)
    else:
        save_figure(confusion_figure(subject.confusion), output, quiet)


@click.command(
    "contingency", epilog=examples("contingency clusters.csv --cluster c --class topic -o c.svg")
)
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMN", help="The cluster of each item.")
@click.option("--class", "classes", required=True, metavar="COLUMN", help="The true class.")
@output_option
def contingency(data: str, cluster: str, classes: str, output: str, quiet: bool) -> None:
    """The classes in each cluster, in colour."""
    from assay.evidence.builders.from_assignments import build_contingency as counted
    from assay.reports.figures.matrix_figures import contingency_figure
    from assay.reports.subjects import groupings_of

    grouping = groupings_of(data, cluster=cluster, classes=classes)[0]
    save_figure(contingency_figure(counted(grouping.assignments())), output, quiet)


@click.command("methods", epilog=examples("methods methods.csv -o plane.svg"))
@click.argument("data", metavar="FILE")
@output_option
def methods(data: str, output: str, quiet: bool) -> None:
    """Methods in the ROC plane, from a table with the columns method, tp, fp, fn and tn."""
    from assay.reports.figures.score_figures import roc_plane_figure
    from assay.reports.subjects import methods_of

    save_figure(roc_plane_figure(methods_of(data)), output, quiet)


COMMANDS = (confusion, contingency, methods)
