"""``assay confusion``: confusion matrices, or tables of true and predicted classes to count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    arrange_option,
    choice_option,
    column_option,
    files_argument,
    labels_option,
    missing_option,
    numbers_option,
    positive_option,
    predicted_class_option,
    weight_option,
)
from assay.cli.output import Output, output_options, print_notes, print_text, terminal_width
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.evidence.views.confusion import Confusion, Rows
    from assay.tasks.classification.confusion import ConfusionEvidence

GROUP = "evaluate"


def read(files: tuple[str, ...], collapse: str | None = None, **columns: Any) -> ConfusionEvidence:
    """Read matrices, or count decisions; with ``collapse`` some classes against the rest."""
    from assay.tasks.classification.confusion import ConfusionEvidence

    names = [name.strip() for name in collapse.split(",")] if collapse is not None else []
    return ConfusionEvidence.read(list(files), collapse=names, **columns)


INPUTS = TaskInputs(
    "confusion",
    [
        files_argument(),
        choice_option(
            "--rows",
            ["actual", "predicted"],
            default=None,
            help="Classes in the rows of a matrix; its first column names them.",
        ),
        column_option("--truth", help="Column of the true class, item by item."),
        predicted_class_option,
        weight_option,
        positive_option,
        labels_option,
        click.option("--collapse", metavar="CLASSES", help="These classes (a,b) against the rest."),
        missing_option("drop", "wrong"),
    ],
    read,
)


@click.command(
    "confusion",
    epilog="""\b
Examples:
  assay confusion matrix.csv --rows predicted
  assay confusion matrix.csv --rows actual --show predicted --collapse woman
  assay confusion matrix.csv --rows predicted --collapse woman --overview --prevalence 0.1
  assay confusion methods.csv
  assay confusion methods.csv --pairs -m "TPR PPV"
  assay confusion predictions.csv --truth label --predicted guess --arrange
  assay confusion predictions.csv --truth label --predicted guess --matrix --format latex""",
)
@INPUTS.values
@click.option("--show", type=click.Choice(["actual", "predicted"]), help="Classes in the rows.")
@click.option("--overview", "whole", is_flag=True, help="Every rate in its place; two classes.")
@numbers_option(
    "--prevalence",
    "0.01,0.1",
    help="Show PPV, NPV and ACC at other prevalences.",
)
@click.option("--pairs", is_flag=True, help="Compare the rates of each pair of methods.")
@click.option("--matrix", "alone", is_flag=True, help="Show the matrix alone, in any --format.")
@arrange_option
@click.option(
    "--high",
    type=click.FloatRange(0, 1),
    default=0.9,
    help="Rate from which the reading calls it high.",
)
@output_options
def command(
    inputs: dict[str, Any],
    show: Rows | None,
    whole: bool,
    prevalence: list[float] | None,
    pairs: bool,
    alone: bool,
    arrange: bool,
    high: float,
    output: Output,
) -> None:
    """Evaluate confusion matrices, existing or from predictions."""
    evidence: ConfusionEvidence = INPUTS.read(**inputs)  # type: ignore[assignment]
    rows = show or inputs["rows"] or "actual"
    if alone:
        print_notes(evidence.notes, output.quiet)
        for matrix in evidence.members.values():
            _show_counts(matrix, rows, arrange, output)
        return
    if pairs:
        _show_pairs(evidence, output)
        return
    if whole or prevalence:
        print_notes(evidence.notes, output.quiet)
        _show_overviews(evidence, rows, prevalence, output)
        return
    scores = output.scores(evidence)
    if output.format != "table":
        output.show(scores)
        return
    from assay.core.phrases import UNBOUNDED
    from assay.reports.text.confusion_text import class_rows, matrix_notes, matrix_text
    from assay.reports.text.interpretation import RateLimits
    from assay.reports.text.table_text import align_columns

    room, several = terminal_width(UNBOUNDED), len(evidence.systems) > 1
    for name, matrix in evidence.members.items():
        print_text((f"{name}\n" if several else "") + matrix_text(matrix, rows, arrange, room))
        print_text()
    output.show(scores)
    for name, matrix in evidence.members.items():
        if len(matrix.labels) > 2:
            classes = align_columns(class_rows(matrix, output.digits), "  ", room)
            print_text((f"\n{name}" if several else "") + f"\nby class\n{classes}")
        notes = matrix_notes(matrix, output.digits, RateLimits(high=high), room)
        print_text((f"\n{name}" if several else "") + f"\n{notes}")


def _show_overviews(
    evidence: ConfusionEvidence, rows: Rows, prevalence: list[float] | None, output: Output
) -> None:
    """Print the overview of each matrix."""
    from dataclasses import replace

    from assay.cli.output import show_result, use_option_names
    from assay.tasks.classification.matrix_overview import overview

    for name, matrix in evidence.members.items():
        if len(evidence.systems) > 1 and output.format == "table":
            print_text(f"{name}\n", bold=True)
        found = overview(matrix, rows, prevalence=prevalence or (), digits=output.digits)
        named = replace(found, notes=tuple(map(use_option_names, found.notes)))
        show_result(named, output.format, output.digits)
        print_text()


def _show_pairs(evidence: ConfusionEvidence, output: Output) -> None:
    """Print the differences of the rates of each pair of matrices."""
    from assay.cli.output import show_result
    from assay.tasks.classification.method_comparison import RATES, compare_methods

    if len(evidence.members) < 2:
        raise click.UsageError("--pairs compares two or more matrices: give several files")
    found = compare_methods(evidence.members, " ".join(output.measures or RATES))
    show_result(found, output.format, output.digits)


def _show_counts(matrix: Confusion, rows: Rows, arrange: bool, output: Output) -> None:
    """Print the counts of the matrix as a table whose first column names the rows."""
    from assay.reports.text.confusion_clusters import cluster_confusions
    from assay.reports.text.confusion_text import counts_frame

    shown = cluster_confusions(matrix).confusion if arrange else matrix
    output.show_frame(counts_frame(shown, rows))
