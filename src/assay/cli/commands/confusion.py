"""``assay confusion``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    arrange_option,
    labels_option,
    missing_option,
    positive_option,
    print_notes,
    weight_option,
)
from assay.cli.output import Output, measure_option, output_options, parse_names
from assay.cli.terminal import terminal_width

if TYPE_CHECKING:
    from assay.evidence.views.confusion import Confusion, Rows


@click.command(
    "confusion",
    epilog="""\b
Examples:
  assay confusion matrix.csv --rows predicted
  assay confusion matrix.csv --rows actual --show predicted --collapse woman
  assay confusion predictions.csv --truth label --predicted guess --arrange
  assay confusion predictions.csv --truth label --predicted guess --matrix --format latex""",
)
@click.argument("data", metavar="FILE")
@click.option(
    "--rows",
    type=click.Choice(["actual", "predicted"]),
    help="FILE is a matrix with these classes in its rows, named in its first column.",
)
@click.option("--truth", metavar="COLUMN", help="FILE has an item a row: the true class.")
@click.option("--predicted", metavar="COLUMN", help="… and the predicted class.")
@weight_option
@positive_option
@labels_option
@click.option("--collapse", metavar="CLASSES", help="These classes (a,b) against the rest.")
@click.option("--show", type=click.Choice(["actual", "predicted"]), help="What the rows shown are.")
@click.option("--matrix", "alone", is_flag=True, help="The matrix alone, in any --format.")
@arrange_option
@click.option(
    "--high",
    type=click.FloatRange(0, 1),
    default=0.9,
    show_default=True,
    help="From where on the reading calls a rate high.",
)
@missing_option("drop", "wrong")
@measure_option
@output_options
def command(
    data: str,
    rows: Rows | None,
    collapse: str | None,
    show: Rows | None,
    alone: bool,
    cluster: bool,
    high: float,
    measures: tuple[str, ...],
    output: Output,
    **columns: Any,
) -> None:
    """Evaluate a confusion matrix: one that exists already, or that of predictions."""
    from assay.tasks.classification.classification import confusion_scores, settle_positive_class
    from assay.tasks.classification.confusion import confusion, count_decisions

    if columns["truth"] and columns["predicted"]:
        matrix, notes = count_decisions(data, **columns)
        print_notes(notes, output.quiet)
    else:
        matrix = confusion(data, rows=rows, **columns)
    if collapse is not None:
        matrix = matrix.against_rest([name.strip() for name in collapse.split(",")])
    matrix, written = settle_positive_class(matrix), show or rows or "actual"
    if alone:
        _show_counts(matrix, written, cluster, output)
        return
    scores = confusion_scores(matrix, parse_names(measures), bootstrap=output.bootstrap())
    if output.format != "table":
        output.show(scores)
        return
    from assay.reports.text.confusion_text import matrix_notes, matrix_text
    from assay.reports.text.interpretation import RateLimits
    from assay.reports.text.table_text import UNBOUNDED

    room = terminal_width(UNBOUNDED)
    click.echo(matrix_text(matrix, written, cluster, room) + "\n")
    output.show(scores)
    click.echo("\n" + matrix_notes(matrix, output.digits, RateLimits(high=high), room))


def _show_counts(matrix: Confusion, rows: Rows, cluster: bool, output: Output) -> None:
    """The counts of the matrix as a table of its own, whose first column names the rows."""
    from assay.reports.text.confusion_text import cluster_confusions, counts_frame

    shown = cluster_confusions(matrix).confusion if cluster else matrix
    output.show_frame(counts_frame(shown, rows))
