"""``assay explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from assay.tasks.explanation import Explanation


@click.group(
    "explain",
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain classification predictions.csv -m MCC --truth label --predicted guess""",
)
def command() -> None:
    """Show the work behind one number."""


@command.command(
    "retrieval",
    epilog="""\b
Example:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301""",
)
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("-m", "--measure", required=True, metavar="NAME")
@click.option("--query", required=True)
@click.option("--profile", default="assay", show_default=True)
@click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
def retrieval(qrels: str, run: str, measure: str, query: str, profile: str, digits: int) -> None:
    """A measure for one query, document by document."""
    from assay.tasks.explanation import explain_retrieval

    _show(explain_retrieval(qrels, run, measure, query, profile), digits)


@command.command(
    "classification",
    epilog="""\b
Example:
  assay explain classification predictions.csv -m MCC --truth label --predicted guess""",
)
@click.argument("data", metavar="FILE")
@click.option("-m", "--measure", required=True, metavar="NAME")
@click.option("--truth", required=True, metavar="COLUMN")
@click.option("--predicted", required=True, metavar="COLUMN")
@click.option("--positive", metavar="CLASS")
@click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
def classification(
    data: str, measure: str, truth: str, predicted: str, positive: str | None, digits: int
) -> None:
    """A measure of a classifier, from its confusion matrix."""
    from assay.tasks.explanation import explain_classification

    _show(explain_classification(data, measure, truth, predicted, positive), digits)


def _show(explanation: Explanation, digits: int) -> None:
    from assay.reports.tables import frame_rows, number, text

    click.echo(
        click.style(f"{explanation.measure} = {number(explanation.value, digits)}", bold=True)
    )
    click.echo(f"{explanation.about}\n{explanation.formula}\n")
    table = explanation.table
    click.echo(text(frame_rows(table.columns, list(table.iter_rows()), digits)))
    if "grade" in table.columns and table["grade"].null_count():
        click.echo("\n? : not judged, or no document at this rank")
